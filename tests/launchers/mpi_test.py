"""Ranks that MPI's launchers start. mpi_test.py SOURCE BIN openmpi|mpich"""

import os
import sys

import ranks

RANKS = 8
OPEN_MPI = ("mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "-n", RANKS)
MPICH = ("mpiexec.hydra", "-n", RANKS)
COMMAND = {"openmpi": OPEN_MPI, "mpich": MPICH}[sys.argv[3]]


class Mpi(ranks.RanksCase):
    def test_ranks_of_two_jobs_at_a_time_share_one_file(self):
        self.run_together((*COMMAND, ranks.PROGRAM), (*COMMAND, ranks.PROGRAM))
        self.check_jobs(self.rows(), jobs=2, ranks=RANKS)

    def test_scripts_that_set_the_variables_of_torch_too_change_nothing(self):
        rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
        script = f"export RANK={rank} WORLD_SIZE={RANKS}; {ranks.PROGRAM}; exit $?"
        self.run_together((*COMMAND, "sh", "-c", script))
        self.check_jobs(self.rows(), jobs=1, ranks=RANKS)


ranks.need(COMMAND[0])
os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
ranks.OUTER = tuple(prefix for prefix in ranks.OUTER if prefix != "OMPI_")
ranks.main()
