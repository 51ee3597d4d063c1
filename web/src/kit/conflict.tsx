import { Button, Group, Modal, SimpleGrid, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  opened: boolean;
  what: string;
  mine: ReactNode;
  theirs: ReactNode;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** Both versions of something that two windows edited; the person decides, nothing is lost before. */
export function Conflict({ opened, what, mine, theirs, onKeepMine, onTakeTheirs }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onTakeTheirs}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={`${what} was changed in another window`}
      size="xl"
    >
      <Stack gap="lg">
        <Text size="sm">Nothing has been overwritten. Choose which version to keep.</Text>
        <SimpleGrid cols={2} spacing="lg">
          <Version name="Your version">{mine}</Version>
          <Version name="The version saved elsewhere">{theirs}</Version>
        </SimpleGrid>
        <Group justify="flex-end">
          <Button variant="default" onClick={onTakeTheirs}>
            Use the version saved elsewhere
          </Button>
          <Button onClick={onKeepMine}>Keep my version</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Version({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={name}>
      <Text size="xs" c="gray.6" fw={600} mb="sm">
        {name}
      </Text>
      <div style={{ border: "1px solid var(--line)", borderRadius: 8, padding: 12, maxHeight: 320, overflow: "auto" }}>
        {children}
      </div>
    </section>
  );
}
