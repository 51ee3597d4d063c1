/** What the advanced panel and the chips say in the product's query language. */

import { DAY, fromFields, isoDay } from "../kit/time";

export interface Fields {
  from: string;
  to: string;
  subject: string;
  words: string;
  without: string;
  sizeWay: "larger" | "smaller";
  size: string;
  sizeUnit: "M" | "K" | "b";
  /** Days around `day`; empty for any time. */
  within: string;
  /** `2026-09-21`. */
  day: string;
  /** A value of `in:` or a label's `label:…`; empty for all mail. */
  where: string;
  attachment: boolean;
}

export const NO_FIELDS: Fields = {
  from: "",
  to: "",
  subject: "",
  words: "",
  without: "",
  sizeWay: "larger",
  size: "",
  sizeUnit: "M",
  within: "1",
  day: "",
  where: "",
  attachment: false,
};

function term(name: string, value: string): string {
  const text = value.trim();
  if (text === "") return "";
  return /\s/.test(text) ? `${name}:(${text})` : `${name}:${text}`;
}

const slashed = (at: number) => isoDay(at).replaceAll("-", "/");

export function queryOf(fields: Fields): string {
  const parts = [
    term("from", fields.from),
    term("to", fields.to),
    term("subject", fields.subject),
    fields.words.trim(),
    ...fields.without.trim().split(/\s+/).filter(Boolean).map((word) => `-${word}`),
    fields.size.trim() === "" ? "" : `${fields.sizeWay}:${fields.size.trim()}${fields.sizeUnit === "b" ? "" : fields.sizeUnit}`,
    fields.where.trim(),
    fields.attachment ? "has:attachment" : "",
  ];
  const middle = fields.day === "" ? NaN : fromFields(fields.day, "12:00");
  if (!Number.isNaN(middle)) {
    const days = Number(fields.within);
    parts.push(`after:${slashed(middle - days * DAY)}`, `before:${slashed(middle + (days + 1) * DAY)}`);
  }
  return parts.filter((part) => part !== "").join(" ");
}

/** The terms of a query, quotes and groups kept whole. */
export function terms(query: string): string[] {
  return query.match(/(?:[^\s"(){}]|"[^"]*"|\([^)]*\)|\{[^}]*\})+/g) ?? [];
}

export function has(query: string, wanted: string): boolean {
  return terms(query).includes(wanted);
}

/** The query with a term added, or taken out where it is in. */
export function toggled(query: string, wanted: string): string {
  const found = terms(query);
  const rest = found.filter((one) => one !== wanted);
  return (rest.length === found.length ? [...found, wanted] : rest).join(" ");
}

/** The query with any older value of an operator replaced; an empty value takes it out. */
export function replaced(query: string, operator: string, value: string): string {
  const rest = terms(query).filter((one) => !one.startsWith(`${operator}:`));
  return (value === "" ? rest : [...rest, `${operator}:${value}`]).join(" ");
}

export function valueOf(query: string, operator: string): string {
  const found = terms(query).find((one) => one.startsWith(`${operator}:`));
  return found === undefined ? "" : found.slice(operator.length + 1);
}

/** A label's name as queries write it. */
export function slug(name: string): string {
  return name.trim().replaceAll(/[\s/&()]+/g, "-").toLowerCase();
}
