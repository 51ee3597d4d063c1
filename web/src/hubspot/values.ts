/** Values as people read them: labels for names, names for ids, money and dates in the persona's locale. */

import { format } from "../kit/time";
import { world } from "../kit/world";
import type { Facts, Property, Stage, Values } from "./types";

const DAY_MS = 86_400_000;
const MONEY = new Set([
  "amount",
  "amount_in_home_currency",
  "hs_projected_amount",
  "hs_closed_amount",
  "hs_forecast_amount",
  "hs_arr",
  "hs_mrr",
  "hs_tcv",
  "hs_acv",
  "annualrevenue",
  "total_revenue",
]);
/** Parts of one, written as percentages. */
const SHARES = new Set(["hs_deal_stage_probability", "hs_forecast_probability"]);
/** Moments whose time of day says nothing: they are written and read as dates. */
const DATE_ONLY = new Set(["closedate", "closed_date"]);
const PIPELINES: Record<string, "deals" | "tickets"> = { pipeline: "deals", hs_pipeline: "tickets" };
const STAGES: Record<string, "deals" | "tickets"> = { dealstage: "deals", hs_pipeline_stage: "tickets" };

export const isDateOnly = (p: Property) => p.type === "date" || DATE_ONLY.has(p.name);
export const isPipeline = (name: string) => name in PIPELINES;
export const isStage = (name: string) => name in STAGES;

/** Epoch milliseconds of a stored moment; NaN when it is none. */
export function momentOf(text: string): number {
  return /^-?\d+$/.test(text) ? Number(text) : Date.parse(text);
}

/** `2026-10-01`: of midnight UTC that very date, else the persona's. */
export function dayOf(text: string): string {
  const at = momentOf(text);
  if (Number.isNaN(at)) return "";
  const timeZone = at % DAY_MS === 0 ? "UTC" : world.zone;
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(at).slice(0, 10);
}

export function showDay(text: string): string {
  const at = momentOf(text);
  if (Number.isNaN(at)) return text;
  const zone = at % DAY_MS === 0 ? { timeZone: "UTC" } : {};
  return format(at, { year: "numeric", month: "short", day: "numeric", ...zone });
}

export function showMoment(at: number): string {
  return format(at, { year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
}

const numbers = new Map<string, Intl.NumberFormat>();

function number(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  let made = numbers.get(key);
  if (made === undefined) {
    made = new Intl.NumberFormat(world.locale, options);
    numbers.set(key, made);
  }
  return made;
}

export function money(amount: number, currency: string): string {
  const digits = Number.isInteger(amount) ? 0 : 2;
  const made = number(`${currency}${digits}`, { style: "currency", currency, minimumFractionDigits: digits, maximumFractionDigits: digits });
  return made.format(amount);
}

export function count(value: number): string {
  return number("", { maximumFractionDigits: 6 }).format(value);
}

export function ownerName(facts: Facts, id: string | null | undefined): string {
  if (id === null || id === undefined || id === "") return "No owner";
  return facts.owners.find((owner) => owner.id === id)?.name ?? `Owner ${id}`;
}

/** A stage by its id, in the record's own pipeline where that is known. */
export function stageOf(facts: Facts, type: "deals" | "tickets", id: string, pipeline?: string | null): Stage | undefined {
  const own = facts.pipelines[type].filter((one) => one.id === pipeline);
  return [...own, ...facts.pipelines[type]].flatMap((one) => one.stages).find((stage) => stage.id === id);
}

/** A property's value in words; empty for none. */
export function show(facts: Facts, p: Property, values: Values): string {
  const text = values[p.name];
  if (text === null || text === undefined || text === "") return "";
  if (p.name === "hubspot_owner_id") return ownerName(facts, text);
  const ofPipeline = PIPELINES[p.name];
  if (ofPipeline !== undefined) return facts.pipelines[ofPipeline].find((one) => one.id === text)?.label ?? text;
  const ofStage = STAGES[p.name];
  if (ofStage !== undefined) {
    const pipeline = values[ofStage === "deals" ? "pipeline" : "hs_pipeline"];
    return stageOf(facts, ofStage, text, pipeline)?.label ?? text;
  }
  if (MONEY.has(p.name) && Number.isFinite(Number(text))) return money(Number(text), values["deal_currency_code"] ?? facts.currency);
  switch (p.type) {
    case "number":
      if (SHARES.has(p.name)) return `${count(Math.round(Number(text) * 10_000) / 100)}%`;
      return p.name.startsWith("hs_object") || p.name === "hs_ticket_id" ? text : count(Number(text));
    case "date":
      return showDay(text);
    case "datetime":
      return isDateOnly(p) ? showDay(text) : showMoment(momentOf(text));
    case "bool":
      return text === "true" ? "Yes" : "No";
    case "enumeration": {
      const labels = new Map(p.options.map((option) => [option.value, option.label]));
      return text.split(";").map((part) => labels.get(part) ?? part).join("; ");
    }
    default:
      return text;
  }
}

/** The choices of a property: its own, the account's owners, or stages and pipelines. */
export function choicesOf(facts: Facts, p: Property, values: Values = {}): { value: string; label: string }[] | undefined {
  if (p.name === "hubspot_owner_id") {
    const kept = values[p.name];
    return facts.owners
      .filter((owner) => owner.active || owner.id === kept)
      .map((owner) => ({ value: owner.id, label: owner.active ? owner.name : `${owner.name} (deactivated)` }));
  }
  const ofPipeline = PIPELINES[p.name];
  if (ofPipeline !== undefined) return facts.pipelines[ofPipeline].map((one) => ({ value: one.id, label: one.label }));
  const ofStage = STAGES[p.name];
  if (ofStage !== undefined) {
    const pipeline = values[ofStage === "deals" ? "pipeline" : "hs_pipeline"];
    const chosen = facts.pipelines[ofStage].filter((one) => one.id === pipeline);
    const several = chosen.length === 0 && facts.pipelines[ofStage].length > 1;
    const seen = new Set<string>();
    return (chosen.length === 0 ? facts.pipelines[ofStage] : chosen).flatMap((one) =>
      one.stages
        .filter((stage) => !seen.has(stage.id) && seen.add(stage.id))
        .map((stage) => ({ value: stage.id, label: several ? `${stage.label} (${one.label})` : stage.label })),
    );
  }
  if (p.type === "bool") return [{ value: "true", label: "Yes" }, { value: "false", label: "No" }];
  if (p.type !== "enumeration") return undefined;
  return p.options.filter((option) => !option.hidden || option.value === values[p.name]);
}

