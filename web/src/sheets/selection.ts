/** What is selected: an active cell in a stretch between an anchor and a head. */

import { areaOf, around, holds, meets, same, single, type Area, type Place } from "./a1";
import type { Axis } from "./geometry";
import type { Sheet } from "./types";

export type Kind = "cells" | "rows" | "columns" | "all";

export interface Selection {
  kind: Kind;
  active: Place;
  anchor: Place;
  head: Place;
  /** Anchor to head, grown over the merges that it touches. */
  area: Area;
}

/** Merged cells count as one: the stretch that shows a cell. */
export function mergeAt(sheet: Sheet, row: number, column: number): Area | null {
  for (const range of sheet.merges) {
    const area = areaOf(range);
    if (holds(area, row, column)) return area;
  }
  return null;
}

function grown(sheet: Sheet, area: Area): Area {
  let found = area;
  for (;;) {
    const next = sheet.merges.map(areaOf).filter((merge) => meets(merge, found)).reduce(around, found);
    if (same(next, found)) return found;
    found = next;
  }
}

export function select(sheet: Sheet, anchor: Place, head: Place = anchor, active: Place = anchor): Selection {
  const area = grown(sheet, around(single(anchor), single(head)));
  return { kind: "cells", active, anchor, head, area };
}

export function selectArea(sheet: Sheet, area: Area): Selection {
  const anchor = { row: area.top, column: area.left };
  const found = select(sheet, anchor, { row: area.bottom - 1, column: area.right - 1 });
  const rows = area.left === 0 && area.right === sheet.columns;
  const columns = area.top === 0 && area.bottom === sheet.rows;
  const kind = rows && columns ? "all" : rows ? "rows" : columns ? "columns" : "cells";
  return { ...found, kind };
}

export function selectRows(sheet: Sheet, from: number, to: number): Selection {
  const anchor = { row: from, column: 0 };
  return { ...select(sheet, anchor, { row: to, column: sheet.columns - 1 }), kind: "rows" };
}

export function selectColumns(sheet: Sheet, from: number, to: number): Selection {
  const anchor = { row: 0, column: from };
  return { ...select(sheet, anchor, { row: sheet.rows - 1, column: to }), kind: "columns" };
}

export function selectAll(sheet: Sheet, active: Place): Selection {
  const all = select(sheet, { row: 0, column: 0 }, { row: sheet.rows - 1, column: sheet.columns - 1 }, active);
  return { ...all, kind: "all" };
}

/** The selection within a sheet that has become smaller. */
export function clipped(sheet: Sheet, selection: Selection): Selection {
  const { area } = selection;
  if (area.bottom <= sheet.rows && area.right <= sheet.columns) return selection;
  const clip = (place: Place) => ({
    row: Math.min(place.row, sheet.rows - 1),
    column: Math.min(place.column, sheet.columns - 1),
  });
  return select(sheet, clip(selection.anchor), clip(selection.head), clip(selection.active));
}

export interface Axes {
  rows: Axis;
  columns: Axis;
}

/** One step from a cell, over hidden lines and out of a merge. */
export function stepped(sheet: Sheet, axes: Axes, from: Place, down: number, right: number): Place {
  const merge = mergeAt(sheet, from.row, from.column);
  let { row, column } = from;
  if (merge !== null && down > 0) row = merge.bottom - 1;
  if (merge !== null && right > 0) column = merge.right - 1;
  if (down !== 0) row = axes.rows.step(row, down > 0 ? 1 : -1);
  if (right !== 0) column = axes.columns.step(column, right > 0 ? 1 : -1);
  const into = mergeAt(sheet, row, column);
  return into === null || into === merge ? { row, column } : { row: into.top, column: into.left };
}

/** The next cell inside a selection, in reading order (`across`) or down the columns. */
export function cycled(area: Area, from: Place, across: boolean, back: boolean): Place {
  const wide = area.right - area.left;
  const tall = area.bottom - area.top;
  const [major, minor] = across ? [wide, tall] : [tall, wide];
  const at = across
    ? (from.row - area.top) * major + (from.column - area.left)
    : (from.column - area.left) * major + (from.row - area.top);
  const next = (at + (back ? -1 : 1) + major * minor) % (major * minor);
  const [slow, fast] = [Math.floor(next / major), next % major];
  return across
    ? { row: area.top + slow, column: area.left + fast }
    : { row: area.top + fast, column: area.left + slow };
}
