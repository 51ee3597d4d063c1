"""Patches in OpenAI's format: what they may say, what files become of them, and what does not fit."""

import pytest

from tenure.engine.grow.builder.patch import PatchError, Written, apply, parse

PRICES = """\
class Price:
    def net(self):
        return self.cents

    def gross(self):
        return self.cents


class Fee:
    def net(self):
        return self.cents
"""


def patched(body: str, text: str = PRICES) -> str:
    (written,) = apply(parse(f"*** Begin Patch\n*** Update File: a.py\n{body}*** End Patch"), {"a.py": text})
    assert written.path == "a.py" and written.text is not None
    return written.text


def test_lines_around_a_change_say_where_it_is() -> None:
    body = "@@\n     def gross(self):\n-        return self.cents\n+        return self.cents * 119 // 100\n"
    assert patched(body) == PRICES.replace(
        "gross(self):\n        return self.cents", "gross(self):\n        return self.cents * 119 // 100"
    )


def test_a_line_above_tells_two_like_places_apart() -> None:
    change = "     def net(self):\n-        return self.cents\n+        return 0\n"
    first, _, second = PRICES.partition("class Fee")
    assert patched(f"@@ class Fee:\n{change}") == f"{first}class Fee{second.replace('self.cents', '0')}"
    assert patched(f"@@\n{change}") == PRICES.replace("self.cents", "0", 1)
    nested = "@@ class Fee:\n@@     def net(self):\n-        return self.cents\n+        return 0\n"
    assert patched(nested) == f"{first}class Fee{second.replace('self.cents', '0')}"


def test_several_changes_go_from_top_to_bottom() -> None:
    one = "@@ class Price:\n     def net(self):\n-        return self.cents\n+        return 1\n"
    two = "@@ class Fee:\n     def net(self):\n-        return self.cents\n+        return 2\n"
    text = patched(one + two)
    assert (text.index("return 1"), text.index("return 2")) == (40, text.rindex("return"))
    with pytest.raises(PatchError, match="class Price:"):
        patched(two + one)


def test_new_lines_alone_go_below_their_place_or_to_the_end() -> None:
    assert patched("@@ class Fee:\n+    rate = 5\n") == PRICES.replace("Fee:\n", "Fee:\n    rate = 5\n")
    assert patched("+# the end\n") == f"{PRICES}# the end\n"
    assert patched("@@\n+# the end\n*** End of File\n") == f"{PRICES}# the end\n"


def test_the_end_of_a_file_is_a_place() -> None:
    body = "@@\n     def net(self):\n-        return self.cents\n+        return 0\n*** End of File\n"
    assert patched(body) == PRICES.removesuffix("self.cents\n") + "0\n"


@pytest.mark.parametrize(
    ("old", "there"),
    [("total = 1", "total = 1   "), ("total = 1", "    total = 1"), ("  total = 1  ", "total = 1")],
)
def test_blanks_that_a_model_gets_wrong_do_not_matter_and_kept_lines_stay(old: str, there: str) -> None:
    text = f"{there}\nrest\n"
    assert patched(f"@@\n {old}\n-rest\n+more\n", text) == f"{there}\nmore\n"


def test_lines_end_as_they_did_and_the_last_one_ends() -> None:
    assert patched("@@\n a\n-b\n+c\n", "a\r\nb\r\n") == "a\r\nc\r\n"
    assert patched("@@\n a\n-b\n+c\n", "a\nb") == "a\nc\n"
    assert patched("@@\n-a\n", "a\n") == ""


def test_an_empty_line_of_a_patch_is_an_empty_line_of_the_file() -> None:
    assert patched("@@\n a\n\n-b\n+c\n", "a\n\nb\n") == "a\n\nc\n"


def test_files_are_added_moved_and_deleted() -> None:
    parts = parse(
        "*** Begin Patch\n*** Add File: new/one.txt\n+first\n+\n+third\n*** Update File: a.py\n"
        "*** Move to: b.py\n@@\n-x\n+y\n*** Delete File: old.py\n*** Add File: empty\n*** End Patch\n"
    )
    assert apply(parts, {"a.py": "x\n", "old.py": "gone"}) == [
        Written("new/one.txt", "first\n\nthird\n"),
        Written("b.py", "y\n"),
        Written("a.py", None),
        Written("old.py", None),
        Written("empty", ""),
    ]


@pytest.mark.parametrize(
    ("patch", "says"),
    [
        ("", "begins with"),
        ("*** Begin Patch\n*** Add File: a\n+x", "begins with"),
        ("*** Begin Patch\n*** End Patch", "changes nothing"),
        ("*** Begin Patch\n+x\n*** End Patch", "no part has begun"),
        ("*** Begin Patch\n*** Add File: a\nx\n*** End Patch", r"begins with '\+'"),
        ("*** Begin Patch\n*** Delete File: a\n-x\n*** End Patch", "nothing follows"),
        ("*** Begin Patch\n*** Update File: a\n*** End Patch", "changes nothing"),
        ("*** Begin Patch\n*** Update File: a\n@@\n?x\n*** End Patch", "unlike"),
        ("*** Begin Patch\n*** Add File: a\n*** Delete File: a\n*** End Patch", "two parts"),
    ],
)
def test_what_is_no_patch_is_said_in_a_line(patch: str, says: str) -> None:
    with pytest.raises(PatchError, match=says) as refused:
        parse(patch)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "body",
    ["@@\n-return nothing\n+x\n", "@@ class Rent:\n+x\n", "@@\n class Price:\n     def gross(self):\n-x\n"],
)
def test_what_does_not_fit_is_refused(body: str) -> None:
    with pytest.raises(PatchError, match=r"a\.py: "):
        patched(body)
