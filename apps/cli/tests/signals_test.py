"""Signals reach the program once; the row is written whatever ends the run."""

import json
import os
import resource
import signal
import subprocess
import sys
import unittest

from support import COMMAND, QUICK, CommandCase, wait_for

# Says ready, then one line for each signal of the list, until it is told to end by SIGUSR2: then it
# says how many came and ends by the last of them, as a program that cleans up does.
COUNTING = """
import os, signal, sys
seen = []
def say(line):  # print() cannot be called within itself, as a signal may do
    os.write(1, line.encode() + b"\\n")
def note(number, frame):
    seen.append(number)
    say(f"got {number}")
def end(number, frame):
    say(f"all {len(seen)}")
    last = seen[-1] if seen else signal.SIGUSR2
    signal.signal(last, signal.SIG_DFL)
    os.kill(os.getpid(), last)
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(number, note)
signal.signal(signal.SIGUSR2, end)
say("ready")
while True:
    signal.pause()
"""
WAITING = ["sh", "-c", "echo ready; exec sleep 1000"]


# What a program does wrong itself, what nobody can catch, and what ends nothing.
FAULTS = {signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGTRAP, signal.SIGSYS}
STOPS = {signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU}
HARMLESS = {signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH}
# They speak of the monitor's own writes, and have no meaning when somebody sends them.
OF_WRITES = {signal.SIGPIPE, signal.SIGXFSZ}
ENDING = sorted(signal.valid_signals() - FAULTS - STOPS - HARMLESS - OF_WRITES - {signal.SIGKILL, signal.SIGUSR1})


def end_of(number):
    """What a shell says of a process that this signal ended."""
    return 128 + number


class WithProgram(CommandCase):
    def test_signals_to_the_monitor_end_the_program_and_the_row_is_written(self):
        for number in ENDING:
            with self.subTest(number=number):
                before = len(self.rows())
                process = self.start(*WAITING)
                process.send_signal(number)
                self.assertEqual(process.wait(60), end_of(number))
                self.assertEqual(len(self.rows()), before + 1)

    def test_signals_about_writes_are_the_monitors_own_affair(self):
        process = self.start(*WAITING)
        for number in OF_WRITES:
            process.send_signal(number)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), end_of(signal.SIGTERM))
        self.assertEqual(len(self.rows()), 1)

    def test_signals_that_came_before_the_run_was_ready_are_acted_on(self):
        """Sent while they are blocked, before the command's first instruction: none can be earlier."""
        script = """
import os, signal, sys
early = [int(number) for number in sys.argv[1].split(",")]
signal.pthread_sigmask(signal.SIG_BLOCK, early)
for number in early:
    os.kill(os.getpid(), number)
os.execv(sys.argv[2], sys.argv[2:])
"""
        def early(*numbers, program):
            words = self.python(script, ",".join(str(int(number)) for number in numbers))
            tail = ["--", *program] if program else []
            done = subprocess.run([*words, COMMAND, "monitor", *QUICK, *tail], **self.place(), timeout=60,
                                  capture_output=True, check=False)
            return done.returncode, len(self.rows())

        # The program starts with them blocked too, as it would without the monitor, and lets them in.
        let_in = "import signal; signal.pthread_sigmask(signal.SIG_SETMASK, []); signal.pause()"
        self.assertEqual(early(signal.SIGUSR1, program=["true"]), (0, 2))
        self.assertEqual(early(signal.SIGTERM, program=self.python(let_in)), (end_of(signal.SIGTERM), 3))
        self.assertEqual(early(signal.SIGUSR1, signal.SIGTERM, program=[]), (0, 5))

    def test_signals_are_held_before_anything_is_read(self):
        """Sent as soon as the process shows that it holds them, with a long file still to be read."""
        text = "[codecarbon]\n" + "# a long comment\n" * 60_000
        (self.folder / ".codecarbon.config").write_text(text)
        seen_early = 0
        for number in ENDING:
            with self.subTest(number=number):
                before = len(self.rows())
                process = self.start_at_once("sleep", "1000")
                seen_early += bytes_read(process.pid) < len(text)
                process.send_signal(number)
                self.assertEqual(process.wait(60), end_of(number))
                self.assertEqual(len(self.rows()), before + 1)
        self.assertGreater(seen_early, 0)

    def start_at_once(self, *program):
        process = subprocess.Popen([COMMAND, "monitor", *QUICK, "--", *program], **self.place(),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, process)
        while not holds_signals(process.pid):
            self.assertIsNone(process.poll())
        return process

    def test_limit_of_the_size_of_files_is_no_end(self):
        most = 1 << 20  # room for what a sanitizer writes when a program begins

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

        self.monitor("true")
        file = self.folder / "emissions.csv"
        header, row = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(header + row * (most // len(row)))
        done = self.monitor("sh", "-c", "exit 7", preexec_fn=limit)
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertEqual(done.stderr.count(b" ERROR @ "), 1, done.stderr)
        self.assertIn(b"CO2e", done.stderr)
        done = self.monitor("sh", "-c", "exec dd if=/dev/zero of=file bs=1M count=3", preexec_fn=limit)
        self.assertEqual(done.returncode, end_of(signal.SIGXFSZ), done.stderr)

    def test_each_signal_arrives_once(self):
        process = self.start(*self.python(COUNTING))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            process.send_signal(number)
            self.assertEqual(process.stdout.readline(), b"got %d\n" % number)
        process.send_signal(signal.SIGUSR2)
        self.assertEqual(process.stdout.readline(), b"all 4\n")
        self.assertEqual(process.wait(60), 128 + signal.SIGQUIT)

    def test_program_that_handles_the_signal_keeps_its_exit_code(self):
        script = "trap 'exit 3' TERM; echo ready; while :; do sleep 0.01; done"
        process = self.start("sh", "-c", script)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 3)

    def test_sigusr1_writes_a_row_and_is_not_passed_on(self):
        process = self.start(*WAITING)
        for count in (1, 2):
            process.send_signal(signal.SIGUSR1)
            wait_for(lambda: len(self.rows()) == count, "a row")
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        rows = self.rows()
        self.assertEqual(len({row["run_id"] for row in rows}), 1)
        totals = [float(row["energy_consumed"]) for row in rows]
        self.assertEqual(len(totals), 3)
        self.assertEqual(totals, sorted(totals))

    def test_hangup_that_is_ignored_as_by_nohup_is_not_passed_on(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

        process = self.start(*self.python(COUNTING), preexec_fn=ignore)
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.stdout.readline(), b"got 15\n")
        process.send_signal(signal.SIGUSR2)
        self.assertEqual(process.stdout.readline(), b"all 1\n")

    def test_program_killed_under_the_monitor(self):
        process = self.start("sh", "-c", "echo ready; echo $$; exec sleep 1000")
        os.kill(int(process.stdout.readline()), signal.SIGKILL)
        self.assertEqual(process.wait(60), 137)
        self.assertEqual(len(self.rows()), 1)


def holds_signals(pid):
    """Whether a process blocks what could end it."""
    try:
        with open(f"/proc/{pid}/status") as status:
            return any(line.startswith("SigBlk:") and int(line.split()[1], 16) != 0 for line in status)
    except OSError:
        return False


def bytes_read(pid):
    with open(f"/proc/{pid}/io") as counts:
        return int(next(line.split()[1] for line in counts if line.startswith("rchar:")))


class WithoutProgram(CommandCase):
    def await_start(self, process):
        while b"Measuring until" not in process.stderr.readline():
            self.assertIsNone(process.poll())

    def test_a_signal_ends_it_with_row_and_report(self):
        for count, number in enumerate((n for n in ENDING if n != signal.SIGUSR2), 1):
            with self.subTest(number=number):
                process = self.start()
                self.await_start(process)
                process.send_signal(number)
                self.assertIn(b"CO2e", process.communicate(timeout=60)[1])
                self.assertEqual(process.returncode, 0)
                self.assertEqual(len(self.rows()), count)

    def test_interrupt_sent_to_a_background_job_of_a_script_ends_it(self):
        def ignore():
            signal.signal(signal.SIGINT, signal.SIG_IGN)

        process = self.start(preexec_fn=ignore)
        self.await_start(process)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 0)

    def test_sigusr1_writes_a_row(self):
        process = self.start(flags=["--summary", "json"])
        self.await_start(process)
        process.send_signal(signal.SIGUSR1)
        wait_for(lambda: len(self.rows()) == 1, "a row")
        process.send_signal(signal.SIGTERM)
        report = json.loads(process.communicate(timeout=60)[1].splitlines()[-1])
        self.assertNotIn("exit_code", report)
        self.assertEqual(len(self.rows()), 2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
