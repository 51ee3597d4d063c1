"""The agent's files: a flat folder, read and written by name."""

from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from PIL import Image

from tenure.engine.operate.files import LARGEST, LONGEST, MOST_PICTURES, Files, free
from tenure.engine.screen.backend import Refused


@pytest.fixture
def files(tmp_path: Path) -> Files:
    given = tmp_path / "receipt.jpg"
    Image.new("RGB", (3000, 30), "red").save(given)
    folder = tmp_path / "files"
    folder.mkdir()
    held = Files(folder)
    held.start(["Book it", "Check it"], [given])
    return held


def test_it_starts_with_the_steps_and_the_inputs(files: Files) -> None:
    assert files.names() == ["receipt.jpg", "todo.md"]
    assert files.todo == "# To do\n\n- [ ] Book it\n- [ ] Check it\n"
    files.start([], [])
    assert files.todo == "# To do\n\n(no steps are given; plan them here)\n"


def test_text_is_written_added_to_and_replaced(files: Files) -> None:
    files.write("a.md", "one\n")
    files.write("a.md", "two two\n", append=True)
    assert files.read("a.md").text == "a.md:\none\ntwo two\n"
    assert files.replace("a.md", "two", "2") == 2
    files.write("a.md", files.read("a.md").text[6:])
    assert files.read("./a.md").text == "a.md:\none\n2 2\n"


def test_a_picture_is_read_as_one_and_made_small_enough(files: Files) -> None:
    read = files.read("receipt.jpg")
    assert read.text == "receipt.jpg, a picture:"
    (picture,) = read.pictures
    (files.folder / "shown.png").write_bytes(picture)
    assert Image.open(files.folder / "shown.png").size == (2000, 20)


def test_what_is_scanned_in_a_document_is_shown(files: Files) -> None:
    scans = [Image.new("RGB", (3000, 30), colour) for colour in ("red", "green", "blue")]
    scans[0].save(files.folder / "scans.pdf", save_all=True, append_images=scans[1:])
    read = files.read("scans.pdf")
    places = [f"[page {n} of 3]\n\n[picture {n} stands here]" for n in (1, 2, 3)]
    assert read.text == "scans.pdf:\n" + "\n".join(places)
    shown = [Image.open(BytesIO(picture)) for picture in read.pictures]
    assert [picture.size for picture in shown] == [(2000, 20)] * 3
    strongest = [max(range(3), key=picture.getpixel((9, 9)).__getitem__) for picture in shown]
    assert strongest == [0, 1, 2], "each page's own, in order"


def test_no_more_pictures_of_a_document_are_shown_than_there_is_room_for(files: Files) -> None:
    scans = [Image.new("L", (20, 20), n) for n in range(MOST_PICTURES + 1)]
    scans[0].save(files.folder / "long.pdf", save_all=True, append_images=scans[1:])
    read = files.read("long.pdf")
    assert len(read.pictures) == read.text.count("stands here") == MOST_PICTURES
    assert read.text.endswith(
        f"[page {len(scans)} of {len(scans)}]\n\n[its pictures are not shown: too many]"
    )


def test_a_long_file_is_cut_with_a_note(files: Files) -> None:
    files.write("long.txt", "x" * (LONGEST + 1))
    assert files.read("long.txt").text.endswith(f"x\n[{LONGEST + 1} characters in all]")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("../a.md", "is no file's name: there are no folders"),
        ("/etc/passwd", "is no file's name"),
        ("sub/a.md", "is no file's name"),
        ("..", "is no file's name"),
        ("", "is no file's name"),
        ("a.md\0", "is no file's name"),
        ("a\n.md", "is no file's name"),
        ("\ud83d.md", "is no file's name"),
        ("報" * 70 + ".md", "is too long for a file's name"),
        ("a.pdf", "only text files can be written"),
        ("a", "only text files can be written"),
    ],
)
def test_nothing_else_is_written(files: Files, name: str, says: str) -> None:
    with pytest.raises(Refused, match=says):
        files.write(name, "x")
    assert files.names() == ["receipt.jpg", "todo.md"]


@pytest.mark.parametrize(
    ("name", "becomes"),
    [
        ("Bill.pdf", "Bill (1).pdf"),
        ("../up/Bill.pdf", "Bill (1).pdf"),
        ("a\0b\ud83d.pdf", "a_b_.pdf"),
        ("..", "download"),
        ("", "download"),
        ("報" * 300 + ".pdf", "報" * 63 + ".pdf"),
        ("a." + "x" * 300, "a." + "x" * 49),
    ],
)
def test_whatever_a_page_calls_a_file_it_gets_a_free_name(files: Files, name: str, becomes: str) -> None:
    (files.folder / "Bill.pdf").touch()
    path = free(files.folder, name)
    path.touch()
    assert (path.name, path.parent) == (becomes, files.folder)
    again = free(files.folder, name)
    again.touch()
    assert files.path(again.name) == again != path


def test_a_damaged_document_is_refused_or_read_and_breaks_nothing(files: Files) -> None:
    Image.new("RGB", (20, 20), "red").save(files.folder / "whole.pdf")
    whole = (files.folder / "whole.pdf").read_bytes()
    draw, refused = Random(7), 0
    for _ in range(150):
        damaged = bytearray(whole)
        for _ in range(4):
            damaged[draw.randrange(len(damaged))] = draw.randrange(256)
        (files.folder / "damaged.pdf").write_bytes(damaged)
        try:
            files.read("damaged.pdf")
        except Refused:
            refused += 1
    assert 0 < refused < 150


def test_what_cannot_be_read_or_replaced_is_told(files: Files) -> None:
    (files.folder / "blob.bin").write_bytes(b"\xff\xfe\x00")
    (files.folder / "bad.pdf").write_bytes(b"no pdf")
    (files.folder / "bad.png").write_bytes(b"no picture")
    for name, says in (
        (
            "none.md",
            r"There is no file none\.md; files: bad\.pdf, bad\.png, blob\.bin, receipt\.jpg, todo\.md",
        ),
        ("blob.bin", "holds no text; 3 bytes"),
        ("bad.pdf", "cannot be read as a PDF document"),
        ("bad.png", "cannot be read as a picture"),
    ):
        with pytest.raises(Refused, match=says):
            files.read(name)
    with pytest.raises(Refused, match="does not hold that text"):
        files.replace("todo.md", "nothing of the kind", "x")
    with pytest.raises(Refused, match="old_str is empty"):
        files.replace("todo.md", "", "x")


def test_there_is_room_for_so_much(files: Files) -> None:
    files.write("a.txt", "x" * (LARGEST - (1 << 20)))
    with pytest.raises(Refused, match="There is no room left: your files may hold 20 MiB"):
        files.write("b.txt", "x" * (1 << 20))
