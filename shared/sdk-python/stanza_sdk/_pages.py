"""Lists of the API, a page at a time."""
from __future__ import annotations

from typing import Any, AsyncIterator, Callable, Generic, Iterator, Mapping, TypeVar

from ._errors import StanzaError
from ._threads import in_thread

Item = TypeVar("Item")
Page = TypeVar("Page")


def _place_after(page: Any, offset: int) -> dict[str, Any] | None:
    """Where the next page begins: with those older than one, or after a number of items. None at the end."""
    if page.get("has_more") is False:
        return None
    # A gateway of 0.1.0 has the old names alone.
    for cursor, following in (("cursor", "next_cursor"), ("before", "next_before")):
        if following in page:
            return None if page[following] is None else {cursor: page[following]}
    after = offset + len(page["data"])
    return {"offset": after} if page["data"] and after < page["pagination"]["total"] else None


class Pages(Generic[Item, Page]):
    """A list of the API: ``for`` and ``async for`` go through all of it, a page at a time. Nothing is fetched before."""

    def __init__(self, operation: str, query: Mapping[str, Any], fetch: Callable[[Mapping[str, Any]], Any]) -> None:
        self._operation = operation
        self._query = {name: value for name, value in query.items() if value is not None}
        self._fetch = fetch

    def page(self) -> Page:
        """The one page that the query names: its items, and how many there are in all."""
        page: Page = self._fetch(self._query)
        return page

    def __iter__(self) -> Iterator[Item]:
        for page in self._pages():
            yield from page

    async def __aiter__(self) -> AsyncIterator[Item]:
        pages = self._pages()
        while (page := await in_thread(lambda: next(pages, None))) is not None:
            for item in page:
                yield item

    def _pages(self) -> Iterator[list[Item]]:
        """The items of each page. What is new in the meantime pushes items to the next page, and what is deleted draws
        them to pages that were read, as in a loop that deletes what it reads: they come once.
        """
        query = dict(self._query)
        start = query.pop("offset", 0)
        place: dict[str, Any] | None = {"offset": start} if start else {}
        seen: set[Any] = set()
        total = 0
        while place is not None:
            page = self._fetch({"limit": 100, **query, **place})
            before, total = total, page.get("pagination", {}).get("total", 0)
            if place.get("offset") and before > total:
                place = {"offset": max(start, place["offset"] - (before - total))}
                continue
            ids = [item.get("id") for item in page["data"]]
            yield [item for item, id in zip(page["data"], ids) if id is None or id not in seen]
            # A list with a cursor may be long, and goes back to no page.
            seen = {*ids} if place.keys() - {"offset"} else {*seen, *ids}
            following = _place_after(page, place.get("offset", 0))
            # A cache that knows an answer by its path alone gives the same page for ever.
            if following is not None and following == place and "offset" not in following:
                text = "the address answered a page that goes on where it begins, as of a cache on the way"
                raise StanzaError("unreadable_answer", text, operation=self._operation)
            place = following
