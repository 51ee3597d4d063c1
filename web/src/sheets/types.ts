/** What the server gives: shapes as `screen_cells.py` makes them, formats as the vendor names them. */

import type { CellFormat } from "./formats";

export interface Facts {
  functions: string[];
  templates: { id: string; title: string }[];
}

export interface FileRow {
  id: string;
  title: string;
  owner: string;
  mine: boolean;
  shared: boolean;
  modified: number;
  role: string;
}

export interface FilePage {
  files: FileRow[];
  first: number;
  total: number;
  more: boolean;
}

export interface Ranged<Value> {
  range: string;
  value: Value | null;
}

export interface Dimension {
  pixelSize?: number | null;
  hiddenByUser?: boolean | null;
}

export interface Condition {
  type: string;
  values?: { userEnteredValue?: string; relativeDate?: string }[];
}

export interface ValidationRule {
  condition: Condition;
  strict?: boolean;
  showCustomUi?: boolean;
  inputMessage?: string;
}

export interface ConditionalRule {
  ranges: string[];
  booleanRule?: { condition: Condition; format: CellFormat };
  gradientRule?: unknown;
}

export interface Criteria {
  hiddenValues?: string[];
  condition?: Condition;
}

export interface BasicFilter {
  range: string;
  criteria?: Record<string, Criteria>;
  filterSpecs?: { columnIndex?: number; filterCriteria?: Criteria }[];
}

export interface Sheet {
  number: number;
  title: string;
  rows: number;
  columns: number;
  frozen_rows: number;
  frozen_columns: number;
  hidden: boolean;
  gridlines: boolean;
  tab_color: Color | null;
  column_data: Record<string, Dimension>;
  row_data: Ranged<Dimension>[];
  merges: string[];
  formats: Ranged<CellFormat>[];
  validations: Ranged<ValidationRule>[];
  conditional: ConditionalRule[];
  filter: BasicFilter | null;
  filled: number;
  /** Rows that the filter hides. */
  out: number[];
}

export interface NamedRange {
  id: string;
  name: string;
  sheet: number;
  range: string;
}

export interface Frame {
  id: string;
  title: string;
  role: string;
  locale: string;
  zone: string;
  separator: string;
  money: string;
  moneyRounded: string;
  date: string;
  time: string;
  named: NamedRange[];
  sheets: Sheet[];
}

export interface Color {
  red?: number;
  green?: number;
  blue?: number;
}

export interface Cell {
  s?: string;
  i?: string;
  n?: number;
  k?: "b" | "e";
  f?: CellFormat;
  x?: CellFormat;
  o?: string;
  m?: string;
  w?: boolean;
}

export interface Block {
  sheet: number;
  block: number;
  rows: { [row: string]: Record<string, Cell> | undefined };
}

export interface UndoToken {
  steps: string;
  seal: string;
}

export interface Changed<Answer = unknown> {
  undo: UndoToken | null;
  answer: Answer;
}

export interface People {
  people: { id: string; email: string; name: string; role: string }[];
  general: { type: "restricted" | "domain" | "anyone"; role: string };
  domain: string;
  role: string;
}

/** A request as `spreadsheets.batchUpdate` takes it. */
export type Request = Record<string, unknown>;
