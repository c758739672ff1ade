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

    def test_programs_beside_it_are_not(self):
        self.run_together((ranks.PROGRAM,), (ranks.PROGRAM,))
        self.assertEqual({row["job_id"] for row in self.rows()}, {""})

    def test_a_rank_that_is_given_is_of_the_job_of_who_started_it(self):
        starts = "; ".join(f"CODECARBON_RANK={rank} {ranks.PROGRAM}" for rank in range(3))
        self.run_together(("sh", "-c", starts), ("sh", "-c", starts))
        self.check_jobs(self.rows(), jobs=2, ranks=3)


ranks.main()
