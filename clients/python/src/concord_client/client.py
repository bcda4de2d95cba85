"""The client: every call of the public tier by name."""

from __future__ import annotations

import ssl
from typing import Optional

from ._calls import Calls
from ._transport import Retries, Transport


class Client(Calls):
    """Calls for one tenant. A tenant key is enough; `tenant_id` is for services that are used by the id alone.

    Safe to share between threads: nothing is kept between calls.
    """

    def __init__(
        self,
        url: str,
        *,
        tenant_key: Optional[str] = None,
        tenant_id: Optional[str] = None,
        retries: Retries = Retries(),
        timeout: float = 60,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        super().__init__(
            Transport(
                url,
                tenant_key=tenant_key,
                tenant_id=tenant_id,
                retries=retries,
                timeout=timeout,
                ssl_context=ssl_context,
            )
        )
