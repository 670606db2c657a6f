"""Why a request is not read to its end."""

from gunicorn.http.errors import ParseException


class ReadRefusedError(ParseException):
    """The rest of a request is not waited for; `status` is how it is answered."""

    status = 400


class RequestTimeoutError(ReadRefusedError):
    """The request did not come whole in time."""

    status = 408


class TooManyUnfinishedError(ReadRefusedError):
    """Others of the same caller have begun since, and there is a cap on what is unfinished."""

    status = 429
