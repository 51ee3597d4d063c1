import { Button, Group, Table, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";

import { api } from "../../kit/api";
import { IconButton } from "../../kit/parts";
import { complain, toast } from "../../kit/toast";
import { refresh, useGroups, useProperties } from "../crm";
import shell from "../shell.module.css";
import type { TypeKey } from "../types";
import { internalName } from "./PropertyForm";

export function Groups({ type }: { type: TypeKey }) {
  const groups = useGroups(type);
  const properties = useProperties(type);
  const [label, setLabel] = useState("");
  const attempt = async (run: () => Promise<unknown>, said: string) => {
    try {
      await run();
      toast(said);
      setLabel("");
    } catch (error) {
      complain(error);
    }
    await refresh();
  };
  return (
    <>
      <form
        className={shell.tools}
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(() => api.post(`/crm/v3/properties/${type}/groups`, { name: internalName(label), label: label.trim() }), `Group “${label.trim()}” was created.`);
        }}
      >
        <TextInput label="New group" w={280} value={label} onChange={(event) => setLabel(event.currentTarget.value)} />
        <Button type="submit" disabled={internalName(label) === ""}>
          Create group
        </Button>
      </form>
      <div className={shell.tableCard}>
        <Table verticalSpacing={6} horizontalSpacing="md" aria-label="Groups">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Group</Table.Th>
              <Table.Th>Internal name</Table.Th>
              <Table.Th ta="right">Properties</Table.Th>
              <Table.Th w={48}>
                <span className={shell.hidden}>Actions</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {groups.map((group) => {
              const inside = properties.all.filter((p) => p.groupName === group.name).length;
              return (
                <Table.Tr key={group.name}>
                  <Table.Td>
                    <GroupName type={type} name={group.name} label={group.label} />
                  </Table.Td>
                  <Table.Td style={{ fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12 }}>{group.name}</Table.Td>
                  <Table.Td ta="right">{inside}</Table.Td>
                  <Table.Td>
                    {inside === 0 && (
                      <IconButton label={`Delete group ${group.label}`} onClick={() => void attempt(() => api.delete(`/crm/v3/properties/${type}/groups/${group.name}`), `Group “${group.label}” was deleted.`)}>
                        <IconTrash size={16} />
                      </IconButton>
                    )}
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </div>
    </>
  );
}

function GroupName({ type, name, label }: { type: TypeKey; name: string; label: string }) {
  const [text, setText] = useState<string | null>(null);
  const save = async () => {
    try {
      await api.patch(`/crm/v3/properties/${type}/groups/${name}`, { label: text?.trim() });
      setText(null);
      await refresh();
    } catch (error) {
      complain(error);
    }
  };
  if (text === null)
    return (
      <Group gap="sm">
        {label}
        <Button size="compact-sm" variant="subtle" aria-label={`Rename ${label}`} onClick={() => setText(label)}>
          Rename
        </Button>
      </Group>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Group gap="sm">
        <TextInput aria-label="Group name" value={text} autoFocus onChange={(event) => setText(event.currentTarget.value)} />
        <Button type="submit" size="compact-sm" disabled={text.trim() === ""}>
          Save
        </Button>
        <Button type="button" size="compact-sm" variant="default" onClick={() => setText(null)}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
