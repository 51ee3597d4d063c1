import { useFacts, type Properties } from "../crm";
import type { FullRecord, TypeInfo, TypeKey } from "../types";
import { show } from "../values";
import classes from "./record.module.css";

const NAMES: Record<TypeKey, string[]> = {
  contacts: ["createdate", "lifecyclestage", "notes_last_updated"],
  companies: ["createdate", "lifecyclestage", "notes_last_updated"],
  deals: ["closedate", "hs_deal_stage_probability", "notes_last_updated"],
  tickets: ["createdate", "hs_ticket_priority", "notes_last_updated"],
  tasks: ["hs_timestamp", "hs_task_priority", "hubspot_owner_id"],
};

export function Highlights({ type, record, properties }: { type: TypeInfo; record: FullRecord; properties: Properties }) {
  const facts = useFacts();
  return (
    <section className={classes.card} aria-label="Data highlights">
      <h2 className={classes.cardTitle}>Data highlights</h2>
      <dl className={classes.highlights}>
        {NAMES[type.key].map((name) => {
          const p = properties.by.get(name);
          if (p === undefined) return null;
          return (
            <div key={name}>
              <dt>{p.label}</dt>
              <dd>{show(facts, p, record.properties) || "--"}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
