import { Button, Group, Table, Text } from "@mantine/core";
import { useState } from "react";

import { api } from "../../kit/api";
import { queries } from "../../kit/boot";
import { Empty } from "../../kit/parts";
import { complain, toast } from "../../kit/toast";
import { useFacts } from "../mail";
import type { Filter } from "../types";
import { does, matches } from "./filter";
import { FilterDialog } from "./FilterDialog";
import type { SettingsFacts } from "./types";

export default function Filters({ facts }: { facts: SettingsFacts }) {
  const { labels } = useFacts();
  const [editing, setEditing] = useState<{ filter?: Filter } | null>(null);
  const remove = async (filter: Filter) => {
    try {
      await api.delete(`/filters/${filter.id}`);
      toast("Filter deleted.");
    } catch (error) {
      complain(error);
    }
    await queries.invalidateQueries({ queryKey: ["settings"] });
  };
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text size="sm" c="gray.7">
          The following filters are applied to all incoming mail:
        </Text>
        <Button onClick={() => setEditing({})}>Create a new filter</Button>
      </Group>
      {facts.filters.length === 0 ? (
        <Empty title="There are no filters yet" />
      ) : (
        <Table verticalSpacing="md" aria-label="Filters" layout="fixed">
          <Table.Tbody>
            {facts.filters.map((filter) => (
              <Table.Tr key={filter.id}>
                <Table.Td style={{ overflowWrap: "anywhere" }}>
                  <Text size="sm">
                    Matches: <b>{matches(filter)}</b>
                  </Text>
                  <Text size="sm" c="gray.7">
                    Do this: {does(filter, labels)}
                  </Text>
                </Table.Td>
                <Table.Td w={150}>
                  <Group gap="xs" wrap="nowrap" justify="flex-end">
                    <Button size="compact-sm" variant="subtle" aria-label={`Edit filter ${matches(filter)}`} onClick={() => setEditing({ filter })}>
                      Edit
                    </Button>
                    <Button size="compact-sm" variant="subtle" aria-label={`Delete filter ${matches(filter)}`} onClick={() => void remove(filter)}>
                      Delete
                    </Button>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {editing !== null && <FilterDialog {...editing} onClose={() => setEditing(null)} />}
    </>
  );
}
