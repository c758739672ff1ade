"""Ranks that PyTorch's torchrun starts. torchrun_test.py SOURCE BIN"""

import ranks

RANKS = 4


def torchrun(*options, program=(ranks.PROGRAM,)):
    # Of PyTorch 1.13 on Python 3.11 only the values 1 and 2 work for these two (its Std.from_str).
    streams = ("--redirects", "2", "--tee", "2")
    return ("torchrun", "--no_python", *streams, "--nproc_per_node", RANKS, *options, *program)


class Torchrun(ranks.RanksCase):
    def test_ranks_of_two_jobs_at_a_time_share_one_file(self):
        self.run_together(
            torchrun("--master_port", ranks.free_port()),
            torchrun("--master_port", ranks.free_port()),
        )
        self.check_jobs(self.rows(), jobs=2, ranks=RANKS)

    def test_wrappers_between_change_nothing(self):
        wrapped = ("sh", "-c", f"sh -c '{ranks.PROGRAM}; true'; true")
        self.run_together(torchrun("--master_port", ranks.free_port(), program=wrapped))
        self.check_jobs(self.rows(), jobs=1, ranks=RANKS)

    def test_a_given_id_names_the_job_and_the_file(self):
        self.run_together(
            torchrun("--rdzv_backend", "c10d", "--rdzv_endpoint", "localhost:0",
                     "--rdzv_id", "llama-7b"),
            output_file="emissions-{job}-{rank:03d}.csv",
        )
        names = sorted(path.name for path in self.folder.iterdir())
        self.assertEqual(names, [f"emissions-llama-7b-{rank:03d}.csv" for rank in range(RANKS)])
        rows = [row for name in names for row in self.rows(name)]
        self.assertEqual(self.check_jobs(rows, jobs=1, ranks=RANKS), ["llama-7b"])


ranks.need("torchrun")
ranks.main()
