"""The hands of a scripted agent in the reading room, which is Calibre-Web."""

from tenure.oracle.operate.hands import OperateHands, button, css, link, words

ADDRESS = "http://calibre-web.localhost"
DETAILS = css("#bookDetailsModal")
"""Where a list shows the book that was clicked."""


async def sign_in(hands: OperateHands, username: str, password: str) -> None:
    """Open the reading room and sign in."""
    await hands.open(ADDRESS)
    await hands.fill(css("#username"), username)
    await hands.fill(css("#password"), password)
    await hands.click(button("Login"))
    await hands.wait(link("Create a Shelf"))


async def create_shelf(hands: OperateHands, name: str, *, public: bool) -> None:
    """Make a shelf, for its keeper or for everyone."""
    await hands.click(link("Create a Shelf"))
    await hands.fill(css("input[name=title]"), name)
    if public:
        await hands.click(css("input[name=is_public]"))
    await hands.click(button("Save"))
    await hands.wait(words(name).number(0))


async def look_up(hands: OperateHands, title: str) -> None:
    """Find one book by the search box."""
    await hands.fill(css("#query"), title)
    await hands.click(css("#query_submit"))
    await hands.wait(css("h2", having=f"1 Results for: {title}"))


async def edit(hands: OperateHands, title: str) -> None:
    """Open the record of a book, to change it."""
    await look_up(hands, title)
    await hands.click(css("div.book .cover a"))
    await hands.click(css("a[href^='/admin/book/']").inside(DETAILS))
    await hands.wait(css("#publisher"))


async def leave(hands: OperateHands, *, save: bool = True) -> None:
    """Leave the record of a book for its page."""
    await hands.click(css("#submit" if save else "#edit_cancel"))
    await hands.wait(css("h2#title"))


async def authors(hands: OperateHands) -> list[str]:
    """Who wrote the book whose page is shown."""
    return [name.strip() for name in await hands.texts(css("p.author a"))]


async def shelve(hands: OperateHands, shelf: str) -> None:
    """Put the book whose page is shown on a shelf."""
    await hands.click(css("#add-to-shelf"))
    await hands.click(css("#add-to-shelves a", having=shelf))
    await hands.wait(css("#remove-from-shelves a", having=shelf))


async def unshelve(hands: OperateHands, shelf: str) -> None:
    """Take the book whose page is shown off a shelf."""
    held = css("#remove-from-shelves a", having=shelf)
    await hands.click(held)
    await hands.wait(held, gone=True)
