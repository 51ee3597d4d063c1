import { Menu } from "@mantine/core";
import { IconMinus } from "@tabler/icons-react";
import { useState, type ReactElement } from "react";

import type { Target } from "./Actions";
import { LabelDialog } from "./labels";
import { move, useFacts } from "./mail";

interface Props {
  rows: Target[];
  opened: boolean;
  onOpen: (open: boolean) => void;
  children: ReactElement;
}

/** Label as: each press adds a label to the conversations, or takes it off. */
export function LabelMenu({ rows, opened, onOpen, children }: Props) {
  const { labels } = useFacts();
  const [creating, setCreating] = useState(false);
  const ids = rows.map((row) => row.id);
  return (
    <>
      <Menu opened={opened} onChange={onOpen} width={260} position="bottom-start">
        <Menu.Target>{children}</Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: "auto" }}>
          <Menu.Label>Label as</Menu.Label>
          {labels.map((label) => {
            const having = rows.filter((row) => row.labels.includes(label.id)).length;
            const all = having === rows.length;
            return (
              <Menu.CheckboxItem
                key={label.id}
                checked={all}
                rightSection={!all && having > 0 ? <IconMinus size={15} aria-label="on some" /> : undefined}
                onChange={() =>
                  void move(
                    ids,
                    all ? { remove: [label.id] } : { add: [label.id] },
                    all ? `Label “${label.name}” removed.` : `Label “${label.name}” added.`,
                  )
                }
              >
                {label.name}
              </Menu.CheckboxItem>
            );
          })}
          <Menu.Divider />
          <Menu.Item onClick={() => setCreating(true)}>
            Create new
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {creating && <LabelDialog onClose={() => setCreating(false)} />}
    </>
  );
}
