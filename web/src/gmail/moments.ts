/** The times that the menus offer for later, in the persona's zone. */

import { format, HOUR, onDay, wall, weekday } from "../kit/time";

export interface Moment {
  name: string;
  at: number;
  /** How it is written beside its name. */
  shown: string;
}

function moment(name: string, at: number): Moment {
  return { name, at, shown: format(at, { weekday: "short", hour: "numeric", minute: "2-digit" }) };
}

/** Days from one weekday to the next time that it is another; never zero. */
const daysTo = (from: number, to: number) => (to - from + 6) % 7 + 1;

export function snoozeTimes(now: number): Moment[] {
  const day = weekday(now);
  const found = [moment("Tomorrow", onDay(now, 1, 8)), moment("Next week", onDay(now, daysTo(day, 1), 8))];
  if (day >= 1 && day <= 5) found.splice(1, 0, moment("This weekend", onDay(now, daysTo(day, 6), 8)));
  if (wall(now).hour < 17) found.unshift(moment("Later today", onDay(now, 0, Math.max(wall(now).hour + 1, 18))));
  return found;
}

export function sendTimes(now: number): Moment[] {
  const found = [
    moment("Tomorrow morning", onDay(now, 1, 8)),
    moment("Tomorrow afternoon", onDay(now, 1, 13)),
    moment("Monday morning", onDay(now, daysTo(weekday(now), 1), 8)),
  ];
  return found.filter((one, index) => found.findIndex((other) => other.at === one.at) === index && one.at > now + HOUR / 60);
}
