import { describe, expect, it, vi } from "vitest";

import { inkOn } from "../src/kit/color";
import { keyName, resolve } from "../src/kit/keys";
import { initials } from "../src/kit/parts";
import { world } from "../src/kit/world";

const pressed = (key: string, more: KeyboardEventInit = {}) => keyName(new KeyboardEvent("keydown", { key, ...more }));

describe("keys", () => {
  it("have one name each", () => {
    expect(pressed("e")).toBe("e");
    expect(pressed("I", { shiftKey: true })).toBe("Shift+i");
    expect(pressed("#", { shiftKey: true })).toBe("#");
    expect(pressed("Enter", { metaKey: true })).toBe("Ctrl+Enter");
  });

  it("form sequences, and forget what leads nowhere", () => {
    const go = vi.fn();
    const archive = vi.fn();
    const table = { "g i": go, e: archive };
    expect(resolve(table, "", "g")).toEqual({ rest: "g" });
    expect(resolve(table, "g", "i")).toEqual({ run: go, rest: "" });
    expect(resolve(table, "g", "e")).toEqual({ run: archive, rest: "" });
    expect(resolve(table, "g", "z")).toEqual({ rest: "" });
  });
});

describe("the world's clock", () => {
  it("moves forward only, and says whether something is new", () => {
    world.now = 100;
    world.change = 5;
    const reply = (now: number, change: number) =>
      world.hear(new Headers({ "x-world-now": String(now), "x-world-change": String(change) }));
    expect(reply(200, 5)).toBe(false);
    expect(reply(300, 6)).toBe(true);
    expect(reply(250, 6)).toBe(false);
    expect([world.now, world.change]).toEqual([300, 6]);
  });
});

describe("small things", () => {
  it("writes readable ink on any ground", () => {
    expect(["#ffffff", "#fad165", "#16a766", "#4a86e8", "#000000"].map(inkOn)).toEqual([
      "#000000",
      "#000000",
      "#000000",
      "#000000",
      "#ffffff",
    ]);
    expect(inkOn("#7a2e0b")).toBe("#ffffff");
  });

  it("finds initials in any script", () => {
    expect(["Ada Example", "ada@acme.test", "李 伟", "<x>", "Østergård"].map(initials)).toEqual(["AE", "AA", "李伟", "<", "Ø"]);
  });
});
