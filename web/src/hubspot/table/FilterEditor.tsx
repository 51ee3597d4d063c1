import { Button, Group, MultiSelect, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";

import { Choice } from "../../kit/choice";
import { IconButton } from "../../kit/parts";
import { useFacts, type Properties } from "../crm";
import { DayInput } from "../DayInput";
import type { Filter, FilterGroup, Property } from "../types";
import { choicesOf } from "../values";
import { dayShown, dayValue, operatorsOf } from "./filters";
import classes from "./table.module.css";

const EMPTY: Filter = { propertyName: "", operator: "" };
export const MAX_GROUPS = 5;
const MAX_FILTERS = 6;

interface Props {
  groups: FilterGroup[];
  properties: Properties;
  onChange: (groups: FilterGroup[]) => void;
}

/** Groups of conditions: within a group all hold, and any group is enough. */
export function FilterEditor({ groups, properties, onChange }: Props) {
  const shown = groups.length === 0 ? [{ filters: [EMPTY] }] : groups;
  const setGroup = (index: number, filters: Filter[]) => {
    const next = shown.map((group, at) => (at === index ? { filters } : group));
    onChange(next.filter((group) => group.filters.length > 0));
  };
  return (
    <Stack gap="sm">
      {shown.map((group, index) => (
        // Groups have no identity but their place.
        <div key={index}>
          {index > 0 && (
            <Text size="xs" fw={600} c="gray.6" ta="center" mb="sm">
              OR
            </Text>
          )}
          <div className={classes.group} role="group" aria-label={`Group ${index + 1}`}>
            {group.filters.map((filter, at) => (
              <Condition
                key={at}
                number={at + 1}
                filter={filter}
                properties={properties}
                onChange={(changed) => setGroup(index, group.filters.map((one, place) => (place === at ? changed : one)))}
                onRemove={() => setGroup(index, group.filters.filter((_, place) => place !== at))}
              />
            ))}
            <Button
              mt="sm"
              size="compact-sm"
              variant="subtle"
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={group.filters.length >= MAX_FILTERS}
              onClick={() => setGroup(index, [...group.filters, EMPTY])}
            >
              Add condition
            </Button>
          </div>
        </div>
      ))}
      <Group>
        <Button size="compact-sm" variant="default" disabled={shown.length >= MAX_GROUPS} onClick={() => onChange([...shown, { filters: [EMPTY] }])}>
          Add group (or)
        </Button>
        {groups.length > 0 && (
          <Button size="compact-sm" variant="subtle" color="gray.7" onClick={() => onChange([])}>
            Clear all
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface ConditionProps {
  number: number;
  filter: Filter;
  properties: Properties;
  onChange: (filter: Filter) => void;
  onRemove: () => void;
}

function Condition({ number, filter, properties, onChange, onRemove }: ConditionProps) {
  const facts = useFacts();
  const p = properties.by.get(filter.propertyName);
  const operators = p === undefined ? [] : operatorsOf(p, facts);
  const pick = (name: string | null) => {
    const chosen = properties.by.get(name ?? "");
    onChange(chosen === undefined ? EMPTY : { propertyName: chosen.name, operator: operatorsOf(chosen, facts)[0]?.value ?? "" });
  };
  return (
    <div className={classes.condition} role="group" aria-label={`Condition ${number}`}>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Stack gap="sm" style={{ flex: 1, minWidth: 0 }}>
          <Select
            aria-label="Property"
            placeholder="Choose a property"
            searchable
            data={properties.all.filter((one) => !one.hidden).map((one) => ({ value: one.name, label: one.label }))}
            value={filter.propertyName === "" ? null : filter.propertyName}
            onChange={pick}
          />
          {p !== undefined && (
            <Choice
              aria-label="Operator"
              data={operators}
              value={filter.operator}
              onChange={(operator) => onChange({ propertyName: p.name, operator })}
            />
          )}
          {p !== undefined && <Operand filter={filter} property={p} onChange={onChange} />}
        </Stack>
        <IconButton label={`Remove condition ${number}`} onClick={onRemove}>
          <IconTrash size={16} />
        </IconButton>
      </Group>
    </div>
  );
}

function Operand({ filter, property, onChange }: { filter: Filter; property: Property; onChange: (filter: Filter) => void }) {
  const facts = useFacts();
  const takes = operatorsOf(property, facts).find((one) => one.value === filter.operator)?.takes ?? 0;
  if (takes === 0) return null;
  if (takes === "many") {
    return (
      <MultiSelect
        aria-label="Values"
        placeholder="Choose values"
        searchable
        data={(choicesOf(facts, property) ?? []).map(({ value, label }) => ({ value, label }))}
        value={filter.values ?? []}
        onChange={(values) => onChange({ ...filter, values })}
      />
    );
  }
  const names: ("value" | "highValue")[] = takes === 2 ? ["value", "highValue"] : ["value"];
  return (
    <Group gap="sm" wrap="nowrap">
      {names.map((name) => (
        <OneValue key={name} name={name} filter={filter} property={property} onChange={onChange} />
      ))}
    </Group>
  );
}

interface OneProps {
  name: "value" | "highValue";
  filter: Filter;
  property: Property;
  onChange: (filter: Filter) => void;
}

function OneValue({ name, filter, property, onChange }: OneProps) {
  const label = name === "value" ? "Value" : "Upper value";
  if (property.type === "date" || property.type === "datetime") {
    return (
      <DayInput
        aria-label={label}
        style={{ flex: 1 }}
        value={dayShown(filter[name], property)}
        onChange={(day) => onChange({ ...filter, [name]: dayValue(day, property, name === "highValue") })}
      />
    );
  }
  return (
    <TextInput
      aria-label={label}
      style={{ flex: 1 }}
      value={filter[name] ?? ""}
      inputMode={property.type === "number" ? "decimal" : "text"}
      onChange={(event) => onChange({ ...filter, [name]: event.currentTarget.value })}
    />
  );
}
