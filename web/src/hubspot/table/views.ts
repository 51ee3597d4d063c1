/** What an index shows at first: the views of every account, and the persona's own saved ones. */

import type { Facts, SavedView, TypeInfo, TypeKey } from "../types";

export const COLUMNS: Record<TypeKey, string[]> = {
  contacts: ["email", "phone", "hubspot_owner_id", "@companies", "notes_last_updated", "hs_lead_status", "createdate"],
  companies: ["domain", "hubspot_owner_id", "createdate", "phone", "notes_last_updated", "city", "country", "industry"],
  deals: ["dealstage", "closedate", "hubspot_owner_id", "amount", "@companies", "pipeline", "notes_last_updated"],
  tickets: ["hs_pipeline_stage", "createdate", "hs_ticket_priority", "hubspot_owner_id", "@contacts", "@companies", "source_type"],
  tasks: ["hs_timestamp", "hs_task_type", "hs_task_priority", "hubspot_owner_id", "@contacts", "@companies", "@deals"],
};

/** The column that every table begins with: its heading, and the property that it sorts by. */
export const TITLES: Record<TypeKey, { label: string; sort: string }> = {
  contacts: { label: "Name", sort: "firstname" },
  companies: { label: "Company name", sort: "name" },
  deals: { label: "Deal name", sort: "dealname" },
  tickets: { label: "Ticket name", sort: "subject" },
  tasks: { label: "Title", sort: "hs_task_subject" },
};

export const LINKS: Record<string, string> = { "@contacts": "Contacts", "@companies": "Companies", "@deals": "Deals" };

const view = (id: string, name: string, filters: SavedView["filterGroups"][number]["filters"] = [], sort = "-createdate"): SavedView => ({
  id,
  name,
  filterGroups: filters.length === 0 ? [] : [{ filters }],
  columns: [],
  sort,
});

/** The views that are always there, then the saved ones. */
export function viewsOf(facts: Facts, type: TypeInfo): SavedView[] {
  const many = type.many.toLowerCase();
  const own = facts.owner === "" ? [] : [view("my", `My ${many}`, [{ propertyName: "hubspot_owner_id", operator: "IN", values: [facts.owner] }])];
  const nobody = view("unassigned", `Unassigned ${many}`, [{ propertyName: "hubspot_owner_id", operator: "NOT_HAS_PROPERTY" }]);
  const open = view("open", "Open deals", [{ propertyName: "hs_is_closed", operator: "IN", values: ["false"] }], "closedate");
  return [view("all", `All ${many}`), ...own, type.key === "deals" ? open : nobody, ...facts.views[type.key]];
}

export const isOwn = (found: SavedView) => /^\d+$/.test(found.id);
