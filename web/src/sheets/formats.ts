/** Cell formats: merging the vendor's `CellFormat`, and showing it. */

import type { CSSProperties } from "react";

import { areaOf, holds } from "./a1";
import type { Cell, Color, Sheet } from "./types";

export interface Border {
  style?: string;
  width?: number;
  color?: Color;
}

export interface CellFormat {
  numberFormat?: { type: string; pattern?: string } | null;
  backgroundColor?: Color | null;
  horizontalAlignment?: string | null;
  verticalAlignment?: string | null;
  wrapStrategy?: string | null;
  borders?: { top?: Border | null; bottom?: Border | null; left?: Border | null; right?: Border | null } | null;
  textFormat?: {
    foregroundColor?: Color | null;
    fontFamily?: string | null;
    fontSize?: number | null;
    bold?: boolean | null;
    italic?: boolean | null;
    strikethrough?: boolean | null;
    underline?: boolean | null;
  } | null;
}

export const DEFAULT_FONT = "Inter";
export const DEFAULT_SIZE = 10;
/** Families that every screen has. */
export const FONTS: Record<string, string> = {
  Inter: '"Inter Variable", sans-serif',
  Monospace: '"JetBrains Mono Variable", monospace',
  Serif: "Georgia, 'DejaVu Serif', serif",
};
const WHOLE = /Color(Style)?$|^numberFormat$|^link$/;

type Tree = Record<string, unknown>;

function merge(base: Tree, patch: Tree): Tree {
  const found = new Map(Object.entries(base));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) found.delete(name);
    else if (typeof value === "object" && !Array.isArray(value) && !WHOLE.test(name)) {
      found.set(name, merge((found.get(name) ?? {}) as Tree, value as Tree));
    } else found.set(name, value);
  }
  return Object.fromEntries(found);
}

export function merged(base: CellFormat, patch: CellFormat | null): CellFormat {
  return patch === null ? {} : (merge(base as Tree, patch as Tree));
}

const ranged = new WeakMap<Sheet["formats"], Map<string, CellFormat>>();
const NONE: CellFormat = {};

/** What a sheet's formats for ranges give one cell. */
export function rangedFormat(sheet: Sheet, row: number, column: number): CellFormat {
  const hits = sheet.formats.flatMap((rule, index) => (holds(areaOf(rule.range), row, column) ? [index] : []));
  if (hits.length === 0) return NONE;
  const known = ranged.get(sheet.formats) ?? new Map<string, CellFormat>();
  ranged.set(sheet.formats, known);
  const key = hits.join(",");
  let found = known.get(key);
  if (found === undefined) {
    found = hits.reduce<CellFormat>((base, index) => merged(base, sheet.formats[index]?.value ?? null), {});
    known.set(key, found);
  }
  return found;
}

/** The user's format of a cell, with what conditional formats add. */
export function formatOf(sheet: Sheet, row: number, column: number, cell: Cell | undefined): CellFormat {
  const own = cell?.f ?? rangedFormat(sheet, row, column);
  return cell?.x === undefined ? own : merged(own, cell.x);
}

export function css(color: Color | null | undefined): string | undefined {
  if (color === null || color === undefined) return undefined;
  const part = (value: number | undefined) => Math.round((value ?? 0) * 255);
  return `rgb(${part(color.red)} ${part(color.green)} ${part(color.blue)})`;
}

export function colorOf(hex: string): Color {
  const n = parseInt(hex.slice(1), 16);
  const part = (shift: number) => Math.round((((n >> shift) & 255) / 255) * 1000) / 1000;
  return { red: part(16), green: part(8), blue: part(0) };
}

function border(line: Border | null | undefined): string | undefined {
  if (line === null || line === undefined || line.style === "NONE") return undefined;
  const style = { DASHED: "dashed", DOTTED: "dotted", DOUBLE: "double" }[line.style ?? ""] ?? "solid";
  return `${line.width ?? 1}px ${style} ${css(line.color ?? {}) ?? "#000"}`;
}

export function pixels(points: number): number {
  return Math.round((points * 4) / 3);
}

const FLEX: Record<string, string> = { TOP: "flex-start", MIDDLE: "center", BOTTOM: "flex-end" };
const ALIGN: Record<string, "left" | "center" | "right"> = { LEFT: "left", CENTER: "center", RIGHT: "right" };

/** How a cell's text lies when nobody aligned it: numbers right, booleans and errors in the middle. */
export function alignment(format: CellFormat, cell: Cell | undefined): "left" | "center" | "right" {
  const given = ALIGN[format.horizontalAlignment ?? ""];
  if (given !== undefined) return given;
  if (cell?.k !== undefined) return "center";
  return cell?.n === undefined ? "left" : "right";
}

export function styleOf(format: CellFormat, cell: Cell | undefined): CSSProperties {
  const text = format.textFormat ?? {};
  const lines = [text.underline ? "underline" : "", text.strikethrough ? "line-through" : ""].filter(Boolean);
  const sides = format.borders ?? {};
  const found: CSSProperties = {};
  const background = css(format.backgroundColor);
  if (background !== undefined) found.background = background;
  const color = css(text.foregroundColor);
  if (color !== undefined) found.color = color;
  if (text.bold) found.fontWeight = 650;
  if (text.italic) found.fontStyle = "italic";
  if (lines.length > 0) found.textDecoration = lines.join(" ");
  if (text.fontSize) found.fontSize = pixels(text.fontSize);
  const family = FONTS[text.fontFamily ?? ""];
  if (family !== undefined) found.fontFamily = family;
  if (format.verticalAlignment) found.alignItems = FLEX[format.verticalAlignment] ?? "flex-end";
  const align = alignment(format, cell);
  if (align !== "left") {
    found.textAlign = align;
    found.justifyContent = align === "right" ? "flex-end" : "center";
  }
  const bottom = border(sides.bottom);
  const right = border(sides.right);
  if (bottom !== undefined) found.borderBottom = bottom;
  if (right !== undefined) found.borderRight = right;
  return found;
}

/** Borders above and to the left, which the neighbours' edges do not draw. */
export function outerEdges(format: CellFormat): CSSProperties | null {
  const top = border(format.borders?.top);
  const left = border(format.borders?.left);
  if (top === undefined && left === undefined) return null;
  return { ...(top === undefined ? {} : { borderTop: top }), ...(left === undefined ? {} : { borderLeft: left }) };
}

/** A number pattern with one decimal more or less. */
export function withDecimals(pattern: string, more: boolean): string {
  const base = pattern === "" ? "0" : pattern;
  return base
    .split(";")
    .map((section) => {
      const match = /([#0][#0,]*)(\.(0+))?/.exec(section);
      if (match === null) return section;
      const count = Math.max((match[3]?.length ?? 0) + (more ? 1 : -1), 0);
      const whole = match[1] ?? "0";
      const written = count === 0 ? whole : `${whole}.${"0".repeat(count)}`;
      return section.slice(0, match.index) + written + section.slice(match.index + match[0].length);
    })
    .join(";");
}
