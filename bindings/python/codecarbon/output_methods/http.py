"""Figures sent to a server."""

from __future__ import annotations

import logging
import time
from collections import deque

from codecarbon.external.logger import say
from codecarbon.output_methods.base_output import BaseOutput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from codecarbon.output_methods.emissions_data import EmissionsData

_TIMEOUT_S = 1.0
_BACKLOG = 1000


class HTTPOutput(BaseOutput):
    """Posts ``total`` of every ``out`` as one JSON object to ``endpoint_url``.

    A call begins nothing that may wait after one second; looking up a name is the system's affair.
    What the server did not take is kept (the newest 1000) and sent before the next figures, as it
    was measured; the first failure is logged.

    Raises ValueError for an address that is not http or https.

    >>> HTTPOutput("example.org")
    Traceback (most recent call last):
    ...
    ValueError: endpoint_url: "example.org" is not accepted: an address that begins with http:// ...
    """

    def __init__(self, endpoint_url: str) -> None:
        if not str(endpoint_url).startswith(("http://", "https://")):
            raise ValueError(
                f'endpoint_url: "{endpoint_url}" is not accepted: an address that begins with '
                "http:// or https://"
            )
        self.endpoint_url = endpoint_url
        self._waiting: deque[str] = deque(maxlen=_BACKLOG)
        self._failed = False

    def out(self, total: EmissionsData, delta: EmissionsData) -> None:
        """Sends what waits, the oldest first, until the server refuses."""
        self._waiting.append(total.toJSON())
        end = time.monotonic() + _TIMEOUT_S
        try:
            while self._waiting and (left := end - time.monotonic()) > 0:
                _post(self.endpoint_url, self._waiting[0], left)
                self._waiting.popleft()
        except (OSError, ValueError) as error:  # ValueError: no such host name, no such port
            self._tell(error)

    def _tell(self, error: Exception) -> None:
        if not self._failed:
            say(
                logging.ERROR,
                f"{self.endpoint_url} did not take the figures ({error}): they are kept and sent "
                "with the next ones",
            )
        self._failed = True


def _post(url: str, text: str, timeout_s: float) -> None:
    # Here and not above: it costs an import as much as everything else of the package.
    from http.client import HTTPException
    from urllib.request import Request, urlopen

    headers = {"Content-Type": "application/json"}
    try:
        with urlopen(Request(url, text.encode(), headers, method="POST"), timeout=timeout_s):
            pass
    except HTTPException as error:
        raise OSError(f"no answer in HTTP: {error}") from error


class CodeCarbonAPIOutput(BaseOutput):
    """The output to a CodeCarbon dashboard: not offered yet.

    The name is here so that programs which import it go on working. Making one raises
    NotImplementedError, because figures that are never sent must not look as if they were.
    """

    run_id: str | None = None

    def __init__(
        self, endpoint_url: str, experiment_id: str, api_key: str, conf: dict[str, object]
    ) -> None:
        raise NotImplementedError(
            "CodeCarbonAPIOutput is not offered yet: HTTPOutput posts the same figures to an "
            "address of your own"
        )
