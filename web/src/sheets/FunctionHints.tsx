import { useState, type KeyboardEvent } from "react";

import { facts } from "./facts";
import classes from "./grid.module.css";

const SHOWN = 6;

export interface Hints {
  names: string[];
  at: number;
  take: (name: string) => void;
  onKey: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean;
}

/** Functions that the word being typed in a formula may become. */
export function useHints(text: string, change: (text: string) => void): Hints {
  const [at, setAt] = useState(0);
  const [closed, setClosed] = useState("");
  const word = text.startsWith("=") ? (/(?:^|[^A-Z0-9."_!$])([A-Z][A-Z0-9.]*)$/i.exec(text)?.[1] ?? "") : "";
  const upper = word.toUpperCase();
  const inText = (text.match(/"/g)?.length ?? 0) % 2 === 1;
  const names =
    word === "" || inText || closed === text
      ? []
      : facts().functions.filter((name) => name.startsWith(upper)).slice(0, SHOWN);
  const chosen = Math.min(at, Math.max(names.length - 1, 0));
  const take = (name: string) => {
    setAt(0);
    change(`${text.slice(0, text.length - word.length)}${name}(`);
  };
  return {
    names,
    at: chosen,
    take,
    onKey: (event) => {
      const name = names[chosen];
      if (name === undefined) return false;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        setAt((chosen + (event.key === "ArrowDown" ? 1 : names.length - 1)) % names.length);
      } else if (event.key === "Tab") take(name);
      else if (event.key === "Escape") setClosed(text);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

export function FunctionHints({ hints }: { hints: Hints }) {
  if (hints.names.length === 0) return null;
  return (
    <ul className={classes.hints} role="listbox" aria-label="Functions">
      {hints.names.map((name, index) => (
        <li
          key={name}
          role="option"
          aria-selected={index === hints.at}
          onPointerDown={(event) => {
            event.preventDefault();
            hints.take(name);
          }}
        >
          {name}
          {index === hints.at && <span className={classes.hintKey}>Tab</span>}
        </li>
      ))}
    </ul>
  );
}
