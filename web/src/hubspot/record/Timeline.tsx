import { Button, TextInput } from "@mantine/core";
import { IconPin, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { api } from "../../kit/api";
import { Empty, Failed, Waiting } from "../../kit/parts";
import { format } from "../../kit/time";
import { useNow } from "../../kit/world";
import type { Activity, ActivityKind, FullRecord, TypeKey } from "../types";
import { momentOf, showMoment } from "../values";
import { ActivityItem } from "./ActivityItem";
import { ACTIVITIES } from "./kinds";
import classes from "./record.module.css";
import { wordsOf } from "./words";

const STEP = 50;
const FEW = 5;

interface Answer {
  total: number;
  pinned: string;
  rows: Activity[];
}

interface Props {
  type: TypeKey;
  record: FullRecord;
  /** The overview's short form. */
  compact?: boolean;
  onCompose: (kind: ActivityKind) => void;
}

/** What happened on a record, newest first: upcoming, then month by month. */
export function Timeline({ type, record, compact = false, onCompose }: Props) {
  const [kind, setKind] = useState<ActivityKind | "">("");
  const [limit, setLimit] = useState(STEP);
  const [find, setFind] = useState("");
  const timeline = useQuery({
    queryKey: ["timeline", type, record.id, kind, limit],
    queryFn: () => api.get<Answer>(`/records/${type}/${record.id}/timeline?limit=${limit}${kind === "" ? "" : `&kinds=${kind}`}`),
    placeholderData: (before: Answer | undefined) => before,
  });
  const rows = timeline.data?.rows ?? [];
  const fitting = rows.filter((row) => wordsOf(row).toLowerCase().includes(find.toLowerCase()));
  const pinned = fitting.find((row) => row.id === timeline.data?.pinned);
  const rest = fitting.filter((row) => row !== pinned);
  const shown = compact ? rest.slice(0, FEW) : rest;
  const item = (row: Activity) => <ActivityItem key={row.id} activity={row} type={type} record={record} pinned={row === pinned} />;
  return (
    <section aria-label="Timeline" className={compact ? classes.card : classes.timeline}>
      {compact ? (
        <h2 className={classes.cardTitle}>Recent activities</h2>
      ) : (
        <div className={classes.timelineHead}>
          <TextInput
            type="search"
            size="sm"
            w={200}
            aria-label="Search activities"
            placeholder="Search activities"
            leftSection={<IconSearch size={15} aria-hidden />}
            value={find}
            onChange={(event) => setFind(event.currentTarget.value)}
          />
          <div className={classes.kinds} role="group" aria-label="Show">
            {[{ kind: "" as const, many: "All activities" }, ...ACTIVITIES].map((one) => (
              <button key={one.kind} type="button" aria-pressed={kind === one.kind} onClick={() => setKind(one.kind)}>
                {one.many}
              </button>
            ))}
          </div>
        </div>
      )}
      {timeline.isPending ? (
        <Waiting what="activities" />
      ) : timeline.isError ? (
        <Failed error={timeline.error} onRetry={() => void timeline.refetch()} />
      ) : (
        <>
          {pinned !== undefined && (
            <section aria-label="Pinned">
              <h3 className={classes.month}>
                <IconPin size={14} aria-hidden /> Pinned
              </h3>
              {item(pinned)}
            </section>
          )}
          {fitting.length === 0 ? (
            <Empty title={find === "" && kind === "" ? "Nothing has been logged here yet" : "No activity matches"}>
              {find === "" && kind === "" && (
                <Button size="compact-sm" variant="subtle" onClick={() => onCompose("notes")}>
                  Write the first note
                </Button>
              )}
            </Empty>
          ) : compact ? (
            shown.map(item)
          ) : (
            <Months rows={shown} item={item} />
          )}
          {!compact && rows.length < (timeline.data.total || 0) && (
            <Button variant="default" onClick={() => setLimit(limit + STEP)}>
              Show more of {timeline.data.total}
            </Button>
          )}
          {compact && rest.length > FEW && <p className={classes.none}>{timeline.data.total - FEW} more under Activities.</p>}
          {!compact && kind === "" && find === "" && <p className={classes.born}>Created {showMoment(momentOf(record.createdAt))}</p>}
        </>
      )}
    </section>
  );
}

function Months({ rows, item }: { rows: Activity[]; item: (row: Activity) => React.ReactNode }) {
  const now = useNow();
  const groups = new Map<string, Activity[]>();
  for (const row of rows) {
    const title = row.at > now ? "Upcoming" : format(row.at, { month: "long", year: "numeric" });
    groups.set(title, [...(groups.get(title) ?? []), row]);
  }
  // What comes next comes first.
  groups.get("Upcoming")?.reverse();
  return [...groups].map(([title, inside]) => (
    <section key={title} aria-label={title}>
      <h3 className={classes.month}>{title}</h3>
      {inside.map(item)}
    </section>
  ));
}
