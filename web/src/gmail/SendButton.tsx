import { Button, Group, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";

import { useNow } from "../kit/world";
import { sendTimes } from "./moments";
import { PickTime } from "./PickTime";

interface Props {
  onSend: () => void;
  onSchedule: (at: number) => void;
  busy: boolean;
  disabled: boolean;
}

export function SendButton({ onSend, onSchedule, busy, disabled }: Props) {
  const now = useNow();
  const [picking, setPicking] = useState(false);
  return (
    <Group gap={1} wrap="nowrap">
      <Button onClick={onSend} loading={busy} disabled={disabled} style={{ borderRadius: "18px 0 0 18px", paddingInline: 20 }}>
        Send
      </Button>
      <Menu position="top-start" width={280}>
        <Menu.Target>
          <Button aria-label="More send options" disabled={disabled} style={{ borderRadius: "0 18px 18px 0", paddingInline: 9 }}>
            <IconChevronDown size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Schedule send</Menu.Label>
          {sendTimes(now).map((choice) => (
            <Menu.Item
              key={choice.name}
              rightSection={<span style={{ color: "var(--muted)", fontSize: 12 }}>{choice.shown}</span>}
              onClick={() => onSchedule(choice.at)}
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
          title="Pick date & time"
          action="Schedule send"
          onClose={() => setPicking(false)}
          onPick={(at) => {
            setPicking(false);
            onSchedule(at);
          }}
        />
      )}
    </Group>
  );
}
