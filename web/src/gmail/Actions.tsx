import {
  IconAlertOctagon,
  IconArchive,
  IconClock,
  IconFolderSymlink,
  IconInbox,
  IconMail,
  IconMailOpened,
  IconTag,
  IconTrash,
  IconTrashX,
} from "@tabler/icons-react";
import { useState } from "react";

import { useShortcuts } from "../kit/keys";
import { IconButton } from "../kit/parts";
import classes from "./app.module.css";
import { LabelMenu } from "./LabelMenu";
import { conversations, deleteForever, discard, move, unsnooze, useFacts } from "./mail";
import { MoveMenu } from "./MoveMenu";
import { labelNamed } from "./mail";
import type { ListRoute } from "./route";
import { SnoozeMenu } from "./SnoozeMenu";

/** What the actions need to know of a conversation. */
export interface Target {
  id: string;
  labels: string[];
  unread: boolean;
  draft: string | null;
}

interface Props {
  route: ListRoute;
  rows: Target[];
  /** Whether the buttons are there; their keys work on what the cursor is at, too. */
  shown: boolean;
  after: () => void;
}

/** What can be done with conversations: the same buttons and keys for a list and for an open thread. */
export function Actions({ route, rows, shown, after }: Props) {
  const { labels } = useFacts();
  const [menu, setMenu] = useState<"" | "label" | "move" | "snooze">("");
  const ids = rows.map((row) => row.id);
  const several = conversations(ids.length);
  const unread = rows.some((row) => row.unread);
  const inTrash = route.view === "trash";
  const inSpam = route.view === "spam";
  const inDrafts = route.view === "drafts" && rows.every((row) => row.draft !== null);
  const inbox = rows.some((row) => row.labels.includes("INBOX"));
  const here = route.view === "label" ? labelNamed(labels, route.value) : undefined;
  const run = async (deed: Promise<boolean>) => {
    if (await deed) after();
  };
  const does = (deed: () => Promise<boolean>) => () => void (ids.length > 0 && run(deed()));

  const archive = does(() => move(ids, { remove: ["INBOX"] }, `${several} archived.`));
  const spam = does(() => move(ids, { add: ["SPAM"] }, `${several} marked as spam.`));
  const notSpam = does(() => move(ids, { add: ["INBOX"], remove: ["SPAM"] }, `${several} unmarked as spam and moved to Inbox.`));
  const toInbox = does(() => move(ids, { add: ["INBOX"], remove: ["TRASH"] }, `${several} moved to Inbox.`));
  const trash = does(() => move(ids, { add: ["TRASH"] }, `${several} moved to Trash.`));
  const forever = does(() => deleteForever(ids, `${several} deleted forever.`));
  const read = does(() => move(ids, { remove: ["UNREAD"] }, `${several} marked as read.`));
  const notRead = does(() => move(ids, { add: ["UNREAD"] }, `${several} marked as unread.`));
  const wake = does(() => unsnooze(ids));
  const drop = does(async () => {
    const done = await Promise.all(rows.map((row) => discard(row.draft ?? "")));
    return done.every(Boolean);
  });
  const opens = (name: typeof menu) => () => ids.length > 0 && setMenu(name);
  const close = (name: typeof menu) => (open: boolean) => setMenu(open ? name : "");

  useShortcuts({
    e: archive,
    "#": inTrash || inSpam ? forever : inDrafts ? drop : trash,
    "!": inSpam ? notSpam : spam,
    "Shift+i": read,
    "Shift+u": notRead,
    l: opens("label"),
    v: opens("move"),
    b: opens("snooze"),
  });

  if (!shown) return null;
  return (
    <>
      {inDrafts ? (
        <IconButton label="Discard drafts" shortcut="#" onClick={drop} radius="xl">
          <IconTrash size={18} />
        </IconButton>
      ) : inTrash || inSpam ? (
        <>
          <IconButton label="Delete forever" shortcut="#" onClick={forever} radius="xl">
            <IconTrashX size={18} />
          </IconButton>
          {inSpam ? (
            <IconButton label="Not spam" shortcut="!" onClick={notSpam} radius="xl">
              <IconInbox size={18} />
            </IconButton>
          ) : (
            <IconButton label="Move to Inbox" onClick={toInbox} radius="xl">
              <IconInbox size={18} />
            </IconButton>
          )}
        </>
      ) : (
        <>
          {inbox ? (
            <IconButton label="Archive" shortcut="e" onClick={archive} radius="xl">
              <IconArchive size={18} />
            </IconButton>
          ) : (
            <IconButton label="Move to Inbox" onClick={route.view === "snoozed" ? wake : toInbox} radius="xl">
              <IconInbox size={18} />
            </IconButton>
          )}
          <IconButton label="Report spam" shortcut="!" onClick={spam} radius="xl">
            <IconAlertOctagon size={18} />
          </IconButton>
          <IconButton label="Delete" shortcut="#" onClick={trash} radius="xl">
            <IconTrash size={18} />
          </IconButton>
        </>
      )}
      <span className={classes.divider} />
      {unread ? (
        <IconButton label="Mark as read" shortcut="Shift+i" onClick={read} radius="xl">
          <IconMailOpened size={18} />
        </IconButton>
      ) : (
        <IconButton label="Mark as unread" shortcut="Shift+u" onClick={notRead} radius="xl">
          <IconMail size={18} />
        </IconButton>
      )}
      <SnoozeMenu threads={ids} opened={menu === "snooze"} onOpen={close("snooze")} after={after}>
        <IconButton label="Snooze" shortcut="b" radius="xl">
          <IconClock size={18} />
        </IconButton>
      </SnoozeMenu>
      <MoveMenu threads={ids} from={here} opened={menu === "move"} onOpen={close("move")} after={after}>
        <IconButton label="Move to" shortcut="v" radius="xl">
          <IconFolderSymlink size={18} />
        </IconButton>
      </MoveMenu>
      <LabelMenu rows={rows} opened={menu === "label"} onOpen={close("label")}>
        <IconButton label="Labels" shortcut="l" radius="xl">
          <IconTag size={18} />
        </IconButton>
      </LabelMenu>
    </>
  );
}
