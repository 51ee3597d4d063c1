/** Where rows and columns lie, in pixels. */

import { areaOf, letters } from "./a1";
import type { Sheet } from "./types";

export const ROW_HEIGHT = 24;
export const COLUMN_WIDTH = 100;
export const HEAD_WIDTH = 46;
export const HEAD_HEIGHT = 26;

/** One direction of a sheet: `starts[i]` is where line i begins. */
export class Axis {
  constructor(readonly starts: Float64Array) {}

  get count(): number {
    return this.starts.length - 1;
  }

  start(index: number): number {
    return this.starts[Math.max(0, Math.min(index, this.count))] ?? 0;
  }

  size(index: number): number {
    return this.start(index + 1) - this.start(index);
  }

  between(from: number, to: number): number {
    return this.start(to) - this.start(from);
  }

  /** The line at a distance from the beginning. */
  at(pixels: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.start(middle) <= pixels) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  hidden(index: number): boolean {
    return this.size(index) === 0;
  }

  /** The next shown line in a direction, or the same when there is none. */
  step(index: number, by: 1 | -1): number {
    for (let next = index + by; next >= 0 && next < this.count; next += by) if (!this.hidden(next)) return next;
    return index;
  }
}

function axis(sizes: Float64Array): Axis {
  const starts = new Float64Array(sizes.length + 1);
  let sum = 0;
  sizes.forEach((size, index) => {
    sum += size;
    starts[index + 1] = sum;
  });
  return new Axis(starts);
}

export function columnAxis(sheet: Sheet): Axis {
  const sizes = new Float64Array(sheet.columns).fill(COLUMN_WIDTH);
  for (let column = 0; column < sheet.columns; column += 1) {
    const data = sheet.column_data[letters(column)];
    if (data !== undefined) sizes[column] = data.hiddenByUser ? 0 : (data.pixelSize ?? COLUMN_WIDTH);
  }
  return axis(sizes);
}

/** Rows: those that nobody resized are as tall as their wrapped text. */
export function rowAxis(sheet: Sheet, grown: ReadonlyMap<number, number>): Axis {
  const sizes = new Float64Array(sheet.rows).fill(ROW_HEIGHT);
  grown.forEach((size, row) => {
    if (row < sheet.rows) sizes[row] = Math.max(size, ROW_HEIGHT);
  });
  const hidden = new Set<number>();
  for (const rule of sheet.row_data) {
    const where = areaOf(rule.range);
    for (let row = where.top; row < Math.min(where.bottom, sheet.rows); row += 1) {
      const size = rule.value?.pixelSize;
      if (size !== undefined) sizes[row] = size ?? grown.get(row) ?? ROW_HEIGHT;
      if (rule.value?.hiddenByUser !== undefined) {
        if (rule.value.hiddenByUser) hidden.add(row);
        else hidden.delete(row);
      }
    }
  }
  for (const row of [...hidden, ...sheet.out]) if (row < sheet.rows) sizes[row] = 0;
  return axis(sizes);
}

/** Rows that somebody hid (not those that a filter leaves out). */
export function hiddenRows(sheet: Sheet): Set<number> {
  const hidden = new Set<number>();
  for (const rule of sheet.row_data) {
    const where = areaOf(rule.range);
    if (rule.value?.hiddenByUser === undefined) continue;
    for (let row = where.top; row < where.bottom; row += 1) {
      if (rule.value.hiddenByUser) hidden.add(row);
      else hidden.delete(row);
    }
  }
  return hidden;
}

let pen: CanvasRenderingContext2D | null = null;
const widths = new Map<string, number>();

/** How wide a text is drawn. */
export function textWidth(text: string, font: string): number {
  const key = `${font}|${text}`;
  let found = widths.get(key);
  if (found === undefined) {
    pen ??= document.createElement("canvas").getContext("2d");
    if (pen === null) return text.length * 7;
    pen.font = font;
    found = pen.measureText(text).width;
    if (widths.size > 20_000) widths.clear();
    widths.set(key, found);
  }
  return found;
}

/** How many lines a text takes in a width, breaking at spaces. */
export function lineCount(text: string, font: string, width: number): number {
  let lines = 0;
  for (const paragraph of text.split("\n")) {
    let used = 0;
    lines += 1;
    for (const word of paragraph.split(/(?<= )/)) {
      const wide = textWidth(word, font);
      if (used > 0 && used + textWidth(word.trimEnd(), font) > width) {
        lines += 1;
        used = 0;
      }
      if (wide > width) {
        lines += Math.ceil(wide / width) - 1;
        used = wide % width;
      } else used += wide;
    }
  }
  return lines;
}
