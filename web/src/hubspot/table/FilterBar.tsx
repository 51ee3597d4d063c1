import { Button, Checkbox, Drawer, Group, Popover, Radio, Stack, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconChevronDown, IconFilter, IconSearch, IconX } from "@tabler/icons-react";
import { useState } from "react";

import { useFacts, type Properties } from "../crm";
import type { FilterGroup, Property, TypeKey } from "../types";
import { choicesOf } from "../values";
import { FilterEditor } from "./FilterEditor";
import { isComplete, NONE, QUICK, say, SPANS } from "./filters";
import type { IndexState } from "./state";
import classes from "./table.module.css";

interface Props {
  type: TypeKey;
  state: IndexState;
  properties: Properties;
  advanced: boolean;
  onAdvanced: (open: boolean) => void;
}

export function FilterBar({ type, state, properties, advanced, onAdvanced }: Props) {
  const [text, setText] = useState(state.query);
  const [known, setKnown] = useState(state.query);
  const [sent, setSent] = useState(state.query);
  if (known !== state.query) {
    setKnown(state.query);
    // The address changed by itself (back, forward, another view), not by what is typed here.
    if (state.query !== sent) setText(state.query);
  }
  const search = useDebouncedCallback((query: string) => {
    setSent(query.trim());
    state.set({ query: query.trim() });
  }, 200);
  const conditions = state.groups.reduce((sum, group) => sum + group.filters.filter(isComplete).length, 0);
  return (
    <div className={classes.filters} role="group" aria-label="Filters">
      <TextInput
        type="search"
        aria-label="Search this table"
        placeholder="Search"
        w={200}
        size="sm"
        leftSection={<IconSearch size={15} aria-hidden />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
      />
      {QUICK[type].map((name) => {
        const p = properties.by.get(name);
        if (p === undefined) return null;
        return (
          <QuickFilter
            key={name}
            property={p}
            value={state.quick[name] ?? ""}
            onChange={(value) => state.set({ quick: { ...state.quick, [name]: value } })}
          />
        );
      })}
      <button type="button" className={classes.pill} data-on={conditions > 0 || undefined} onClick={() => onAdvanced(true)}>
        <IconFilter size={15} aria-hidden /> <span>Advanced filters{conditions > 0 ? ` (${conditions})` : ""}</span>
      </button>
      {(conditions > 0 || Object.values(state.quick).some((value) => value !== "")) && (
        <Button variant="subtle" size="compact-sm" onClick={() => state.set({ quick: {}, groups: [] })}>
          Clear all
        </Button>
      )}
      {advanced && <Advanced groups={state.groups} properties={properties} onApply={(groups) => state.set({ groups })} onClose={() => onAdvanced(false)} />}
    </div>
  );
}

function QuickFilter({ property, value, onChange }: { property: Property; value: string; onChange: (value: string) => void }) {
  const facts = useFacts();
  const [opened, setOpened] = useState(false);
  const [find, setFind] = useState("");
  const dated = property.type === "date" || property.type === "datetime";
  const choices = dated ? SPANS : [...(choicesOf(facts, property) ?? []), { value: NONE, label: property.name === "hubspot_owner_id" ? "Unassigned" : "(No value)" }];
  const chosen = value === "" ? [] : value.split(";");
  const words = choices.filter((one) => chosen.includes(one.value)).map((one) => one.label);
  const toggle = (one: string) => {
    if (one === NONE || chosen.includes(NONE)) onChange(chosen.includes(one) ? "" : one);
    else onChange((chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]).join(";"));
  };
  const found = choices.filter((one) => one.label.toLowerCase().includes(find.toLowerCase()));
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={260} trapFocus>
      <Popover.Target>
        <button
          type="button"
          className={classes.pill}
          data-on={value !== "" || undefined}
          aria-expanded={opened}
          aria-haspopup="dialog"
          onClick={() => setOpened(!opened)}
        >
          <span>{words.length === 0 ? property.label : `${property.label}: ${words.join(", ")}`}</span>
          <IconChevronDown size={14} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={property.label}>
        <Stack gap="sm">
          {!dated && choices.length > 8 && (
            <TextInput aria-label={`Find in ${property.label}`} placeholder="Find" value={find} onChange={(event) => setFind(event.currentTarget.value)} data-autofocus />
          )}
          <Stack gap={2} mah={280} style={{ overflowY: "auto" }} py={2}>
            {found.map((one) =>
              dated ? (
                <Radio key={one.value} size="xs" py={4} label={one.label} checked={value === one.value} onChange={() => onChange(one.value)} />
              ) : (
                <Checkbox key={one.value} py={4} label={one.label} checked={chosen.includes(one.value)} onChange={() => toggle(one.value)} />
              ),
            )}
          </Stack>
          <Group justify="space-between">
            <Button size="compact-sm" variant="subtle" color="gray.7" disabled={value === ""} leftSection={<IconX size={13} aria-hidden />} onClick={() => onChange("")}>
              Clear
            </Button>
            <Button size="compact-sm" onClick={() => setOpened(false)}>
              Done
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface AdvancedProps {
  groups: FilterGroup[];
  properties: Properties;
  onApply: (groups: FilterGroup[]) => void;
  onClose: () => void;
}

function Advanced({ groups, properties, onApply, onClose }: AdvancedProps) {
  const facts = useFacts();
  const [draft, setDraft] = useState(groups);
  const apply = () => {
    onApply(draft.map((group) => ({ filters: group.filters.filter(isComplete) })).filter((group) => group.filters.length > 0));
    onClose();
  };
  const said = draft.map((group) => group.filters.filter(isComplete).map((one) => say(one, properties.by.get(one.propertyName), facts)).join(" and "));
  return (
    <Drawer opened onClose={onClose} position="right" size={420} title="Advanced filters" closeButtonProps={{ "aria-label": "Close" }}>
      <FilterEditor groups={draft} properties={properties} onChange={setDraft} />
      <p style={{ color: "var(--muted)", fontSize: 12 }}>{said.filter((text) => text !== "").join(", or ")}</p>
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={apply}>Apply filters</Button>
      </Group>
    </Drawer>
  );
}
