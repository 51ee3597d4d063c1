import { Badge, Button, CloseButton } from "@mantine/core";
import { IconArrowLeft, IconArrowBackUp, IconArrowBackUpDouble, IconArrowForwardUp, IconPrinter } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";

import { useShortcuts } from "../kit/keys";
import { Failed, IconButton, Waiting } from "../kit/parts";
import { world } from "../kit/world";
import type { Go } from "./App";
import { Actions } from "./Actions";
import classes from "./app.module.css";
import { InlineCompose } from "./compose";
import { move, moveMessage, useFacts, useThread } from "./mail";
import { MessageCard } from "./MessageCard";
import { titleOf } from "./places";
import { build, type ListRoute, type ThreadRoute } from "./route";
import { answer, forward, type Start } from "./start";
import type { Message, Thread } from "./types";

interface Props {
  route: ThreadRoute;
  back: ListRoute;
  go: Go;
}

export function ThreadView({ route, back, go }: Props) {
  const found = useThread(route.thread);
  const leave = () => go(back);
  useShortcuts({ u: leave });
  if (found.isPending) return <Waiting what="the conversation" />;
  if (found.isError) {
    return (
      <>
        <div className={classes.toolbar}>
          <Back onClick={leave} name={titleOf(back)} />
        </div>
        <Failed error={found.error} onRetry={() => void found.refetch()} />
      </>
    );
  }
  return <Conversation thread={found.data} back={back} leave={leave} />;
}

function Back({ onClick, name }: { onClick: () => void; name: string }) {
  return (
    <IconButton label={`Back to ${name}`} shortcut="u" onClick={onClick} radius="xl">
      <IconArrowLeft size={18} />
    </IconButton>
  );
}

function Conversation({ thread, back, leave }: { thread: Thread; back: ListRoute; leave: () => void }) {
  const { labels, signature } = useFacts();
  const [writing, setWriting] = useState<Start | null>(null);
  const messages = thread.messages.filter((message) => message.draft === null);
  const draft = thread.messages.find((message) => message.draft !== null);
  const last = messages.at(-1);
  const subject = thread.subject || "(no subject)";
  const seen = useRef(false);
  useEffect(() => {
    document.title = `${subject} - ${world.account.email} - Mail`;
  }, [subject]);
  useEffect(() => {
    if (!seen.current && thread.labels.includes("UNREAD")) void move([thread.id], { remove: ["UNREAD"] });
    seen.current = true;
  }, [thread]);
  const reply = (message: Message, all: boolean) => setWriting(answer(message, all, signature));
  const pass = (message: Message) => setWriting(forward(message, signature));
  useShortcuts({
    r: () => last !== undefined && reply(last, false),
    a: () => last !== undefined && reply(last, true),
    f: () => last !== undefined && pass(last),
    s: () => last !== undefined && void moveMessage(last.id, starChange(last)),
  });
  const target = { id: thread.id, labels: thread.labels, unread: false, draft: null };
  return (
    <>
      <div className={classes.toolbar} role="toolbar" aria-label="Conversation">
        <Back onClick={leave} name={titleOf(back)} />
        <Actions route={back} rows={[target]} shown after={leave} />
        <div className={classes.paging}>
          <IconButton label="Print all" onClick={() => window.open(build({ kind: "print", thread: thread.id }), "_blank")} radius="xl">
            <IconPrinter size={18} />
          </IconButton>
        </div>
      </div>
      <div className={classes.scroll}>
        <div className={classes.subject}>
          <h1>{subject}</h1>
          {thread.labels.includes("INBOX") && (
            <Removable name="Inbox" onRemove={() => void move([thread.id], { remove: ["INBOX"] }, "Conversation archived.")} />
          )}
          {labels
            .filter((label) => thread.labels.includes(label.id))
            .map((label) => (
              <Removable
                key={label.id}
                name={label.name}
                color={label.color}
                text={label.textColor}
                onRemove={() => void move([thread.id], { remove: [label.id] }, `Label “${label.name}” removed.`)}
              />
            ))}
        </div>
        <div role="list" aria-label="Messages">
          {messages.map((message, index) => (
            <MessageCard
              key={message.id}
              message={message}
              open={index === messages.length - 1 || message.labels.includes("UNREAD")}
              onReply={() => reply(message, false)}
              onReplyAll={() => reply(message, true)}
              onForward={() => pass(message)}
            />
          ))}
        </div>
        {writing !== null ? (
          <InlineCompose key={`${writing.answers}-${writing.subject}`} start={writing} onClose={() => setWriting(null)} />
        ) : draft?.draft != null ? (
          <InlineCompose key={draft.draft} draft={draft.draft} onClose={() => undefined} />
        ) : (
          last !== undefined && (
            <div className={classes.reply}>
              <Button variant="default" radius="xl" leftSection={<IconArrowBackUp size={17} />} onClick={() => reply(last, false)}>
                Reply
              </Button>
              {last.to.length + last.cc.length > 1 && (
                <Button variant="default" radius="xl" leftSection={<IconArrowBackUpDouble size={17} />} onClick={() => reply(last, true)}>
                  Reply all
                </Button>
              )}
              <Button variant="default" radius="xl" leftSection={<IconArrowForwardUp size={17} />} onClick={() => pass(last)}>
                Forward
              </Button>
            </div>
          )
        )}
      </div>
    </>
  );
}

export function starChange(message: Message) {
  return message.labels.includes("STARRED") ? { remove: ["STARRED"] } : { add: ["STARRED"] };
}

interface RemovableProps {
  name: string;
  color?: string;
  text?: string;
  onRemove: () => void;
}

function Removable({ name, color = "", text = "", onRemove }: RemovableProps) {
  return (
    <Badge
      variant="filled"
      radius="sm"
      size="lg"
      tt="none"
      fw={500}
      color={color || "gray.2"}
      c={color === "" ? "gray.8" : text || "#000"}
      rightSection={<CloseButton size={24} iconSize={13} c="inherit" aria-label={`Remove label ${name}`} onClick={onRemove} />}
    >
      {name}
    </Badge>
  );
}
