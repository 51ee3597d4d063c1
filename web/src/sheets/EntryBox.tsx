import { useEffect, useRef, type KeyboardEvent } from "react";

import { useDesk, type Entry } from "./desk";
import { FunctionHints, useHints } from "./FunctionHints";
import classes from "./grid.module.css";

/** The editor inside of a cell. It shares its text with the formula bar. */
export function EntryBox({ entry, width }: { entry: Entry; width: number }) {
  const desk = useDesk();
  const box = useRef<HTMLTextAreaElement>(null);
  const hints = useHints(entry.text, (text) => desk.type(text));
  const here = entry.where === "cell";
  useEffect(() => {
    const field = box.current;
    if (field === null || !here) return;
    field.focus({ preventScroll: true });
    field.setSelectionRange(field.value.length, field.value.length);
  }, [here]);
  return (
    <div className={classes.entry} style={{ minWidth: width + 1 }} onPointerDown={(event) => event.stopPropagation()}>
      <textarea
        ref={box}
        aria-label="Edit cell"
        rows={1}
        spellCheck={false}
        value={entry.text}
        onChange={(event) => desk.type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (!hints.onKey(event)) onEntryKey(event, desk, entry.quick);
        }}
      />
      {here && <FunctionHints hints={hints} />}
    </div>
  );
}

type Doing = Pick<ReturnType<typeof useDesk>, "commit" | "cancel" | "type">;

/** What keys do while a cell is edited, in the cell and in the formula bar alike. */
export function onEntryKey(event: KeyboardEvent<HTMLTextAreaElement>, desk: Doing, quick: boolean): void {
  event.stopPropagation();
  const { key, shiftKey } = event;
  if (event.nativeEvent.isComposing) return;
  const done = (down: number, right: number) => {
    event.preventDefault();
    desk.commit(down, right);
  };
  if (key === "Enter" && (event.altKey || event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    const field = event.currentTarget;
    const at = field.selectionStart;
    desk.type(`${field.value.slice(0, at)}\n${field.value.slice(field.selectionEnd)}`);
    requestAnimationFrame(() => field.setSelectionRange(at + 1, at + 1));
  } else if (key === "Enter") done(shiftKey ? -1 : 1, 0);
  else if (key === "Tab") done(0, shiftKey ? -1 : 1);
  else if (key === "Escape") {
    event.preventDefault();
    desk.cancel();
  } else if (quick && key === "ArrowDown") done(1, 0);
  else if (quick && key === "ArrowUp") done(-1, 0);
  else if (quick && key === "ArrowLeft") done(0, -1);
  else if (quick && key === "ArrowRight") done(0, 1);
}
