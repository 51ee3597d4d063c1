"""The 22 actions: their names and arguments are browser-use's (protocols, Operate 3), the words are ours.

Of its 24, ``evaluate`` is banned, and a screenshot is part of what is shown after every turn.
"""

from pydantic import BaseModel, ConfigDict, Field

INDEX = "Number of the element, as the page shows it."
NAME = "Name of a file of yours, such as notes.md."
TAB = "The tab's id of four characters."


class Given(BaseModel):
    """An action's arguments. What a model adds to them is left out."""

    model_config = ConfigDict(extra="ignore")


class Navigate(Given):
    """Open an address of one of the apps."""

    url: str = Field(description="The address.")
    new_tab: bool = Field(False, description="Open it in a new tab.")


class Search(Given):
    """Search the web. There is no web here: this always answers so."""

    query: str = Field(description="What to search for.")
    engine: str = Field("duckduckgo", description="duckduckgo, google or bing.")


class GoBack(Given):
    """Go back to the page before."""

    description: str | None = Field(None, description="Why; may be left out.")


class Wait(Given):
    """Wait for some seconds."""

    seconds: int = Field(3, description="From 1 to 30.")


class Click(Given):
    """Click an element."""

    index: int = Field(ge=1, description=INDEX)


class Input(Given):
    """Type text into a field. What it holds is replaced unless clear is false."""

    index: int = Field(ge=0, description=INDEX)
    text: str = Field(description="The text; an empty one only clears the field.")
    clear: bool = Field(True, description="False adds to what is there.")


class Scroll(Given):
    """Scroll the page, or a part of it that scrolls by itself."""

    down: bool = Field(True, description="False scrolls up.")
    pages: float = Field(1.0, description="How many screens: 0.5 is half of one, 10 the whole way.")
    index: int | None = Field(None, description="An element inside the part that is to scroll.")


class SendKeys(Given):
    """Press a key or a combination, or type text where the cursor is."""

    keys: str = Field(description="Enter, Escape, PageDown, Control+a, …")


class FindText(Given):
    """Scroll to a text of the page."""

    text: str = Field(description="The text.")


class UploadFile(Given):
    """Choose one of your files in a file field."""

    index: int = Field(description="Number of the file field, or of the button that asks for a file.")
    path: str = Field(description=NAME)


class SelectDropdown(Given):
    """Choose an option of a list."""

    index: int = Field(description=INDEX)
    text: str = Field(description="The option's exact text or value.")


class DropdownOptions(Given):
    """List the options of a list."""

    index: int = Field(description=INDEX)


class Switch(Given):
    """Show another tab."""

    tab_id: str = Field(min_length=4, max_length=4, description=TAB)


class Close(Given):
    """Close a tab."""

    tab_id: str = Field(min_length=4, max_length=4, description=TAB)


class Extract(Given):
    """Have the whole page read, also what is not in view, and a question about it answered.

    It costs a call of the model. What you can do on the page it does not tell.
    """

    query: str = Field(description="What you want to know.")
    extract_links: bool = Field(False, description="Whether addresses of links are read too.")
    extract_images: bool = Field(False, description="Whether addresses of pictures are read too.")
    start_from_char: int = Field(0, ge=0, description="Where to start in a long page.")
    already_collected: list[str] = Field(default_factory=list, description="What need not be told again.")


class SearchPage(Given):
    """Find a text or a pattern in all of the page's text, and what stands around it. It costs nothing."""

    pattern: str = Field(description="The text, or a regular expression.")
    regex: bool = Field(False, description="Whether it is a regular expression.")
    case_sensitive: bool = Field(False, description="Whether case counts.")
    context_chars: int = Field(150, ge=0, le=2_000, description="Characters shown around each place.")
    css_scope: str | None = Field(None, description="CSS selector of the part to search in.")
    max_results: int = Field(25, ge=1, le=200, description="Places that are shown.")


class FindElements(Given):
    """Find elements by a CSS selector. It costs nothing."""

    selector: str = Field(description='Such as "table tr".')
    attributes: list[str] | None = Field(None, description="Attributes to tell.")
    max_results: int = Field(50, ge=1, le=500, description="Elements that are shown.")
    include_text: bool = Field(True, description="Whether their text is told.")


class SaveAsPdf(Given):
    """Save the page as a PDF file among your files."""

    file_name: str | None = Field(None, description="Its name; the page's title by default.")
    print_background: bool = Field(True, description="Whether colours behind the text are printed.")
    landscape: bool = Field(False, description="Whether the paper lies on its side.")
    scale: float = Field(1.0, ge=0.1, le=2.0, description="How large the page is printed.")
    paper_format: str = Field("Letter", description="Letter, Legal, A4, A3 or Tabloid.")
    display_header_footer: bool = Field(
        True, description="Whether date, address and page numbers are printed."
    )
    header_template: str | None = Field(None, description="HTML of the header.")
    footer_template: str | None = Field(None, description="HTML of the footer.")


class ReadFile(Given):
    """Read one of your files: text, a PDF document with its pictures, or a picture."""

    file_name: str = Field(description=NAME)


class WriteFile(Given):
    """Write a text file. What it held is replaced unless append is true."""

    file_name: str = Field(description=f"{NAME} A text file: .md, .txt, .csv, .json, .jsonl, .html or .xml.")
    content: str = Field(description="The text.")
    append: bool = Field(False, description="Add it at the end instead.")
    trailing_newline: bool = Field(True, description="End with a line break.")
    leading_newline: bool = Field(False, description="Begin with a line break.")


class ReplaceFile(Given):
    """Replace a text in a text file, wherever it stands there."""

    file_name: str = Field(description=NAME)
    old_str: str = Field(description="The text that is there.")
    new_str: str = Field(description="The text that shall be there.")


class Done(Given):
    """End the job. Nothing can be done after it."""

    text: str = Field(description="A short report on what was done and what was not.")
    success: bool = Field(True, description="True only if the whole job is done.")
    files_to_display: list[str] | None = Field(None, description="Names of files of yours that matter.")


ACTIONS: dict[str, type[Given]] = {
    "navigate": Navigate,
    "search": Search,
    "go_back": GoBack,
    "wait": Wait,
    "click": Click,
    "input": Input,
    "scroll": Scroll,
    "send_keys": SendKeys,
    "find_text": FindText,
    "upload_file": UploadFile,
    "select_dropdown": SelectDropdown,
    "dropdown_options": DropdownOptions,
    "switch": Switch,
    "close": Close,
    "extract": Extract,
    "search_page": SearchPage,
    "find_elements": FindElements,
    "save_as_pdf": SaveAsPdf,
    "read_file": ReadFile,
    "write_file": WriteFile,
    "replace_file": ReplaceFile,
    "done": Done,
}
"""Name → arguments, in the protocol's order."""
