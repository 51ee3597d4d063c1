import { useMemo } from "react";

import { cellName } from "./a1";
import { useDesk } from "./desk";
import classes from "./app.module.css";

interface Figures {
  sum: number;
  numbers: number;
  count: number;
  least: number;
  most: number;
}

/** What the selected cells come to. */
export function useFigures(): Figures {
  const { selection, cells, sheet } = useDesk();
  const { area } = selection;
  return useMemo(() => {
    const found: Figures = { sum: 0, numbers: 0, count: 0, least: Infinity, most: -Infinity };
    const bottom = Math.min(area.bottom, sheet.filled);
    for (let row = area.top; row < bottom; row += 1) {
      for (let column = area.left; column < area.right; column += 1) {
        const cell = cells.read(row, column);
        if (cell?.s === undefined) continue;
        found.count += 1;
        if (cell.n === undefined) continue;
        found.numbers += 1;
        found.sum += cell.n;
        found.least = Math.min(found.least, cell.n);
        found.most = Math.max(found.most, cell.n);
      }
    }
    return found;
  }, [area, cells, sheet.filled]);
}

export function StatusBar() {
  const { frame, selection, shown, cells } = useDesk();
  const figures = useFigures();
  const { area } = selection;
  const many = area.bottom - area.top > 1 || area.right - area.left > 1;
  const numbers = new Intl.NumberFormat(frame.locale.replace("_", "-"), { maximumFractionDigits: 6 });
  const show = (value: number) => numbers.format(Math.round(value * 1e9) / 1e9);
  const parts =
    figures.numbers > 0
      ? [
          ["Sum", figures.sum],
          ["Average", figures.sum / figures.numbers],
          ["Min", figures.least],
          ["Max", figures.most],
          ["Count", figures.count],
        ]
      : [["Count", figures.count]];
  const { row, column } = selection.active;
  return (
    <div className={classes.status}>
      <span className={classes.unseen} role="status" aria-label={cells.loaded(row) ? "Active cell" : "Loading"} style={{ whiteSpace: "pre" }}>
        {`${cellName(row, column)}: ${shown(row, column)}`}
      </span>
      <span className={classes.figures} role="status" aria-label="Selection">
      {many &&
        figures.count > 0 &&
        parts.map(([name, value]) => (
          <span key={name}>
            {name}: <b>{show(Number(value))}</b>
          </span>
        ))}
      </span>
    </div>
  );
}
