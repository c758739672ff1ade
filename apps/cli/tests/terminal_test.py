"""On a terminal: CTRL-C, CTRL-Z, the live line. Not on one: no control characters at all."""

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
import unittest

from signals_test import COUNTING
from support import COMMAND, QUICK, CommandCase, state_of, wait_for


class Terminal:
    """A terminal with one command running in the foreground; all that is shown on it is kept."""

    def __init__(self, words, columns=80, **how):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.shown = b""

        def take_terminal():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            words, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            preexec_fn=take_terminal, **how)
        os.close(slave)
        # A program that a failed test leaves behind must not hold up the end of the others.
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        try:
            while data := os.read(self.master, 65536):
                self.shown += data
        except OSError:
            pass  # the last one to have the terminal open has ended

    def press(self, keys):
        os.write(self.master, keys)

    def await_text(self, text):
        wait_for(lambda: text in self.shown, f"{text} on the terminal, which shows {self.shown}")

    def await_end(self):
        code = self.process.wait(60)
        self.reader.join(60)
        return code

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)  # the program with it
        self.process.wait()
        self.reader.join(60)
        os.close(self.master)


class OnATerminal(CommandCase):
    def open(self, *words, flags=(), **how):
        tail = ["--", *words] if words else []
        terminal = Terminal([COMMAND, "monitor", *QUICK, *flags, *tail], **self.place(), **how)
        self.addCleanup(terminal.close)
        return terminal

    def test_interrupt_key_reaches_the_program_once_and_the_row_is_written(self):
        terminal = self.open(*self.python(COUNTING))
        terminal.await_text(b"ready")
        terminal.press(b"\x03")
        terminal.await_text(b"got 2")
        terminal.process.send_signal(signal.SIGUSR2)
        terminal.await_text(b"all 1")
        self.assertEqual(terminal.await_end(), 130)
        self.assertEqual(len(self.rows()), 1)

    def test_quit_key_reaches_the_program_once(self):
        terminal = self.open(*self.python(COUNTING))
        terminal.await_text(b"ready")
        terminal.press(b"\x1c")
        terminal.await_text(b"got 3")
        terminal.process.send_signal(signal.SIGUSR2)
        terminal.await_text(b"all 1")
        self.assertEqual(terminal.await_end(), 131)

    def test_interrupt_key_ends_a_monitor_without_a_program(self):
        terminal = self.open()
        terminal.await_text(b"Measuring until")
        terminal.press(b"\x03")
        self.assertEqual(terminal.await_end(), 0)
        self.assertIn(b"CO2e", terminal.shown)
        self.assertEqual(len(self.rows()), 1)

    def test_live_line_is_redrawn_in_place_and_wiped_before_the_report(self):
        terminal = self.open("sleep", "1000", flags=["--progress"])
        wait_for(lambda: terminal.shown.count(b"codecarbon  ") >= 2, "two live lines")
        terminal.process.send_signal(signal.SIGTERM)
        self.assertEqual(terminal.await_end(), 143)
        self.assertRegex(terminal.shown, rb"\r\x1b\[Kcodecarbon  [^\r\n]* J [^\r\n]* W [^\r\n]*CO2e")
        live, report = terminal.shown.rsplit(b"\r\x1b[K", 1)
        self.assertNotIn(b"\n", live[live.index(b"codecarbon  "):])
        self.assertTrue(report.startswith(b"codecarbon: "), report)

    def test_live_line_fits_a_narrow_terminal(self):
        terminal = self.open(columns=20, flags=["--log-level", "warning"])
        terminal.await_text(b"codecarbon  ")
        terminal.process.send_signal(signal.SIGTERM)
        terminal.await_end()
        for part in terminal.shown.split(b"\r\x1b[K")[1:-1]:
            self.assertLess(len(part.decode()), 20)

    def test_live_line_without_a_program_needs_no_asking(self):
        terminal = self.open()
        terminal.await_text(b"\r\x1b[Kcodecarbon  ")
        terminal.press(b"\x03")
        self.assertEqual(terminal.await_end(), 0)

    def test_what_a_program_leaves_unfinished_is_not_drawn_over(self):
        """A prompt that waits, on either stream, is the last that the terminal shows."""
        for stream in ("1", "2"):
            with self.subTest(stream=stream):
                script = f"printf 'Name? ' >&{stream}; sleep 1.2; printf 'still ' >&{stream}; read name"
                terminal = self.open("sh", "-c", script)
                terminal.await_text(b"still ")
                self.assertTrue(terminal.shown.endswith(b"Name? still "), terminal.shown)
                self.assertNotIn(b"\x1b", terminal.shown)
                terminal.press(b"x\n")
                self.assertEqual(terminal.await_end(), 0)

    def test_no_live_line_when_it_is_not_wanted(self):
        for flags in (["--no-progress"], ["--log-level", "error"]):
            self.shows_no_escapes(flags)

    def test_terminal_that_can_only_print_gets_no_escape_sequences(self):
        for kind in ("dumb", "", None):
            self.environment["TERM"] = kind
            if kind is None:
                del self.environment["TERM"]
            self.shows_no_escapes(["--progress"])

    def shows_no_escapes(self, flags):
        """For as long as it takes another monitor beside it to draw two lines."""
        with self.subTest(flags=flags, kind=self.environment.get("TERM")):
            quiet = self.open(flags=flags)
            lively = Terminal([COMMAND, "monitor", *QUICK, "--no-save-to-file"], **self.place(TERM="xterm"))
            self.addCleanup(lively.close)
            wait_for(lambda: lively.shown.count(b"codecarbon  ") >= 2, "two live lines")
            quiet.process.send_signal(signal.SIGTERM)
            self.assertEqual(quiet.await_end(), 0)
            self.assertNotIn(b"\x1b", quiet.shown)

    def open_job(self, *words):
        """A monitor as a job of a shell, which says "stopped" when it is and continues it at a key."""
        script = 'set -m; "$@"; echo stopped; read key; fg; exit $?'
        words = ["bash", "-c", script, "sh", COMMAND, "monitor", *QUICK, "--progress", "--", *words]
        terminal = Terminal(words, **self.place())
        self.addCleanup(terminal.close)
        return terminal

    def numbers(self, terminal):
        """The process ids of program and monitor, as the program tells them."""
        shown = lambda: re.search(rb"ready (\d+) (\d+)\r\n", terminal.shown)
        return [int(number) for number in wait_for(shown, "two numbers").groups()]

    def goes_on(self, terminal, pids):
        terminal.await_text(b"stopped\r\n")
        wait_for(lambda: [state_of(pid) for pid in pids] == ["T", "T"], "both to stop")
        terminal.press(b"\n")
        wait_for(lambda: [state_of(pid) for pid in pids] == ["S", "S"], "both to go on")
        terminal.press(b"\x03")
        self.assertEqual(terminal.await_end(), 130)
        self.assertEqual(len(self.rows()), 1)

    def test_suspend_key_stops_the_whole_job_and_it_goes_on(self):
        terminal = self.open_job("sh", "-c", "echo ready $$ $PPID; exec sleep 1000")
        pids = self.numbers(terminal)
        terminal.press(b"\x1a")
        self.goes_on(terminal, pids)

    def test_stop_sent_to_the_monitor_stops_the_whole_job_and_it_goes_on(self):
        terminal = self.open_job("sh", "-c", "echo ready $$ $PPID; exec sleep 1000")
        pids = self.numbers(terminal)
        os.kill(pids[1], signal.SIGTSTP)
        self.goes_on(terminal, pids)

    def test_suspend_key_is_nothing_where_no_shell_could_continue_the_job(self):
        terminal = self.open(*self.python(COUNTING))
        terminal.await_text(b"ready")
        terminal.press(b"\x1a\x03")
        terminal.await_text(b"got 2")
        terminal.process.send_signal(signal.SIGUSR2)
        self.assertEqual(terminal.await_end(), 130)


class NotOnATerminal(CommandCase):
    def test_nothing_but_plain_lines(self):
        done = self.monitor("sleep", "1.2")
        shown = done.stdout + done.stderr
        self.assertNotIn(b"\x1b", shown)
        self.assertNotIn(b"\r", shown)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
