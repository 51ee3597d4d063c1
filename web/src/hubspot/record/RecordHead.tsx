import { Button, Menu, Modal, Text } from "@mantine/core";
import { IconChevronDown, IconChevronLeft } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";

import { api, messageOf } from "../../kit/api";
import { Portrait } from "../../kit/parts";
import { toast } from "../../kit/toast";
import { Confirm } from "../Confirm";
import { refresh, refreshElsewhere, useFacts } from "../crm";
import { KindIcon } from "../icons";
import { Picker } from "../Picker";
import { usePlaces } from "../place";
import type { ActivityKind, FullRecord, Named, TypeInfo } from "../types";
import { money, stageOf } from "../values";
import { AllProperties } from "./AllProperties";
import { ACTIVITIES } from "./kinds";
import classes from "./record.module.css";

interface Props {
  type: TypeInfo;
  record: FullRecord;
  onCompose: (kind: ActivityKind) => void;
}

export function RecordHead({ type, record, onCompose }: Props) {
  const places = usePlaces();
  const [, navigate] = useLocation();
  const [doing, setDoing] = useState<"" | "all" | "merge" | "delete">("");
  const what = type.one.toLowerCase();
  return (
    <div className={classes.headCard}>
      <div className={classes.headTop}>
        <Link className={classes.back} to={places.index(type.key)}>
          <IconChevronLeft size={15} aria-hidden /> {type.many}
        </Link>
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <Button size="compact-sm" variant="subtle" rightSection={<IconChevronDown size={14} aria-hidden />}>
              Actions
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setDoing("all")}>View all properties</Menu.Item>
            {type.key !== "tasks" && <Menu.Item onClick={() => setDoing("merge")}>Merge</Menu.Item>}
            <Menu.Divider />
            <Menu.Item c="#b3261e" onClick={() => setDoing("delete")}>
              Delete
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <div className={classes.identity}>
        {type.key === "contacts" || type.key === "companies" ? (
          <Portrait name={record.title} size={44} />
        ) : (
          <span className={classes.sign}>
            <KindIcon kind={type.key} size={22} />
          </span>
        )}
        <div style={{ minWidth: 0 }}>
          <h1 className={classes.name} title={record.title}>{record.title}</h1>
          <Subtitle type={type} record={record} />
        </div>
      </div>
      <div className={classes.quick} role="group" aria-label="Create an activity">
        {ACTIVITIES.map(({ kind, one, shortcut }) => (
          <button key={kind} type="button" className={classes.quickButton} aria-label={`Create a ${one.toLowerCase()}`} aria-keyshortcuts={shortcut} onClick={() => onCompose(kind)}>
            <span>
              <KindIcon kind={kind} size={17} />
            </span>
            {one}
          </button>
        ))}
      </div>
      {doing === "all" && <AllProperties type={type} record={record} onClose={() => setDoing("")} />}
      {doing === "merge" && <Merge type={type} record={record} onClose={() => setDoing("")} />}
      {doing === "delete" && (
        <Confirm
          title={`Delete this ${what}?`}
          action={`Delete ${what}`}
          onConfirm={async () => {
            await api.delete(`/crm/v3/objects/${type.key}/${record.id}`);
            toast(`${record.title} was deleted.`);
            navigate(places.index(type.key));
            refreshElsewhere();
          }}
          onClose={() => setDoing("")}
        >
          <b>{record.title}</b> leaves every list and loses its associations. Its notes and other activities stay where else they are.
        </Confirm>
      )}
    </div>
  );
}

function Subtitle({ type, record }: { type: TypeInfo; record: FullRecord }) {
  const facts = useFacts();
  const p = record.properties;
  const lines: (string | undefined)[] = [];
  if (type.key === "contacts") {
    const company = record.associations.companies[0]?.title;
    lines.push([p["jobtitle"], company].filter((part) => part !== null && part !== undefined && part !== "").join(" at "), p["email"] ?? undefined);
  }
  if (type.key === "companies") lines.push(p["domain"] ?? undefined);
  if (type.key === "deals") {
    const amount = Number(p["amount"] ?? "");
    lines.push(p["amount"] ? `Amount: ${money(amount, p["deal_currency_code"] ?? facts.currency)}` : "No amount");
    lines.push(`Stage: ${stageOf(facts, "deals", p["dealstage"] ?? "", p["pipeline"])?.label ?? "none"}`);
  }
  if (type.key === "tickets") lines.push(`Status: ${stageOf(facts, "tickets", p["hs_pipeline_stage"] ?? "", p["hs_pipeline"])?.label ?? "none"}`);
  return lines
    .filter((line) => line !== undefined && line !== "")
    .map((line) => (
      <div key={line} className={classes.subtitle}>
        {line}
      </div>
    ));
}

function Merge({ type, record, onClose }: { type: TypeInfo; record: FullRecord; onClose: () => void }) {
  const [picked, setPicked] = useState<Named[]>([]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [other] = picked;
  const merge = async () => {
    setBusy(true);
    setProblem("");
    try {
      await api.post(`/crm/v3/objects/${type.key}/merge`, { primaryObjectId: record.id, objectIdToMerge: other?.id });
      toast(`${other?.title ?? ""} was merged into ${record.title}.`);
      onClose();
      await refresh();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={`Merge another ${type.one.toLowerCase()} into ${record.title}`} size="lg" closeButtonProps={{ "aria-label": "Close" }}>
      <Picker type={type.key} picked={picked} onPick={setPicked} without={new Set([record.id])} single />
      {other !== undefined && (
        <Text size="sm" mt="md">
          <b>{record.title}</b> keeps its values; those of <b>{other.title}</b> fill its gaps. Associations and activities move over. This cannot be undone.
        </Text>
      )}
      {problem !== "" && (
        <Text role="alert" size="sm" c="#b3261e" mt="md">
          {problem}
        </Text>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="#b3261e" disabled={other === undefined} loading={busy} onClick={() => void merge()}>
          Merge
        </Button>
      </div>
    </Modal>
  );
}
