"""A measured program is as if it had been started directly: words, streams, exit code, inheritance."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest

from support import COMMAND, QUICK, CommandCase

SHOW_WORDS = "import sys; sys.stdout.write(repr(sys.argv[1:]))"


class Program(CommandCase):
    def test_exit_code_is_the_programs(self):
        for code in (0, 1, 2, 7, 126, 127, 255):
            with self.subTest(code=code):
                self.assertEqual(self.monitor("sh", "-c", f"exit {code}").returncode, code)
        self.assertEqual(len(self.rows()), 7)

    def test_program_ended_by_a_signal_gives_128_and_its_number(self):
        for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM):
            with self.subTest(number=number):
                done = self.monitor("sh", "-c", f"kill -{int(number)} $$")
                self.assertEqual(done.returncode, 128 + number)
        self.assertEqual(len(self.rows()), 3)

    def test_words_arrive_verbatim(self):
        words = ["", " ", "a b", "'", '"', "$HOME", "*", "\\", "--offline", "--", "-x=", "ü\n", "--pue="]
        done = self.monitor(*self.python(SHOW_WORDS, *words))
        self.assertEqual(done.stdout.decode(), repr(words))

    def test_words_arrive_verbatim_without_the_mark(self):
        words = ["--offline", "", "--", "--pue=", "monitor"]
        done = self.run_command("monitor", *QUICK, *self.python(SHOW_WORDS, *words))
        self.assertEqual(done.stdout.decode(), repr(words))

    def test_program_may_be_called_as_a_command_of_ours(self):
        script = self.folder / "doctor"
        script.write_text("#!/bin/sh\necho called $1\n")
        script.chmod(0o755)
        path = f"{self.folder}:{os.environ['PATH']}"
        done = self.monitor("doctor", "x", env={**self.environment, "PATH": path})
        self.assertEqual(done.stdout, b"called x\n")

    def test_streams_pass_through_untouched(self):
        data = bytes(range(256)) * 1000
        done = self.monitor("cat", input=data)
        self.assertEqual(done.stdout, data)

    def test_report_goes_to_standard_error_only(self):
        done = self.monitor("echo", "x")
        self.assertEqual(done.stdout, b"x\n")
        self.assertIn("CO2e", done.stderr.decode())

    def test_program_inherits_nothing_of_the_monitor(self):
        # Signals 32 and 33 are the C library's own: it sets them to ignored in whatever it spawns.
        script = """
import os, re
print(sorted(os.listdir('/proc/self/fd')))
for name, mask in re.findall(r'(Sig(?:Blk|Ign|Cgt)):\\t(\\w+)', open('/proc/self/status').read()):
    print(name, hex(int(mask, 16) & ~(3 << 31)))
"""
        direct = subprocess.run(self.python(script), stdin=subprocess.DEVNULL, capture_output=True, check=True)
        self.assertEqual(self.monitor(*self.python(script)).stdout, direct.stdout)

    def test_program_runs_in_the_same_process_group(self):
        script = "import os; print(os.getpgid(0) == os.getpgid(os.getppid()))"
        self.assertEqual(self.monitor(*self.python(script)).stdout, b"True\n")

    def test_orphans_are_the_programs_only_where_the_figures_are_about_it(self):
        # The one in the middle ends at once; the program waits until the orphan has worked.
        script = """
import os, time
ends = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        while time.process_time() < 0.3: pass
        os.write(ends[1], b'%d' % os.getppid())
    os._exit(0)
os.wait()
print(os.getppid(), int(os.read(ends[0], 20)))
raise SystemExit(9)
"""
        machine = pathlib.Path(__file__).resolve().parents[3] / "tests/simulated_machines/one-socket.json"
        # With a root of its own it has /proc, and no clock that the kernel keeps for all descendants.
        os.symlink("/proc", self.folder / "proc")
        for mode in ("machine", "process"):
            with self.subTest(mode):
                flags = ["--tracking-mode", mode, "--machine", str(machine), "--host-root", str(self.folder),
                         "--summary", "json", "--summary-file", "summary.json"]
                done = self.run_command("monitor", "--offline", *flags, "--", *self.python(script))
                self.assertEqual(done.returncode, 9, done.stderr)
                monitor, parent = done.stdout.split()
                self.assertEqual(monitor == parent, mode == "process")
                if mode == "process":
                    share = json.loads((self.folder / "summary.json").read_text())["process_share"]
                    self.assertIn("/proc/PID/stat", share["source"])
                    self.assertGreater(share["cpu"]["own_j"], 0.9 * 65 * 0.3 / os.cpu_count())

    def test_ignored_signals_stay_ignored_in_the_program(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

        script = "import signal; print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN)"
        done = self.monitor(*self.python(script), preexec_fn=ignore)
        self.assertEqual(done.stdout, b"True\n")

    def test_exit_code_survives_a_parent_that_ignores_sigchld(self):
        def ignore():
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)

        self.assertEqual(self.monitor("sh", "-c", "exit 7", preexec_fn=ignore).returncode, 7)

    def test_streams_that_are_closed_stay_closed_and_nothing_leaks_into_the_row_file(self):
        show = "ls -l /proc/self/fd >list; exit 5"
        line = f'exec "$0" monitor {" ".join(QUICK)} -- sh -c "{show}" <&- >&- 2>&-'
        done = subprocess.run(["sh", "-c", line, COMMAND], **self.place(), timeout=60, check=False)
        self.assertEqual(done.returncode, 5)
        self.assertEqual((self.folder / "emissions.csv").read_text().count("\n"), 2)
        self.assertNotIn("/dev/null", (self.folder / "list").read_text())

    def test_folder_that_is_gone(self):
        """Every way of writing ends as the program does; only a row with a place to go is written."""
        leave = 'mkdir gone; cd gone; rmdir ../gone; exec "$0" monitor "$@"'
        for flags, rows in (([], 0), (["--on-csv-write", "update"], 0), (["--no-save-to-file"], 0),
                            (["--output-dir", str(self.folder)], 1)):
            with self.subTest(flags=flags):
                words = ["sh", "-c", leave, COMMAND, *QUICK, *flags, "--", "sh", "-c", "exit 4"]
                done = subprocess.run(words, **self.place(), timeout=60, check=False, capture_output=True)
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertEqual(len(self.rows()), rows)
                self.assertEqual(b"\n  row " in done.stderr, rows == 1, done.stderr)

    def test_broken_pipe_on_standard_error_is_no_crash(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([COMMAND, "monitor", *QUICK, "--", "sh", "-c", "exit 4"],
                              stderr=writer, **self.place(), timeout=60, check=False)
        os.close(writer)
        self.assertEqual(done.returncode, 4)
        self.assertEqual(len(self.rows()), 1)


class NotRunnable(CommandCase):
    def refused(self, code, *words):
        done = self.monitor(*words, flags=["--log-level", "error"])
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
        self.assertEqual(done.stdout, b"")
        self.assertNotIn("emissions.csv", self.content())
        return done.stderr.decode()

    def script(self, text, mode):
        file = self.folder / "script"
        file.write_text(text)
        file.chmod(mode)
        return str(file)

    def test_not_found(self):
        self.assertIn("no-such-program", self.refused(127, "no-such-program"))
        self.refused(127, "./no-such-program", "x")
        self.refused(127, "/dev/null/x")
        self.refused(127, "")

    def test_not_executable(self):
        self.refused(126, self.script("#!/bin/sh\n", 0o644))
        self.refused(126, str(self.folder))

    def test_script_without_its_interpreter(self):
        self.assertIn("/no/such/shell", self.refused(127, self.script("#!/no/such/shell -x\n", 0o755)))

    def test_program_that_only_the_attempt_shows_to_be_broken(self):
        file = self.folder / "program"
        for content in (b"\x7fELF\0\0\0", b"\0", b"\x7fELF" + bytes(100) + b"\nexit 3\n"):
            with self.subTest(content=content[:8]):
                file.write_bytes(content)
                file.chmod(0o755)
                self.assertIn("cannot be run", self.refused(126, str(file)))

    def test_program_that_is_being_written(self):
        file = self.folder / "program"
        shutil.copy(shutil.which("true"), file)
        with open(file, "r+b"):
            self.assertIn("program", self.refused(126, str(file)))
        self.assertEqual(self.monitor(str(file)).returncode, 0)
        self.assertEqual(len(self.rows()), 1)

    def test_script_without_a_head_runs_as_a_shell_script(self):
        self.assertEqual(self.monitor(self.script("exit 9\n", 0o755)).returncode, 9)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
