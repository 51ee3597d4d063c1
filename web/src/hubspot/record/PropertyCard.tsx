import { Button } from "@mantine/core";
import { useState } from "react";

import type { Properties } from "../crm";
import type { FullRecord, TypeInfo, TypeKey } from "../types";
import { AllProperties } from "./AllProperties";
import { InlineProperty } from "./InlineProperty";
import classes from "./record.module.css";

const SHOWN: Record<TypeKey, string[]> = {
  contacts: ["email", "phone", "jobtitle", "company", "hubspot_owner_id", "lifecyclestage", "hs_lead_status", "notes_last_updated", "createdate"],
  companies: ["domain", "industry", "phone", "hubspot_owner_id", "lifecyclestage", "city", "country", "numberofemployees", "description", "createdate"],
  deals: ["dealname", "amount", "closedate", "pipeline", "dealstage", "hubspot_owner_id", "dealtype", "hs_priority", "hs_next_step", "createdate"],
  tickets: ["subject", "content", "hs_pipeline", "hs_pipeline_stage", "hs_ticket_priority", "hubspot_owner_id", "source_type", "createdate"],
  tasks: ["hs_task_subject", "hs_timestamp", "hs_task_status", "hs_task_type", "hs_task_priority", "hubspot_owner_id", "hs_task_body"],
};

interface Props {
  type: TypeInfo;
  record: FullRecord;
  properties: Properties;
}

/** "About this …": the values that matter most, and the account's own ones. Each is edited in place. */
export function PropertyCard({ type, record, properties }: Props) {
  const [all, setAll] = useState(false);
  const usual = SHOWN[type.key];
  const own = properties.all.filter((p) => !p.hubspotDefined && !p.hidden).map((p) => p.name);
  return (
    <section className={classes.card} aria-label={`About this ${type.one.toLowerCase()}`}>
      <h2 className={classes.cardTitle}>About this {type.one.toLowerCase()}</h2>
      {[...usual, ...own].map((name) => {
        const p = properties.by.get(name);
        return p === undefined ? null : <InlineProperty key={name} type={type.key} record={record} property={p} />;
      })}
      <Button size="compact-sm" variant="subtle" mt="sm" onClick={() => setAll(true)}>
        View all properties
      </Button>
      {all && <AllProperties type={type} record={record} onClose={() => setAll(false)} />}
    </section>
  );
}
