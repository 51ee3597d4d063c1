import { IconAdjustmentsHorizontal, IconSearch, IconX } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";

import { IconButton } from "../kit/parts";
import type { Go } from "./App";
import classes from "./app.module.css";
import type { Route } from "./route";

const AdvancedSearch = lazy(() => import("./AdvancedSearch"));

/** What the box says for an address. */
function queryAt(route: Route): string {
  if (route.kind !== "list" && route.kind !== "thread") return "";
  return route.view === "search" ? route.value : "";
}

export function SearchBar({ route, go }: { route: Route; go: Go }) {
  const here = queryAt(route);
  const [text, setText] = useState(here);
  const [last, setLast] = useState(here);
  const [advanced, setAdvanced] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  if (here !== last) {
    setLast(here);
    setText(here);
  }
  useEffect(() => {
    if (!advanced) return;
    const outside = (event: PointerEvent) => {
      const target = event.target as Element;
      if (box.current?.contains(target) === false && target.closest("[data-portal]") === null) setAdvanced(false);
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [advanced]);
  const search = (query: string) => {
    setAdvanced(false);
    const value = query.trim();
    if (value === "") go({ kind: "list", view: "inbox", value: "", page: 0 });
    else go({ kind: "list", view: "search", value, page: 0 });
  };
  return (
    <div className={classes.search} ref={box}>
      <form
        className={classes.searchBox}
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          search(text);
        }}
      >
        <IconButton label="Search" type="submit" size={36} radius="xl">
          <IconSearch size={19} />
        </IconButton>
        <input
          id="search"
          type="text"
          aria-label="Search mail"
          placeholder="Search mail"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
        {text !== "" && (
          <IconButton label="Clear search" size={36} radius="xl" onClick={() => search("")}>
            <IconX size={18} />
          </IconButton>
        )}
        <IconButton
          label="Show search options"
          aria-expanded={advanced}
          size={36}
          radius="xl"
          onClick={() => setAdvanced(!advanced)}
        >
          <IconAdjustmentsHorizontal size={19} />
        </IconButton>
      </form>
      {advanced && (
        <Suspense>
          <AdvancedSearch words={text} onSearch={search} onClose={() => setAdvanced(false)} />
        </Suspense>
      )}
    </div>
  );
}
