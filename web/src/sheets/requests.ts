/** The `batchUpdate` requests behind the screen's actions. */

import { areaOf, gridRange, type Area } from "./a1";
import type { Border, CellFormat } from "./formats";
import type { Color, Condition, Request, ValidationRule } from "./types";

/** Patch the format of a stretch of cells; `fields` below `userEnteredFormat`. */
export function format(sheet: number, area: Area, patch: CellFormat, fields: string): Request {
  const listed = fields
    .split(",")
    .map((name) => `userEnteredFormat.${name}`)
    .join(",");
  return { repeatCell: { range: gridRange(sheet, area), cell: { userEnteredFormat: patch }, fields: listed } };
}

export function clearFormat(sheet: number, area: Area): Request {
  return { repeatCell: { range: gridRange(sheet, area), cell: {}, fields: "userEnteredFormat" } };
}

export function clearValues(sheet: number, area: Area): Request {
  return { updateCells: { range: gridRange(sheet, area), fields: "userEnteredValue" } };
}

export function note(sheet: number, area: Area, text: string): Request {
  return { repeatCell: { range: gridRange(sheet, area), cell: { note: text }, fields: "note" } };
}

export type EdgeSet = "all" | "inner" | "horizontal" | "vertical" | "outer" | "top" | "bottom" | "left" | "right" | "none";

const EDGES: Record<EdgeSet, string[]> = {
  all: ["top", "bottom", "left", "right", "innerHorizontal", "innerVertical"],
  inner: ["innerHorizontal", "innerVertical"],
  horizontal: ["innerHorizontal"],
  vertical: ["innerVertical"],
  outer: ["top", "bottom", "left", "right"],
  top: ["top"],
  bottom: ["bottom"],
  left: ["left"],
  right: ["right"],
  none: ["top", "bottom", "left", "right", "innerHorizontal", "innerVertical"],
};

export function borders(sheet: number, area: Area, set: EdgeSet, line: Border): Request {
  const drawn = set === "none" ? { style: "NONE" } : { style: line.style ?? "SOLID", color: line.color ?? {} };
  const edges = Object.fromEntries(EDGES[set].map((name) => [name, drawn]));
  return { updateBorders: { range: gridRange(sheet, area), ...edges } };
}

export type Direction = "ROWS" | "COLUMNS";

export function insertLines(sheet: number, dimension: Direction, at: number, count: number): Request {
  const range = { sheetId: sheet, dimension, startIndex: at, endIndex: at + count };
  return { insertDimension: { range, inheritFromBefore: at > 0 } };
}

export function deleteLines(sheet: number, dimension: Direction, from: number, to: number): Request {
  return { deleteDimension: { range: { sheetId: sheet, dimension, startIndex: from, endIndex: to } } };
}

export function moveLines(sheet: number, dimension: Direction, from: number, to: number, before: number): Request {
  const source = { sheetId: sheet, dimension, startIndex: from, endIndex: to };
  return { moveDimension: { source, destinationIndex: before } };
}

export function lines(
  sheet: number,
  dimension: Direction,
  from: number,
  to: number,
  properties: { pixelSize?: number; hiddenByUser?: boolean },
): Request {
  const range = { sheetId: sheet, dimension, startIndex: from, endIndex: to };
  return { updateDimensionProperties: { range, properties, fields: Object.keys(properties).join(",") } };
}

export function fitColumns(sheet: number, from: number, to: number): Request {
  return { autoResizeDimensions: { dimensions: { sheetId: sheet, dimension: "COLUMNS", startIndex: from, endIndex: to } } };
}

export function shiftCells(sheet: number, area: Area, insert: boolean, dimension: Direction): Request {
  const given = { range: gridRange(sheet, area), shiftDimension: dimension };
  return insert ? { insertRange: given } : { deleteRange: given };
}

export interface SortKey {
  column: number;
  descending: boolean;
}

export function sort(sheet: number, area: Area, keys: SortKey[]): Request {
  const sortSpecs = keys.map((key) => ({
    dimensionIndex: key.column,
    sortOrder: key.descending ? "DESCENDING" : "ASCENDING",
  }));
  return { sortRange: { range: gridRange(sheet, area), sortSpecs } };
}

export function copy(source: number, from: Area, sheet: number, to: Area, pasteType: string, transpose = false): Request {
  return {
    copyPaste: {
      source: gridRange(source, from),
      destination: gridRange(sheet, to),
      pasteType,
      pasteOrientation: transpose ? "TRANSPOSE" : "NORMAL",
    },
  };
}

export function cut(source: number, from: Area, sheet: number, row: number, column: number): Request {
  const destination = { sheetId: sheet, rowIndex: row, columnIndex: column };
  return { cutPaste: { source: gridRange(source, from), destination, pasteType: "PASTE_NORMAL" } };
}

export function merge(sheet: number, area: Area, mergeType: string): Request {
  return mergeType === "NONE"
    ? { unmergeCells: { range: gridRange(sheet, area) } }
    : { mergeCells: { range: gridRange(sheet, area), mergeType } };
}

export function sheetProperties(sheet: number, properties: Record<string, unknown>, fields: string): Request {
  return { updateSheetProperties: { properties: { sheetId: sheet, ...properties }, fields } };
}

export function freeze(sheet: number, rows: number | null, columns: number | null): Request {
  const size = {
    ...(rows === null ? {} : { frozenRowCount: rows }),
    ...(columns === null ? {} : { frozenColumnCount: columns }),
  };
  const fields = Object.keys(size).map((name) => `gridProperties.${name}`).join(",");
  return sheetProperties(sheet, { gridProperties: size }, fields);
}

export function tabColor(sheet: number, color: Color | null): Request {
  return sheetProperties(sheet, color === null ? {} : { tabColor: color }, "tabColor");
}

export function validation(sheet: number, area: Area, rule: ValidationRule | null): Request {
  return { setDataValidation: { range: gridRange(sheet, area), ...(rule === null ? {} : { rule }) } };
}

export function condition(type: string, values: string[]): Condition {
  return values.length === 0 ? { type } : { type, values: values.map((value) => ({ userEnteredValue: value })) };
}

export function conditional(sheet: number, area: Area, when: Condition, look: CellFormat): Request {
  const rule = { ranges: [gridRange(sheet, area)], booleanRule: { condition: when, format: look } };
  return { addConditionalFormatRule: { rule, index: 0 } };
}

export function filter(sheet: number, range: string | Area, criteria: Record<string, unknown>): Request {
  const area = typeof range === "string" ? areaOf(range) : range;
  return { setBasicFilter: { filter: { range: gridRange(sheet, area), criteria } } };
}

export function clearFilter(sheet: number): Request {
  return { clearBasicFilter: { sheetId: sheet } };
}

export function addName(sheet: number, name: string, area: Area): Request {
  return { addNamedRange: { namedRange: { name, range: gridRange(sheet, area) } } };
}

export function dropName(id: string): Request {
  return { deleteNamedRange: { namedRangeId: id } };
}
