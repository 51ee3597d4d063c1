import { Menu } from "@mantine/core";
import { type ReactElement } from "react";

import { conversations, move, useFacts } from "./mail";
import type { Label } from "./types";

interface Props {
  threads: string[];
  /** The label whose list the conversations leave. */
  from: Label | undefined;
  opened: boolean;
  onOpen: (open: boolean) => void;
  after: () => void;
  children: ReactElement;
}

export function MoveMenu({ threads, from, opened, onOpen, after, children }: Props) {
  const { labels } = useFacts();
  const to = async (change: { add: string[]; remove: string[] }, name: string) => {
    if (await move(threads, change, `${conversations(threads.length)} moved to “${name}”.`)) after();
  };
  const leaving = ["INBOX", ...(from === undefined ? [] : [from.id])];
  return (
    <Menu opened={opened} onChange={onOpen} width={260} position="bottom-start">
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: "auto" }}>
        <Menu.Label>Move to</Menu.Label>
        {labels
          .filter((label) => label.id !== from?.id)
          .map((label) => (
            <Menu.Item key={label.id} onClick={() => void to({ add: [label.id], remove: leaving }, label.name)}>
              {label.name}
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void to({ add: ["INBOX"], remove: leaving.slice(1) }, "Inbox")}>Inbox</Menu.Item>
        <Menu.Item onClick={() => void to({ add: ["SPAM"], remove: [] }, "Spam")}>Spam</Menu.Item>
        <Menu.Item onClick={() => void to({ add: ["TRASH"], remove: [] }, "Trash")}>Trash</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
