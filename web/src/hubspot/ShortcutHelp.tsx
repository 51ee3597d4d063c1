import { Kbd, Modal, Table } from "@mantine/core";

const SHORTCUTS = [
  ["/", "Search everything"],
  ["g then c, o, d, t", "Go to contacts, companies, deals, tickets"],
  ["g then k, l, r", "Go to tasks, lists, the dashboard"],
  ["c", "Create a record in this index"],
  ["f", "Open the filters of this index"],
  ["n, t, e, p, m", "On a record: note, task, e-mail, call, meeting"],
  ["Space, then ← →", "On a board card: pick it up and move it"],
  ["?", "This list"],
];

export function ShortcutHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" closeButtonProps={{ "aria-label": "Close" }}>
      <Table verticalSpacing="sm">
        <Table.Tbody>
          {SHORTCUTS.map(([keys, what]) => (
            <Table.Tr key={keys}>
              <Table.Td w={170}>
                <Kbd>{keys}</Kbd>
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
