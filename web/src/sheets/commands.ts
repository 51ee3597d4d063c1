/** Every action of the spreadsheet by name: menus, toolbar, context menus and shortcuts share them. */

import { wall } from "../kit/time";
import { toast } from "../kit/toast";
import { world } from "../kit/world";
import { areaOf, holds, letters, quoted, nameOf, type Area } from "./a1";
import type { Desk } from "./desk";
import { DEFAULT_SIZE, formatOf, withDecimals, type CellFormat } from "./formats";
import * as make from "./requests";
import type { Clipboard } from "./useClipboard";

export interface Command {
  label: string;
  keys?: string;
  /** It changes the spreadsheet: not offered to readers. */
  edits?: boolean;
  run: () => unknown;
}

export type Commands = Record<string, Command>;

interface Around {
  clipboard: Clipboard;
  goHome: () => void;
}

export function commandsOf(desk: Desk, near: Around): Commands {
  const { sheet, selection, editor, frame } = desk;
  const { area, active } = selection;
  const id = sheet.number;
  const now = formatOf(sheet, active.row, active.column, desk.cell(active.row, active.column));
  const text = now.textFormat ?? {};
  const tall = area.bottom - area.top;
  const wide = area.right - area.left;

  const patch = (label: string, keys: string | undefined, look: CellFormat, fields: string): Command => ({
    label,
    ...(keys === undefined ? {} : { keys }),
    edits: true,
    run: () => editor.run(label, [make.format(id, area, look, fields)]),
  });
  const toggle = (label: string, keys: string, name: "bold" | "italic" | "underline" | "strikethrough"): Command =>
    patch(label, keys, { textFormat: { [name]: !text[name] } }, `textFormat.${name}`);
  const number = (label: string, type: string, pattern: string, keys?: string): Command =>
    patch(label, keys, type === "" ? {} : { numberFormat: { type, pattern } }, "numberFormat");
  const align = (label: string, value: string, keys?: string): Command =>
    patch(label, keys, { horizontalAlignment: value }, "horizontalAlignment");
  const raise = (label: string, value: string): Command => patch(label, undefined, { verticalAlignment: value }, "verticalAlignment");
  const wrap = (label: string, value: string): Command => patch(label, undefined, { wrapStrategy: value }, "wrapStrategy");
  const run = (label: string, requests: () => ReturnType<typeof make.sort>[], keys?: string): Command => ({
    label,
    ...(keys === undefined ? {} : { keys }),
    edits: true,
    run: () => editor.run(label, requests()),
  });
  const edge = (label: string, set: make.EdgeSet, keys?: string): Command =>
    run(label, () => [make.borders(id, area, set, {})], keys);
  const decimals = (label: string, more: boolean): Command => {
    const held = now.numberFormat ?? { type: "NUMBER", pattern: "" };
    const shownDigits = /\.(\d+)$/.exec(desk.shown(active.row, active.column))?.[1] ?? "";
    const base = held.pattern ?? (shownDigits === "" ? "0" : `0.${"0".repeat(shownDigits.length)}`);
    return number(label, held.type, withDecimals(base === "" && shownDigits !== "" ? `0.${"0".repeat(shownDigits.length)}` : base, more));
  };
  const plural = (n: number, word: string) => (n === 1 ? `1 ${word}` : `${n} ${word}s`);
  const onSheet = (by: 1 | -1) => () => {
    const shown = frame.sheets.filter((one) => !one.hidden);
    const next = shown[(shown.findIndex((one) => one.number === id) + by + shown.length) % shown.length];
    if (next !== undefined) desk.open(next.number);
  };
  const sortSheet = (descending: boolean): Command =>
    run(`Sort sheet ${descending ? "Z to A" : "A to Z"}`, () => {
      const top = Math.max(sheet.frozen_rows, 0);
      const bottom = Math.max(sheet.filled, top + 1);
      return [make.sort(id, { top, left: 0, bottom, right: sheet.columns }, [{ column: active.column, descending }])];
    });
  const sortRange = (descending: boolean): Command =>
    run(`Sort range ${descending ? "Z to A" : "A to Z"}`, () => [
      make.sort(id, { ...area, bottom: Math.min(area.bottom, Math.max(sheet.filled, area.top + 1)) }, [
        { column: active.column, descending },
      ]),
    ]);
  const hide = (dimension: make.Direction, hidden: boolean, from: number, to: number, label: string): Command =>
    run(label, () => [make.lines(id, dimension, from, to, { hiddenByUser: hidden })]);
  const hiddenColumns = Object.entries(sheet.column_data).some(([, data]) => data.hiddenByUser === true);
  const clock = wall(world.now, frame.zone);
  const two = (n: number) => String(n).padStart(2, "0");
  const sum = (name: string): Command => ({
    label: name,
    edits: true,
    run: () => {
      const many = tall * wide > 1;
      if (many) {
        const below = { row: area.bottom, column: area.left };
        const texts = Array.from({ length: wide }, (_, i) => `=${name}(${nameOf({ ...area, left: area.left + i, right: area.left + i + 1 })})`);
        void editor.enter(id, below.row, below.column, [texts]);
      } else desk.begin({ text: `=${name}(`, quick: true });
    },
  });

  return {
    // File
    share: { label: "Share", run: () => desk.setDialog("share") },
    rename: { label: "Rename", edits: true, run: () => desk.setDialog("rename") },
    home: { label: "Open", run: near.goHome },
    // Edit
    undo: { label: "Undo", keys: "Ctrl+Z", edits: true, run: () => editor.undo() },
    redo: { label: "Redo", keys: "Ctrl+Y", edits: true, run: () => editor.redo() },
    cut: { label: "Cut", keys: "Ctrl+X", edits: true, run: () => near.clipboard.copy(true) },
    copy: { label: "Copy", keys: "Ctrl+C", run: () => near.clipboard.copy(false) },
    paste: { label: "Paste", keys: "Ctrl+V", edits: true, run: () => near.clipboard.pasteHeld("PASTE_NORMAL") },
    pasteValues: { label: "Values only", keys: "Ctrl+Shift+V", edits: true, run: () => near.clipboard.pasteHeld("PASTE_VALUES") },
    pasteFormat: { label: "Format only", edits: true, run: () => near.clipboard.pasteHeld("PASTE_FORMAT") },
    pasteFormula: { label: "Formula only", edits: true, run: () => near.clipboard.pasteHeld("PASTE_FORMULA") },
    pasteTransposed: { label: "Transposed", edits: true, run: () => near.clipboard.pasteHeld("PASTE_NORMAL", true) },
    uncopy: { label: "Forget what was copied", run: () => near.clipboard.forget() },
    clear: run("Delete values", () => [make.clearValues(id, area)], "Delete"),
    find: { label: "Find and replace", keys: "Ctrl+H", run: () => desk.setDialog("find") },
    goto: { label: "Go to range", keys: "Ctrl+J", run: () => document.querySelector<HTMLInputElement>("#name-box")?.focus() },
    // Rows and columns
    rowsAbove: run(`Insert ${plural(tall, "row")} above`, () => [make.insertLines(id, "ROWS", area.top, tall)]),
    rowsBelow: run(`Insert ${plural(tall, "row")} below`, () => [make.insertLines(id, "ROWS", area.bottom, tall)]),
    columnsLeft: run(`Insert ${plural(wide, "column")} left`, () => [make.insertLines(id, "COLUMNS", area.left, wide)]),
    columnsRight: run(`Insert ${plural(wide, "column")} right`, () => [make.insertLines(id, "COLUMNS", area.right, wide)]),
    cellsRight: run("Insert cells and shift right", () => [make.shiftCells(id, area, true, "COLUMNS")]),
    cellsDown: run("Insert cells and shift down", () => [make.shiftCells(id, area, true, "ROWS")]),
    deleteRows: run(tall === 1 ? `Delete row ${area.top + 1}` : `Delete rows ${area.top + 1} – ${area.bottom}`, () => [
      make.deleteLines(id, "ROWS", area.top, area.bottom),
    ]),
    deleteColumns: run(
      wide === 1 ? `Delete column ${letters(area.left)}` : `Delete columns ${letters(area.left)} – ${letters(area.right - 1)}`,
      () => [make.deleteLines(id, "COLUMNS", area.left, area.right)],
    ),
    deleteLeft: run("Delete cells and shift left", () => [make.shiftCells(id, area, false, "COLUMNS")]),
    deleteUp: run("Delete cells and shift up", () => [make.shiftCells(id, area, false, "ROWS")]),
    clearRows: run(tall === 1 ? "Clear row" : "Clear rows", () => [make.clearValues(id, area)]),
    clearColumns: run(wide === 1 ? "Clear column" : "Clear columns", () => [make.clearValues(id, area)]),
    hideRows: hide("ROWS", true, area.top, area.bottom, tall === 1 ? "Hide row" : "Hide rows"),
    showRows: hide("ROWS", false, Math.max(area.top - 1, 0), Math.min(area.bottom + 1, sheet.rows), "Unhide rows"),
    hideColumns: hide("COLUMNS", true, area.left, area.right, wide === 1 ? "Hide column" : "Hide columns"),
    showColumns: hide("COLUMNS", false, hiddenColumns ? 0 : area.left, hiddenColumns ? sheet.columns : area.right, "Unhide columns"),
    moveRowsUp: run("Move row up", () => (area.top === 0 ? [] : [make.moveLines(id, "ROWS", area.top, area.bottom, area.top - 1)])),
    moveRowsDown: run("Move row down", () => [make.moveLines(id, "ROWS", area.top, area.bottom, area.bottom + 1)]),
    moveColumnsLeft: run("Move column left", () =>
      area.left === 0 ? [] : [make.moveLines(id, "COLUMNS", area.left, area.right, area.left - 1)],
    ),
    moveColumnsRight: run("Move column right", () => [make.moveLines(id, "COLUMNS", area.left, area.right, area.right + 1)]),
    fitColumns: run("Resize to fit data", () => [make.fitColumns(id, area.left, area.right)]),
    insert: selection.kind === "columns"
      ? run("Insert columns left", () => [make.insertLines(id, "COLUMNS", area.left, wide)])
      : run("Insert rows above", () => [make.insertLines(id, "ROWS", area.top, tall)]),
    remove: selection.kind === "columns"
      ? run("Delete columns", () => [make.deleteLines(id, "COLUMNS", area.left, area.right)])
      : run("Delete rows", () => [make.deleteLines(id, "ROWS", area.top, area.bottom)]),
    fillDown: run("Fill down", () => {
      const top = tall === 1 ? area.top - 1 : area.top;
      if (top < 0) return [];
      const source = { ...area, top, bottom: top + 1 };
      return [make.copy(id, source, id, { ...area, top: top + 1 }, "PASTE_NORMAL")];
    }, "Ctrl+D"),
    fillRight: run("Fill right", () => {
      const left = wide === 1 ? area.left - 1 : area.left;
      if (left < 0) return [];
      const source = { ...area, left, right: left + 1 };
      return [make.copy(id, source, id, { ...area, left: left + 1 }, "PASTE_NORMAL")];
    }, "Ctrl+R"),
    today: { label: "Insert today’s date", keys: "Ctrl+;", edits: true, run: () => editor.enter(id, active.row, active.column, [[`${clock.year}-${two(clock.month)}-${two(clock.day)}`]]) },
    now: {
      label: "Insert the time",
      keys: "Ctrl+Shift+;",
      edits: true,
      run: () => editor.enter(id, active.row, active.column, [[`${two(clock.hour)}:${two(clock.minute)}`]]),
    },
    // View
    gridlines: run(sheet.gridlines ? "Hide gridlines" : "Show gridlines", () => [
      make.sheetProperties(id, { gridProperties: { hideGridlines: sheet.gridlines } }, "gridProperties.hideGridlines"),
    ]),
    freezeNoRows: run("No rows", () => [make.freeze(id, 0, null)]),
    freezeRow: run("1 row", () => [make.freeze(id, 1, null)]),
    freezeTwoRows: run("2 rows", () => [make.freeze(id, 2, null)]),
    freezeToRow: run(`Up to row ${active.row + 1}`, () => [make.freeze(id, active.row + 1, null)]),
    freezeNoColumns: run("No columns", () => [make.freeze(id, null, 0)]),
    freezeColumn: run("1 column", () => [make.freeze(id, null, 1)]),
    freezeTwoColumns: run("2 columns", () => [make.freeze(id, null, 2)]),
    freezeToColumn: run(`Up to column ${letters(active.column)}`, () => [make.freeze(id, null, active.column + 1)]),
    // Insert
    checkbox: run("Checkbox", () => [make.validation(id, area, { condition: { type: "BOOLEAN" }, strict: true })]),
    note: { label: "Note", keys: "Shift+F2", edits: true, run: () => desk.setDialog("note") },
    SUM: sum("SUM"),
    AVERAGE: sum("AVERAGE"),
    COUNT: sum("COUNT"),
    MAX: sum("MAX"),
    MIN: sum("MIN"),
    addSheet: {
      label: "Sheet",
      keys: "Shift+F11",
      edits: true,
      run: async () => {
        const answer = await editor.run<{ addSheet: { properties: { sheetId: number } } }[]>("New sheet", [{ addSheet: { properties: {} } }]);
        const made = answer?.[0]?.addSheet.properties.sheetId;
        if (made !== undefined) desk.open(made);
      },
    },
    nextSheet: { label: "Next sheet", keys: "Alt+Down", run: onSheet(1) },
    previousSheet: { label: "Previous sheet", keys: "Alt+Up", run: onSheet(-1) },
    // Format
    bold: toggle("Bold", "Ctrl+B", "bold"),
    italic: toggle("Italic", "Ctrl+I", "italic"),
    underline: toggle("Underline", "Ctrl+U", "underline"),
    strike: toggle("Strikethrough", "Alt+Shift+5", "strikethrough"),
    automatic: number("Automatic", "", ""),
    plain: number("Plain text", "TEXT", "@"),
    number: number("Number", "NUMBER", "#,##0.00", "Ctrl+Shift+1"),
    percent: number("Percent", "PERCENT", "0.00%", "Ctrl+Shift+5"),
    scientific: number("Scientific", "SCIENTIFIC", "0.00E+00", "Ctrl+Shift+6"),
    currency: number("Currency", "CURRENCY", frame.money, "Ctrl+Shift+4"),
    currencyRounded: number("Currency rounded", "CURRENCY", frame.moneyRounded),
    date: number("Date", "DATE", frame.date, "Ctrl+Shift+3"),
    time: number("Time", "TIME", frame.time, "Ctrl+Shift+2"),
    dateTime: number("Date time", "DATE_TIME", `${frame.date} ${frame.time}`),
    duration: number("Duration", "TIME", "[h]:mm:ss"),
    customNumber: { label: "Custom number format", edits: true, run: () => desk.setDialog("numbers") },
    fewerDecimals: decimals("Decrease decimal places", false),
    moreDecimals: decimals("Increase decimal places", true),
    bigger: patch("Increase font size", undefined, { textFormat: { fontSize: (text.fontSize ?? DEFAULT_SIZE) + 1 } }, "textFormat.fontSize"),
    smaller: patch("Decrease font size", undefined, { textFormat: { fontSize: Math.max((text.fontSize ?? DEFAULT_SIZE) - 1, 6) } }, "textFormat.fontSize"),
    alignLeft: align("Left", "LEFT", "Ctrl+Shift+L"),
    alignCenter: align("Center", "CENTER", "Ctrl+Shift+E"),
    alignRight: align("Right", "RIGHT", "Ctrl+Shift+R"),
    top: raise("Top", "TOP"),
    middle: raise("Middle", "MIDDLE"),
    bottom: raise("Bottom", "BOTTOM"),
    overflow: wrap("Overflow", "OVERFLOW_CELL"),
    wrap: wrap("Wrap", "WRAP"),
    clip: wrap("Clip", "CLIP"),
    mergeAll: run("Merge all", () => [make.merge(id, area, "MERGE_ALL")]),
    mergeColumns: run("Merge vertically", () => [make.merge(id, area, "MERGE_COLUMNS")]),
    mergeRows: run("Merge horizontally", () => [make.merge(id, area, "MERGE_ROWS")]),
    unmerge: run("Unmerge", () => [make.merge(id, area, "NONE")]),
    borderAll: edge("All borders", "all"),
    borderInner: edge("Inner borders", "inner"),
    borderHorizontal: edge("Horizontal borders", "horizontal"),
    borderVertical: edge("Vertical borders", "vertical"),
    borderOuter: edge("Outer borders", "outer", "Ctrl+Shift+7"),
    borderTop: edge("Top border", "top"),
    borderBottom: edge("Bottom border", "bottom"),
    borderLeft: edge("Left border", "left"),
    borderRight: edge("Right border", "right"),
    borderNone: edge("Clear borders", "none"),
    clearFormat: run("Clear formatting", () => [make.clearFormat(id, area)], "Ctrl+\\"),
    conditional: { label: "Conditional formatting", edits: true, run: () => desk.setPanel("conditional") },
    // Data
    sortSheetUp: sortSheet(false),
    sortSheetDown: sortSheet(true),
    sortRangeUp: sortRange(false),
    sortRangeDown: sortRange(true),
    sortOptions: { label: "Advanced range sorting options", edits: true, run: () => desk.setDialog("sort") },
    filter: sheet.filter === null
      ? run("Create a filter", () => [make.filter(id, filterArea(desk), {})])
      : run("Remove filter", () => [make.clearFilter(id)]),
    validation: { label: "Data validation", edits: true, run: () => desk.setPanel("validation") },
    names: { label: "Named ranges", run: () => desk.setPanel("names") },
    keys: { label: "Keyboard shortcuts", keys: "Ctrl+/", run: () => desk.setDialog("keys") },
    link: {
      label: "Copy a link to this range",
      run: () => {
        const reference = `${quoted(sheet.title)}!${nameOf(area)}`;
        const url = `${location.origin}${location.pathname}#gid=${id}&range=${nameOf(area)}`;
        void navigator.clipboard.writeText(url).then(() => toast(`Link to ${reference} copied.`));
      },
    },
  };
}

/** What a filter is created over: the selection, or all that is filled around the active cell. */
function filterArea(desk: Desk): Area {
  const { selection, sheet } = desk;
  const { area } = selection;
  const bottom = Math.max(sheet.filled, 1);
  if (area.bottom - area.top > 1 && selection.kind !== "columns") return area;
  const filled = (column: number) => desk.shown(Math.min(area.top, bottom - 1), column) !== "" || desk.shown(0, column) !== "";
  let left = area.left;
  let right = area.right;
  while (left > 0 && filled(left - 1)) left -= 1;
  while (right < sheet.columns && filled(right)) right += 1;
  const top = desk.shown(0, area.left) === "" && area.top > 0 ? area.top : 0;
  return { top, left, bottom, right };
}

/** The validation rule's or filter's range that holds the active cell; else the selection. */
export function rangeText(desk: Desk): string {
  return `${quoted(desk.sheet.title)}!${nameOf(desk.selection.area)}`;
}

export function ruleRange(desk: Desk): Area {
  const { active, area } = desk.selection;
  const found = desk.sheet.validations.find((one) => one.value !== null && holds(areaOf(one.range), active.row, active.column));
  return found === undefined ? area : areaOf(found.range);
}

