import { Checkbox, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

import { typeOf, useFacts, useTable } from "./crm";
import type { Named, Row, TypeKey } from "./types";

const SHOWN = 20;
const DETAIL: Record<TypeKey, string> = { contacts: "email", companies: "domain", deals: "amount", tickets: "createdate", tasks: "hs_task_status" };

interface Props {
  type: TypeKey;
  picked: Named[];
  onPick: (picked: Named[]) => void;
  /** Records that cannot be picked: they are there already. */
  without?: ReadonlySet<string>;
  single?: boolean;
}

/** Find records by their words and tick them. */
export function Picker({ type, picked, onPick, without, single = false }: Props) {
  const facts = useFacts();
  const [text, setText] = useState("");
  const [query] = useDebouncedValue(text.trim(), 150);
  const found = useTable(type, { ...(query === "" ? { sorts: ["-createdate"] } : { query }), limit: SHOWN, properties: [DETAIL[type]] });
  const many = typeOf(facts, type)?.many.toLowerCase() ?? type;
  const rows = (found.data?.rows ?? []).filter((row) => without?.has(row.id) !== true);
  const toggle = (row: Row) => {
    const one: Named = { type, id: row.id, title: row.title };
    if (single) onPick([one]);
    else onPick(picked.some((other) => other.id === row.id) ? picked.filter((other) => other.id !== row.id) : [...picked, one]);
  };
  const kept = picked.filter((one) => rows.every((row) => row.id !== one.id));
  return (
    <Stack gap="sm">
      <TextInput
        type="search"
        aria-label={`Search ${many}`}
        placeholder={`Search ${many}`}
        leftSection={<IconSearch size={15} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <Stack gap={0} mah={380} style={{ overflowY: "auto" }} px={2} role="group" aria-label={`Found ${many}`}>
        {kept.map((one) => (
          <Checkbox key={one.id} py={6} label={one.title} checked onChange={() => onPick(picked.filter((other) => other.id !== one.id))} />
        ))}
        {rows.map((row) => {
          const detail = row.properties[DETAIL[type]] ?? "";
          const shared = {
            py: 6,
            label: row.title,
            description: detail === "" ? undefined : detail,
            checked: picked.some((one) => one.id === row.id),
            onChange: () => toggle(row),
          };
          return single ? <Radio key={row.id} size="xs" {...shared} /> : <Checkbox key={row.id} {...shared} />;
        })}
        {found.data !== undefined && rows.length === 0 && (
          <Text size="sm" c="gray.6" py="sm">
            {query === "" ? `There are no further ${many}.` : `Nothing matches “${query}”.`}
          </Text>
        )}
        {found.data !== undefined && found.data.total > SHOWN && (
          <Text size="xs" c="gray.6" py="xs">
            {found.data.total - SHOWN} more: type to narrow the search.
          </Text>
        )}
      </Stack>
    </Stack>
  );
}
