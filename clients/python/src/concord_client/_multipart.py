"""Files as forms: the fields first, the file last, as the service wants them."""

from __future__ import annotations

import os
import secrets
from typing import IO, Mapping, Tuple, Union

FileLike = Union[bytes, str, os.PathLike[str], IO[bytes]]


def form_of(file: FileLike, fields: Mapping[str, str]) -> Tuple[bytes, str]:
    """The body and its content type. The file is read into memory."""
    content, name = _read(file)
    boundary = secrets.token_hex(16)
    parts = [_part(boundary, f'name="{field}"', value.encode()) for field, value in fields.items()]
    shown = _quoted(fields.get("name", name))
    parts.append(_part(boundary, f'name="file"; filename="{shown}"\r\nContent-Type: application/octet-stream', content))
    return b"".join(parts) + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def _part(boundary: str, about: str, content: bytes) -> bytes:
    return f"--{boundary}\r\nContent-Disposition: form-data; {about}\r\n\r\n".encode() + content + b"\r\n"


def _read(file: FileLike) -> Tuple[bytes, str]:
    if isinstance(file, bytes):
        return file, "file"
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            return opened.read(), os.path.basename(os.fspath(file))
    name = getattr(file, "name", None)
    return file.read(), os.path.basename(name) if isinstance(name, str) else "file"


def _quoted(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
