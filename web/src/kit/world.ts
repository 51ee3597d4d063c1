/** What the page knows of its world: who looks, the world's clock, and the newest change. */

import { useSyncExternalStore } from "react";

export interface Opening<Facts = unknown> {
  account: { email: string; name: string };
  clock: { now: number; zone: string; locale: string };
  csrf: string;
  change: number;
  facts: Facts;
}

type Listener = () => void;

class World {
  twin = "";
  csrf = "";
  zone = "UTC";
  locale = "en-US";
  account = { email: "", name: "" };
  /** World time, epoch milliseconds: as of the newest reply. */
  now = 0;
  /** Number of the world's newest change that this page has heard of. */
  change = 0;
  private readonly listeners = new Set<Listener>();

  open(twin: string, opening: Opening): void {
    this.twin = twin;
    this.csrf = opening.csrf;
    this.account = opening.account;
    this.zone = opening.clock.zone;
    this.locale = opening.clock.locale;
    this.now = opening.clock.now;
    this.change = opening.change;
  }

  /** Take the time and the newest change from a reply; says whether something is new. */
  hear(headers: Headers): boolean {
    const now = Number(headers.get("x-world-now") ?? this.now);
    const change = Number(headers.get("x-world-change") ?? this.change);
    const news = change > this.change;
    if (now !== this.now || news) {
      this.now = Math.max(now, this.now);
      this.change = Math.max(change, this.change);
      this.listeners.forEach((listener) => listener());
    }
    return news;
  }

  readonly subscribe = (listener: Listener) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}

export const world = new World();

/** World time, epoch milliseconds; renders again when it moves. */
export function useNow(): number {
  return useSyncExternalStore(world.subscribe, () => world.now);
}

/** The facts that the server put into the page. */
export function readOpening<Facts>(): Opening<Facts> {
  const element = document.getElementById("start");
  return JSON.parse(element?.textContent ?? "{}") as Opening<Facts>;
}
