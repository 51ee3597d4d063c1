/** Cell addresses and stretches of cells; zero-based, half-open, as on the server. */

export interface Place {
  row: number;
  column: number;
}

export interface Area {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

const names: string[] = [];

export function letters(column: number): string {
  let found = names[column];
  if (found === undefined) {
    found = "";
    for (let n = column + 1; n > 0; n = Math.floor((n - 1) / 26)) {
      found = String.fromCharCode(65 + ((n - 1) % 26)) + found;
    }
    names[column] = found;
  }
  return found;
}

export function columnOf(text: string): number {
  let n = 0;
  for (const letter of text.toUpperCase()) n = n * 26 + letter.charCodeAt(0) - 64;
  return n - 1;
}

export function cellName(row: number, column: number): string {
  return `${letters(column)}${row + 1}`;
}

export function nameOf(area: Area): string {
  const first = cellName(area.top, area.left);
  const last = cellName(area.bottom - 1, area.right - 1);
  return first === last ? first : `${first}:${last}`;
}

const CELL = /^\$?([A-Z]{1,3})\$?([1-9]\d{0,6})$/i;
const COLUMN = /^\$?([A-Z]{1,3})$/i;
const ROW = /^\$?([1-9]\d{0,6})$/;

/** The cells of `B2:C9`, `B:C`, `2:9` or `B2:C` in a grid of a size; null for anything else. */
export function parseArea(text: string, rows: number, columns: number): Area | null {
  const [first = "", last = first, ...more] = text.trim().split(":");
  if (more.length > 0) return null;
  const start = corner(first);
  const end = corner(last);
  if (start === null || end === null) return null;
  if (!text.includes(":") && (start.row === null || start.column === null)) return null;
  const area = {
    top: Math.min(start.row ?? 0, end.row ?? start.row ?? 0),
    left: Math.min(start.column ?? 0, end.column ?? start.column ?? 0),
    bottom: end.row === null ? rows : Math.max(start.row ?? 0, end.row) + 1,
    right: end.column === null ? columns : Math.max(start.column ?? 0, end.column) + 1,
  };
  if (area.top >= rows || area.left >= columns) return null;
  return { ...area, bottom: Math.min(area.bottom, rows), right: Math.min(area.right, columns) };
}

function corner(text: string): { row: number | null; column: number | null } | null {
  const cell = CELL.exec(text);
  if (cell !== null) return { row: Number(cell[2]) - 1, column: columnOf(cell[1] ?? "") };
  const column = COLUMN.exec(text);
  if (column !== null) return { row: null, column: columnOf(column[1] ?? "") };
  const row = ROW.exec(text);
  return row === null ? null : { row: Number(row[1]) - 1, column: null };
}

const areas = new Map<string, Area>();

/** The area of a range as records keep it: `B2:C9`. */
export function areaOf(range: string): Area {
  let found = areas.get(range);
  if (found === undefined) {
    found = parseArea(range, Infinity, Infinity) ?? { top: 0, left: 0, bottom: 0, right: 0 };
    areas.set(range, found);
  }
  return found;
}

export function holds(area: Area, row: number, column: number): boolean {
  return area.top <= row && row < area.bottom && area.left <= column && column < area.right;
}

export function meets(one: Area, other: Area): boolean {
  return one.top < other.bottom && other.top < one.bottom && one.left < other.right && other.left < one.right;
}

export function around(one: Area, other: Area): Area {
  return {
    top: Math.min(one.top, other.top),
    left: Math.min(one.left, other.left),
    bottom: Math.max(one.bottom, other.bottom),
    right: Math.max(one.right, other.right),
  };
}

export function same(one: Area, other: Area): boolean {
  return one.top === other.top && one.left === other.left && one.bottom === other.bottom && one.right === other.right;
}

export function single(place: Place): Area {
  return { top: place.row, left: place.column, bottom: place.row + 1, right: place.column + 1 };
}

export function height(area: Area): number {
  return area.bottom - area.top;
}

export function width(area: Area): number {
  return area.right - area.left;
}

/** A sheet's title as references write it. */
export function quoted(title: string): string {
  const plain = /^[A-Za-z_]\w*$/.test(title) && corner(title) === null;
  return plain ? title : `'${title.replaceAll("'", "''")}'`;
}

/** (title, rest) of `Summary!B7`; the title is empty when there is none. */
export function splitSheet(text: string): [string, string] {
  const match = /^(?:'((?:[^']|'')*)'|([^'!]+))!(.+)$/.exec(text);
  if (match === null) return ["", text];
  return [(match[1] ?? match[2] ?? "").replaceAll("''", "'"), match[3] ?? ""];
}

/** The vendor's `GridRange`. */
export function gridRange(sheetId: number, area: Area): Record<string, number> {
  return {
    sheetId,
    startRowIndex: area.top,
    endRowIndex: area.bottom,
    startColumnIndex: area.left,
    endColumnIndex: area.right,
  };
}
