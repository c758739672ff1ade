"""Signals reach the program once; the row is written whatever ends the run."""

import json
import os
import signal
import sys
import unittest

from support import CommandCase, wait_for

# Says ready, then one line for each signal of the list, until it is told to end by SIGUSR2: then it
# says how many came and ends by the last of them, as a program that cleans up does.
COUNTING = """
import os, signal, sys
seen = []
def note(number, frame):
    seen.append(number)
    print("got", number, flush=True)
def end(number, frame):
    print("all", len(seen), flush=True)
    last = seen[-1] if seen else signal.SIGUSR2
    signal.signal(last, signal.SIG_DFL)
    os.kill(os.getpid(), last)
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(number, note)
signal.signal(signal.SIGUSR2, end)
print("ready", flush=True)
while True:
    signal.pause()
"""
WAITING = ["sh", "-c", "echo ready; exec sleep 1000"]


class WithProgram(CommandCase):
    def test_signals_to_the_monitor_end_the_program_and_the_row_is_written(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR2):
            with self.subTest(number=number):
                before = len(self.rows())
                process = self.start(*WAITING)
                process.send_signal(number)
                self.assertEqual(process.wait(60), 128 + number)
                self.assertEqual(len(self.rows()), before + 1)

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


class WithoutProgram(CommandCase):
    def await_start(self, process):
        while b"Measuring until" not in process.stderr.readline():
            self.assertIsNone(process.poll())

    def test_a_signal_ends_it_with_row_and_report(self):
        for count, number in enumerate((signal.SIGINT, signal.SIGTERM), 1):
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
