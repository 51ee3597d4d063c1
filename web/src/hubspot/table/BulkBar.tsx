import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { IconDownload, IconListCheck, IconPencil, IconTrash, IconUser } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { api, messageOf } from "../../kit/api";
import { complain, toast } from "../../kit/toast";
import { Confirm } from "../Confirm";
import { refresh, useFacts, type Ask, type Properties } from "../crm";
import { Field } from "../Field";
import type { Segment, TypeInfo } from "../types";
import { save } from "./download";
import classes from "./table.module.css";

const BATCH = 100;

interface Props {
  type: TypeInfo;
  ids: string[];
  total: number;
  ask: Ask;
  columns: string[];
  properties: Properties;
  onChoose: (ids: ReadonlySet<string>) => void;
}

async function inBatches(ids: string[], run: (some: string[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < ids.length; start += BATCH) await run(ids.slice(start, start + BATCH));
}

export function BulkBar({ type, ids, total, ask, columns, properties, onChoose }: Props) {
  const [doing, setDoing] = useState<"" | "edit" | "owner" | "list" | "delete">("");
  const what = ids.length === 1 ? type.one.toLowerCase() : type.many.toLowerCase();
  const selectAll = async () => {
    try {
      onChoose(new Set((await api.post<{ ids: string[] }>(`/ids/${type.key}`, { ...ask, after: "" })).ids));
    } catch (error) {
      complain(error);
    }
  };
  const change = async (name: string, value: string) => {
    await inBatches(ids, async (some) => {
      const inputs = some.map((id) => ({ id, properties: { [name]: value } }));
      const done = await api.post<{ errors?: { message: string }[] }>(`/crm/v3/objects/${type.key}/batch/update`, { inputs });
      if (done.errors?.[0] !== undefined) throw new Error(done.errors[0].message);
    });
    toast(`${ids.length} ${what} updated.`);
    setDoing("");
    onChoose(new Set());
    await refresh();
  };
  const remove = async () => {
    await inBatches(ids, (some) => api.post(`/crm/v3/objects/${type.key}/batch/archive`, { inputs: some.map((id) => ({ id })) }));
    toast(`${ids.length} ${what} deleted.`);
    setDoing("");
    onChoose(new Set());
    await refresh();
  };
  const owner = properties.by.get("hubspot_owner_id");
  const button = (label: string, icon: React.ReactNode, run: () => void) => (
    <Button size="compact-sm" variant="subtle" leftSection={icon} onClick={run}>
      {label}
    </Button>
  );
  return (
    <div className={classes.bulk} role="toolbar" aria-label="Bulk actions">
      <Text size="sm" fw={600} role="status" mr="sm">
        {ids.length} selected
      </Text>
      {ids.length < total && button(`Select all ${total}`, null, () => void selectAll())}
      {owner !== undefined && button("Assign", <IconUser size={15} aria-hidden />, () => setDoing("owner"))}
      {button("Edit", <IconPencil size={15} aria-hidden />, () => setDoing("edit"))}
      {type.key !== "tasks" && button("Add to list", <IconListCheck size={15} aria-hidden />, () => setDoing("list"))}
      {button("Export", <IconDownload size={15} aria-hidden />, () => void save(type, ask, columns, ids))}
      {button("Delete", <IconTrash size={15} aria-hidden />, () => setDoing("delete"))}
      <Button size="compact-sm" variant="subtle" color="gray.7" ml="auto" onClick={() => onChoose(new Set())}>
        Clear selection
      </Button>
      {(doing === "edit" || doing === "owner") && (
        <EditMany
          title={doing === "owner" ? `Assign ${ids.length} ${what}` : `Edit ${ids.length} ${what}`}
          fixed={doing === "owner" ? "hubspot_owner_id" : ""}
          properties={properties}
          onSave={change}
          onClose={() => setDoing("")}
        />
      )}
      {doing === "list" && <AddToList type={type} ids={ids} onClose={() => setDoing("")} />}
      {doing === "delete" && (
        <Confirm title={`Delete ${ids.length} ${what}?`} action={`Delete ${ids.length} ${what}`} onConfirm={remove} onClose={() => setDoing("")}>
          They leave every list and lose their associations. Notes and other activities stay where else they are.
        </Confirm>
      )}
    </div>
  );
}

interface EditProps {
  title: string;
  fixed: string;
  properties: Properties;
  onSave: (name: string, value: string) => Promise<void>;
  onClose: () => void;
}

function EditMany({ title, fixed, properties, onSave, onClose }: EditProps) {
  const [name, setName] = useState(fixed);
  const [value, setValue] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const p = properties.by.get(name);
  const submit = async () => {
    setBusy(true);
    try {
      await onSave(name, value);
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  const writable = properties.all.filter((one) => !one.hidden && !one.modificationMetadata.readOnlyValue);
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        {fixed === "" && (
          <Select
            label="Property to edit"
            placeholder="Choose a property"
            searchable
            data={writable.map((one) => ({ value: one.name, label: one.label }))}
            value={name === "" ? null : name}
            onChange={(chosen) => {
              setName(chosen ?? "");
              setValue("");
            }}
          />
        )}
        {p !== undefined && <Field key={p.name} property={p} value={value} onChange={setValue} />}
        {p !== undefined && value === "" && (
          <Text size="xs" c="gray.6">
            Left empty, the value is cleared.
          </Text>
        )}
        {problem !== "" && (
          <Text role="alert" size="sm" c="#b3261e">
            {problem}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={p === undefined} loading={busy} onClick={() => void submit()}>
            Update
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

export function useLists() {
  return useQuery({
    queryKey: ["lists"],
    queryFn: async () => (await api.post<{ lists: Segment[] }>("/crm/v3/lists/search", { count: 500 })).lists,
  });
}

function AddToList({ type, ids, onClose }: { type: TypeInfo; ids: string[]; onClose: () => void }) {
  const lists = useLists();
  const facts = useFacts();
  const [list, setList] = useState<string | null>(null);
  const [problem, setProblem] = useState("");
  const own = facts.types.find((one) => one.key === type.key)?.id;
  const fitting = (lists.data ?? []).filter((one) => one.objectTypeId === own && one.processingType !== "DYNAMIC");
  const add = async () => {
    try {
      const done = await api.put<{ recordsIdsAdded: string[] }>(`/crm/v3/lists/${list ?? ""}/memberships/add`, ids);
      toast(`${done.recordsIdsAdded.length} added to the list.`);
      onClose();
      await refresh();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Modal opened onClose={onClose} title="Add to a static list" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <Select
          label="List"
          placeholder={fitting.length === 0 ? "There is no static list of these records" : "Choose a list"}
          searchable
          data={fitting.map((one) => ({ value: one.listId, label: one.name }))}
          value={list}
          onChange={setList}
        />
        {problem !== "" && (
          <Text role="alert" size="sm" c="#b3261e">
            {problem}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={list === null} onClick={() => void add()}>
            Add
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
