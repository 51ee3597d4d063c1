import { Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";

import { api } from "../kit/api";
import { typeOf, useFacts } from "./crm";
import { KindIcon } from "./icons";
import { usePlaces } from "./place";
import classes from "./shell.module.css";
import type { TypeKey } from "./types";

export interface HitGroup {
  type: TypeKey;
  total: number;
  hits: { type: TypeKey; id: string; title: string; detail: string }[];
}

export function useEverywhere(query: string) {
  return useQuery({
    queryKey: ["everywhere", query],
    queryFn: async () => (await api.post<{ groups: HitGroup[] }>("/everywhere", { query })).groups,
    enabled: query !== "",
    placeholderData: (before: HitGroup[] | undefined) => before,
  });
}

/** One field over all records; Enter opens the page with everything that was found. */
export function GlobalSearch() {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [query] = useDebouncedValue(text.trim(), 150);
  const found = useEverywhere(open ? query : "");
  const places = usePlaces();
  const [, navigate] = useLocation();
  const done = () => {
    setOpen(false);
    setText("");
  };
  const groups = query === "" ? [] : (found.data ?? []);
  return (
    <form
      role="search"
      className={classes.search}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === "") return;
        navigate(places.search(text.trim()));
        done();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") setOpen(false);
      }}
    >
      <TextInput
        id="search"
        type="search"
        aria-label="Search all records"
        placeholder="Search contacts, companies, deals…"
        autoComplete="off"
        leftSection={<IconSearch size={16} aria-hidden />}
        classNames={{ input: classes.searchInput }}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
      />
      {open && query !== "" && found.data !== undefined && (
        <div className={classes.hits} role="group" aria-label="Search results">
          {groups.length === 0 ? (
            <Text size="sm" c="gray.6" p="md">
              Nothing matches “{query}”.
            </Text>
          ) : (
            <Hits groups={groups} onOpen={done} />
          )}
        </div>
      )}
    </form>
  );
}

export function Hits({ groups, onOpen }: { groups: HitGroup[]; onOpen?: () => void }) {
  const places = usePlaces();
  const facts = useFacts();
  return groups.map((group) => (
    <section key={group.type} aria-label={typeOf(facts, group.type)?.many ?? group.type}>
      <div className={classes.hitTitle}>
        {typeOf(facts, group.type)?.many} <span>{group.total}</span>
      </div>
      {group.hits.map((hit) => (
        <Link key={hit.id} className={classes.hit} to={places.record(hit.type, hit.id)} onClick={onOpen}>
          <KindIcon kind={hit.type} size={16} />
          <span className={classes.hitName}>{hit.title}</span>
          <span className={classes.hitDetail}>{hit.detail}</span>
        </Link>
      ))}
    </section>
  ));
}
