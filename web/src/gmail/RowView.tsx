import { ActionIcon, Checkbox } from "@mantine/core";
import { IconBookmark, IconBookmarkFilled, IconPaperclip, IconStar, IconStarFilled } from "@tabler/icons-react";
import { memo } from "react";

import { inkOn } from "../kit/color";
import { Hidden } from "../kit/parts";
import { longTime, shortTime } from "../kit/time";
import { useNow } from "../kit/world";
import classes from "./app.module.css";
import { move, star } from "./mail";
import { build, type ListRoute } from "./route";
import type { Label, Row } from "./types";

/** How many labels a row names before it counts the rest. */
const CHIPS = 2;

interface Props {
  row: Row;
  route: ListRoute;
  selected: boolean;
  cursor: boolean;
  labels: Label[];
  onOpen: () => void;
  onToggle: () => void;
}

export const RowView = memo(function RowView({ row, route, selected, cursor, labels, onOpen, onToggle }: Props) {
  const now = useNow();
  const starred = row.labels.includes("STARRED");
  const important = row.labels.includes("IMPORTANT");
  const subject = row.subject || "(no subject)";
  const state = [classes.row, row.unread && classes.unreadRow, selected && classes.selected, cursor && classes.cursor];
  const chips = labels.filter((label) => row.labels.includes(label.id) && label.name !== route.value);
  const outgoing = route.view === "sent" || route.view === "scheduled";
  return (
    <li className={state.filter(Boolean).join(" ")}>
      <label className={classes.check}>
        <Checkbox aria-label={`Select ${subject}`} checked={selected} onChange={onToggle} />
      </label>
      <ActionIcon
        aria-label={`Star ${subject}`}
        aria-pressed={starred}
        size={28}
        onClick={() => void star([row.id], !starred)}
      >
        {starred ? <IconStarFilled size={17} color="#b7791f" /> : <IconStar size={17} color="var(--mantine-color-gray-5)" />}
      </ActionIcon>
      <ActionIcon
        aria-label={`Important: ${subject}`}
        aria-pressed={important}
        size={28}
        onClick={() => void move([row.id], important ? { remove: ["IMPORTANT"] } : { add: ["IMPORTANT"] })}
      >
        {important ? <IconBookmarkFilled size={16} color="#b7791f" /> : <IconBookmark size={16} color="var(--mantine-color-gray-5)" />}
      </ActionIcon>
      <a
        className={classes.open}
        href={build({ ...route, kind: "thread", thread: row.id })}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey) return;
          event.preventDefault();
          onOpen();
        }}
      >
        <span className={classes.people}>
          {row.unread && <Hidden>unread, </Hidden>}
          {outgoing ? <Recipients row={row} /> : <People row={row} />}
        </span>
        <span className={classes.gist}>
          <span className={`${classes.line} ${classes.block}`}>
            {route.view !== "inbox" && row.labels.includes("INBOX") && route.view !== "category" && (
              <span className={classes.chip}>Inbox</span>
            )}
            {chips.slice(0, CHIPS).map((label) => (
              <LabelChip key={label.id} label={label} />
            ))}
            {chips.length > CHIPS && <span className={classes.chip}>+{chips.length - CHIPS}</span>}
            <span>{subject}</span>
            <span className={classes.snippet}>{row.snippet === "" ? "" : ` – ${row.snippet}`}</span>
          </span>
          {row.files.length > 0 && (
            <span className={classes.files}>
              {row.files.slice(0, 3).map((file, index) => (
                <span key={index} className={classes.file}>
                  <IconPaperclip size={13} aria-label="attachment" />
                  <span>{file.filename}</span>
                </span>
              ))}
              {row.files.length > 3 && <span className={classes.file}>+{row.files.length - 3}</span>}
            </span>
          )}
        </span>
        <time className={classes.time} title={longTime(row.scheduled ?? row.at)}>
          {row.scheduled !== null ? shortTime(row.scheduled, now) : row.snoozed !== null ? shortTime(row.snoozed, now) : shortTime(row.at, now)}
        </time>
      </a>
    </li>
  );
});

export function LabelChip({ label }: { label: Label }) {
  const style = label.color === "" ? undefined : { background: label.color, color: inkOn(label.color) };
  return (
    <span className={classes.chip} style={style} title={label.name}>
      {label.name}
    </span>
  );
}

function People({ row }: { row: Row }) {
  const several = row.people.length > 1;
  return (
    <>
      {row.people.map((person, index) => (
        <span
          key={person.email}
          className={person.email === "draft" ? classes.draftWord : undefined}
          style={{ fontWeight: person.unread ? 600 : 400 }}
        >
          {index > 0 && ", "}
          {several && person.email !== "draft" ? (person.name.split(" ")[0] ?? person.name) : person.name}
        </span>
      ))}
      {row.messages > 1 && <span className={classes.number}>{row.messages}</span>}
    </>
  );
}

function Recipients({ row }: { row: Row }) {
  return <>To: {row.recipients.join(", ") || "nobody yet"}</>;
}
