"""Ranks that Slurm's srun starts, on a cluster that ends with the test. slurm_test.py SOURCE BIN"""

import contextlib
import os
import shutil
import tempfile
import unittest

import ranks
import slurm_cluster

RANKS = 4
SRUN = ("srun", "--quiet", "-n", RANKS)


class Slurm(ranks.RanksCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="codecarbon-slurm-")
        cls.addClassCleanup(folder.cleanup)
        os.chmod(folder.name, 0o755)  # munge wants its folder safe, and to be found by others
        daemons = contextlib.ExitStack()
        cls.addClassCleanup(daemons.close)
        variables = daemons.enter_context(slurm_cluster.cluster(folder.name, cpus=3 * RANKS))
        ranks.OUTER = tuple(prefix for prefix in ranks.OUTER if prefix != "SLURM_")
        os.environ["SLURM_CONF"] = variables["SLURM_CONF"]

    def batch(self, script):
        path = self.folder / "batch.sh"
        path.write_text(f"#!/bin/sh\n{script}\n")
        self.run_together(("sbatch", "--quiet", "--wait", "-n", RANKS, "-o", os.devnull, path))

    def test_ranks_of_two_jobs_at_a_time_share_one_file(self):
        self.run_together((*SRUN, ranks.PROGRAM), (*SRUN, ranks.PROGRAM))
        for name in self.check_jobs(self.rows(), jobs=2, ranks=RANKS):
            self.assertRegex(name, r"^\d+\.0$")

    def test_a_batch_script_is_no_rank_and_its_steps_are_jobs(self):
        self.batch(f"{ranks.PROGRAM} && srun {ranks.PROGRAM} && srun {ranks.PROGRAM}")
        script = [row for row in self.rows() if not row["job_id"]]
        self.assertEqual([row["rank"] for row in script], [""] * ranks.ROWS_PER_RANK)
        self.check_jobs([row for row in self.rows() if row["job_id"]], jobs=2, ranks=RANKS)

    @unittest.skipUnless(shutil.which("torchrun"), "torchrun is not installed")
    def test_torchrun_within_srun_decides(self):
        command = "torchrun --no_python --redirects 2 --tee 2 --nproc_per_node"
        self.batch(f"srun -n 1 {command} {RANKS} {ranks.PROGRAM}")
        [name] = self.check_jobs(self.rows(), jobs=1, ranks=RANKS)
        self.assertRegex(name, r"^\d+\.0-[0-9a-f]{16}$")


ranks.need("srun", "slurmctld", "slurmd", "munged")
ranks.main()
