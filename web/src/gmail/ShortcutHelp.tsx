import { Kbd, Modal, SimpleGrid, Text } from "@mantine/core";

const KEYS: [string, string][] = [
  ["c", "Compose"],
  ["/", "Search mail"],
  ["j / k", "Older / newer conversation"],
  ["o or Enter", "Open conversation"],
  ["u", "Back to the list"],
  ["x", "Select conversation"],
  ["s", "Star"],
  ["e", "Archive"],
  ["#", "Delete"],
  ["!", "Report as spam"],
  ["b", "Snooze"],
  ["l", "Label as"],
  ["v", "Move to"],
  ["Shift+i", "Mark as read"],
  ["Shift+u", "Mark as unread"],
  ["r", "Reply"],
  ["a", "Reply all"],
  ["f", "Forward"],
  ["Ctrl+Enter", "Send"],
  ["* a / * n", "Select all / none"],
  ["* r / * u", "Select read / unread"],
  ["g i", "Go to Inbox"],
  ["g s", "Go to Starred"],
  ["g b", "Go to Snoozed"],
  ["g t", "Go to Sent"],
  ["g d", "Go to Drafts"],
  ["g a", "Go to All Mail"],
  ["?", "This help"],
];

export function ShortcutHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size="lg" closeButtonProps={{ "aria-label": "Close" }}>
      <SimpleGrid cols={2} spacing="lg" verticalSpacing="sm">
        {KEYS.map(([keys, does]) => (
          <Text key={keys} size="sm" component="div">
            <Kbd mr="sm">{keys}</Kbd>
            {does}
          </Text>
        ))}
      </SimpleGrid>
    </Modal>
  );
}
