import { Button, Group } from "@mantine/core";

import { Choice } from "../kit/choice";
import type { Go } from "./App";
import classes from "./app.module.css";
import { has, replaced, toggled, valueOf } from "./query";

const TIMES = [
  { value: "", label: "Any time" },
  { value: "7d", label: "Last week" },
  { value: "1m", label: "Last month" },
  { value: "6m", label: "Last 6 months" },
  { value: "1y", label: "Last year" },
];

const FLAGS = [
  { term: "has:attachment", label: "Has attachment" },
  { term: "is:unread", label: "Is unread" },
  { term: "from:me", label: "From me" },
  { term: "to:me", label: "To me" },
  { term: "-category:promotions", label: "Exclude Promotions" },
];

/** Narrowing a search by pressing. */
export function SearchChips({ query, go }: { query: string; go: Go }) {
  const search = (value: string) => go({ kind: "list", view: "search", value, page: 0 });
  return (
    <Group className={classes.chips ?? ""} gap="sm" role="group" aria-label="Narrow the search">
      <Choice
        aria-label="Time"
        size="xs"
        radius="xl"
        data={TIMES}
        value={valueOf(query, "newer_than")}
        w={130}
        onChange={(value) => search(replaced(query, "newer_than", value))}
      />
      {FLAGS.map((flag) => (
        <Button
          key={flag.term}
          size="compact-sm"
          radius="xl"
          variant={has(query, flag.term) ? "filled" : "default"}
          aria-pressed={has(query, flag.term)}
          onClick={() => search(toggled(query, flag.term))}
        >
          {flag.label}
        </Button>
      ))}
    </Group>
  );
}
