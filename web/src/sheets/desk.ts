/** What every part of the spreadsheet's view works with. */

import { createContext, useContext } from "react";

import type { Area, Place } from "./a1";
import type { Cells, Editor, State } from "./book";
import type { Memory } from "./memory";
import type { Axes, Selection } from "./selection";
import type { Cell, Frame, Sheet } from "./types";

/** A cell being edited, in place or in the formula bar. */
export interface Entry {
  row: number;
  column: number;
  text: string;
  /** Input before; undefined while an own change of it is on its way. */
  seen: string | undefined;
  /** Started by typing: arrow keys then leave the cell. */
  quick: boolean;
  where: "cell" | "bar";
}

export type Panel = "validation" | "names" | "conditional" | null;
export type Dialog = "share" | "find" | "sort" | "keys" | "note" | "rename" | "numbers" | null;

export interface Desk {
  frame: Frame;
  sheet: Sheet;
  axes: Axes;
  cells: Cells;
  editor: Editor;
  state: State;
  mayEdit: boolean;
  selection: Selection;
  select: (selection: Selection, keepInView?: boolean) => void;
  entry: Entry | null;
  /** Begin to edit the active cell, or another. */
  begin: (options?: { text?: string; quick?: boolean; where?: Entry["where"]; at?: Place }) => void;
  type: (text: string) => void;
  /** Leave the entry: kept, then a step down and right; or dropped. */
  commit: (down: number, right: number) => void;
  cancel: () => void;
  /** Put the caret's reference of a formula being typed to a range; false when the text takes none there. */
  point: (area: Area) => boolean;
  open: (sheet: number, area?: Area) => void;
  panel: Panel;
  setPanel: (panel: Panel) => void;
  dialog: Dialog;
  setDialog: (dialog: Dialog) => void;
  cell: (row: number, column: number) => Cell | undefined;
  /** What a cell shows, an unanswered entry included. */
  shown: (row: number, column: number) => string;
  memory: Memory;
  focus: () => void;
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error("no spreadsheet is open");
  return desk;
}

/** Props of every dialog's closing button. */
export const CLOSE = { "aria-label": "Close", size: 28 };
