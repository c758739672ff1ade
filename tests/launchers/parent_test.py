"""Processes that a tracking process starts are in its job. parent_test.py SOURCE BIN"""

import ranks


class Parent(ranks.RanksCase):
    def test_children_and_theirs_are_in_the_job_of_the_parents_run(self):
        program = ranks.PROGRAM
        self.run_together((program, program, program))
        rows = self.rows()
        outside = {row["run_id"] for row in rows if not row["job_id"]}
        inside = {row["run_id"] for row in rows if row["job_id"]}
        self.assertEqual((len(outside), len(inside)), (1, 2))
        self.assertEqual({row["job_id"] for row in rows if row["job_id"]}, outside)
        self.assertEqual({row["rank"] for row in rows}, {""})

    def test_a_program_that_is_monitored_is_no_child_in_this_sense(self):
        self.run_together((ranks.COMMAND, "monitor", "--", ranks.PROGRAM))
        self.assertEqual({row["job_id"] for row in self.rows()}, {""})

    def test_the_command_names_its_rank_and_the_file_of_it(self):
        [report] = self.run_together((
            ranks.COMMAND, "monitor", "--job-id", "a/b", "--rank", 3, "--world-size", 8,
            "--output-file", "{job}-{rank:02d}.csv", "--", "true"))
        self.assertRegex(report, r"job +rank 3 of 8, in job a/b \(options\)\n")
        self.assertRegex(report, r"row +\S*/a_b-03.csv\n")
        self.assertEqual([row["rank"] for row in self.rows("a_b-03.csv")], ["3"])

    def test_programs_beside_it_are_not(self):
        self.run_together((ranks.PROGRAM,), (ranks.PROGRAM,))
        self.assertEqual({row["job_id"] for row in self.rows()}, {""})

    def test_a_rank_that_is_given_is_of_the_job_of_who_started_it(self):
        starts = "; ".join(f"CODECARBON_RANK={rank} {ranks.PROGRAM}" for rank in range(3))
        self.run_together(("sh", "-c", starts), ("sh", "-c", starts))
        self.check_jobs(self.rows(), jobs=2, ranks=3)


ranks.main()
