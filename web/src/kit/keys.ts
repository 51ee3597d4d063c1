/** Keyboard shortcuts, single keys and sequences (`g i`), silent while something is being typed. */

import { useEffect, useRef } from "react";

export type Shortcuts = Record<string, () => void>;

const SEQUENCE_MS = 1_200;

/** The name of a pressed key as shortcut tables write it: `#`, `Shift+i`, `Ctrl+Enter`. */
export function keyName(event: KeyboardEvent): string {
  const letter = /^[a-z]$/i.test(event.key);
  const parts = [
    event.ctrlKey || event.metaKey ? "Ctrl+" : "",
    event.shiftKey && (letter || event.key.length > 1) ? "Shift+" : "",
    letter ? event.key.toLowerCase() : event.key,
  ];
  return parts.join("");
}

/** Finds what a key means after the keys before it. */
export function resolve(table: Shortcuts, before: string, key: string): { run?: () => void; rest: string } {
  const sequence = before === "" ? key : `${before} ${key}`;
  const run = table[sequence] ?? table[key];
  if (run !== undefined) return { run, rest: "" };
  const begins = Object.keys(table).some((name) => name.startsWith(`${key} `));
  return { rest: begins ? key : "" };
}

function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role="dialog"]') !== null) return true;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
    ? (target as HTMLInputElement).type !== "checkbox"
    : false;
}

export function useShortcuts(table: Shortcuts, enabled = true): void {
  const latest = useRef(table);
  useEffect(() => {
    latest.current = table;
  });
  useEffect(() => {
    if (!enabled) return;
    let before = "";
    let forget = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || typing(event.target)) return;
      if (document.querySelector('[role="dialog"][aria-modal="true"], [role="menu"]') !== null) return;
      const { run, rest } = resolve(latest.current, before, keyName(event));
      before = rest;
      window.clearTimeout(forget);
      forget = window.setTimeout(() => (before = ""), SEQUENCE_MS);
      if (run !== undefined) {
        event.preventDefault();
        run();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.clearTimeout(forget);
    };
  }, [enabled]);
}
