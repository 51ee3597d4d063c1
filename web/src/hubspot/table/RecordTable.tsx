import { Checkbox } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, type ReactNode } from "react";
import { Link } from "wouter";

import { Portrait } from "../../kit/parts";
import { useFacts, type Properties } from "../crm";
import { usePlaces } from "../place";
import type { Row, TypeInfo, TypeKey } from "../types";
import { show } from "../values";
import classes from "./table.module.css";
import { LINKS, TITLES } from "./views";

const ROW_PX = 40;

interface Props {
  type: TypeInfo;
  name: string;
  rows: Row[];
  /** How many there are on all pages. */
  total: number;
  first: number;
  columns: string[];
  properties: Properties;
  sort?: string;
  onSort?: (sort: string) => void;
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Records as rows. Only the rows in sight are in the page, as many as there may be. */
export function RecordTable(props: Props) {
  "use no memo"; // The virtualizer's object is the same while its answers change.
  const { type, name, rows, total, first, columns, properties, sort, onSort, chosen, onChoose } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- not memoised, see above
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_PX, overscan: 12 });
  const seen = virtual.getVirtualItems();
  const above = seen[0]?.start ?? 0;
  const below = Math.max(0, virtual.getTotalSize() - (seen.at(-1)?.end ?? 0));
  const all = rows.length > 0 && rows.every((row) => chosen.has(row.id));
  const toggleAll = () => {
    const next = new Set(chosen);
    for (const row of rows) {
      if (all) next.delete(row.id);
      else next.add(row.id);
    }
    onChoose(next);
  };
  const heading = (column: string, label: string) => (
    <Heading key={column} column={column} label={label} sort={sort ?? ""} {...(onSort !== undefined && !column.startsWith("@") && { onSort })} />
  );
  return (
    <div className={classes.scroller} ref={scroller} tabIndex={0} role="region" aria-label={`${name}, table`}>
      <table className={classes.table} aria-label={name} aria-rowcount={total + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th className={classes.check} scope="col">
              <Checkbox
                size="xs"
                aria-label="Select all on this page"
                checked={all}
                indeterminate={!all && rows.some((row) => chosen.has(row.id))}
                onChange={toggleAll}
              />
            </th>
            {heading(TITLES[type.key].sort, TITLES[type.key].label)}
            {columns.map((column) => heading(column, LINKS[column] ?? properties.by.get(column)?.label ?? column))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Gap height={above} columns={columns.length + 2} />}
          {seen.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <OneRow
                key={row.id}
                type={type.key}
                row={row}
                index={first + index + 2}
                columns={columns}
                properties={properties}
                chosen={chosen.has(row.id)}
                onChoose={() => {
                  const next = new Set(chosen);
                  if (!next.delete(row.id)) next.add(row.id);
                  onChoose(next);
                }}
              />
            );
          })}
          {below > 0 && <Gap height={below} columns={columns.length + 2} />}
        </tbody>
      </table>
    </div>
  );
}

function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}

function Heading(props: { column: string; label: string; sort: string; onSort?: (sort: string) => void }) {
  const { column, label, sort, onSort } = props;
  const down = sort === `-${column}`;
  const up = sort === column;
  return (
    <th scope="col" aria-sort={up ? "ascending" : down ? "descending" : "none"}>
      {onSort === undefined ? (
        <span className={classes.heading}>{label}</span>
      ) : (
        <button type="button" className={classes.heading} aria-label={`Sort by ${label}`} onClick={() => onSort(up ? `-${column}` : column)}>
          {label}
          {up && <IconArrowUp size={13} aria-hidden />}
          {down && <IconArrowDown size={13} aria-hidden />}
        </button>
      )}
    </th>
  );
}

interface RowProps {
  type: TypeKey;
  row: Row;
  index: number;
  columns: string[];
  properties: Properties;
  chosen: boolean;
  onChoose: () => void;
}

function OneRow({ type, row, index, columns, properties, chosen, onChoose }: RowProps) {
  const places = usePlaces();
  return (
    <tr aria-rowindex={index} data-chosen={chosen || undefined}>
      <td className={classes.check}>
        <Checkbox size="xs" aria-label={`Select ${row.title}`} checked={chosen} onChange={onChoose} />
      </td>
      <th scope="row" className={classes.titleCell}>
        <span className={classes.titleInner}>
          {(type === "contacts" || type === "companies") && <Portrait name={row.title} size={24} />}
          <Link className={classes.titleLink} to={places.record(type, row.id)} title={row.title}>
            {row.title}
          </Link>
        </span>
      </th>
      {columns.map((column) => (
        <Cell key={column} column={column} row={row} properties={properties} />
      ))}
    </tr>
  );
}

function Cell({ column, row, properties }: { column: string; row: Row; properties: Properties }) {
  const facts = useFacts();
  const places = usePlaces();
  if (column.startsWith("@")) {
    const linked = row.links[column.slice(1) as TypeKey] ?? [];
    const [one] = linked;
    return (
      <td>
        <span className={classes.cell}>
          {one === undefined ? (
            <Nothing />
          ) : (
            <Link className={classes.cellLink} to={places.record(one.type, one.id)} title={linked.map((end) => end.title).join(", ")}>
              {one.title}
            </Link>
          )}
          {linked.length > 1 && <span className={classes.further}>+{linked.length - 1}</span>}
        </span>
      </td>
    );
  }
  const p = properties.by.get(column);
  const text = p === undefined ? "" : show(facts, p, row.properties);
  const content: ReactNode = text === "" ? <Nothing /> : text;
  return (
    <td data-number={p?.type === "number" || undefined}>
      <span className={classes.cell} title={text}>
        {content}
      </span>
    </td>
  );
}

function Nothing() {
  return <span className={classes.nothing}>--</span>;
}
