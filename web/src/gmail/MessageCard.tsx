import { ActionIcon, Menu, Popover, Text, UnstyledButton } from "@mantine/core";
import { IconArrowBackUp, IconCaretDownFilled, IconDotsVertical, IconFile, IconFileTypePdf, IconPhoto, IconStar, IconStarFilled, IconTable } from "@tabler/icons-react";
import DOMPurify from "dompurify";
import { useMemo, useState } from "react";

import { Hidden, IconButton, Portrait } from "../kit/parts";
import { ago, bytes, longTime } from "../kit/time";
import { useNow, world } from "../kit/world";
import classes from "./app.module.css";
import { moveMessage } from "./mail";
import { build } from "./route";
import { starChange } from "./ThreadView";
import type { Message, Person } from "./types";

interface Props {
  message: Message;
  open: boolean;
  onReply: () => void;
  onReplyAll: () => void;
  onForward: () => void;
}

export function MessageCard({ message, open: startsOpen, onReply, onReplyAll, onForward }: Props) {
  const [open, setOpen] = useState(startsOpen);
  const now = useNow();
  const starred = message.labels.includes("STARRED");
  const when = `${longTime(message.at)} (${ago(message.at, now)})`;
  return (
    <article className={classes.message} role="listitem" aria-label={`Message from ${message.from.name}`}>
      <Portrait name={message.from.name} />
      <div>
        <div className={classes.messageHead}>
          <div className={classes.who}>
            <button type="button" className={classes.collapsed} aria-expanded={open} onClick={() => setOpen(!open)}>
              <div className={classes.line}>
                <b style={{ fontWeight: 600 }}>{message.from.name}</b>{" "}
                {open && message.from.email !== message.from.name && <span className={classes.email}>&lt;{message.from.email}&gt;</span>}
              </div>
              {!open && <div className={`${classes.line} ${classes.snippet}`}>{message.text.slice(0, 300)}</div>}
            </button>
            {open && <Details message={message} />}
          </div>
          <time className={classes.time} style={{ lineHeight: "28px" }}>
            {when}
          </time>
          <ActionIcon aria-label="Star" aria-pressed={starred} size={28} onClick={() => void moveMessage(message.id, starChange(message))}>
            {starred ? <IconStarFilled size={17} color="#b7791f" /> : <IconStar size={17} />}
          </ActionIcon>
          <IconButton label="Reply" size={28} onClick={onReply}>
            <IconArrowBackUp size={18} />
          </IconButton>
          <Menu position="bottom-end" width={220}>
            <Menu.Target>
              <ActionIcon aria-label="More message options" size={28}>
                <IconDotsVertical size={17} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={onReply}>Reply</Menu.Item>
              <Menu.Item onClick={onReplyAll}>Reply all</Menu.Item>
              <Menu.Item onClick={onForward}>Forward</Menu.Item>
              <Menu.Divider />
              <Menu.Item onClick={() => void moveMessage(message.id, { add: ["TRASH"] }, "Message moved to Trash.")}>
                Delete this message
              </Menu.Item>
              <Menu.Item onClick={() => void moveMessage(message.id, { add: ["UNREAD"] }, "Message marked as unread.")}>
                Mark unread from here
              </Menu.Item>
              <Menu.Item component="a" href={build({ kind: "original", message: message.id })} target="_blank">
                Show original
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
        {open && <Letter message={message} />}
        {open && message.files.length > 0 && <Files message={message} />}
      </div>
    </article>
  );
}

const NAMED = 6;

/** The first names of some people, and how many more there are. */
function short(people: Person[]): string {
  const me = world.account.email.toLowerCase();
  const names = people.slice(0, NAMED).map((one) => (one.email === me ? "me" : (one.name.split(" ")[0] ?? one.name)));
  const rest = people.length - names.length;
  return [...names, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}
const full = (people: Person[]) =>
  people.map((person) => (person.name === person.email ? person.email : `${person.name} <${person.email}>`)).join(", ");

function Details({ message }: { message: Message }) {
  const lines: [string, string][] = [
    ["from", full([message.from])],
    ["to", full(message.to)],
    ["cc", full(message.cc)],
    ["bcc", full(message.bcc)],
    ["date", longTime(message.at)],
    ["subject", message.subject],
  ];
  return (
    <Popover position="bottom-start" width={460}>
      <Popover.Target>
        <UnstyledButton className={classes.email} mih={24}>
          to {short([...message.to, ...message.cc, ...message.bcc]) || "nobody"}{" "}
          <Hidden>, show details</Hidden>
          <IconCaretDownFilled size={10} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="Message details">
        <dl style={{ display: "grid", gridTemplateColumns: "64px 1fr", gap: 4, margin: 0, fontSize: 13 }}>
          {lines
            .filter(([, value]) => value !== "")
            .map(([name, value]) => (
              <div key={name} style={{ display: "contents" }}>
                <dt style={{ color: "var(--muted)", textAlign: "right", paddingRight: 8 }}>{name}:</dt>
                <dd style={{ margin: 0, overflowWrap: "anywhere" }}>{value}</dd>
              </div>
            ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  );
}

const CLEAN = { FORBID_TAGS: ["style", "form", "input", "button", "iframe"], FORBID_ATTR: ["id", "class", "name"] };

export function Letter({ message }: { message: Message }) {
  const html = useMemo(() => (message.html === "" ? "" : DOMPurify.sanitize(message.html, CLEAN)), [message.html]);
  if (html === "") {
    return (
      <div className={classes.letter}>
        <pre className={classes.plain}>{message.text}</pre>
      </div>
    );
  }
  return <div className={classes.letter} dangerouslySetInnerHTML={{ __html: html }} />;
}

function Files({ message }: { message: Message }) {
  return (
    <section className={classes.attachments} aria-label={`${message.files.length} attachments`}>
      {message.files.map((file) => (
        <a
          key={file.n}
          className={classes.attachment}
          href={`/_screen/gmail/messages/${message.id}/files/${file.n}`}
          download={file.filename}
        >
          <FileIcon mime={file.mime} />
          <div>
            <Hidden>Download </Hidden>
            <b title={file.filename}>{file.filename}</b>
            <Text size="xs" c="gray.6" span>
              {bytes(file.size)}
            </Text>
          </div>
        </a>
      ))}
    </section>
  );
}

function FileIcon({ mime }: { mime: string }) {
  if (mime === "application/pdf") return <IconFileTypePdf size={26} stroke={1.5} aria-hidden />;
  if (mime.startsWith("image/")) return <IconPhoto size={26} stroke={1.5} aria-hidden />;
  if (/csv|sheet|excel/.test(mime)) return <IconTable size={26} stroke={1.5} aria-hidden />;
  return <IconFile size={26} stroke={1.5} aria-hidden />;
}
