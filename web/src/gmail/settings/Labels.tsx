import { Button, Group, Table, Text } from "@mantine/core";
import { useState } from "react";

import { api } from "../../kit/api";
import { Choice } from "../../kit/choice";
import { Empty } from "../../kit/parts";
import { complain } from "../../kit/toast";
import { DeleteLabelDialog, LabelDialog } from "../labels";
import { refreshFacts, useFacts } from "../mail";
import { LabelChip } from "../RowView";
import type { Label } from "../types";

const SHOWN = [
  { value: "labelShow", label: "Show" },
  { value: "labelShowIfUnread", label: "Show if unread" },
  { value: "labelHide", label: "Hide" },
];

export default function Labels() {
  const { labels } = useFacts();
  const [editing, setEditing] = useState<{ label?: Label } | null>(null);
  const [leaving, setLeaving] = useState<Label | null>(null);
  const show = async (label: Label, labelListVisibility: string) => {
    try {
      await api.patch(`/labels/${label.id}`, { rev: label.rev, body: { labelListVisibility } });
    } catch (error) {
      complain(error);
    }
    await refreshFacts();
  };
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text size="sm" c="gray.7">
          Labels can be nested. Removing a label does not remove its messages.
        </Text>
        <Button onClick={() => setEditing({})}>Create new label</Button>
      </Group>
      {labels.length === 0 ? (
        <Empty title="There are no labels yet" />
      ) : (
        <Table verticalSpacing="sm" aria-label="Labels">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Label</Table.Th>
              <Table.Th w={180}>Show in label list</Table.Th>
              <Table.Th w={170}>Actions</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {labels.map((label) => (
              <Table.Tr key={label.id}>
                <Table.Td>
                  <LabelChip label={label} />
                </Table.Td>
                <Table.Td>
                  <Choice
                    aria-label={`Show ${label.name} in label list`}
                    size="xs"
                    data={SHOWN}
                    value={label.visibility}
                    onChange={(value) => void show(label, value)}
                  />
                </Table.Td>
                <Table.Td>
                  <Group gap="xs" wrap="nowrap">
                    <Button size="compact-sm" variant="subtle" aria-label={`Edit ${label.name}`} onClick={() => setEditing({ label })}>
                      Edit
                    </Button>
                    <Button size="compact-sm" variant="subtle" aria-label={`Remove ${label.name}`} onClick={() => setLeaving(label)}>
                      Remove
                    </Button>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {editing !== null && <LabelDialog {...editing} onClose={() => setEditing(null)} />}
      {leaving !== null && <DeleteLabelDialog label={leaving} onClose={() => setLeaving(null)} />}
    </>
  );
}
