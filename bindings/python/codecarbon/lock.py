"""One tracker at a time on a machine, for ``allow_multiple_runs=False``."""

from __future__ import annotations

import os
import weakref

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

    _descriptor: int | None = None

    def __init__(self) -> None:
        import tempfile

        name = f"{_NAME}.{os.getuid()}"
        self.lockfile_path = os.path.join(tempfile.gettempdir(), name)

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
        _held.add(self)

    def release(self) -> None:
        """Gives it back. Nothing happens when this object does not have it."""
        import fcntl

        # Said and not only closed: a child may have a copy that nobody here can close.
        if self._descriptor is not None:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)
        self._close()

    def _close(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def __del__(self) -> None:
        if self._descriptor is not None:
            self.release()


_held: weakref.WeakSet[Lock] = weakref.WeakSet()


def _leave_to_parent() -> None:
    """The child of a fork has a copy of what holds the lock, which would hold it as well; to unlock
    it would do so for the parent."""
    for lock in list(_held):
        lock._close()


os.register_at_fork(after_in_child=_leave_to_parent)
