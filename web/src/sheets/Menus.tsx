import { Menu } from "@mantine/core";
import type { ReactNode } from "react";

import type { Command, Commands } from "./commands";
import { useDesk } from "./desk";
import classes from "./app.module.css";

/** Names of commands; `-` is a line, a list is a submenu whose first entry is its label. */
type Entry = string | [string, ...Entry[]];

const MENUS: [string, Entry[]][] = [
  ["File", ["new", "home", "-", "rename", "share", "link", "-", "trash"]],
  [
    "Edit",
    [
      "undo", "redo", "-", "cut", "copy", "paste",
      ["Paste special", "pasteValues", "pasteFormat", "pasteFormula", "pasteTransposed"],
      "-",
      ["Move", "moveRowsUp", "moveRowsDown", "moveColumnsLeft", "moveColumnsRight"],
      ["Delete", "clear", "deleteRows", "deleteColumns", "deleteLeft", "deleteUp"],
      "-", "find",
    ],
  ],
  [
    "View",
    [
      ["Freeze", "freezeNoRows", "freezeRow", "freezeTwoRows", "freezeToRow", "-", "freezeNoColumns", "freezeColumn", "freezeTwoColumns", "freezeToColumn"],
      "gridlines", "-", "hideRows", "showRows", "hideColumns", "showColumns", "-", "goto", "nextSheet", "previousSheet",
    ],
  ],
  [
    "Insert",
    [
      ["Cells", "cellsRight", "cellsDown"],
      ["Rows", "rowsAbove", "rowsBelow"],
      ["Columns", "columnsLeft", "columnsRight"],
      "addSheet", "-",
      ["Function", "SUM", "AVERAGE", "COUNT", "MAX", "MIN"],
      "today", "now", "-", "checkbox", "dropdown", "note",
    ],
  ],
  [
    "Format",
    [
      ["Number", "automatic", "plain", "-", "number", "percent", "scientific", "-", "currency", "currencyRounded", "-", "date", "time", "dateTime", "duration", "-", "customNumber"],
      ["Text", "bold", "italic", "underline", "strike"],
      ["Alignment", "alignLeft", "alignCenter", "alignRight", "-", "top", "middle", "bottom"],
      ["Wrapping", "overflow", "wrap", "clip"],
      ["Font size", "bigger", "smaller"],
      ["Borders", "borderAll", "borderOuter", "borderInner", "borderTop", "borderBottom", "borderNone"],
      ["Merge cells", "mergeAll", "mergeColumns", "mergeRows", "unmerge"],
      "-", "conditional", "fitColumns", "-", "clearFormat",
    ],
  ],
  ["Data", [["Sort sheet", "sortSheetUp", "sortSheetDown"], ["Sort range", "sortRangeUp", "sortRangeDown", "sortOptions"], "-", "filter", "-", "validation", "names"]],
  ["Help", ["keys"]],
];

export function Menus({ commands }: { commands: Commands }) {
  const { mayEdit } = useDesk();
  return (
    <nav className={classes.menus} aria-label="Menu bar">
      {MENUS.map(([name, entries]) => (
        <Menu key={name} position="bottom-start" returnFocus={false} width={280}>
          <Menu.Target>
            <button type="button" className={classes.menu} onMouseDown={(event) => event.preventDefault()}>
              {name}
            </button>
          </Menu.Target>
          <Menu.Dropdown>{entries.map((entry, index) => shown(entry, index, commands, mayEdit))}</Menu.Dropdown>
        </Menu>
      ))}
    </nav>
  );
}

function shown(entry: Entry, index: number, commands: Commands, mayEdit: boolean): ReactNode {
  if (entry === "-") return <Menu.Divider key={`line-${index}`} />;
  if (typeof entry === "string") {
    const command = commands[entry];
    return command === undefined ? null : <MenuCommand key={entry} command={command} mayEdit={mayEdit} />;
  }
  const [label, ...inner] = entry;
  const known = inner.filter((one) => typeof one === "string" && commands[one] !== undefined);
  const closed = !mayEdit && known.every((one) => commands[one as string]?.edits === true);
  return (
    <Menu.Sub key={label}>
      <Menu.Sub.Target>
        <Menu.Sub.Item disabled={closed}>{label}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>{inner.map((one, at) => shown(one, at, commands, mayEdit))}</Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}

export function MenuCommand({ command, mayEdit }: { command: Command; mayEdit: boolean }) {
  return (
    <Menu.Item
      disabled={command.edits === true && !mayEdit}
      rightSection={command.keys === undefined ? undefined : <span className={classes.keys} aria-hidden>{command.keys}</span>}
      onClick={() => void command.run()}
    >
      {command.label}
    </Menu.Item>
  );
}

const CONTEXT: Record<"cells" | "rows" | "columns", string[]> = {
  cells: [
    "cut", "copy", "paste", "pasteValues", "-", "rowsAbove", "columnsLeft", "deleteRows", "deleteColumns", "-",
    "sortRangeUp", "sortRangeDown", "filter", "-", "validation", "conditional", "note", "link",
  ],
  rows: ["cut", "copy", "paste", "-", "rowsAbove", "rowsBelow", "deleteRows", "clearRows", "hideRows", "showRows", "-", "moveRowsUp", "moveRowsDown", "freezeToRow", "-", "conditional", "validation"],
  columns: [
    "cut", "copy", "paste", "-", "columnsLeft", "columnsRight", "deleteColumns", "clearColumns", "hideColumns", "showColumns", "fitColumns", "-",
    "moveColumnsLeft", "moveColumnsRight", "freezeToColumn", "-", "sortSheetUp", "sortSheetDown", "sortRangeUp", "sortRangeDown", "-", "conditional", "validation",
  ],
};

export interface At {
  x: number;
  y: number;
  zone: "cells" | "rows" | "columns";
}

/** What the right button opens on cells, row headers and column headers. */
export function ContextMenu({ at, commands, onClose }: { at: At; commands: Commands; onClose: () => void }) {
  const { mayEdit } = useDesk();
  return (
    <Menu opened onClose={onClose} position="bottom-start" offset={0} returnFocus={false} trapFocus width={270}>
      <Menu.Target>
        <span aria-hidden style={{ position: "fixed", left: at.x, top: at.y, width: 1, height: 1 }} />
      </Menu.Target>
      <Menu.Dropdown mah="80vh" style={{ overflowY: "auto" }}>
        {CONTEXT[at.zone].map((name, index) => {
          const command = commands[name];
          if (command === undefined) return <Menu.Divider key={`line-${index}`} />;
          const label = at.zone !== "cells" && /^freezeTo/.test(name) ? `Freeze ${command.label.toLowerCase()}` : command.label;
          return <MenuCommand key={name} command={{ ...command, label: name === "pasteValues" ? "Paste values only" : label }} mayEdit={mayEdit} />;
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
