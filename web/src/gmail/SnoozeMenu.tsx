import { Menu } from "@mantine/core";
import { useState, type ReactElement } from "react";

import { format } from "../kit/time";
import { useNow } from "../kit/world";
import { conversations, snooze } from "./mail";
import { PickTime } from "./PickTime";
import { snoozeTimes } from "./moments";

interface Props {
  threads: string[];
  opened: boolean;
  onOpen: (open: boolean) => void;
  after: () => void;
  children: ReactElement;
}

export function SnoozeMenu({ threads, opened, onOpen, after, children }: Props) {
  const now = useNow();
  const [picking, setPicking] = useState(false);
  const until = async (at: number) => {
    const when = format(at, { weekday: "short", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
    if (await snooze(threads, at, `${conversations(threads.length)} snoozed until ${when}.`)) after();
  };
  return (
    <>
      <Menu opened={opened} onChange={onOpen} width={280} position="bottom-start">
        <Menu.Target>{children}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Snooze until…</Menu.Label>
          {snoozeTimes(now).map((choice) => (
            <Menu.Item
              key={choice.name}
              rightSection={<span style={{ color: "var(--muted)", fontSize: 12 }}>{choice.shown}</span>}
              onClick={() => void until(choice.at)}
            >
              {choice.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => setPicking(true)}>Pick date &amp; time</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {picking && (
        <PickTime
          title="Snooze until"
          action="Save"
          onClose={() => setPicking(false)}
          onPick={(at) => {
            setPicking(false);
            void until(at);
          }}
        />
      )}
    </>
  );
}
