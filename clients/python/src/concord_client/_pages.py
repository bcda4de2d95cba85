"""Lists of the API: iterating gives the items one by one and reads the next page when it is needed."""

from __future__ import annotations

from itertools import islice
from typing import Any, Callable, Generic, Iterator, List, Optional, TypeVar

T = TypeVar("T")


class Listing(Generic[T]):
    def __init__(self, read_page: Callable[[Optional[str]], Any], cursor: Optional[str]) -> None:
        self._read_page = read_page
        self._cursor = cursor

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page["items"]

    def pages(self) -> Iterator[Any]:
        """Pages as the API gives them: `items`, and `next`, the cursor of the page after."""
        cursor = self._cursor
        while True:
            page = self._read_page(cursor)
            yield page
            cursor = page["next"]
            if cursor is None:
                return

    def first(self, most: int) -> List[T]:
        return list(islice(self, most))
