import { Badge, Button, Checkbox, Drawer, Group, Menu, Modal, Stack, Tabs, Text } from "@mantine/core";
import { IconDotsVertical, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { api, messageOf } from "../../kit/api";
import { IconButton } from "../../kit/parts";
import { complain, toast } from "../../kit/toast";
import { Confirm } from "../Confirm";
import { CreateForm } from "../CreatePanel";
import { refresh, typeOf, useFacts, useProperties } from "../crm";
import { Picker } from "../Picker";
import { usePlaces } from "../place";
import type { AssociationCard, CardKey, FullRecord, Label, Named } from "../types";
import { show } from "../values";
import classes from "./record.module.css";

const LINES: Record<CardKey, string[]> = {
  contacts: ["jobtitle", "email", "phone"],
  companies: ["domain", "phone"],
  deals: ["amount", "closedate", "dealstage"],
  tickets: ["hs_pipeline_stage", "hs_ticket_priority"],
};
const FEW = 5;

/** The records of one type that belong to this one: added, made, labelled, taken away. */
export function Associations({ record, to }: { record: FullRecord; to: CardKey }) {
  const facts = useFacts();
  const [adding, setAdding] = useState(false);
  const [all, setAll] = useState(false);
  const cards = record.associations[to];
  const type = typeOf(facts, to);
  const many = type?.many ?? to;
  const shown = all ? cards : cards.slice(0, FEW);
  return (
    <section className={classes.card} aria-label={many}>
      <div className={classes.cardHead}>
        <h2 className={classes.cardTitle}>
          {many} ({cards.length})
        </h2>
        <Button size="compact-sm" variant="subtle" leftSection={<IconPlus size={14} aria-hidden />} aria-label={`Add ${many.toLowerCase()}`} onClick={() => setAdding(true)}>
          Add
        </Button>
      </div>
      {cards.length === 0 && <p className={classes.none}>No {many.toLowerCase()} are associated with this record.</p>}
      {shown.map((card) => (
        <Card key={card.id} record={record} card={card} />
      ))}
      {cards.length > FEW && (
        <Button size="compact-sm" variant="subtle" onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `View all ${cards.length}`}
        </Button>
      )}
      {adding && <Add record={record} to={to} onClose={() => setAdding(false)} />}
    </section>
  );
}

function Card({ record, card }: { record: FullRecord; card: AssociationCard }) {
  const facts = useFacts();
  const places = usePlaces();
  const properties = useProperties(card.type);
  const [doing, setDoing] = useState<"" | "labels" | "remove">("");
  const primary = usePrimary(record, card);
  const makePrimary = async () => {
    if (primary === undefined) return;
    try {
      await api.put(`/crm/v4/objects/${record.type}/${record.id}/associations/${card.type}/${card.id}`, [
        { associationCategory: primary.category, associationTypeId: primary.typeId },
      ]);
      await refresh();
      toast(`${card.title} is now the primary company.`);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <article className={classes.linked} aria-label={card.title}>
      <div className={classes.linkedHead}>
        <Link to={places.record(card.type, card.id)} title={card.title}>
          {card.title}
        </Link>
        <Menu position="bottom-end">
          <Menu.Target>
            <IconButton label={`Actions of ${card.title}`} size={26}>
              <IconDotsVertical size={15} />
            </IconButton>
          </Menu.Target>
          <Menu.Dropdown>
            {primary !== undefined && !card.primary && <Menu.Item onClick={() => void makePrimary()}>Make primary</Menu.Item>}
            <Menu.Item onClick={() => setDoing("labels")}>Edit association labels</Menu.Item>
            <Menu.Item c="#b3261e" onClick={() => setDoing("remove")}>
              Remove association
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {(card.primary || card.labels.length > 0) && (
        <Group gap="xs" mb={4}>
          {card.primary && <Badge size="sm" variant="light" tt="none">Primary</Badge>}
          {card.labels.map((label) => (
            <Badge key={label.typeId} size="sm" variant="light" color="gray.7" tt="none">
              {label.label}
            </Badge>
          ))}
        </Group>
      )}
      {LINES[card.type].map((name) => {
        const p = properties.by.get(name);
        const text = p === undefined ? "" : show(facts, p, card.properties);
        return text === "" || p === undefined ? null : (
          <div key={name} className={classes.linkedLine} title={text}>
            <span>{p.label}:</span> {text}
          </div>
        );
      })}
      {doing === "labels" && <Labels record={record} card={card} onClose={() => setDoing("")} />}
      {doing === "remove" && (
        <Confirm
          title={`Remove ${card.title} from this record?`}
          action="Remove association"
          onConfirm={async () => {
            await api.delete(`/crm/v4/objects/${record.type}/${record.id}/associations/${card.type}/${card.id}`);
            toast(`${card.title} is no longer associated.`);
            await refresh();
          }}
          onClose={() => setDoing("")}
        >
          Both records stay; only the tie between them goes.
        </Confirm>
      )}
    </article>
  );
}

function useLabels(record: FullRecord, to: CardKey): Label[] {
  const { data = [] } = useQuery({
    queryKey: ["labels", record.type, to],
    queryFn: async () => (await api.get<{ results: Label[] }>(`/crm/v4/associations/${record.type}/${to}/labels`)).results,
  });
  return data;
}

/** The primary type, where a record has a primary company. A company is nobody's to choose from its own side. */
function usePrimary(record: FullRecord, card: AssociationCard): Label | undefined {
  return useLabels(record, card.type).find((label) => label.label === "Primary" && card.type === "companies");
}

function Labels({ record, card, onClose }: { record: FullRecord; card: AssociationCard; onClose: () => void }) {
  const known = useLabels(record, card.type).filter((label) => label.label !== null && label.label !== "Primary");
  const [chosen, setChosen] = useState(card.labels.map((label) => label.typeId));
  const [problem, setProblem] = useState("");
  const save = async () => {
    const had = card.labels.map((label) => label.typeId);
    const add = known.filter((label) => chosen.includes(label.typeId) && !had.includes(label.typeId));
    const drop = known.filter((label) => !chosen.includes(label.typeId) && had.includes(label.typeId));
    const spec = (label: Label) => ({ associationCategory: label.category, associationTypeId: label.typeId });
    try {
      if (add.length > 0) await api.put(`/crm/v4/objects/${record.type}/${record.id}/associations/${card.type}/${card.id}`, add.map(spec));
      if (drop.length > 0) {
        const inputs = [{ from: { id: record.id }, to: { id: card.id }, types: drop.map(spec) }];
        await api.post(`/crm/v4/associations/${record.type}/${card.type}/batch/labels/archive`, { inputs });
      }
      onClose();
      await refresh();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Modal opened onClose={onClose} title={`Labels of ${card.title}`} closeButtonProps={{ "aria-label": "Close" }}>
      <Stack gap="xs">
        {known.length === 0 && <Text size="sm">There are no labels between these two kinds of record.</Text>}
        {known.map((label) => (
          <Checkbox
            key={label.typeId}
            py={4}
            label={label.label}
            checked={chosen.includes(label.typeId)}
            onChange={() => setChosen(chosen.includes(label.typeId) ? chosen.filter((id) => id !== label.typeId) : [...chosen, label.typeId])}
          />
        ))}
      </Stack>
      {problem !== "" && (
        <Text role="alert" size="sm" c="#b3261e" mt="sm">
          {problem}
        </Text>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={known.length === 0} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </Modal>
  );
}

function Add({ record, to, onClose }: { record: FullRecord; to: CardKey; onClose: () => void }) {
  const facts = useFacts();
  const [picked, setPicked] = useState<Named[]>([]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const type = typeOf(facts, to);
  const without = new Set([...record.associations[to].map((card) => card.id), ...(record.type === to ? [record.id] : [])]);
  const save = async () => {
    setBusy(true);
    setProblem("");
    try {
      await api.post(`/records/${record.type}/${record.id}/associations`, { associations: picked.map(({ type, id }) => ({ type, id })) });
      toast(picked.length === 1 ? `${picked[0]?.title ?? ""} was added.` : `${picked.length} were added.`);
      onClose();
      await refresh();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  const one = type?.one.toLowerCase() ?? to;
  return (
    <Drawer opened onClose={onClose} position="right" size={440} title={`Add ${one} to ${record.title}`} closeButtonProps={{ "aria-label": "Close" }}>
      <Tabs defaultValue="existing" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="existing">Add existing</Tabs.Tab>
          <Tabs.Tab value="new">Create new</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="existing">
          <Picker type={to} picked={picked} onPick={setPicked} without={without} />
          {problem !== "" && (
            <Text role="alert" size="sm" c="#b3261e" mt="sm">
              {problem}
            </Text>
          )}
          <div className={classes.buttons} data-left>
            <Button disabled={picked.length === 0} loading={busy} onClick={() => void save()}>
              Save
            </Button>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="new">
          <CreateForm type={to} onClose={onClose} from={{ type: record.type, id: record.id, title: record.title }} stay />
        </Tabs.Panel>
      </Tabs>
    </Drawer>
  );
}
