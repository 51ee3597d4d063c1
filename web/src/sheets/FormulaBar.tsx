import { TextInput } from "@mantine/core";
import { IconCheck, IconMathFunction, IconX } from "@tabler/icons-react";
import { useState } from "react";

import { IconButton } from "../kit/parts";
import { toast } from "../kit/toast";
import { areaOf, nameOf, parseArea, splitSheet } from "./a1";
import { useDesk } from "./desk";
import { onEntryKey } from "./EntryBox";
import { FunctionHints, useHints } from "./FunctionHints";
import classes from "./app.module.css";

/** The name box, and the bar that shows and edits what the active cell holds. */
export function FormulaBar() {
  const desk = useDesk();
  const { selection, entry } = desk;
  const { row, column } = selection.active;
  const held = desk.state.pending.get(`${desk.sheet.number}/${nameOf({ top: row, left: column, bottom: row + 1, right: column + 1 })}`);
  const cell = desk.cell(row, column);
  const text = entry?.text ?? held ?? cell?.i ?? cell?.s ?? "";
  const hints = useHints(entry?.where === "bar" ? text : "", (next) => desk.type(next));
  const here = entry?.where === "bar";
  return (
    <div className={classes.bar} role="group" aria-label="Formula bar">
      <NameBox />
      <span className={classes.function} aria-hidden>
        <IconMathFunction size={16} />
      </span>
      {entry !== null && (
        <span className={classes.barButtons}>
          <IconButton label="Cancel" size={24} onPointerDown={(event) => event.preventDefault()} onClick={() => desk.cancel()}>
            <IconX size={15} />
          </IconButton>
          <IconButton label="Enter" size={24} onPointerDown={(event) => event.preventDefault()} onClick={() => desk.commit(0, 0)}>
            <IconCheck size={15} />
          </IconButton>
        </span>
      )}
      <div className={classes.barField}>
        <textarea
          aria-label="Formula"
          rows={Math.min(text.split("\n").length, 4)}
          spellCheck={false}
          readOnly={!desk.mayEdit}
          value={text}
          onFocus={() => {
            if (desk.mayEdit && entry?.where !== "bar") desk.begin(entry === null ? { where: "bar" } : { where: "bar", text: entry.text });
          }}
          onChange={(event) => desk.type(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (here && hints.onKey(event)) return;
            if (entry !== null) onEntryKey(event, desk, false);
          }}
        />
        {here && <FunctionHints hints={hints} />}
      </div>
    </div>
  );
}

function NameBox() {
  const desk = useDesk();
  const { frame, sheet, selection } = desk;
  const [typed, setTyped] = useState<string | null>(null);
  const { area } = selection;
  const single = desk.entry !== null ? nameOf({ top: desk.entry.row, left: desk.entry.column, bottom: desk.entry.row + 1, right: desk.entry.column + 1 }) : null;
  const range = nameOf(area);
  const named = frame.named.find((one) => one.sheet === sheet.number && one.range === range);
  const shown = single ?? named?.name ?? range;
  const go = (text: string) => {
    const wish = text.trim();
    const known = frame.named.find((one) => one.name.toLowerCase() === wish.toLowerCase());
    const [title, rest] = splitSheet(wish);
    const target = title === "" ? sheet : frame.sheets.find((one) => one.title.toLowerCase() === title.toLowerCase());
    const found = target === undefined ? null : parseArea(rest, target.rows, target.columns);
    setTyped(null);
    if (known !== undefined) desk.open(known.sheet, areaOf(known.range));
    else if (target !== undefined && found !== null) desk.open(target.number, found);
    else toast(`“${wish}” is no range of this spreadsheet.`);
    desk.focus();
  };
  return (
    <TextInput
      id="name-box"
      aria-label="Name box"
      className={classes.nameBox ?? ""}
      variant="unstyled"
      value={typed ?? shown}
      onFocus={(event) => {
        setTyped(shown);
        event.currentTarget.select();
      }}
      onBlur={() => setTyped(null)}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") go(event.currentTarget.value);
        if (event.key === "Escape") {
          setTyped(null);
          desk.focus();
        }
      }}
    />
  );
}
