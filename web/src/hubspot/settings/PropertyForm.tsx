import { Button, Drawer, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";

import { api, messageOf } from "../../kit/api";
import { Choice } from "../../kit/choice";
import { IconButton } from "../../kit/parts";
import { toast } from "../../kit/toast";
import { refresh, useGroups } from "../crm";
import type { Option, Property, TypeKey } from "../types";

/** What a property holds, in words, as (value type, field type). */
const FIELD_KINDS = [
  { value: "string/text", label: "Single-line text" },
  { value: "string/textarea", label: "Multi-line text" },
  { value: "string/phonenumber", label: "Phone number" },
  { value: "number/number", label: "Number" },
  { value: "date/date", label: "Date picker" },
  { value: "datetime/date", label: "Date and time picker" },
  { value: "enumeration/select", label: "Dropdown select" },
  { value: "enumeration/radio", label: "Radio select" },
  { value: "enumeration/checkbox", label: "Multiple checkboxes" },
  { value: "bool/booleancheckbox", label: "Single checkbox" },
];
const BOOLEAN = [
  { label: "Yes", value: "true" },
  { label: "No", value: "false" },
];

export function kindOf(p: Property): string {
  return FIELD_KINDS.find((one) => one.value === `${p.type}/${p.fieldType}`)?.label ?? p.fieldType;
}

/** `Renewal risk` → `renewal_risk`. */
export function internalName(label: string): string {
  const plain = label.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "_").replace(/^[_\d]+|_+$/g, "").slice(0, 100);
}

interface Props {
  type: TypeKey;
  property?: Property;
  onClose: () => void;
}

export function PropertyForm({ type, property, onClose }: Props) {
  const groups = useGroups(type);
  const [label, setLabel] = useState(property?.label ?? "");
  const [name, setName] = useState(property?.name ?? "");
  const [group, setGroup] = useState(property?.groupName ?? "");
  const [description, setDescription] = useState(property?.description ?? "");
  const [kind, setKind] = useState(property === undefined ? "string/text" : `${property.type}/${property.fieldType}`);
  const [options, setOptions] = useState<Pick<Option, "label" | "value">[]>(property?.options ?? [{ label: "", value: "" }]);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const [valueType = "string", fieldType = "text"] = kind.split("/");
  const chosen = group === "" ? (groups[0]?.name ?? "") : group;
  const internal = name === "" ? internalName(label) : name;
  const given = options.filter((one) => one.label.trim() !== "").map((one) => ({ label: one.label.trim(), value: one.value === "" ? internalName(one.label) || one.label.trim() : one.value }));
  const ready = label.trim() !== "" && internal !== "" && (valueType !== "enumeration" || given.length > 0);
  const save = async () => {
    setBusy(true);
    setProblem("");
    const body = {
      label: label.trim(),
      groupName: chosen,
      description: description.trim(),
      ...(valueType === "enumeration" && { options: given }),
    };
    try {
      if (property === undefined) {
        const choices = valueType === "bool" ? { options: BOOLEAN } : {};
        await api.post(`/crm/v3/properties/${type}`, { ...body, ...choices, name: internal, type: valueType, fieldType });
      } else await api.patch(`/crm/v3/properties/${type}/${property.name}`, body);
      toast(`“${label.trim()}” was ${property === undefined ? "created" : "saved"}.`);
      onClose();
      await refresh();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Drawer opened onClose={onClose} position="right" size={440} title={property === undefined ? "Create property" : `Edit ${property.label}`} closeButtonProps={{ "aria-label": "Close" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !busy) void save();
        }}
      >
        <Stack>
          <TextInput label="Label" required value={label} onChange={(event) => setLabel(event.currentTarget.value)} data-autofocus />
          <TextInput
            label="Internal name"
            description="How the API calls it. It cannot be changed later."
            disabled={property !== undefined}
            value={internal}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Choice label="Group" data={groups.map((one) => ({ value: one.name, label: one.label }))} value={chosen} onChange={setGroup} />
          <Textarea label="Description" autosize minRows={2} value={description} onChange={(event) => setDescription(event.currentTarget.value)} />
          <Choice label="Field type" disabled={property !== undefined} data={FIELD_KINDS} value={kind} onChange={setKind} />
          {valueType === "enumeration" && <Options options={options} onChange={setOptions} />}
          {problem !== "" && (
            <Text role="alert" size="sm" c="#b3261e">
              {problem}
            </Text>
          )}
          <Group justify="flex-end">
            <Button type="button" variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!ready} loading={busy}>
              {property === undefined ? "Create" : "Save"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}

type Choices = Pick<Option, "label" | "value">[];

function Options({ options, onChange }: { options: Choices; onChange: (options: Choices) => void }) {
  return (
    <fieldset style={{ border: "1px solid var(--line)", borderRadius: 6, padding: 12, margin: 0 }}>
      <legend style={{ fontSize: 13, fontWeight: 500 }}>Options</legend>
      <Stack gap="sm">
        {options.map((one, index) => (
          // An option has no identity before it is saved but its place.
          <Group key={index} gap="xs" wrap="nowrap">
            <TextInput
              aria-label={`Option ${index + 1}`}
              style={{ flex: 1 }}
              value={one.label}
              onChange={(event) => onChange(options.map((other, at) => (at === index ? { ...other, label: event.currentTarget.value } : other)))}
            />
            <IconButton label={`Remove option ${index + 1}`} onClick={() => onChange(options.filter((_, at) => at !== index))}>
              <IconTrash size={16} />
            </IconButton>
          </Group>
        ))}
        <Button type="button" size="compact-sm" variant="subtle" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => onChange([...options, { label: "", value: "" }])}>
          Add option
        </Button>
      </Stack>
    </fieldset>
  );
}
