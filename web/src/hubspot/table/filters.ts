/** Filters of an index: quick ones, and groups of conditions as the search takes them. */

import { DAY, fromFields, isoDay, onDay, wall, weekday } from "../../kit/time";
import type { Facts, Filter, FilterGroup, Property, TypeKey } from "../types";
import { choicesOf, isDateOnly, showDay } from "../values";

export const QUICK: Record<TypeKey, string[]> = {
  contacts: ["hubspot_owner_id", "createdate", "notes_last_updated", "hs_lead_status"],
  companies: ["hubspot_owner_id", "createdate", "notes_last_updated", "lifecyclestage"],
  deals: ["hubspot_owner_id", "createdate", "notes_last_updated", "closedate"],
  tickets: ["hubspot_owner_id", "createdate", "hs_ticket_priority", "hs_pipeline_stage"],
  tasks: ["hubspot_owner_id", "hs_timestamp", "hs_task_priority", "hs_task_type"],
};

/** Property → chosen values joined by `;`, or the name of a span of time. */
export type Quick = Record<string, string>;
export const NONE = "(none)";

export const SPANS = [
  { value: "today", label: "Today" },
  { value: "yesterday", label: "Yesterday" },
  { value: "week", label: "This week" },
  { value: "last7", label: "Last 7 days" },
  { value: "last30", label: "Last 30 days" },
  { value: "month", label: "This month" },
  { value: "nextMonth", label: "Next month" },
  { value: "older", label: "More than 90 days ago" },
];

function monthStart(now: number, by: number): number {
  const { year, month } = wall(now);
  const index = year * 12 + month - 1 + by;
  return fromFields(`${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}-01`);
}

/** The first and the last moment of a span of time around the world's today. */
function spanOf(name: string, now: number): [number, number] {
  const day = (by: number) => onDay(now, by, 0);
  switch (name) {
    case "today":
      return [day(0), day(1) - 1];
    case "yesterday":
      return [day(-1), day(0) - 1];
    case "week": {
      const monday = -((weekday(now) + 6) % 7);
      return [day(monday), day(monday + 7) - 1];
    }
    case "last7":
      return [day(-6), day(1) - 1];
    case "last30":
      return [day(-29), day(1) - 1];
    case "month":
      return [monthStart(now, 0), monthStart(now, 1) - 1];
    case "nextMonth":
      return [monthStart(now, 1), monthStart(now, 2) - 1];
    default:
      return [0, day(-90)];
  }
}

/** Dates are kept at midnight UTC: a span of days is then one of UTC's. */
function asUtc(at: number): number {
  const { year, month, day, hour, minute } = wall(at);
  return Date.UTC(year, month - 1, day, hour, minute);
}

export function quickFilters(quick: Quick, properties: ReadonlyMap<string, Property>, now: number): Filter[] {
  return Object.entries(quick).flatMap(([propertyName, value]): Filter[] => {
    const p = properties.get(propertyName);
    if (p === undefined || value === "") return [];
    if (p.type === "date" || p.type === "datetime") {
      const [from, to] = spanOf(value, now);
      const turn = isDateOnly(p) ? asUtc : (at: number) => at;
      return [{ propertyName, operator: "BETWEEN", value: String(turn(from)), highValue: String(turn(to)) }];
    }
    if (value === NONE) return [{ propertyName, operator: "NOT_HAS_PROPERTY" }];
    return [{ propertyName, operator: "IN", values: value.split(";") }];
  });
}

/** Quick filters hold in every group. */
export function combine(groups: FilterGroup[], quick: Filter[]): FilterGroup[] {
  const full = groups.filter((group) => group.filters.length > 0);
  if (quick.length === 0) return full;
  return (full.length === 0 ? [{ filters: [] }] : full).map((group) => ({ filters: [...group.filters, ...quick] }));
}

interface Operator {
  value: string;
  label: string;
  /** How many values it takes; `many` for a choice of several. */
  takes: 0 | 1 | 2 | "many";
}

const KNOWN: Operator[] = [
  { value: "HAS_PROPERTY", label: "is known", takes: 0 },
  { value: "NOT_HAS_PROPERTY", label: "is unknown", takes: 0 },
];
const CHOICE: Operator[] = [
  { value: "IN", label: "is any of", takes: "many" },
  { value: "NOT_IN", label: "is none of", takes: "many" },
  ...KNOWN,
];
const TEXT: Operator[] = [
  { value: "EQ", label: "is equal to", takes: 1 },
  { value: "NEQ", label: "is not equal to", takes: 1 },
  { value: "CONTAINS_TOKEN", label: "contains", takes: 1 },
  { value: "NOT_CONTAINS_TOKEN", label: "does not contain", takes: 1 },
  ...KNOWN,
];
const NUMBER: Operator[] = [
  { value: "EQ", label: "is equal to", takes: 1 },
  { value: "NEQ", label: "is not equal to", takes: 1 },
  { value: "GT", label: "is greater than", takes: 1 },
  { value: "GTE", label: "is greater than or equal to", takes: 1 },
  { value: "LT", label: "is less than", takes: 1 },
  { value: "LTE", label: "is less than or equal to", takes: 1 },
  { value: "BETWEEN", label: "is between", takes: 2 },
  ...KNOWN,
];
const DATE: Operator[] = [
  { value: "GTE", label: "is on or after", takes: 1 },
  { value: "LT", label: "is before", takes: 1 },
  { value: "BETWEEN", label: "is between", takes: 2 },
  ...KNOWN,
];

export function operatorsOf(p: Property, facts: Facts): Operator[] {
  if (p.type === "date" || p.type === "datetime") return DATE;
  if (choicesOf(facts, p) !== undefined && (p.type === "bool" || p.type === "enumeration")) return CHOICE;
  return p.type === "number" ? NUMBER : TEXT;
}

export function isComplete(filter: Filter): boolean {
  if (filter.propertyName === "") return false;
  switch (filter.operator) {
    case "HAS_PROPERTY":
    case "NOT_HAS_PROPERTY":
      return true;
    case "IN":
    case "NOT_IN":
      return (filter.values ?? []).length > 0;
    case "BETWEEN":
      return (filter.value ?? "") !== "" && (filter.highValue ?? "") !== "";
    default:
      return (filter.value ?? "") !== "";
  }
}

/** A condition in words: `Amount is greater than 1,000`. */
export function say(filter: Filter, p: Property | undefined, facts: Facts): string {
  if (p === undefined) return filter.propertyName;
  const operator = operatorsOf(p, facts).find((one) => one.value === filter.operator);
  const choices = new Map(choicesOf(facts, p)?.map((one) => [one.value, one.label]));
  const dated = p.type === "date" || p.type === "datetime";
  const word = (text: string) => (dated ? showDay(text) : (choices.get(text) ?? text));
  const values = filter.values?.map(word).join(", ") ?? [filter.value, filter.highValue].flatMap((v) => (v === undefined ? [] : [word(v)])).join(" and ");
  return [p.label, operator?.label ?? filter.operator.toLowerCase().replaceAll("_", " "), values].filter((part) => part !== "").join(" ");
}

/** A day's condition compares moments: `is before` the day's start in the zone that its property counts in. */
export function dayValue(day: string, p: Property, end: boolean): string {
  if (day === "") return "";
  const start = isDateOnly(p) ? Date.parse(`${day}T00:00:00Z`) : fromFields(day);
  return String(end ? start + DAY - 1 : start);
}

export function dayShown(value: string | undefined, p: Property): string | null {
  if (value === undefined || value === "") return null;
  const at = Number(value);
  return isDateOnly(p) ? new Date(at).toISOString().slice(0, 10) : isoDay(at);
}
