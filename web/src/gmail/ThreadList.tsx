import { Button, Checkbox, Group, Modal, Text } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconRefresh } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";

import { useShortcuts } from "../kit/keys";
import { Empty, Failed, Hidden, IconButton, Waiting } from "../kit/parts";
import { world } from "../kit/world";
import type { Go } from "./App";
import { Actions } from "./Actions";
import classes from "./app.module.css";
import { empty, refresh, star, useCounts, useFacts, useListing } from "./mail";
import { emptiness, TABS, titleOf } from "./places";
import { build, type ListRoute } from "./route";
import { RowView } from "./RowView";
import { SearchChips } from "./SearchChips";
import type { Row } from "./types";
import { useCompose } from "./useCompose";

export function ThreadList({ route, go }: { route: ListRoute; go: Go }) {
  const { labels } = useFacts();
  const counts = useCounts();
  const listing = useListing(route, labels);
  const compose = useCompose();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [cursor, setCursor] = useState(-1);
  const list = useRef<HTMLUListElement>(null);
  const rows = listing.data?.rows ?? [];
  const selected = rows.filter((row) => chosen.has(row.id));
  const unread = counts["INBOX"] ?? 0;
  const title = titleOf(route);
  useEffect(() => {
    const number = route.view === "inbox" && unread > 0 ? ` (${unread})` : "";
    document.title = `${title}${number} - ${world.account.email} - Mail`;
  }, [title, unread, route.view]);

  const open = (row: Row) => {
    if (row.draft !== null && row.alone) compose.openDraft(row.draft);
    else go({ ...route, kind: "thread", thread: row.id });
  };
  const toggle = (row: Row) => {
    const next = new Set(chosen);
    if (!next.delete(row.id)) next.add(row.id);
    setChosen(next);
  };
  const select = (wanted: (row: Row) => boolean) => setChosen(new Set(rows.filter(wanted).map((row) => row.id)));
  const step = (by: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, cursor + by));
    setCursor(next);
    list.current?.querySelectorAll<HTMLAnchorElement>("a")[next]?.focus();
  };
  const here = rows[cursor];
  const page = (number: number) => go({ ...route, page: number });
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    o: () => here !== undefined && open(here),
    x: () => here !== undefined && toggle(here),
    s: () => here !== undefined && void star([here.id], !here.labels.includes("STARRED")),
    "Shift+n": () => void refresh(),
    "* a": () => select(() => true),
    "* n": () => setChosen(new Set()),
    "* r": () => select((row) => !row.unread),
    "* u": () => select((row) => row.unread),
    "g n": () => listing.data?.more === true && page(route.page + 1),
    "g p": () => route.page > 0 && page(route.page - 1),
  });
  const targets = selected.length > 0 ? selected : here !== undefined ? [here] : [];

  return (
    <>
      <div className={classes.toolbar} role="toolbar" aria-label="Conversations">
        <SelectMenu rows={rows} selected={selected.length} onSelect={select} />
        {selected.length === 0 && (
          <IconButton label="Refresh" onClick={() => void refresh()} radius="xl">
            <IconRefresh size={18} />
          </IconButton>
        )}
        <Actions route={route} rows={targets} shown={selected.length > 0} after={() => setChosen(new Set())} />
        {selected.length > 0 && (
          <Text size="sm" c="gray.7" ml="sm" role="status">
            {selected.length} selected
          </Text>
        )}
        {listing.data !== undefined && rows.length > 0 && (
          <div className={classes.paging}>
            <span aria-live="polite">
              {listing.data.first + 1}–{listing.data.first + rows.length} of {listing.data.total ?? "many"}
            </span>
            <IconButton label="Newer" disabled={route.page === 0} onClick={() => page(route.page - 1)} radius="xl">
              <IconChevronLeft size={18} />
            </IconButton>
            <IconButton label="Older" disabled={!listing.data.more} onClick={() => page(route.page + 1)} radius="xl">
              <IconChevronRight size={18} />
            </IconButton>
          </div>
        )}
      </div>
      {route.view === "search" && <SearchChips query={route.value} go={go} />}
      {(route.view === "inbox" || route.view === "category") && (
        <Tabs current={route.view === "inbox" ? "primary" : route.value} counts={counts} />
      )}
      {(route.view === "trash" || route.view === "spam") && rows.length > 0 && <EmptyBanner view={route.view} />}
      <div className={classes.scroll}>
        {!listing.isPending && !listing.isPlaceholderData && (
          <h1 className="kit-hidden">{route.view === "search" ? `${title} for ${route.value}` : title}</h1>
        )}
        {listing.isPending ? (
          <Waiting what={title} />
        ) : listing.isError ? (
          <Failed error={listing.error} onRetry={() => void listing.refetch()} />
        ) : rows.length === 0 ? (
          <Empty title={emptiness(route).title}>{emptiness(route).text}</Empty>
        ) : (
          <ul className={classes.rows} aria-label={title} ref={list}>
            {rows.map((row, index) => (
              <RowView
                key={row.id}
                row={row}
                route={route}
                selected={chosen.has(row.id)}
                cursor={index === cursor}
                labels={labels}
                onOpen={() => {
                  setCursor(index);
                  open(row);
                }}
                onToggle={() => toggle(row)}
              />
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

function SelectMenu(props: { rows: Row[]; selected: number; onSelect: (wanted: (row: Row) => boolean) => void }) {
  const { rows, selected, onSelect } = props;
  return (
    <div className={classes.check}>
      <Checkbox
        aria-label={selected > 0 ? "Clear selection" : "Select all"}
        checked={rows.length > 0 && selected === rows.length}
        indeterminate={selected > 0 && selected < rows.length}
        disabled={rows.length === 0}
        onChange={() => onSelect(() => selected === 0)}
      />
    </div>
  );
}

function Tabs({ current, counts }: { current: string; counts: Record<string, number> }) {
  return (
    <nav className={classes.tabs} aria-label="Inbox categories">
      {TABS.map((tab) => {
        const unread = counts[`tab:${tab.value}`] ?? 0;
        const route: ListRoute =
          tab.value === "primary"
            ? { kind: "list", view: "inbox", value: "", page: 0 }
            : { kind: "list", view: "category", value: tab.value, page: 0 };
        return (
          <a
            key={tab.value}
            className={classes.tab}
            href={build(route)}
            aria-current={tab.value === current ? "page" : undefined}
          >
            {tab.name}
            {unread > 0 &&
              (tab.value === "primary" ? (
                <Hidden>, {unread} unread</Hidden>
              ) : (
                <span className={classes.badge}>{unread} new</span>
              ))}
          </a>
        );
      })}
    </nav>
  );
}

function EmptyBanner({ view }: { view: "trash" | "spam" }) {
  const [asking, setAsking] = useState(false);
  const place = view === "trash" ? "Trash" : "Spam";
  const act = `Empty ${place} now`;
  return (
    <div className={classes.banner}>
      <span>
        {view === "trash" ? "Deleted conversations stay here until you empty the trash." : "Spam stays here until you delete it."}
      </span>
      <Button variant="subtle" size="compact-sm" onClick={() => setAsking(true)}>
        {act}
      </Button>
      <Modal opened={asking} onClose={() => setAsking(false)} title={`Empty ${place}?`} closeButtonProps={{ "aria-label": "Close" }}>
        <Text size="sm">Everything in {place} is deleted forever. This cannot be undone.</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
            Cancel
          </Button>
          <Button
            onClick={() => {
              setAsking(false);
              void empty(view === "trash" ? "TRASH" : "SPAM", `${place} emptied.`);
            }}
          >
            Delete forever
          </Button>
        </Group>
      </Modal>
    </div>
  );
}

