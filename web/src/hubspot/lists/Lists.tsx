import { Button, Drawer, Group, Radio, Stack, Table, Text, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";

import { api, messageOf } from "../../kit/api";
import { Choice } from "../../kit/choice";
import { Empty, Failed, Waiting } from "../../kit/parts";
import { refresh, typeOf, useFacts, useProperties } from "../crm";
import { usePlaces } from "../place";
import shell from "../shell.module.css";
import { useLists } from "../table/BulkBar";
import { FilterEditor } from "../table/FilterEditor";
import { isComplete } from "../table/filters";
import type { FilterGroup, Segment, TypeKey } from "../types";
import { count, momentOf, showMoment } from "../values";
import { branchOf } from "./branches";

export const KINDS: Record<Segment["processingType"], string> = { MANUAL: "Static", SNAPSHOT: "Static", DYNAMIC: "Active" };

export default function Lists() {
  const lists = useLists();
  const facts = useFacts();
  const places = usePlaces();
  const [find, setFind] = useState("");
  const [kind, setKind] = useState("");
  const [creating, setCreating] = useState(false);
  useEffect(() => {
    document.title = "Lists - Records";
  }, []);
  const rows = (lists.data ?? []).filter((one) => one.name.toLowerCase().includes(find.toLowerCase()) && (kind === "" || KINDS[one.processingType] === kind));
  return (
    <div className={shell.column}>
      <div className={shell.pageHead}>
        <div>
          <h1 className={shell.title}>Lists</h1>
          <p className={shell.lead}>Active lists follow their filters; static lists hold what was put into them.</p>
        </div>
        <Button onClick={() => setCreating(true)}>Create list</Button>
      </div>
      <div className={shell.tools}>
        <TextInput type="search" aria-label="Search lists" placeholder="Search lists" w={240} value={find} onChange={(event) => setFind(event.currentTarget.value)} />
        <Choice
          aria-label="Kind of list"
          w={160}
          data={[
            { value: "", label: "All kinds" },
            { value: "Active", label: "Active" },
            { value: "Static", label: "Static" },
          ]}
          value={kind}
          onChange={setKind}
        />
      </div>
      {lists.isPending ? (
        <Waiting what="lists" />
      ) : lists.isError ? (
        <Failed error={lists.error} onRetry={() => void lists.refetch()} />
      ) : rows.length === 0 ? (
        <Empty title={lists.data.length === 0 ? "There are no lists yet" : "No list matches"}>
          {lists.data.length === 0 ? "Create one to group records by filters or by hand." : "Change the words or the kind above."}
        </Empty>
      ) : (
        <div className={shell.tableCard}>
          <Table verticalSpacing="sm" horizontalSpacing="md" aria-label="Lists">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th ta="right">Size</Table.Th>
                <Table.Th>Kind</Table.Th>
                <Table.Th>Records</Table.Th>
                <Table.Th>Last changed</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((one) => (
                <Table.Tr key={one.listId}>
                  <Table.Td>
                    <Link className={`${shell.link} ${shell.clip}`} to={places.list(one.listId)} title={one.name}>
                      {one.name}
                    </Link>
                  </Table.Td>
                  <Table.Td ta="right" className="kit-numbers">
                    {count(one.size)}
                  </Table.Td>
                  <Table.Td>{KINDS[one.processingType]}</Table.Td>
                  <Table.Td>{typeOf(facts, one.objectTypeId)?.many ?? one.objectTypeId}</Table.Td>
                  <Table.Td>{showMoment(momentOf(one.updatedAt))}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {creating && <CreateList onClose={() => setCreating(false)} />}
    </div>
  );
}

function CreateList({ onClose }: { onClose: () => void }) {
  const facts = useFacts();
  const places = usePlaces();
  const [, navigate] = useLocation();
  const [name, setName] = useState("");
  const [type, setType] = useState<TypeKey>("contacts");
  const [kind, setKind] = useState<"MANUAL" | "DYNAMIC">("DYNAMIC");
  const [groups, setGroups] = useState<FilterGroup[]>([]);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const properties = useProperties(type);
  const full = groups.map((group) => ({ filters: group.filters.filter(isComplete) })).filter((group) => group.filters.length > 0);
  const ready = name.trim() !== "" && (kind === "MANUAL" || full.length > 0);
  const create = async () => {
    setBusy(true);
    setProblem("");
    try {
      const made = await api.post<{ list: Segment }>("/crm/v3/lists", {
        name: name.trim(),
        objectTypeId: typeOf(facts, type)?.id,
        processingType: kind,
        ...(kind === "DYNAMIC" && { filterBranch: branchOf(full, properties.by) }),
      });
      await refresh();
      navigate(places.list(made.list.listId));
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Drawer opened onClose={onClose} position="right" size={460} title="Create list" closeButtonProps={{ "aria-label": "Close" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !busy) void create();
        }}
      >
        <Stack>
          <TextInput label="List name" required value={name} onChange={(event) => setName(event.currentTarget.value)} data-autofocus />
          <Choice
            label="Records"
            data={facts.types.filter((one) => one.key !== "tasks").map((one) => ({ value: one.key, label: one.many }))}
            value={type}
            onChange={(next) => {
              setType(next as TypeKey);
              setGroups([]);
            }}
          />
          <Radio.Group label="Kind" value={kind} onChange={(next) => setKind(next === "MANUAL" ? "MANUAL" : "DYNAMIC")}>
            <Stack gap="xs" mt="xs">
              <Radio value="DYNAMIC" label="Active: follows its filters" />
              <Radio value="MANUAL" label="Static: holds what is put into it" />
            </Stack>
          </Radio.Group>
          {kind === "DYNAMIC" && (
            <section aria-label="Filters">
              <Text size="sm" fw={500} mb="sm">
                Filters
              </Text>
              <FilterEditor groups={groups} properties={properties} onChange={setGroups} />
            </section>
          )}
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
              Create list
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}
