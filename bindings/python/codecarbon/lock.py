"""One tracker at a time on a machine, for ``allow_multiple_runs=False``."""

from __future__ import annotations

import os

_NAME = ".codecarbon.lock"


class Lock:
    """A lock that at most one holder on the machine has; it ends with its process at the latest.

    Of each user one: users cannot write each other's file.

    >>> mine, other = Lock(), Lock()
    >>> mine.acquire()
    >>> other.acquire()
    Traceback (most recent call last):
    ...
    FileExistsError: ...codecarbon.lock... is held: another tracker runs on this machine
    >>> mine.release()
    """

    def __init__(self) -> None:
        import tempfile

        name = f"{_NAME}.{os.getuid()}"
        self.lockfile_path = os.path.join(tempfile.gettempdir(), name)
        self._descriptor: int | None = None
        self._owner = 0

    def acquire(self) -> None:
        """Takes the lock. Raises FileExistsError when another has it, OSError when the file cannot
        be opened. Nothing happens when this object has it already."""
        import fcntl

        if self._descriptor is not None:
            return
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(self.lockfile_path, flags, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise FileExistsError(
                f"{self.lockfile_path} is held: another tracker runs on this machine"
            ) from None
        self._descriptor = descriptor
        self._owner = os.getpid()

    def release(self) -> None:
        """Gives it back. Nothing happens when this object does not have it."""
        import fcntl

        descriptor, self._descriptor = self._descriptor, None
        if descriptor is None:
            return
        # A child of fork shares the lock, and what it says would hold for its parent too; for the
        # same reason the parent must say it and not only close its own copy.
        if self._owner == os.getpid():
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)
