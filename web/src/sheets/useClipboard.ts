/** Copy, cut and paste: as text for everybody, with formulas and formats within the spreadsheet. */

import { useLayoutEffect, useState } from "react";

import { toast } from "../kit/toast";
import { height, width, type Area } from "./a1";
import { fromText, toText } from "./clipboard";
import type { Desk } from "./desk";
import * as make from "./requests";
import { selectArea } from "./selection";
import type { Request } from "./types";

export interface Copied {
  sheet: number;
  area: Area;
  cut: boolean;
  text: string;
}

export class Clipboard {
  private desk: Desk | null = null;
  private copied: Copied | null = null;

  constructor(private readonly tell: (copied: Copied | null) => void) {}

  see(desk: Desk): void {
    this.desk = desk;
  }

  forget(): void {
    this.copied = null;
    this.tell(null);
  }

  private hold(desk: Desk, cut: boolean): Copied {
    const { sheet, selection, shown } = desk;
    const whole = selection.kind !== "cells";
    const bottom = whole ? Math.min(selection.area.bottom, Math.max(sheet.filled, selection.area.top + 1)) : selection.area.bottom;
    const area = { ...selection.area, bottom };
    const rows: string[][] = [];
    for (let row = area.top; row < area.bottom; row += 1) {
      if (sheet.out.includes(row)) continue;
      const line: string[] = [];
      for (let column = area.left; column < area.right; column += 1) line.push(shown(row, column));
      if (whole) while (line.length > 1 && line.at(-1) === "") line.pop();
      rows.push(line);
    }
    this.copied = { sheet: sheet.number, area, cut, text: toText(rows) };
    this.tell(this.copied);
    return this.copied;
  }

  /** From a menu. */
  copy(cut: boolean): void {
    const { desk } = this;
    if (desk === null) return;
    const held = this.hold(desk, cut);
    desk.focus();
    void navigator.clipboard.writeText(held.text).catch(() => undefined);
  }

  pasteHeld(type: string, transpose = false): void {
    const { desk, copied } = this;
    if (desk === null) return;
    desk.focus();
    if (copied === null) toast("Copy cells first, or press Ctrl+V to paste from elsewhere.");
    else this.pasteOwn(desk, copied, type, transpose);
  }

  onCopy(event: ClipboardEvent, cut: boolean): void {
    const { desk } = this;
    if (desk === null) return;
    const held = this.hold(desk, cut && desk.mayEdit);
    event.clipboardData?.setData("text/plain", held.text);
    event.preventDefault();
  }

  onPaste(event: ClipboardEvent): void {
    event.preventDefault();
    const { desk, copied } = this;
    if (desk?.mayEdit !== true) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const own = copied !== null && text.replaceAll("\r\n", "\n").trimEnd() === copied.text.trimEnd();
    if (own) this.pasteOwn(desk, copied, "PASTE_NORMAL", false);
    else if (text !== "") pasteText(desk, text);
  }

  private pasteOwn(desk: Desk, held: Copied, type: string, transpose: boolean): void {
    const { sheet, selection, editor } = desk;
    const { area } = selection;
    const [tall, wide] = transpose ? [width(held.area), height(held.area)] : [height(held.area), width(held.area)];
    const fits = height(area) % tall === 0 && width(area) % wide === 0;
    const once = { top: area.top, left: area.left, bottom: area.top + tall, right: area.left + wide };
    const target = fits && selection.kind === "cells" && !held.cut ? area : once;
    const room = roomFor(desk, target);
    if (held.cut) {
      void editor.run("Paste", [...room, make.cut(held.sheet, held.area, sheet.number, area.top, area.left)]);
      this.forget();
    } else {
      void editor.run("Paste", [...room, make.copy(held.sheet, held.area, sheet.number, target, type, transpose)]);
    }
    if (room.length === 0) desk.select(selectArea(sheet, target), false);
  }
}

export function useClipboard(desk: Desk): { clipboard: Clipboard; copied: Copied | null } {
  const [copied, setCopied] = useState<Copied | null>(null);
  const [clipboard] = useState(() => new Clipboard(setCopied));
  useLayoutEffect(() => clipboard.see(desk));
  return { clipboard, copied };
}

function pasteText(desk: Desk, text: string): void {
  const { sheet, selection, editor } = desk;
  const { area } = selection;
  let rows = fromText(text);
  if (rows.length === 1 && rows[0]?.length === 1 && selection.kind === "cells") {
    // One value pasted over several cells fills them all.
    const value = rows[0][0] ?? "";
    rows = Array.from({ length: height(area) }, () => Array.from({ length: width(area) }, () => value));
  }
  void editor.enter(sheet.number, area.top, area.left, rows);
  const right = area.left + Math.max(...rows.map((row) => row.length));
  const pasted = { ...area, bottom: area.top + rows.length, right };
  if (pasted.bottom <= sheet.rows && right <= sheet.columns) desk.select(selectArea(sheet, pasted), false);
}

/** The requests that make a sheet large enough for what is pasted. */
function roomFor({ sheet }: Desk, target: Area): Request[] {
  const missing = { ROWS: target.bottom - sheet.rows, COLUMNS: target.right - sheet.columns };
  return Object.entries(missing)
    .filter(([, length]) => length > 0)
    .map(([dimension, length]) => ({ appendDimension: { sheetId: sheet.number, dimension, length } }));
}
