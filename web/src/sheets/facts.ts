import type { Facts } from "./types";

let held: Facts = { functions: [], templates: [] };

/** What the page was opened with. */
export function facts(): Facts {
  return held;
}

export function remember(given: Facts): void {
  held = given;
}
