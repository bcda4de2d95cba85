"""The client: every call of the public tier by name."""

from __future__ import annotations

import ssl
from typing import List, Optional

from . import types
from ._base import keyed
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

    def ingest_batch(
        self, *, documents: List[types.IngestDocumentRequest], idempotency_key: Optional[str] = None
    ) -> types.IngestBatchResponse:
        """As the call of the API, and safe to repeat: each document without a key gets one made of `idempotency_key`."""
        # The header is for the transport: it says that repeating the request does nothing twice.
        header = keyed(idempotency_key)
        key = header["Idempotency-Key"]
        numbered = [{"idempotency_key": f"{key}-{at}", **document} for at, document in enumerate(documents)]
        return self._json("POST", "/api/ingest/batch", {}, header, {"documents": numbered})
