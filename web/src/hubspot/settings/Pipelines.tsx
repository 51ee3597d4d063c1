import { Button, Group, Modal, Table, Text, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";

import { api, messageOf } from "../../kit/api";
import { Choice } from "../../kit/choice";
import { Conflict } from "../../kit/conflict";
import { Empty, IconButton } from "../../kit/parts";
import { toast } from "../../kit/toast";
import { Confirm } from "../Confirm";
import { refresh, useFacts } from "../crm";
import { usePlaces } from "../place";
import shell from "../shell.module.css";
import classes from "../table/table.module.css";
import type { Pipeline } from "../types";

type PipelineType = "deals" | "tickets";

/** A type's pipelines: their stages in order, and what each stage means. */
export default function Pipelines({ type, pipeline: id }: { type: PipelineType; pipeline: string }) {
  const facts = useFacts();
  const places = usePlaces();
  const [, navigate] = useLocation();
  const [naming, setNaming] = useState(false);
  const all = facts.pipelines[type];
  const pipeline = all.find((one) => one.id === id) ?? all[0];
  useEffect(() => {
    document.title = "Pipelines - Settings - Records";
  }, []);
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <h1 className={classes.title}>Pipelines</h1>
        <div className={classes.actions}>
          <Button onClick={() => setNaming(true)}>Create pipeline</Button>
        </div>
      </div>
      <div className={shell.column} style={{ paddingTop: 4 }}>
        <div className={shell.tools}>
          <Choice
            label="Kind of record"
            w={180}
            data={[
              { value: "deals", label: "Deal pipelines" },
              { value: "tickets", label: "Ticket pipelines" },
            ]}
            value={type}
            onChange={(next) => navigate(places.pipelines(next === "tickets" ? "tickets" : "deals"))}
          />
          {pipeline !== undefined && (
            <Choice
              label="Pipeline"
              w={260}
              data={all.map((one) => ({ value: one.id, label: one.label }))}
              value={pipeline.id}
              onChange={(next) => navigate(places.pipelines(type, next))}
            />
          )}
        </div>
        {pipeline === undefined ? <Empty title="There is no pipeline" /> : <Stages key={`${pipeline.id}/${pipeline.updatedAt}`} type={type} pipeline={pipeline} last={all.length === 1} />}
      </div>
      {naming && <NewPipeline type={type} order={all.length} onClose={() => setNaming(false)} />}
    </div>
  );
}

interface Draft {
  id: string;
  label: string;
  metadata: Record<string, string>;
}

const draftsOf = (pipeline: Pipeline): Draft[] => pipeline.stages.map(({ id, label, metadata }) => ({ id, label, metadata }));
const PERCENT = [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95];

function chances(now: string): { value: string; label: string }[] {
  const steps = PERCENT.filter((percent) => percent > 0).map((percent) => ({ value: String(percent / 100), label: `${percent}%` }));
  const all = [...steps, { value: "1", label: "Won (100%)" }, { value: "0", label: "Lost (0%)" }];
  return all.some((one) => one.value === now) ? all : [{ value: now, label: `${Number(now) * 100}%` }, ...all];
}

function Stages({ type, pipeline, last }: { type: PipelineType; pipeline: Pipeline; last: boolean }) {
  const places = usePlaces();
  const [, navigate] = useLocation();
  const [label, setLabel] = useState(pipeline.label);
  const [stages, setStages] = useState(() => draftsOf(pipeline));
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const [theirs, setTheirs] = useState<Pipeline | null>(null);
  const changed = label !== pipeline.label || JSON.stringify(stages) !== JSON.stringify(draftsOf(pipeline));
  const move = (index: number, by: number) => {
    const next = [...stages];
    const [taken] = next.splice(index, 1);
    if (taken !== undefined) next.splice(index + by, 0, taken);
    setStages(next);
  };
  const set = (index: number, part: Partial<Draft>) => setStages(stages.map((one, at) => (at === index ? { ...one, ...part } : one)));
  const save = async (anyway = false) => {
    setBusy(true);
    setProblem("");
    try {
      const path = `/crm/v3/pipelines/${type}/${encodeURIComponent(pipeline.id)}`;
      const now = await api.get<Pipeline>(path);
      if (!anyway && now.updatedAt !== pipeline.updatedAt) {
        setTheirs(now);
        setBusy(false);
        return;
      }
      await api.put(path, {
        label: label.trim(),
        displayOrder: pipeline.displayOrder,
        stages: stages.map((one, displayOrder) => ({ ...(one.id !== "" && { stageId: one.id }), label: one.label.trim(), displayOrder, metadata: one.metadata })),
      });
      toast("Pipeline saved.");
      await refresh();
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  const blank = label.trim() === "" || stages.some((one) => one.label.trim() === "");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (changed && !blank && !busy) void save();
      }}
    >
      <TextInput label="Pipeline name" w={320} mb="md" value={label} onChange={(event) => setLabel(event.currentTarget.value)} />
      <div className={shell.tableCard}>
        <Table verticalSpacing={6} horizontalSpacing="md" aria-label={`Stages of ${pipeline.label}`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={96}>Order</Table.Th>
              <Table.Th>Stage name</Table.Th>
              <Table.Th w={200}>{type === "deals" ? "Deal probability" : "Ticket status"}</Table.Th>
              <Table.Th w={56}>
                <span className={shell.hidden}>Delete</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {stages.map((one, index) => (
              <Table.Tr key={one.id === "" ? `new ${index}` : one.id}>
                <Table.Td>
                  <Group gap={2} wrap="nowrap">
                    <IconButton label={`Move ${one.label} up`} size={28} disabled={index === 0} onClick={() => move(index, -1)}>
                      <IconArrowUp size={15} />
                    </IconButton>
                    <IconButton label={`Move ${one.label} down`} size={28} disabled={index === stages.length - 1} onClick={() => move(index, 1)}>
                      <IconArrowDown size={15} />
                    </IconButton>
                  </Group>
                </Table.Td>
                <Table.Td>
                  <TextInput aria-label={`Name of stage ${index + 1}`} value={one.label} onChange={(event) => set(index, { label: event.currentTarget.value })} />
                </Table.Td>
                <Table.Td>
                  {type === "deals" ? (
                    <Choice
                      aria-label={`Probability of ${one.label}`}
                      data={chances(String(Number(one.metadata["probability"] ?? "0")))}
                      value={String(Number(one.metadata["probability"] ?? "0"))}
                      onChange={(probability) => set(index, { metadata: { probability } })}
                    />
                  ) : (
                    <Choice
                      aria-label={`Status of ${one.label}`}
                      data={[
                        { value: "OPEN", label: "Open" },
                        { value: "CLOSED", label: "Closed" },
                      ]}
                      value={one.metadata["ticketState"] ?? "OPEN"}
                      onChange={(ticketState) => set(index, { metadata: { ticketState } })}
                    />
                  )}
                </Table.Td>
                <Table.Td>
                  <IconButton label={`Delete ${one.label}`} disabled={stages.length === 1} onClick={() => setStages(stages.filter((_, at) => at !== index))}>
                    <IconTrash size={16} />
                  </IconButton>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Button
        type="button"
        mt="sm"
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => setStages([...stages, { id: "", label: "", metadata: type === "deals" ? { probability: "0.5" } : { ticketState: "OPEN" } }])}
      >
        Add stage
      </Button>
      {problem !== "" && (
        <Text role="alert" size="sm" c="#b3261e" mt="sm">
          {problem}
        </Text>
      )}
      <Group mt="lg">
        <Button type="submit" disabled={!changed || blank} loading={busy}>
          Save
        </Button>
        <Button
          type="button"
          variant="default"
          disabled={!changed || busy}
          onClick={() => {
            setLabel(pipeline.label);
            setStages(draftsOf(pipeline));
            setProblem("");
          }}
        >
          Cancel
        </Button>
        <Text size="sm" c="gray.6" role="status">
          {changed ? "Not saved yet" : "All changes are saved"}
        </Text>
        <Button type="button" variant="subtle" c="#b3261e" ml="auto" disabled={last} onClick={() => setDeleting(true)}>
          Delete pipeline
        </Button>
      </Group>
      {deleting && (
        <Confirm
          title={`Delete the pipeline “${pipeline.label}”?`}
          action="Delete pipeline"
          onConfirm={async () => {
            await api.delete(`/crm/v3/pipelines/${type}/${encodeURIComponent(pipeline.id)}`);
            navigate(places.pipelines(type));
            await refresh();
          }}
          onClose={() => setDeleting(false)}
        >
          Only a pipeline without records can be deleted.
        </Confirm>
      )}
      <Conflict
        opened={theirs !== null}
        what={pipeline.label}
        mine={stages.map((one) => one.label).join(" → ")}
        theirs={theirs?.stages.map((one) => one.label).join(" → ") ?? ""}
        onKeepMine={() => {
          setTheirs(null);
          void save(true);
        }}
        onTakeTheirs={() => {
          setTheirs(null);
          void refresh();
        }}
      />
    </form>
  );
}

function NewPipeline({ type, order, onClose }: { type: PipelineType; order: number; onClose: () => void }) {
  const places = usePlaces();
  const [, navigate] = useLocation();
  const [label, setLabel] = useState("");
  const [problem, setProblem] = useState("");
  const stages =
    type === "deals"
      ? [
          { label: "New", displayOrder: 0, metadata: { probability: "0.2" } },
          { label: "Won", displayOrder: 1, metadata: { probability: "1" } },
          { label: "Lost", displayOrder: 2, metadata: { probability: "0" } },
        ]
      : [
          { label: "New", displayOrder: 0, metadata: { ticketState: "OPEN" } },
          { label: "Closed", displayOrder: 1, metadata: { ticketState: "CLOSED" } },
        ];
  const create = async () => {
    try {
      const made = await api.post<Pipeline>(`/crm/v3/pipelines/${type}`, { label: label.trim(), displayOrder: order, stages });
      await refresh();
      onClose();
      navigate(places.pipelines(type, made.id));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Modal opened onClose={onClose} title="Create pipeline" closeButtonProps={{ "aria-label": "Close" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <TextInput label="Pipeline name" required error={problem === "" ? null : problem} value={label} onChange={(event) => setLabel(event.currentTarget.value)} data-autofocus />
        <Text size="sm" c="gray.6" mt="sm">
          It begins with the stages {stages.map((one) => one.label).join(", ")}.
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button type="button" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={label.trim() === ""}>
            Create
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
