import { Tabs } from "@mantine/core";
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";

import { useShortcuts } from "../../kit/keys";
import { Empty, Failed, Waiting } from "../../kit/parts";
import { ApiError } from "../../kit/api";
import { useProperties, useRecord } from "../crm";
import { usePlaces } from "../place";
import type { ActivityKind, CardKey, TypeInfo } from "../types";
import { Associations } from "./Associations";
import { Composer } from "./Composer";
import { Highlights } from "./Highlights";
import { RecordHead } from "./RecordHead";
import { PropertyCard } from "./PropertyCard";
import classes from "./record.module.css";
import { Timeline } from "./Timeline";

const ORDER: Record<string, CardKey[]> = {
  contacts: ["companies", "deals", "tickets"],
  companies: ["contacts", "deals", "tickets"],
  deals: ["contacts", "companies", "tickets"],
  tickets: ["contacts", "companies", "deals"],
  tasks: ["contacts", "companies", "deals", "tickets"],
};

interface Props {
  type: TypeInfo;
  id: string;
  tab: string;
}

/** A record: its values on the left, what happened in the middle, what belongs to it on the right. */
export function RecordPage({ type, id, tab }: Props) {
  const record = useRecord(type.key, id);
  const properties = useProperties(type.key);
  const places = usePlaces();
  const [, navigate] = useLocation();
  const [composing, setComposing] = useState<ActivityKind | null>(null);
  const title = record.data?.title;
  useEffect(() => {
    document.title = `${title ?? type.one} - Records`;
  }, [title, type.one]);
  useShortcuts({
    n: () => setComposing("notes"),
    t: () => setComposing("tasks"),
    e: () => setComposing("emails"),
    p: () => setComposing("calls"),
    m: () => setComposing("meetings"),
  });
  if (record.isPending) return <Waiting what={type.one} />;
  if (record.isError) {
    if (!(record.error instanceof ApiError) || record.error.status !== 404) return <Failed error={record.error} onRetry={() => void record.refetch()} />;
    return (
      <Empty title={`This ${type.one.toLowerCase()} is not there`}>
        It was deleted, or there never was one with the id {id}. <Link to={places.index(type.key)}>See all {type.many.toLowerCase()}</Link>
      </Empty>
    );
  }
  const shown = record.data;
  const current = tab === "activities" ? "activities" : "overview";
  return (
    <div className={classes.page}>
      <aside className={classes.left} aria-label={`${type.one} details`}>
        <RecordHead type={type} record={shown} onCompose={setComposing} />
        <PropertyCard type={type} record={shown} properties={properties} />
      </aside>
      <section className={classes.centre} aria-label="Activity">
        <Tabs value={current} onChange={(next) => navigate(places.record(type.key, id, next === "activities" ? "activities" : ""), { replace: true })} classNames={{ list: classes.tabs }} keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="overview">Overview</Tabs.Tab>
            <Tabs.Tab value="activities">Activities</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="overview">
            <Highlights type={type} record={shown} properties={properties} />
            <Timeline type={type.key} record={shown} compact onCompose={setComposing} />
          </Tabs.Panel>
          <Tabs.Panel value="activities">
            <Timeline type={type.key} record={shown} onCompose={setComposing} />
          </Tabs.Panel>
        </Tabs>
      </section>
      <aside className={classes.right} aria-label="Associations">
        {(ORDER[type.key] ?? []).map((key) => (
          <Associations key={key} record={shown} to={key} />
        ))}
      </aside>
      {composing !== null && <Composer kind={composing} record={shown} onClose={() => setComposing(null)} />}
    </div>
  );
}
