"""Client of Concord. Needs the standard library alone."""

from ._calls import VERSION as __version__
from ._errors import ConnectionFailed, ProblemError
from ._pages import Listing
from ._transport import Retries
from .client import Client

__all__ = ["Client", "ConnectionFailed", "Listing", "ProblemError", "Retries", "__version__"]
