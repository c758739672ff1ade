"""A Slurm cluster of this machine, in a folder of its own: munge, controller, node daemon."""

import contextlib
import getpass
import os
import socket
import subprocess
import time
from pathlib import Path

import ranks

CONFIGURATION = """
ClusterName=codecarbon
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def _until(true, what, seconds=30):
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError(what)
        time.sleep(0.1)


def _is_idle(variables):
    sinfo = ["sinfo", "-h", "-o", "%t"]
    state = subprocess.run(sinfo, env=variables, capture_output=True, text=True).stdout
    return state.strip() == "idle"


def _logs(folder):
    return "\n".join(f"{log.name}: {log.read_text()[-2000:]}" for log in folder.glob("*.log"))


@contextlib.contextmanager
def cluster(folder, cpus):
    """Runs the cluster for the block; gives the variables by which commands find it."""
    folder = Path(folder)
    for name in ("state", "spool"):
        (folder / name).mkdir()
    key, socket_path = folder / "munge.key", folder / "munge.sock"
    key.write_bytes(os.urandom(128))
    key.chmod(0o600)
    configuration = folder / "slurm.conf"
    configuration.write_text(CONFIGURATION.format(
        folder=folder, cpus=cpus, user=getpass.getuser(), host=socket.gethostname().split(".")[0],
        controller_port=ranks.free_port(), node_port=ranks.free_port(),
    ))
    variables = {**os.environ, "SLURM_CONF": str(configuration)}
    munge = ["munged", "--foreground", "--force", f"--key-file={key}", f"--socket={socket_path}",
             f"--pid-file={folder}/munged.pid", f"--seed-file={folder}/munge.seed",
             f"--log-file={folder}/munged.log"]
    with contextlib.ExitStack() as stack:
        def daemon(command):
            stack.enter_context(ranks.ended_at_exit(subprocess.Popen(
                command, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)))

        try:
            daemon(munge)
            _until(socket_path.exists, "munged does not listen")
            daemon(["slurmctld", "-D"])
            daemon(["slurmd", "-D"])
            _until(lambda: _is_idle(variables), "the node does not get idle")
        except TimeoutError as error:
            raise RuntimeError(f"no Slurm cluster here: {error}\n{_logs(folder)}") from error
        yield variables
