import { ActionIcon, Menu } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconDotsVertical, IconPencil, IconPlus } from "@tabler/icons-react";
import { useState } from "react";

import { Hidden, IconButton } from "../kit/parts";
import type { Go } from "./App";
import classes from "./app.module.css";
import { LabelDialog, DeleteLabelDialog } from "./labels";
import { useCounts, useFacts } from "./mail";
import { LabelIcon, PLACES } from "./places";
import { build, type ListRoute, type Route, type ViewName } from "./route";
import type { Label } from "./types";
import { useCompose } from "./useCompose";

interface Props {
  route: Route;
  go: Go;
  narrow: boolean;
}

const MORE = new Set<ViewName>(["important", "scheduled", "all", "spam", "trash"]);

export function Nav({ route, go, narrow }: Props) {
  const counts = useCounts();
  const { labels } = useFacts();
  const compose = useCompose();
  const [more, setMore] = useState(true);
  const [dialog, setDialog] = useState<{ label?: Label } | null>(null);
  const [leaving, setLeaving] = useState<Label | null>(null);
  const current = route.kind === "list" || route.kind === "thread" ? route : null;
  const isHere = (view: ViewName, value = "") =>
    current !== null && (current.view === "category" ? view === "inbox" : current.view === view && current.value === value);
  const names = new Set(labels.map((label) => label.name));
  const shown = labels.filter((label) => isShown(label, counts[label.id] ?? 0) || isHere("label", label.name));
  return (
    <nav className={narrow ? `${classes.nav} ${classes.narrow}` : classes.nav} aria-label="Mailboxes">
      <button type="button" className={classes.composeButton} aria-label="Compose" onClick={() => compose.open({})}>
        <IconPencil size={20} aria-hidden />
        {!narrow && "Compose"}
      </button>
      {PLACES.filter((place) => more || !MORE.has(place.view) || isHere(place.view)).map((place) => (
        <PlaceLink
          key={place.view}
          route={{ kind: "list", view: place.view, value: "", page: 0 }}
          here={isHere(place.view)}
          name={place.name}
          count={place.count === undefined ? 0 : (counts[place.count] ?? 0)}
          counted={place.view === "drafts" || place.view === "scheduled" ? "" : "unread"}
          narrow={narrow}
        >
          <place.icon size={18} aria-hidden />
        </PlaceLink>
      ))}
      <button type="button" className={`${classes.place ?? ""} ${classes.more ?? ""}`} aria-expanded={more} onClick={() => setMore(!more)}>
        {more ? <IconChevronUp size={18} aria-hidden /> : <IconChevronDown size={18} aria-hidden />}
        <span className={classes.placeName}>{narrow ? "" : more ? "Less" : "More"}</span>
      </button>
      {!narrow && (
        <>
          <div className={classes.navTitle}>
            <h2 id="labels-title">Labels</h2>
            <IconButton label="Create new label" onClick={() => setDialog({})} size={28} radius="xl">
              <IconPlus size={17} />
            </IconButton>
          </div>
          <div role="group" aria-labelledby="labels-title">
            {shown.map((label) => (
              <div key={label.id} className={classes.labelRow}>
                <PlaceLink
                  route={{ kind: "list", view: "label", value: label.name, page: 0 }}
                  here={isHere("label", label.name)}
                  name={shortName(label.name, names)}
                  full={label.name}
                  indent={depth(label.name, names)}
                  count={counts[label.id] ?? 0}
                  counted="unread"
                  narrow={false}
                >
                  <LabelIcon size={17} aria-hidden color={label.color || undefined} />
                </PlaceLink>
                <Menu position="right-start" width={200}>
                  <Menu.Target>
                    <ActionIcon aria-label={`Options of label ${label.name}`} size={28} radius="xl">
                      <IconDotsVertical size={16} />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item onClick={() => setDialog({ label })}>Edit</Menu.Item>
                    <Menu.Item onClick={() => setLeaving(label)}>Remove label</Menu.Item>
                    <Menu.Divider />
                    <Menu.Item onClick={() => go({ kind: "settings", tab: "labels" })}>Manage labels</Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              </div>
            ))}
          </div>
        </>
      )}
      {dialog !== null && <LabelDialog {...dialog} onClose={() => setDialog(null)} />}
      {leaving !== null && <DeleteLabelDialog label={leaving} onClose={() => setLeaving(null)} />}
    </nav>
  );
}

function isShown(label: Label, unread: number): boolean {
  return label.visibility === "labelShow" || (label.visibility === "labelShowIfUnread" && unread > 0);
}

/** The labels above a label that are labels themselves, nearest first. */
function above(name: string, names: ReadonlySet<string>): string[] {
  const parts = name.split("/");
  return parts.map((_, end) => parts.slice(0, end).join("/")).filter((one) => names.has(one)).reverse();
}

const shortName = (name: string, names: ReadonlySet<string>) => {
  const [parent] = above(name, names);
  return parent === undefined ? name : name.slice(parent.length + 1);
};
const depth = (name: string, names: ReadonlySet<string>) => Math.min(above(name, names).length, 4);

interface LinkProps {
  route: ListRoute;
  here: boolean;
  name: string;
  full?: string;
  indent?: number;
  count: number;
  /** What the number counts, when not simply how many there are. */
  counted: string;
  narrow: boolean;
  children: React.ReactNode;
}

function PlaceLink({ route, here, name, full = name, indent = 0, count, counted, narrow, children }: LinkProps) {
  return (
    <a
      className={count > 0 && counted !== "" ? `${classes.place} ${classes.unread}` : classes.place}
      href={build(route)}
      aria-label={narrow ? full : undefined}
      aria-current={here ? "page" : undefined}
      title={narrow ? full : undefined}
      style={indent > 0 ? { paddingLeft: 16 + indent * 14 } : undefined}
    >
      {children}
      {!narrow && (
        <>
          <span className={classes.placeName} title={full}>
            {full !== name && <Hidden>{full.slice(0, full.length - name.length)}</Hidden>}
            {name}
          </span>
          {count > 0 && (
            <span className={classes.count}>
              {count}
              {counted !== "" && <Hidden> {counted}</Hidden>}
            </span>
          )}
        </>
      )}
    </a>
  );
}
