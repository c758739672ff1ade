"""Rows posted to a server: all of them, each once, and no call waits."""

from __future__ import annotations

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from support import SCRIPT_HEAD, Lines, quiet, rows, run_script

from codecarbon.output import HTTPOutput
from codecarbon.output_methods import http


@pytest.fixture
def server() -> Any:
    """Takes posts, and answers as it is told to."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers["Content-Length"]))
            if self.server.status == 200:  # type: ignore[attr-defined]
                self.server.posts.append(json.loads(text))  # type: ignore[attr-defined]
            self.send_response(self.server.status)  # type: ignore[attr-defined]
            self.end_headers()

        def log_message(self, *arguments: object) -> None: ...

    web: Any = HTTPServer(("127.0.0.1", 0), Handler)
    web.status, web.posts = 200, []
    web.url = f"http://127.0.0.1:{web.server_port}/emissions"
    thread = threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield web
    web.shutdown()
    thread.join()
    web.server_close()


def await_senders() -> None:
    for thread in threading.enumerate():
        if thread.name == "codecarbon http":
            thread.join(20)


def test_every_row_is_posted(server: Any) -> None:
    tracker = quiet(emissions_endpoint=server.url)
    tracker.start()
    tracker.flush()
    tracker.stop()
    await_senders()
    assert len(server.posts) == 2
    assert server.posts[-1] == vars(tracker.final_emissions_data)


def test_case_32_what_a_server_refuses_is_sent_later_as_it_was_measured(server: Any, lines: Lines) -> None:
    server.status = 503
    tracker = quiet(emissions_endpoint=server.url, save_to_file=True)
    tracker.start()
    tracker.flush()
    await_senders()
    tracker.flush()
    await_senders()
    assert server.posts == [] and len(lines.texts()) == 1
    assert server.url in lines.texts()[0] and "503" in lines.texts()[0]
    server.status = 200
    assert tracker.stop() is not None
    await_senders()
    assert [post["duration"] for post in server.posts] == [float(row["duration"]) for row in rows()]
    assert len(server.posts) == 3


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/", "http://no such host/", "http://[1/"])
def test_a_server_that_is_not_there_is_told_of_once(url: str, lines: Lines) -> None:
    tracker = quiet(emissions_endpoint=url, save_to_file=True)
    tracker.start()
    tracker.flush()
    assert tracker.stop() is not None
    await_senders()
    assert len(rows()) == 2 and len(lines.texts()) == 1


def test_no_call_waits_for_a_server_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    posts: list[str] = []

    def stuck(url: str, text: str) -> None:
        go_on.wait(60)
        posts.append(text)

    monkeypatch.setattr(http, "_post", stuck)
    tracker = quiet(emissions_endpoint="http://127.0.0.1:9/", save_to_file=True)
    tracker.start()
    for _ in range(3):
        tracker.flush()
    tracker.stop()  # none of these would ever return
    assert (len(rows()), posts) == (4, [])
    assert len([t for t in threading.enumerate() if t.name == "codecarbon http"]) == 1
    go_on.set()
    await_senders()
    assert [json.loads(post)["duration"] for post in posts] == [float(r["duration"]) for r in rows()]


def test_a_sender_that_ends_does_not_dismiss_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    class Row:
        def __init__(self, name: str) -> None:
            self.name = name

        def toJSON(self) -> str:
            return self.name

    class Interrupted(HTTPOutput):
        """Something comes just when the first sender has seen that nothing waits."""

        def _oldest(self) -> str | None:
            text = super()._oldest()
            if text is None and not came:
                came.append(threading.current_thread())
                self.out(Row("second"), None)  # type: ignore[arg-type]
                second.wait(20)
            return text

    came: list[threading.Thread] = []
    posts: list[str] = []
    second, go_on = threading.Event(), threading.Event()

    def post(url: str, text: str) -> None:
        if text == "second":
            second.set()
            go_on.wait(20)
        posts.append(text)

    monkeypatch.setattr(http, "_post", post)
    output = Interrupted("http://127.0.0.1:9/")
    output.out(Row("first"), None)  # type: ignore[arg-type]
    assert second.wait(20)
    came[0].join(20)
    output.out(Row("third"), None)  # type: ignore[arg-type]
    go_on.set()
    await_senders()
    assert posts == ["first", "second", "third"]


@pytest.mark.parametrize("ending", ["tracker.stop()", "", "sys.exit(0)"])
def test_what_waits_at_the_end_of_the_program_is_still_posted(ending: str, server: Any) -> None:
    done = run_script(
        SCRIPT_HEAD + f"""
tracker = OfflineEmissionsTracker(**QUIET, emissions_endpoint={server.url!r})
tracker.start()
tracker.flush()
{ending}
"""
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(server.posts) == 2


def test_a_server_that_never_answers_keeps_no_program_for_long() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as deaf:
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}/"
        done = run_script(
            SCRIPT_HEAD + f"""
tracker = OfflineEmissionsTracker(**QUIET, emissions_endpoint={url!r})
tracker.start()
for _ in range(1000): tracker.flush()
"""
        )  # a second each would be too long
        assert done.returncode == 0
    assert len(rows()) == 1001


@pytest.mark.skipif(
    "CODECARBON_SANITIZED" in os.environ, reason="the sanitizer's own allocator hangs after fork"
)
def test_a_child_of_a_fork_posts_its_own_rows_only(server: Any) -> None:
    done = run_script(
        SCRIPT_HEAD + f"""
from codecarbon.output import HTTPOutput
output = HTTPOutput({server.url!r})
parent = OfflineEmissionsTracker("parent", **QUIET, output_handlers=[output])
parent.start()
parent.flush()
if os.fork() == 0:
    child = OfflineEmissionsTracker("child", **QUIET, output_handlers=[output])
    child.start()
    child.stop()
    sys.exit(0)
os.wait()
parent.stop()
"""
    )
    assert done.returncode == 0, done.stderr
    assert sorted(post["project_name"] for post in server.posts) == ["child", "parent", "parent"]
