"""Figures sent to a server."""

from __future__ import annotations

import logging
import os
import threading
import time
import weakref
from collections import deque

from codecarbon.external.logger import say
from codecarbon.output_methods.base_output import BaseOutput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from codecarbon.output_methods.emissions_data import EmissionsData

_TIMEOUT_S = 1.0
_BACKLOG = 1000


class HTTPOutput(BaseOutput):
    """Posts ``total`` of every ``out`` as one JSON object to ``endpoint_url``.

    No call waits for the network: a thread sends, which ends when nothing waits or the server
    refuses. What the server did not take is kept (the newest 1000) and sent before the next figures,
    as it was measured; the first failure is logged. The end of the interpreter waits for what is
    being sent, a second or two at the most.

    Raises ValueError for an address that is not http or https.

    >>> HTTPOutput("example.org")
    Traceback (most recent call last):
    ...
    ValueError: endpoint_url: "example.org" is not accepted: an address that begins with http:// ...
    """

    def __init__(self, endpoint_url: str) -> None:
        if not str(endpoint_url).startswith(("http://", "https://")):
            raise ValueError(
                f'endpoint_url: "{endpoint_url}" is not accepted: an address that begins with '
                "http:// or https://"
            )
        # Not above: they cost an import more than everything else of the package. Not in the thread: a
        # fork in the midst of it would leave the child with a lock that nobody gives back.
        import encodings.idna  # noqa: F401
        import urllib.request  # noqa: F401

        self.endpoint_url = endpoint_url
        self._failed = False
        self._begin_anew()
        _outputs.add(self)

    def _begin_anew(self) -> None:
        self._lock = threading.Lock()  # guards the two below
        self._waiting: deque[str] = deque(maxlen=_BACKLOG)
        self._sender: object | None = None  # who sends, if anybody

    def out(self, total: EmissionsData, delta: EmissionsData, /) -> None:
        """Has what waits sent, the oldest first, until the server refuses."""
        text = total.toJSON()
        with self._lock:
            self._waiting.append(text)
            if self._sender is not None:
                return
            sender = self._sender = object()
        if _is_ending():
            self._send(sender)
            return
        try:
            threading.Thread(target=self._send, args=(sender,), name="codecarbon http").start()
        except BaseException:  # no thread to be had: the next figures try again
            self._resign(sender)
            raise

    def _send(self, sender: object) -> None:
        end: float | None = None
        try:
            while (text := self._oldest()) is not None:
                if end is None and _is_ending():
                    end = time.monotonic() + _TIMEOUT_S
                if end is not None and time.monotonic() > end:
                    break
                _post(self.endpoint_url, text)
                with self._lock:
                    if self._waiting and self._waiting[0] is text:  # not pushed out meanwhile
                        self._waiting.popleft()
        except (OSError, ValueError) as error:  # ValueError: no such host name, no such port
            self._tell(error)
        finally:
            self._resign(sender)

    def _oldest(self) -> str | None:
        """What is to be sent next; with None the sender is none any more, and whoever adds something
        has to have it sent."""
        with self._lock:
            if self._waiting:
                return self._waiting[0]
            self._sender = None
            return None

    def _resign(self, sender: object) -> None:
        with self._lock:
            if self._sender is sender:  # else another one has begun
                self._sender = None

    def _tell(self, error: Exception) -> None:
        if not self._failed:
            say(
                logging.ERROR,
                f"{self.endpoint_url} did not take the figures ({error}): they are kept and sent "
                "with the next ones",
            )
        self._failed = True


_outputs: weakref.WeakSet[HTTPOutput] = weakref.WeakSet()


def _leave_to_parent() -> None:
    """In the child of a fork nobody sends, and what waits is the parent's."""
    for output in list(_outputs):
        output._begin_anew()


os.register_at_fork(after_in_child=_leave_to_parent)


def _is_ending() -> bool:
    """Whether the program has ended, and the interpreter is about to: no thread comes up to much."""
    return not threading.main_thread().is_alive()


def _post(url: str, text: str) -> None:
    from http.client import HTTPException
    from urllib.request import Request, urlopen

    headers = {"Content-Type": "application/json"}
    try:
        with urlopen(Request(url, text.encode(), headers, method="POST"), timeout=_TIMEOUT_S):
            pass
    except HTTPException as error:
        raise OSError(f"no answer in HTTP: {error}") from error


class CodeCarbonAPIOutput(BaseOutput):
    """The output to a CodeCarbon dashboard: not offered yet.

    The name is here so that programs which import it go on working. Making one raises
    NotImplementedError, because figures that are never sent must not look as if they were.
    """

    run_id: str | None = None

    def __init__(
        self, endpoint_url: str, experiment_id: str, api_key: str, conf: dict[str, object]
    ) -> None:
        raise NotImplementedError(
            "CodeCarbonAPIOutput is not offered yet: HTTPOutput posts the same figures to an "
            "address of your own"
        )
