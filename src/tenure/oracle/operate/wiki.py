"""The hands of a scripted agent in the handbook, which is django-wiki."""

from collections.abc import Callable

from tenure.oracle.operate.hands import OperateHands, button, css, field, link

ADDRESS = "http://wiki.localhost"


async def sign_in(hands: OperateHands, username: str, password: str, *, new_tab: bool = False) -> None:
    """Open the handbook and sign in; its first page is shown."""
    await hands.open(ADDRESS, new_tab=new_tab)
    await hands.fill(css("#id_username"), username)
    await hands.fill(css("#id_password"), password)
    await hands.press("Enter")
    await hands.wait(link("Edit"))


async def open_page(hands: OperateHands, path: str) -> None:
    """Open a page by its path: ``events/volunteers``."""
    await hands.open(f"{ADDRESS}/{path}/")


async def create(hands: OperateHands, parent: str, title: str, slug: str, content: str, why: str) -> None:
    """Make a page below another."""
    await hands.open(f"{ADDRESS}/{parent}/_create/")
    await hands.fill(field("Title"), title)
    await hands.fill(css("#id_slug"), slug)
    await hands.fill(css("#id_content"), content)
    await hands.fill(css("#id_summary"), why)
    await hands.click(button("Create article"))
    await hands.wait(css("h1", having=title))


async def append(hands: OperateHands, path: str, text: str, why: str) -> None:
    """Add to the end of a page, just as it is given."""
    await _rewrite(hands, path, lambda held: held.strip() + text, why)


async def replace(hands: OperateHands, path: str, old: str, new: str, why: str) -> None:
    """Put a text in the place of one that a page holds."""
    await _rewrite(hands, path, lambda held: held.replace(old, new), why)


async def _rewrite(hands: OperateHands, path: str, change: Callable[[str], str], why: str) -> None:
    await open_page(hands, path)
    await hands.click(link("Edit"))
    await hands.wait(css("#id_content"))
    await hands.fill(css("#id_content"), change(await hands.text(css("#id_content"))))
    await hands.fill(css("#id_summary"), why)
    await hands.click(button("Save changes"))
    await hands.wait(css("#id_content"), gone=True)
