import { Button, Checkbox, Group, Modal, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconX } from "@tabler/icons-react";
import { useState } from "react";

import { IconButton } from "../../kit/parts";
import type { Properties } from "../crm";
import classes from "./table.module.css";
import { LINKS } from "./views";

interface Props {
  columns: string[];
  properties: Properties;
  onApply: (columns: string[]) => void;
  onClose: () => void;
}

/** Which properties a table shows, and in which order. */
export function ColumnEditor({ columns, properties, onApply, onClose }: Props) {
  const [picked, setPicked] = useState(columns);
  const [find, setFind] = useState("");
  const every = [
    ...properties.all.filter((one) => !one.hidden).map((one) => ({ name: one.name, label: one.label })),
    ...Object.entries(LINKS).map(([name, label]) => ({ name, label: `Associated ${label.toLowerCase()}` })),
  ];
  const labelOf = (name: string) => every.find((one) => one.name === name)?.label ?? name;
  const move = (index: number, by: number) => {
    const next = [...picked];
    const [taken] = next.splice(index, 1);
    if (taken !== undefined) next.splice(index + by, 0, taken);
    setPicked(next);
  };
  return (
    <Modal opened onClose={onClose} size={760} title="Choose which columns you see" closeButtonProps={{ "aria-label": "Close" }}>
      <SimpleGrid cols={2} spacing="xl">
        <Stack gap="sm">
          <TextInput
            aria-label="Search columns"
            placeholder="Search columns"
            value={find}
            onChange={(event) => setFind(event.currentTarget.value)}
            data-autofocus
          />
          <Stack gap={0} h={360} style={{ overflowY: "auto" }} role="group" aria-label="Available columns">
            {every
              .filter((one) => one.label.toLowerCase().includes(find.toLowerCase()))
              .map((one) => (
                <Checkbox
                  key={one.name}
                  py={5}
                  label={one.label}
                  checked={picked.includes(one.name)}
                  onChange={() => setPicked(picked.includes(one.name) ? picked.filter((name) => name !== one.name) : [...picked, one.name])}
                />
              ))}
          </Stack>
        </Stack>
        <Stack gap="sm">
          <Text size="sm" fw={600} lh="36px">
            Selected columns ({picked.length})
          </Text>
          <ol className={classes.picked} aria-label="Selected columns" style={{ height: 360, overflowY: "auto" }}>
            {picked.map((name, index) => (
              <li key={name}>
                <span>{labelOf(name)}</span>
                <IconButton label={`Move ${labelOf(name)} up`} size={28} disabled={index === 0} onClick={() => move(index, -1)}>
                  <IconArrowUp size={15} />
                </IconButton>
                <IconButton label={`Move ${labelOf(name)} down`} size={28} disabled={index === picked.length - 1} onClick={() => move(index, 1)}>
                  <IconArrowDown size={15} />
                </IconButton>
                <IconButton label={`Remove ${labelOf(name)}`} size={28} onClick={() => setPicked(picked.filter((one) => one !== name))}>
                  <IconX size={15} />
                </IconButton>
              </li>
            ))}
          </ol>
        </Stack>
      </SimpleGrid>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={picked.length === 0}
          onClick={() => {
            onApply(picked);
            onClose();
          }}
        >
          Apply
        </Button>
      </Group>
    </Modal>
  );
}
