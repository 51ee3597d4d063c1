import { beforeEach, describe, expect, it } from "vitest";

import { ago, bytes, DAY, fromFields, fromWall, HOUR, isoDay, longTime, MINUTE, onDay, shortTime, wall, weekday } from "../src/kit/time";
import { world } from "../src/kit/world";

// 21 September 2026, 16:13:20 in Berlin.
const NOW = 1_790_000_000_000;

beforeEach(() => {
  world.open("gmail", {
    account: { email: "ada@acme.test", name: "Ada" },
    clock: { now: NOW, zone: "Europe/Berlin", locale: "en-US" },
    csrf: "",
    change: 0,
    facts: {},
  });
});

describe("the persona's wall clock", () => {
  it("is the zone's, not the machine's", () => {
    expect(wall(NOW)).toEqual({ year: 2026, month: 9, day: 21, hour: 16, minute: 13 });
    expect(wall(NOW, "America/Los_Angeles")).toEqual({ year: 2026, month: 9, day: 21, hour: 7, minute: 13 });
    expect(isoDay(NOW)).toBe("2026-09-21");
    expect(weekday(NOW)).toBe(1);
  });

  it("turns back into the moment, on both sides of a change of the clocks", () => {
    for (let at = Date.UTC(2026, 9, 24); at < Date.UTC(2026, 9, 27); at += 37 * MINUTE) {
      const shown = wall(at);
      expect(wall(fromWall(shown))).toEqual(shown);
    }
    expect(fromFields("2026-03-28", "08:00")).toBe(Date.UTC(2026, 2, 28, 7));
    expect(fromFields("2026-03-29", "08:00")).toBe(Date.UTC(2026, 2, 29, 6));
    expect(onDay(Date.UTC(2026, 2, 28, 20), 1, 8)).toBe(Date.UTC(2026, 2, 29, 6));
  });

  it("refuses what is no time", () => {
    expect(fromFields("tomorrow", "08:00")).toBeNaN();
    expect(fromFields("2026-09-21", "8")).toBeNaN();
  });
});

describe("how moments are written", () => {
  it("is short in lists", () => {
    expect(shortTime(NOW - HOUR)).toMatch(/^3:13\sPM$/);
    expect(shortTime(NOW - 2 * DAY)).toBe("Sep 19");
    expect(shortTime(NOW - 400 * DAY)).toBe("8/17/25");
  });

  it("is long in letters, and relative beside that", () => {
    expect(longTime(NOW)).toMatch(/^Mon, Sep 21, 2026, 4:13\sPM$/);
    expect(ago(NOW - 90 * MINUTE)).toBe("1 hour ago");
    expect(ago(NOW - DAY)).toBe("yesterday");
    expect(ago(NOW - 5 * MINUTE)).toBe("5 minutes ago");
  });

  it("follows the locale", () => {
    world.locale = "de-DE";
    expect(shortTime(NOW - 2 * DAY)).toBe("19. Sept.");
  });

  it("writes sizes", () => {
    expect([bytes(12), bytes(2048), bytes(5 * 1024 * 1024)]).toEqual(["12 B", "2 KB", "5.0 MB"]);
  });
});
