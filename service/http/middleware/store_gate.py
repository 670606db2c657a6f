"""No request reaches the store before its number of partitions is known to be right."""

from flask import Flask, request

from service.http.openapi.blueprint import ROOT
from service.log.public_keys import WELL_KNOWN
from service.store.deployment import Deployment, OtherPartitionsError
from service.store.journal import OutcomeUnknownError, StoreUnavailableError


class StoreGate:
    """Lets nothing to the store before PARTITIONS is known to be right."""

    def __init__(self, deployment: Deployment, partitions: int) -> None:
        self.deployment, self.partitions = deployment, partitions
        self._open = False

    def check(self) -> None:
        """StoreUnavailableError while it is not known to be right."""
        if self._open:
            return
        try:
            self.deployment.claim(self.partitions)
        except OtherPartitionsError as why:
            raise StoreUnavailableError(str(why)) from why
        except OutcomeUnknownError as lost:
            raise StoreUnavailableError(str(lost)) from lost
        self._open = True


def guard(app: Flask, gate: StoreGate) -> None:
    """Check at the first request to the API: the store need not be there when the process starts."""

    def check() -> None:
        if request.path.startswith((ROOT, WELL_KNOWN)):
            gate.check()

    app.before_request(check)
