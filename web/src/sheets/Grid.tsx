import { useCallback, useEffect, useLayoutEffect, useRef, useState, type PointerEvent as Pointing } from "react";

import { around, cellName, height as tall, letters, meets, single, width as wide, type Area, type Place } from "./a1";
import { useDesk } from "./desk";
import { HEAD_HEIGHT, HEAD_WIDTH } from "./geometry";
import classes from "./grid.module.css";
import { GridRow } from "./GridRow";
import { mergeAt, select, selectAll, selectColumns, selectRows } from "./selection";
import { lines } from "./requests";
import type { Clipboard } from "./useClipboard";
import { useGridKeys } from "./useGridKeys";
import type { View } from "./useView";

interface Props {
  view: View;
  copied: { sheet: number; area: Area } | null;
  onMenu: (x: number, y: number, zone: Zone) => void;
  onChoose: (row: number, column: number, at: Element) => void;
  onFilter: (column: number, at: Element) => void;
  clipboard: Clipboard;
  commands: (name: string) => void;
}

export type Zone = "cells" | "rows" | "columns";

const EDGE = 24;

export function Grid({ view, copied, onMenu, onChoose, onFilter, clipboard, commands }: Props) {
  const desk = useDesk();
  const { sheet, axes, selection, memory } = desk;
  const { attach } = memory;
  const [preview, setPreview] = useState<Area | null>(null);
  const [guide, setGuide] = useState<{ across: boolean; at: number } | null>(null);
  const latest = useRef(desk);
  useLayoutEffect(() => {
    latest.current = desk;
  });

  const onKey = useGridKeys(view, commands, (place, element) => onChoose(place.row, place.column, element), onMenu);

  // Clipboard events come to the document: the grid itself holds no selected text.
  useEffect(() => {
    const mine = () => {
      const on = document.activeElement;
      return on === memory.grid || on === document.body;
    };
    const copy = (event: ClipboardEvent) => mine() && clipboard.onCopy(event, false);
    const cut = (event: ClipboardEvent) => mine() && clipboard.onCopy(event, true);
    const paste = (event: ClipboardEvent) => mine() && clipboard.onPaste(event);
    document.addEventListener("copy", copy);
    document.addEventListener("cut", cut);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("copy", copy);
      document.removeEventListener("cut", cut);
      document.removeEventListener("paste", paste);
    };
  }, [clipboard, memory]);

  const placeAt = useCallback(
    (x: number, y: number): Place & { zone: Zone | "corner" } => {
      const box = memory.grid;
      const now = latest.current;
      if (box === null) return { row: 0, column: 0, zone: "cells" };
      const rect = box.getBoundingClientRect();
      const left = x - rect.left - HEAD_WIDTH;
      const top = y - rect.top - HEAD_HEIGHT;
      const { rows, columns } = now.axes;
      const frozenWide = columns.start(now.sheet.frozen_columns);
      const frozenTall = rows.start(now.sheet.frozen_rows);
      const column = columns.at(Math.max(left < frozenWide ? left : left + box.scrollLeft, 0));
      const row = rows.at(Math.max(top < frozenTall ? top : top + box.scrollTop, 0));
      const zone = top < 0 ? (left < 0 ? "corner" : "columns") : left < 0 ? "rows" : "cells";
      return { row, column, zone };
    },
    [memory],
  );

  const drag = (move: (event: PointerEvent) => void, up: (event: PointerEvent) => void) => {
    let last: PointerEvent | null = null;
    const scroll = window.setInterval(() => {
      const box = memory.grid;
      if (box === null || last === null) return;
      const rect = box.getBoundingClientRect();
      const by = (at: number, low: number, high: number) => (at < low ? -EDGE : at > high ? EDGE : 0);
      const down = by(last.clientY, rect.top + HEAD_HEIGHT, rect.bottom - 12);
      const right = by(last.clientX, rect.left + HEAD_WIDTH, rect.right - 12);
      if (down === 0 && right === 0) return;
      box.scrollBy(right, down);
      move(last);
    }, 40);
    const onMove = (event: PointerEvent) => {
      last = event;
      move(event);
    };
    const onUp = (event: PointerEvent) => {
      window.clearInterval(scroll);
      window.removeEventListener("pointermove", onMove);
      window.removeEventListener("pointerup", onUp);
      up(event);
    };
    window.addEventListener("pointermove", onMove);
    window.addEventListener("pointerup", onUp);
  };

  const onDown = (event: Pointing<HTMLDivElement>) => {
    const box = event.currentTarget;
    const rect = box.getBoundingClientRect();
    const onBar = event.clientX > rect.left + box.clientWidth || event.clientY > rect.top + box.clientHeight;
    if (onBar || event.button === 1) return;
    const inner = event.target instanceof Element ? event.target.closest("button, textarea") : null;
    const at = placeAt(event.clientX, event.clientY);
    const within = (sel: Area) => at.row >= sel.top && at.row < sel.bottom && at.column >= sel.left && at.column < sel.right;
    if (event.button === 2 && at.zone !== "corner" && within(selection.area)) return;
    if (desk.entry !== null && at.zone === "cells") {
      const from = single(at);
      if (desk.point(from)) {
        event.preventDefault();
        drag(
          (moved) => {
            const to = placeAt(moved.clientX, moved.clientY);
            latest.current.point(around(from, single(to)));
          },
          () => undefined,
        );
        return;
      }
    }
    if (desk.entry !== null) desk.commit(0, 0);
    if (inner === null) {
      event.preventDefault();
      box.focus({ preventScroll: true });
    }
    const start = event.shiftKey ? selection.anchor : mergeTop(desk.sheet, at);
    const extend = (to: Place) => {
      const now = latest.current;
      const found =
        at.zone === "rows"
          ? selectRows(now.sheet, start.row, to.row)
          : at.zone === "columns"
            ? selectColumns(now.sheet, start.column, to.column)
            : select(now.sheet, start, to, start);
      now.select(found, false);
    };
    if (at.zone === "corner") {
      desk.select(selectAll(sheet, selection.active), false);
      return;
    }
    extend(event.shiftKey ? at : start);
    if (event.button === 0) drag((moved) => extend(placeAt(moved.clientX, moved.clientY)), () => undefined);
  };

  const onFill = (event: Pointing) => {
    event.stopPropagation();
    event.preventDefault();
    const source = selection.area;
    let target: Area | null = null;
    drag(
      (moved) => {
        const to = placeAt(moved.clientX, moved.clientY);
        target = fillTarget(source, to);
        setPreview(target);
      },
      () => {
        setPreview(null);
        if (target === null) return;
        const now = latest.current;
        void now.editor.fill(now.sheet.number, list(source), list(target));
        const whole = around(source, target);
        now.select(select(now.sheet, { row: whole.top, column: whole.left }, { row: whole.bottom - 1, column: whole.right - 1 }), false);
      },
    );
  };

  const onResize = (event: Pointing, across: boolean, index: number) => {
    event.stopPropagation();
    event.preventDefault();
    const start = across ? event.clientX : event.clientY;
    const axis = across ? axes.columns : axes.rows;
    const size = axis.size(index);
    const least = across ? 24 : 20;
    let now = size;
    drag(
      (moved) => {
        now = Math.max(least, Math.round(size + (across ? moved.clientX : moved.clientY) - start));
        setGuide({ across, at: axis.start(index) + now });
      },
      () => {
        setGuide(null);
        if (now === size) return;
        const whole = across ? selection.kind === "columns" : selection.kind === "rows";
        const [low, high] = across
          ? [selection.area.left, selection.area.right]
          : [selection.area.top, selection.area.bottom];
        const [from, to] = whole && low <= index && index < high ? [low, high] : [index, index + 1];
        const dimension = across ? "COLUMNS" : "ROWS";
        void desk.editor.run(across ? "Column width" : "Row height", [
          lines(sheet.number, dimension, from, to, { pixelSize: now }),
        ]);
      },
    );
  };

  const frozenTall = axes.rows.start(sheet.frozen_rows);
  const total = axes.rows.start(sheet.rows);
  const rows = (from: number, to: number, frozen: boolean) => {
    const found = [];
    for (let row = from; row < to; row += 1) {
      if (axes.rows.hidden(row)) continue;
      found.push(
        <GridRow
          key={row}
          row={row}
          top={frozen ? undefined : axes.rows.start(row) - frozenTall}
          sheet={sheet}
          axes={axes}
          read={desk.cells.read}
          version={desk.cells.version}
          pending={desk.state.pending}
          first={view.firstColumn}
          last={view.lastColumn}
          selected={row >= selection.area.top && row < selection.area.bottom ? selection.area : null}
          active={selection.active.row === row ? selection.active.column : -1}
          preview={preview !== null && row >= preview.top && row < preview.bottom ? preview : null}
          copied={copied?.sheet === sheet.number && row >= copied.area.top && row < copied.area.bottom ? copied.area : null}
          entry={desk.entry?.row === row ? desk.entry : null}
          handle={selection.area.bottom > row && meets(selection.area, { top: row, left: 0, bottom: row + 1, right: sheet.columns })}
          mayEdit={desk.mayEdit}
          onChoose={onChoose}
          onFilter={onFilter}
          onCheck={(at, column, on) => void desk.editor.enter(sheet.number, at, column, [[on ? "TRUE" : "FALSE"]])}
          onFill={onFill}
          onResize={(event, index) => onResize(event, false, index)}
        />,
      );
    }
    return found;
  };

  const activeName = cellName(selection.active.row, selection.active.column);
  return (
    <div
      ref={attach}
      role="grid"
      aria-label={sheet.title}
      aria-rowcount={sheet.rows}
      aria-colcount={sheet.columns}
      aria-multiselectable
      aria-activedescendant={view.shows(selection.active) ? `cell-${activeName}` : undefined}
      aria-readonly={!desk.mayEdit}
      tabIndex={0}
      className={classes.grid}
      onScroll={view.onScroll}
      onKeyDown={onKey}
      onPointerDown={onDown}
      onDoubleClick={(event) => {
        const inner = event.target instanceof Element ? event.target.closest("button, textarea, [data-handle]") : null;
        const at = placeAt(event.clientX, event.clientY);
        if (inner === null && at.zone === "cells") desk.begin({ at: mergeTop(sheet, at) });
      }}
      onContextMenu={(event) => {
        const at = placeAt(event.clientX, event.clientY);
        event.preventDefault();
        if (at.zone !== "corner") onMenu(event.clientX, event.clientY, at.zone);
      }}
    >
      <div role="presentation" className={classes.sheet} style={{ width: HEAD_WIDTH + axes.columns.start(sheet.columns), height: HEAD_HEIGHT + total }}>
        <div role="rowgroup" className={classes.top}>
          <ColumnHeads view={view} onResize={(event, column) => onResize(event, true, column)} />
          {rows(0, sheet.frozen_rows, true)}
        </div>
        <div role="rowgroup" className={classes.body}>
          {rows(Math.max(view.firstRow, sheet.frozen_rows), view.lastRow, false)}
          {guide !== null && (
            <div
              className={classes.guide}
              style={guide.across ? { left: HEAD_WIDTH + guide.at, top: 0, width: 2, height: total } : { top: guide.at - frozenTall, left: 0, height: 2, width: "100%" }}
            />
          )}
        </div>
      </div>
    </div>
  );
}

function mergeTop(sheet: Parameters<typeof mergeAt>[0], at: Place): Place {
  const merge = mergeAt(sheet, at.row, at.column);
  return merge === null ? { row: at.row, column: at.column } : { row: merge.top, column: merge.left };
}

function list(area: Area): number[] {
  return [area.top, area.left, area.bottom, area.right];
}

/** The cells that a drag of the fill handle reaches: in one direction, the one it went furthest. */
function fillTarget(source: Area, to: Place): Area | null {
  const down = to.row >= source.bottom ? to.row + 1 - source.bottom : to.row < source.top ? to.row - source.top : 0;
  const right = to.column >= source.right ? to.column + 1 - source.right : to.column < source.left ? to.column - source.left : 0;
  if (down === 0 && right === 0) return null;
  if (Math.abs(down) * Math.max(1, wide(source) / tall(source)) >= Math.abs(right)) {
    return down > 0
      ? { ...source, top: source.bottom, bottom: source.bottom + down }
      : { ...source, top: source.top + down, bottom: source.top };
  }
  return right > 0
    ? { ...source, left: source.right, right: source.right + right }
    : { ...source, left: source.left + right, right: source.left };
}

function ColumnHeads({ view, onResize }: { view: View; onResize: (event: Pointing, column: number) => void }) {
  const { sheet, axes, selection, mayEdit } = useDesk();
  const { area, kind } = selection;
  const head = (column: number, frozen: boolean) => {
    const width = axes.columns.size(column);
    if (width === 0) return null;
    const on = column >= area.left && column < area.right;
    const name = letters(column);
    return (
      <div
        key={column}
        role="columnheader"
        aria-label={`Column ${name}`}
        aria-colindex={column + 1}
        aria-selected={on}
        className={classes.columnHead}
        data-on={on || undefined}
        data-whole={(on && (kind === "columns" || kind === "all")) || undefined}
        style={frozen ? { width, position: "sticky", left: HEAD_WIDTH + axes.columns.start(column), zIndex: 4 } : { width }}
      >
        {name}
        {mayEdit && <span className={classes.columnGrip} onPointerDown={(event) => onResize(event, column)} aria-hidden />}
      </div>
    );
  };
  const frozen = [];
  for (let column = 0; column < sheet.frozen_columns; column += 1) frozen.push(head(column, true));
  const from = Math.max(view.firstColumn, sheet.frozen_columns);
  const rest = [];
  for (let column = from; column < view.lastColumn; column += 1) rest.push(head(column, false));
  return (
    <div role="row" className={classes.heads} style={{ height: HEAD_HEIGHT }}>
      <div role="columnheader" aria-label="Select all" className={classes.corner} />
      {frozen}
      <div className={classes.gap} style={{ width: axes.columns.between(sheet.frozen_columns, from) }} />
      {rest}
    </div>
  );
}
