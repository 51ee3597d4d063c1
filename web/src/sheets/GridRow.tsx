import { IconCaretDownFilled, IconFilter, IconFilterFilled, IconSquare, IconSquareCheckFilled } from "@tabler/icons-react";
import { memo, type CSSProperties, type ReactNode } from "react";

import { areaOf, cellName, holds, letters, type Area } from "./a1";
import type { Read } from "./book";
import type { Entry } from "./desk";
import { alignment, DEFAULT_SIZE, formatOf, FONTS, outerEdges, pixels, styleOf, type CellFormat } from "./formats";
import { HEAD_WIDTH, textWidth } from "./geometry";
import classes from "./grid.module.css";
import { EntryBox } from "./EntryBox";
import type { Axes } from "./selection";
import type { Cell, Sheet, ValidationRule } from "./types";

export interface RowProps {
  row: number;
  /** Distance from the top of the scrolled part; undefined for a frozen row. */
  top: number | undefined;
  sheet: Sheet;
  axes: Axes;
  read: Read;
  version: unknown;
  pending: ReadonlyMap<string, string>;
  first: number;
  last: number;
  /** The selection, where it meets this row. */
  selected: Area | null;
  /** The active cell's column, in its row. */
  active: number;
  /** Cells that a drag of the fill handle would fill. */
  preview: Area | null;
  copied: Area | null;
  entry: Entry | null;
  handle: boolean;
  mayEdit: boolean;
  onChoose: (row: number, column: number, at: Element) => void;
  onFilter: (column: number, at: Element) => void;
  onCheck: (row: number, column: number, on: boolean) => void;
  onFill: (event: React.PointerEvent) => void;
  onResize: (event: React.PointerEvent, row: number) => void;
}

const PADDING = 8;
const FAMILY = FONTS["Inter"] ?? "sans-serif";

export function fontOf(format: CellFormat): string {
  const text = format.textFormat ?? {};
  const size = pixels(text.fontSize ?? DEFAULT_SIZE);
  return `${text.italic ? "italic " : ""}${text.bold ? 650 : 400} ${size}px ${FONTS[text.fontFamily ?? ""] ?? FAMILY}`;
}

export function ruleAt(sheet: Sheet, row: number, column: number): ValidationRule | null {
  for (let i = sheet.validations.length - 1; i >= 0; i -= 1) {
    const one = sheet.validations[i];
    if (one !== undefined && holds(areaOf(one.range), row, column)) return one.value;
  }
  return null;
}

function drops(rule: ValidationRule | null): boolean {
  return rule !== null && /^ONE_OF_(LIST|RANGE)$/.test(rule.condition.type) && rule.showCustomUi !== false;
}

/** No letter of the usual size is wider: short texts need no measuring. */
const WIDEST = 13;

function wider(text: string, format: CellFormat, room: number): boolean {
  if (format.textFormat?.fontSize == null && text.length * WIDEST + PADDING <= room) return false;
  return textWidth(text, fontOf(format)) + PADDING > room;
}

/** How far a text runs over the empty cells to its right, in pixels. */
function spill(props: RowProps, column: number, text: string, format: CellFormat, room: number): number {
  const wanted = textWidth(text, fontOf(format)) + PADDING;
  let found = room;
  const { axes, read, row, last, sheet } = props;
  for (let next = column + 1; found < wanted && next < Math.min(sheet.columns, last + 8); next += 1) {
    const cell = read(row, next);
    if ((cell?.s ?? "") !== "" || props.pending.has(`${sheet.number}/${cellName(row, next)}`)) break;
    if (sheet.merges.some((range) => holds(areaOf(range), row, next))) break;
    found += axes.columns.size(next);
  }
  return Math.min(found, wanted);
}

/** One row of the grid: its header and the cells in sight. */
export const GridRow = memo(function GridRow(props: RowProps) {
  const { row, top, sheet, axes, first, last, selected } = props;
  const cells: ReactNode[] = [];
  const frozen = Math.min(sheet.frozen_columns, sheet.columns);
  for (let column = 0; column < frozen; column += 1) cells.push(cellOf(props, column, true));
  const from = Math.max(first, frozen);
  cells.push(<div key="gap" className={classes.gap} style={{ width: axes.columns.between(frozen, from) }} />);
  for (let column = from; column < last; column += 1) cells.push(cellOf(props, column, false));
  const height = axes.rows.size(row);
  const place: CSSProperties = top === undefined ? { height } : { height, position: "absolute", top };
  const width = HEAD_WIDTH + axes.columns.start(sheet.columns);
  const edge = top === undefined && row === sheet.frozen_rows - 1;
  return (
    <div
      role="row"
      aria-rowindex={row + 1}
      className={[classes.row, edge ? classes.frozenEdge : "", props.entry === null ? "" : classes.rowEditing].filter(Boolean).join(" ")}
      style={{ ...place, width }}
    >
      <div
        role="rowheader"
        aria-label={`Row ${row + 1}`}
        aria-selected={selected !== null}
        className={classes.rowHead}
        data-on={selected !== null || undefined}
        data-whole={(selected !== null && selected.left === 0 && selected.right === sheet.columns) || undefined}
      >
        {row + 1}
        {props.mayEdit && (
          <span className={classes.rowGrip} onPointerDown={(event) => props.onResize(event, row)} aria-hidden />
        )}
      </div>
      {cells}
    </div>
  );
});

function cellOf(props: RowProps, column: number, frozen: boolean): ReactNode {
  const { row, sheet, axes, read, selected } = props;
  const width = axes.columns.size(column);
  if (width === 0) return null;
  const merge = sheet.merges.length === 0 ? null : sheet.merges.map(areaOf).find((area) => holds(area, row, column));
  if (merge && (merge.top !== row || merge.left !== column)) {
    return <div key={column} className={classes.gap} style={{ width }} />;
  }
  const name = cellName(row, column);
  const cell = read(row, column);
  const waiting = props.pending.get(`${sheet.number}/${name}`);
  const format = formatOf(sheet, row, column, cell);
  const style: CSSProperties = { width, ...styleOf(format, waiting === undefined ? cell : undefined) };
  if (frozen) Object.assign(style, { position: "sticky", left: HEAD_WIDTH + axes.columns.start(column), zIndex: 3 });
  if (!sheet.gridlines) style.borderColor = "transparent";
  const span = merge ?? { top: row, left: column, bottom: row + 1, right: column + 1 };
  const isSelected = selected !== null && holds(selected, row, column);
  const isActive = props.active === column;
  const marks = [
    isSelected ? classes.selected : "",
    isActive ? classes.active : "",
    props.preview !== null && holds(props.preview, row, column) ? classes.preview : "",
    props.copied !== null && holds(props.copied, row, column) ? classes.copied : "",
    frozen && column === sheet.frozen_columns - 1 ? classes.frozenColumnEdge : "",
    cell?.k === "e" ? classes.error : "",
    props.entry?.column === column ? classes.editing : "",
  ];
  const shadow = selected === null || !isSelected ? undefined : edges(selected, span);
  if (shadow !== undefined) style.boxShadow = shadow;
  const text = waiting ?? cell?.s ?? "";
  const inside = content(props, column, cell, waiting, format, width);
  if (inside.spills) marks.push(classes.spilling);
  const corner = selected !== null && props.handle && selected.bottom === span.bottom && selected.right === span.right;
  if (corner) marks.push(classes.cornered);
  const outer = outerEdges(format);
  return (
    <div
      key={column}
      id={`cell-${name}`}
      role="gridcell"
      aria-label={props.entry?.column === column ? undefined : text === "" ? name : `${name} ${text}`}
      aria-colindex={column + 1}
      aria-selected={isSelected}
      aria-readonly={!props.mayEdit}
      aria-invalid={cell?.w === true || cell?.k === "e" || undefined}
      title={cell?.o ?? cell?.m}
      className={`${classes.cell ?? ""} ${marks.filter(Boolean).join(" ")}`}
      style={
        merge
          ? { ...style, position: frozen ? "sticky" : "relative", overflow: "visible", border: "none", background: "none", boxShadow: "none", outline: "none" }
          : style
      }
    >
      {merge ? (
        <div className={`${classes.merged ?? ""} ${marks.filter(Boolean).join(" ")}`} style={mergedStyle(style, axes, merge)}>
          {inside.node}
        </div>
      ) : (
        inside.node
      )}
      {outer !== null && <span className={classes.outer} style={outer} aria-hidden />}
      {cell?.o !== undefined && <span className={classes.note} aria-hidden />}
      {cell?.w === true && <span className={classes.invalid} aria-hidden />}
      {props.entry?.column === column && <EntryBox entry={props.entry} width={axes.columns.between(span.left, span.right)} />}
      {corner && props.mayEdit && props.entry === null && (
        <span
          className={classes.handle}
          style={merge ? { left: axes.columns.between(merge.left, merge.right) - 4, top: axes.rows.between(merge.top, merge.bottom) - 4 } : undefined}
          title="Drag to fill"
          data-handle
          onPointerDown={(event) => props.onFill(event)}
        />
      )}
    </div>
  );
}

function mergedStyle(style: CSSProperties, axes: Axes, merge: Area): CSSProperties {
  const kept = { ...style };
  for (const name of ["width", "position", "left", "zIndex"] as const) Reflect.deleteProperty(kept, name);
  return { ...kept, width: axes.columns.between(merge.left, merge.right), height: axes.rows.between(merge.top, merge.bottom) };
}

function edges(area: Area, cell: Area): string {
  const color = "var(--mantine-color-accent-6)";
  const lines = [
    cell.top === area.top ? `inset 0 1px 0 ${color}` : "",
    cell.bottom === area.bottom ? `inset 0 -1px 0 ${color}` : "",
    cell.left === area.left ? `inset 1px 0 0 ${color}` : "",
    cell.right === area.right ? `inset -1px 0 0 ${color}` : "",
  ];
  return lines.filter(Boolean).join(", ") || "none";
}

function content(
  props: RowProps,
  column: number,
  cell: Cell | undefined,
  waiting: string | undefined,
  format: CellFormat,
  width: number,
): { node: ReactNode; spills?: boolean } {
  const { row, sheet, mayEdit } = props;
  const text = waiting ?? cell?.s ?? "";
  const rule = sheet.validations.length === 0 ? null : ruleAt(sheet, row, column);
  if (rule?.condition.type === "BOOLEAN" && (text === "" || /^(TRUE|FALSE)$/i.test(text))) {
    const on = /^true$/i.test(text);
    const Box = on ? IconSquareCheckFilled : IconSquare;
    const node = (
      <button
        type="button"
        role="checkbox"
        aria-checked={on}
        aria-label={`Check ${cellName(row, column)}`}
        className={classes.check}
        tabIndex={-1}
        disabled={!mayEdit}
        onClick={() => props.onCheck(row, column, !on)}
      >
        <Box size={17} />
      </button>
    );
    return { node };
  }
  const filter = sheet.filter === null ? null : areaOf(sheet.filter.range);
  const heads = filter !== null && row === filter.top && column >= filter.left && column < filter.right;
  const dropdown = mayEdit && drops(rule);
  const wrap = format.wrapStrategy === "WRAP";
  const align = alignment(format, cell);
  const room = width - (heads || dropdown ? 22 : 0);
  const buttons = (heads || dropdown) && (
    <>
      {dropdown && (
        <button
          type="button"
          className={classes.inside}
          aria-label={`Options of ${cellName(row, column)}`}
          tabIndex={-1}
          onClick={(event) => props.onChoose(row, column, event.currentTarget)}
        >
          <IconCaretDownFilled size={11} />
        </button>
      )}
      {heads && (
        <button
          type="button"
          className={classes.inside}
          aria-label={`Filter ${letters(column)}${text === "" ? "" : `: ${text}`}`}
          tabIndex={-1}
          onClick={(event) => props.onFilter(column, event.currentTarget)}
        >
          {narrowed(sheet, column) ? <IconFilterFilled size={13} /> : <IconFilter size={13} />}
        </button>
      )}
    </>
  );
  if (text === "") return { node: buttons || null };
  if (wrap) {
    const node = (
      <>
        <span className={classes.wrapped}>{text}</span>
        {buttons}
      </>
    );
    return { node };
  }
  if (cell?.n !== undefined && waiting === undefined && wider(text, format, room)) {
    // A number that does not fit is never shown in part.
    const node = (
      <span className={classes.text} aria-hidden title={text}>
        {"#".repeat(Math.max(Math.floor((room - PADDING) / 8), 1))}
      </span>
    );
    return { node };
  }
  const over = align === "left" && format.wrapStrategy !== "CLIP" && !heads && !dropdown && wider(text, format, width) ? spill(props, column, text, format, width) : width;
  if (over > width) {
    const node = (
      <span className={classes.over} style={{ width: over - 1 }}>
        {text}
      </span>
    );
    return { node, spills: true };
  }
  const node = (
    <>
      <span className={classes.text}>{text}</span>
      {buttons}
    </>
  );
  return { node };
}

export function narrowed(sheet: Sheet, column: number): boolean {
  const held = sheet.filter;
  if (held === null) return false;
  const one =
    held.criteria?.[String(column)] ??
    held.filterSpecs?.find((spec) => (spec.columnIndex ?? 0) === column)?.filterCriteria;
  return one !== undefined && ((one.hiddenValues?.length ?? 0) > 0 || one.condition !== undefined);
}
