import { Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { api } from "../kit/api";
import { useDesk } from "./desk";

interface Props {
  row: number;
  column: number;
  at: DOMRect;
  onClose: () => void;
}

/** The values that a dropdown cell offers. */
export function ChoiceMenu({ row, column, at, onClose }: Props) {
  const { frame, sheet, editor, shown, focus } = useDesk();
  const found = useQuery({
    queryKey: ["book", frame.id, "choices", sheet.number, row, column],
    queryFn: () => api.get<{ values: string[] }>(`/books/${frame.id}/choices/${sheet.number}?row=${row}&column=${column}`),
  });
  const now = shown(row, column);
  if (found.data === undefined) return null;
  return (
    <Menu opened onClose={onClose} position="bottom-end" offset={0} returnFocus={false} trapFocus>
      <Menu.Target>
        <span aria-hidden style={{ position: "fixed", left: at.right, top: at.bottom + 2, width: 1, height: 1 }} />
      </Menu.Target>
      <Menu.Dropdown mah={320} miw={140} style={{ overflowY: "auto" }}>
        {found.data.values.map((value) => (
          <Menu.Item
            key={value}
            aria-current={value === now || undefined}
            fw={value === now ? 600 : 400}
            onClick={() => {
              void editor.enter(sheet.number, row, column, [[value]]);
              focus();
            }}
          >
            {value}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
