/** The keyboard of the grid while no cell is being edited. */

import type { KeyboardEvent } from "react";

import { cellName, type Place } from "./a1";
import { fetchCell } from "./book";
import { useDesk, type Desk } from "./desk";
import type { Zone } from "./Grid";
import { ruleAt } from "./GridRow";
import { cycled, mergeAt, select, selectAll, selectColumns, selectRows, stepped } from "./selection";
import type { View } from "./useView";

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Chords that are commands, as `commands.tsx` names them. */
const CHORDS: Record<string, string> = {
  "Ctrl+z": "undo",
  "Ctrl+y": "redo",
  "Ctrl+Shift+z": "redo",
  "Ctrl+b": "bold",
  "Ctrl+i": "italic",
  "Ctrl+u": "underline",
  "Alt+Shift+5": "strike",
  "Ctrl+d": "fillDown",
  "Ctrl+r": "fillRight",
  "Ctrl+f": "find",
  "Ctrl+h": "find",
  "Ctrl+\\": "clearFormat",
  "Ctrl+Shift+v": "pasteValues",
  "Ctrl+Shift+1": "number",
  "Ctrl+Shift+2": "time",
  "Ctrl+Shift+3": "date",
  "Ctrl+Shift+4": "currency",
  "Ctrl+Shift+5": "percent",
  "Ctrl+Shift+6": "scientific",
  "Ctrl+Shift+7": "borderOuter",
  "Ctrl+Shift+l": "alignLeft",
  "Ctrl+Shift+e": "alignCenter",
  "Ctrl+Shift+r": "alignRight",
  "Ctrl+;": "today",
  "Ctrl+Shift+;": "now",
  "Ctrl+Alt+=": "insert",
  "Ctrl+Alt+-": "remove",
  "Shift+F2": "note",
  "Shift+F11": "addSheet",
  "Ctrl+Shift+PageDown": "nextSheet",
  "Ctrl+Shift+PageUp": "previousSheet",
  "Alt+ArrowDown": "nextSheet",
  "Alt+ArrowUp": "previousSheet",
  F5: "goto",
  "Ctrl+j": "goto",
  "Ctrl+/": "keys",
  Delete: "clear",
  Backspace: "clear",
  Escape: "uncopy",
};

function chordOf(event: KeyboardEvent): string {
  const digit = /^Digit(\d)$/.exec(event.code)?.[1];
  const sign = { Semicolon: ";", Minus: "-", Equal: "=" }[event.code];
  const key = digit ?? sign ?? (event.key.length === 1 ? event.key.toLowerCase() : event.key);
  const ctrl = event.ctrlKey || event.metaKey ? "Ctrl+" : "";
  return `${ctrl}${event.altKey ? "Alt+" : ""}${event.shiftKey ? "Shift+" : ""}${key}`;
}

export function useGridKeys(
  view: View,
  commands: (name: string) => void,
  choose: (place: Place, element: Element) => void,
  menu: (x: number, y: number, zone: Zone) => void,
): (event: KeyboardEvent<HTMLDivElement>) => void {
  const desk = useDesk();
  return (event) => {
    if (event.defaultPrevented || event.nativeEvent.isComposing || event.target !== event.currentTarget) return;
    if (handle(event, desk, view, commands, choose, menu)) event.preventDefault();
  };
}

function handle(
  event: KeyboardEvent<HTMLDivElement>,
  desk: Desk,
  view: View,
  commands: (name: string) => void,
  choose: (place: Place, element: Element) => void,
  menu: (x: number, y: number, zone: Zone) => void,
): boolean {
  const { sheet, selection } = desk;
  const { active, area } = selection;
  const chord = chordOf(event);
  const ctrl = event.ctrlKey || event.metaKey;
  const element = document.getElementById(`cell-${cellName(active.row, active.column)}`);
  const rule = ruleAt(sheet, active.row, active.column);
  if (chord === "ContextMenu" || chord === "Shift+F10") {
    const rect = element?.getBoundingClientRect();
    const zone = selection.kind === "rows" || selection.kind === "columns" ? selection.kind : "cells";
    // A menu that opens within the key's own event would be closed by it.
    requestAnimationFrame(() => menu(rect?.left ?? 200, rect?.bottom ?? 200, zone));
    return true;
  }
  if (chord === "Alt+ArrowDown" && rule !== null && element !== null && /^ONE_OF/.test(rule.condition.type)) {
    requestAnimationFrame(() => choose(active, element));
    return true;
  }
  const command = CHORDS[chord];
  if (command !== undefined) {
    commands(command);
    return true;
  }
  const arrow = ARROWS[event.key];
  if (arrow !== undefined && !event.altKey) {
    void walk(desk, arrow, ctrl, event.shiftKey);
    return true;
  }
  switch (chord) {
    case "Tab":
    case "Shift+Tab":
    case "Enter":
    case "Shift+Enter": {
      const across = event.key === "Tab";
      const many = area.bottom - area.top > 1 || area.right - area.left > 1;
      if (many && mergeAt(sheet, active.row, active.column) === null) {
        const next = cycled(area, active, across, event.shiftKey);
        desk.select({ ...selection, active: next });
      } else if (event.key === "Enter" && !event.shiftKey && desk.mayEdit) desk.begin({});
      else desk.commit(across ? 0 : -1, across ? (event.shiftKey ? -1 : 1) : 0);
      return true;
    }
    case "F2":
      desk.begin({});
      return true;
    case "Home":
    case "Ctrl+Home":
    case "Shift+Home":
    case "Ctrl+Shift+Home":
      move(desk, { row: ctrl ? 0 : selection.head.row, column: 0 }, event.shiftKey);
      return true;
    case "End":
    case "Ctrl+End":
    case "Shift+End":
    case "Ctrl+Shift+End":
      move(desk, { row: ctrl ? Math.max(sheet.filled - 1, 0) : selection.head.row, column: lastColumn(desk, view) }, event.shiftKey);
      return true;
    case "PageDown":
    case "PageUp":
    case "Shift+PageDown":
    case "Shift+PageUp": {
      const by = event.key === "PageDown" ? view.page : -view.page;
      const row = Math.max(0, Math.min(selection.head.row + by, sheet.rows - 1));
      move(desk, { row, column: selection.head.column }, event.shiftKey);
      return true;
    }
    case "Ctrl+a":
      desk.select(selectAll(sheet, active), false);
      return true;
    case "Shift+ ":
      desk.select(selectRows(sheet, area.top, area.bottom - 1), false);
      return true;
    case "Ctrl+ ":
      desk.select(selectColumns(sheet, area.left, area.right - 1), false);
      return true;
    case " ":
      if (rule?.condition.type === "BOOLEAN" && desk.mayEdit) {
        const on = /^true$/i.test(desk.shown(active.row, active.column));
        void desk.editor.enter(sheet.number, active.row, active.column, [[on ? "FALSE" : "TRUE"]]);
        return true;
      }
  }
  if (event.key.length === 1 && !ctrl && !event.altKey) {
    desk.begin({ text: event.key, quick: true });
    return true;
  }
  return false;
}

function move(desk: Desk, to: Place, extend: boolean): void {
  desk.select(extend ? select(desk.sheet, desk.selection.anchor, to, desk.selection.active) : select(desk.sheet, to));
}

function lastColumn(desk: Desk, view: View): number {
  for (let column = desk.sheet.columns - 1; column > 0; column -= 1) {
    for (let row = view.firstRow; row < view.lastRow; row += 1) {
      if (desk.shown(row, column) !== "") return column;
    }
  }
  return 0;
}

/** An arrow key: one step, or with Ctrl to the edge of what is filled. */
async function walk(desk: Desk, [down, right]: [number, number], jump: boolean, extend: boolean): Promise<void> {
  const { sheet, axes, selection } = desk;
  const from = extend ? selection.head : selection.active;
  const to = jump ? await edge(desk, from, down, right) : stepped(sheet, axes, from, down, right);
  move(desk, to, extend);
}

/** The end of the run of filled (or empty) cells that a place begins. */
async function edge(desk: Desk, from: Place, down: number, right: number): Promise<Place> {
  const { sheet, axes } = desk;
  const filled = async (at: Place) => {
    if (at.row >= sheet.filled) return false;
    if (desk.cells.loaded(at.row)) return desk.shown(at.row, at.column) !== "";
    return ((await fetchCell(desk.frame.id, sheet.number, at.row, at.column))?.s ?? "") !== "";
  };
  const still = (one: Place, other: Place) => one.row === other.row && one.column === other.column;
  let at = from;
  let next = stepped(sheet, axes, at, down, right);
  if (still(next, at)) return at;
  const run = (await filled(at)) && (await filled(next));
  for (;;) {
    if (down > 0 && !run && next.row >= sheet.filled) return { row: axes.rows.step(sheet.rows, -1), column: at.column };
    const full = await filled(next);
    if (run && !full) return at;
    if (!run && full) return next;
    at = next;
    next = stepped(sheet, axes, at, down, right);
    if (still(next, at)) return at;
  }
}

