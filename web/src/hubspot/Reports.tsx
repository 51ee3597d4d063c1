import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";

import { api } from "../kit/api";
import { Empty, Failed, Waiting } from "../kit/parts";
import { format } from "../kit/time";
import { useFacts } from "./crm";
import classes from "./reports.module.css";
import shell from "./shell.module.css";
import { count, money, ownerName } from "./values";

interface Answer {
  stages: { pipeline: string; label: string; count: number; sum: number; weighted: number }[];
  owners: { owner: string; count: number; sum: number }[];
  won: { month: string; sum: number }[];
  lifecycle: { label: string; count: number }[];
  tasks: { overdue: number; later: number; completed: number };
}

interface Bar {
  name: string;
  value: number;
  shown: string;
}

/** Charts that are only counted from the records as they are now; nothing here can be changed. */
export default function Reports() {
  const facts = useFacts();
  const reports = useQuery({ queryKey: ["reports"], queryFn: () => api.get<Answer>("/reports") });
  useEffect(() => {
    document.title = "Dashboard - Records";
  }, []);
  const sum = (value: number) => money(Math.round(value), facts.currency);
  if (reports.isPending) return <Waiting what="the dashboard" />;
  if (reports.isError) return <Failed error={reports.error} onRetry={() => void reports.refetch()} />;
  const { stages, owners, won, lifecycle, tasks } = reports.data;
  const pipelines = [...new Set(stages.map((stage) => stage.pipeline))];
  const open = stages.reduce((total, stage) => total + stage.sum, 0);
  const weighted = stages.reduce((total, stage) => total + stage.weighted, 0);
  return (
    <div className={shell.column} tabIndex={0} role="region" aria-label="Dashboard">
      <h1 className={shell.title}>Dashboard</h1>
      <p className={shell.lead}>Counted from the records as they are now.</p>
      <dl className={classes.tiles}>
        <Tile name="Open pipeline" value={sum(open)} />
        <Tile name="Weighted pipeline" value={sum(weighted)} />
        <Tile name="Open deals" value={count(stages.reduce((total, stage) => total + stage.count, 0))} />
        <Tile name="Overdue tasks" value={count(tasks.overdue)} />
      </dl>
      <div className={classes.charts}>
        {pipelines.map((pipeline) => (
          <Bars
            key={pipeline}
            title={`Open deals by stage: ${pipeline}`}
            bars={stages.filter((stage) => stage.pipeline === pipeline).map((stage) => ({ name: stage.label, value: stage.sum, shown: `${sum(stage.sum)} (${count(stage.count)})` }))}
          />
        ))}
        <Bars title="Open deals by owner" bars={owners.slice(0, 8).map((one) => ({ name: ownerName(facts, one.owner), value: one.sum, shown: `${sum(one.sum)} (${count(one.count)})` }))} />
        <Bars
          title="Won by month of closing"
          bars={won.map((one) => ({ name: format(Date.parse(`${one.month}-15T12:00:00Z`), { month: "short", year: "numeric" }), value: one.sum, shown: sum(one.sum) }))}
        />
        <Bars title="Contacts by lifecycle stage" bars={lifecycle.map((one) => ({ name: one.label, value: one.count, shown: count(one.count) }))} />
        <Bars
          title="Tasks"
          bars={[
            { name: "Overdue", value: tasks.overdue, shown: count(tasks.overdue) },
            { name: "Due later", value: tasks.later, shown: count(tasks.later) },
            { name: "Completed", value: tasks.completed, shown: count(tasks.completed) },
          ]}
        />
      </div>
    </div>
  );
}

function Tile({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** A bar chart that is also a table: the numbers are written, the bars only show them. */
function Bars({ title, bars }: { title: string; bars: Bar[] }) {
  const most = Math.max(1, ...bars.map((bar) => bar.value));
  return (
    <section className={classes.chart} aria-label={title}>
      <h2>{title}</h2>
      {bars.length === 0 ? (
        <Empty title="Nothing to count yet" />
      ) : (
        <table>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.name}>
                <th scope="row" title={bar.name}>
                  {bar.name}
                </th>
                <td className={classes.track} aria-hidden>
                  <div style={{ width: `${(100 * bar.value) / most}%` }} />
                </td>
                <td className={classes.number}>{bar.shown}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
