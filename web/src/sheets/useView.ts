/** Which rows and columns are in sight. */

import { useCallback, useLayoutEffect, useRef, useState } from "react";

import { areaOf, type Area, type Place } from "./a1";
import { HEAD_HEIGHT, HEAD_WIDTH } from "./geometry";
import type { Memory } from "./memory";
import type { Axes } from "./selection";
import type { Sheet } from "./types";

const MORE_ROWS = 4;
const MORE_COLUMNS = 1;

interface Port {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface View {
  firstRow: number;
  /** One past the last. */
  lastRow: number;
  firstColumn: number;
  lastColumn: number;
  /** How many whole rows a page has. */
  page: number;
  onScroll: () => void;
  shows: (place: Place) => boolean;
  reveal: (area: Area) => void;
}

export function useView(memory: Memory, sheet: Sheet, axes: Axes): View {
  const [port, setPort] = useState<Port>({ left: 0, top: 0, width: 1400, height: 640 });
  const asked = useRef(0);
  const measure = useCallback(() => {
    const box = memory.grid;
    if (box === null) return;
    const next = { left: box.scrollLeft, top: box.scrollTop, width: box.clientWidth, height: box.clientHeight };
    setPort((old) => (same(old, next) ? old : next));
  }, [memory]);
  const onScroll = useCallback(() => {
    cancelAnimationFrame(asked.current);
    asked.current = requestAnimationFrame(measure);
  }, [measure]);
  useLayoutEffect(() => {
    const box = memory.grid;
    if (box === null) return;
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [memory, measure]);

  const { rows, columns } = axes;
  const frozenTall = rows.start(sheet.frozen_rows);
  const frozenWide = columns.start(sheet.frozen_columns);
  const shownTall = port.height - HEAD_HEIGHT - frozenTall;
  const shownWide = port.width - HEAD_WIDTH - frozenWide;
  let firstRow = Math.max(rows.at(frozenTall + port.top) - MORE_ROWS, 0);
  let firstColumn = Math.max(columns.at(frozenWide + port.left) - MORE_COLUMNS, 0);
  const lastRow = Math.min(rows.at(frozenTall + port.top + shownTall) + 1 + MORE_ROWS, sheet.rows);
  const lastColumn = Math.min(columns.at(frozenWide + port.left + shownWide) + 1 + MORE_COLUMNS, sheet.columns);
  // A merge is drawn by its first cell: that cell is in sight as long as any of the merge is.
  for (const range of sheet.merges) {
    const area = areaOf(range);
    if (area.top < lastRow && area.bottom > firstRow && area.left < lastColumn && area.right > firstColumn) {
      firstRow = Math.min(firstRow, area.top);
      firstColumn = Math.min(firstColumn, area.left);
    }
  }
  const shows = (place: Place) =>
    (place.row < sheet.frozen_rows || (place.row >= firstRow && place.row < lastRow)) &&
    (place.column < sheet.frozen_columns || (place.column >= firstColumn && place.column < lastColumn));
  const reveal = (area: Area) => {
    const box = memory.grid;
    if (box === null) return;
    const tall = box.clientHeight - HEAD_HEIGHT - frozenTall;
    const wide = box.clientWidth - HEAD_WIDTH - frozenWide;
    const top = nearest(box.scrollTop, tall, rows.start(area.top) - frozenTall, rows.start(area.bottom) - frozenTall);
    const left = nearest(box.scrollLeft, wide, columns.start(area.left) - frozenWide, columns.start(area.right) - frozenWide);
    box.scrollTo({
      ...(area.top >= sheet.frozen_rows ? { top } : {}),
      ...(area.left >= sheet.frozen_columns ? { left } : {}),
      behavior: "instant",
    });
    measure();
  };
  const page = Math.max(Math.floor(shownTall / 24) - 1, 1);
  return { firstRow, lastRow, firstColumn, lastColumn, page, onScroll, shows, reveal };
}

function same(one: Port, other: Port): boolean {
  return one.left === other.left && one.top === other.top && one.width === other.width && one.height === other.height;
}

/** The scroll offset nearest to the present one at which a stretch is shown. */
function nearest(now: number, size: number, low: number, high: number): number {
  if (low < now) return low;
  if (high > now + size) return Math.min(low, high - size);
  return now;
}
