/** Dates as the persona reads them: the world's zone and locale, never the browser's. */

import { world } from "./world";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const formats = new Map<string, Intl.DateTimeFormat>();

export function format(at: number, options: Intl.DateTimeFormatOptions): string {
  const key = `${world.locale}|${world.zone}|${JSON.stringify(options)}`;
  let made = formats.get(key);
  if (made === undefined) {
    made = new Intl.DateTimeFormat(world.locale, { timeZone: world.zone, ...options });
    formats.set(key, made);
  }
  return made.format(at);
}

export interface Wall {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

const wallFormats = new Map<string, Intl.DateTimeFormat>();

/** What a clock on the wall in the persona's zone shows. */
export function wall(at: number, zone: string = world.zone): Wall {
  let made = wallFormats.get(zone);
  if (made === undefined) {
    made = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
    wallFormats.set(zone, made);
  }
  const parts = new Map(made.formatToParts(at).map((part) => [part.type, Number(part.value)]));
  const of = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  return { year: of("year"), month: of("month"), day: of("day"), hour: of("hour"), minute: of("minute") };
}

/** The moment at which the wall clock of a zone shows this; the first of two where it does so twice. */
export function fromWall(shown: Wall, zone: string = world.zone): number {
  const asUtc = (it: Wall) => Date.UTC(it.year, it.month - 1, it.day, it.hour, it.minute);
  const wanted = asUtc(shown);
  let at = wanted;
  for (let round = 0; round < 3; round += 1) at += wanted - asUtc(wall(at, zone));
  return at;
}

/** `2026-09-21`, the persona's date. */
export function isoDay(at: number): string {
  const { year, month, day } = wall(at);
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** The moment of `2026-09-21` and `08:30` in the persona's zone; NaN when either is no such thing. */
export function fromFields(day: string, time = "00:00"): number {
  const date = /^(\d{4})-(\d{2})-(\d{2})/.exec(day);
  const clock = /^(\d{1,2}):(\d{2})/.exec(time);
  if (date === null || clock === null) return NaN;
  const [year, month, dayOfMonth] = date.slice(1).map(Number);
  const [hour, minute] = clock.slice(1).map(Number);
  return fromWall({
    year: year ?? 0,
    month: month ?? 1,
    day: dayOfMonth ?? 1,
    hour: hour ?? 0,
    minute: minute ?? 0,
  });
}

/** A moment so many days later, at a time of the persona's day. */
export function onDay(at: number, days: number, hour: number, minute = 0): number {
  const start = wall(at);
  const moved = new Date(Date.UTC(start.year, start.month - 1, start.day + days));
  const later = { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
  return fromWall({ ...later, hour, minute });
}

/** Day of the week in the persona's zone, 0 for Sunday. */
export function weekday(at: number): number {
  const { year, month, day } = wall(at);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

export function sameDay(one: number, other: number): boolean {
  return isoDay(one) === isoDay(other);
}

export function clockTime(at: number): string {
  return format(at, { hour: "numeric", minute: "2-digit" });
}

/** How lists write a moment: the time today, the day this year, the date before. */
export function shortTime(at: number, now: number = world.now): string {
  if (sameDay(at, now)) return clockTime(at);
  if (wall(at).year === wall(now).year) return format(at, { month: "short", day: "numeric" });
  return format(at, { year: "2-digit", month: "numeric", day: "numeric" });
}

/** A moment in full: `Mon, Sep 21, 2026, 4:13 PM`. */
export function longTime(at: number): string {
  return format(at, {
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  });
}

/** How long ago: `3 hours ago`. */
export function ago(at: number, now: number = world.now): string {
  const relative = new Intl.RelativeTimeFormat(world.locale, { numeric: "auto" });
  const passed = at - now;
  const size = Math.abs(passed);
  if (size < HOUR) return relative.format(Math.round(passed / MINUTE), "minute");
  if (size < DAY) return relative.format(Math.round(passed / HOUR), "hour");
  return relative.format(Math.round(passed / DAY), "day");
}

export function bytes(size: number): string {
  if (size < 1024) return `${size} B`;
  const kilo = size / 1024;
  if (kilo < 1024) return `${Math.round(kilo)} KB`;
  return `${(kilo / 1024).toFixed(1)} MB`;
}
