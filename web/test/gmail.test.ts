import { beforeEach, describe, expect, it, vi } from "vitest";

import { world } from "../src/kit/world";
import { sendTimes, snoozeTimes } from "../src/gmail/moments";
import { NO_FIELDS, has, queryOf, replaced, slug, terms, toggled, valueOf } from "../src/gmail/query";
import { build, parse, type Route } from "../src/gmail/route";
import { Saver, type SaveState, type Written } from "../src/gmail/saver";
import { bodyOf, does, formOf, matches, NO_FILTER } from "../src/gmail/settings/filter";
import { answer, forward, joined, line, prefixed, split, wrongAddress } from "../src/gmail/start";
import type { Message } from "../src/gmail/types";

const NOW = 1_790_000_000_000;

beforeEach(() => {
  world.open("gmail", {
    account: { email: "Ada@acme.test", name: "Ada" },
    clock: { now: NOW, zone: "Europe/Berlin", locale: "en-US" },
    csrf: "token",
    change: 0,
    facts: {},
  });
});

describe("addresses", () => {
  const routes: Route[] = [
    { kind: "list", view: "inbox", value: "", page: 0 },
    { kind: "list", view: "sent", value: "", page: 3 },
    { kind: "list", view: "label", value: "Clients/Acme & Co %2F", page: 1 },
    { kind: "list", view: "search", value: 'from:ada "two words" has:attachment', page: 0 },
    { kind: "thread", view: "search", value: "p2", page: 1, thread: "00000000000000a1" },
    { kind: "settings", tab: "filters" },
    { kind: "original", message: "00000000000000a1" },
    { kind: "print", thread: "00000000000000a1" },
  ];

  it.each(routes)("lead back to where they came from: %j", (route) => {
    expect(parse(build(route))).toEqual(route);
    expect(parse(`#/${build(route).slice(1)}`)).toEqual(route);
  });

  it("lead to the inbox when they lead nowhere", () => {
    for (const hash of ["", "#", "#nothing", "#label", "#search/", "#/inbox/"]) {
      expect(parse(hash)).toEqual(routes[0]);
    }
    expect(parse("#search/%E0%A4%A")).toMatchObject({ view: "search", value: "%E0%A4%A" });
  });
});

describe("queries", () => {
  it("say what the panel says", () => {
    expect(queryOf(NO_FIELDS)).toBe("");
    expect(
      queryOf({ ...NO_FIELDS, from: "vera", subject: "two words", without: "spam ham", size: "5", attachment: true, where: "in:inbox" }),
    ).toBe("from:vera subject:(two words) -spam -ham larger:5M in:inbox has:attachment");
    expect(queryOf({ ...NO_FIELDS, words: "offer", day: "2026-09-21", within: "3" })).toBe("offer after:2026/09/18 before:2026/09/25");
    expect(queryOf({ ...NO_FIELDS, size: "9", sizeUnit: "b", sizeWay: "smaller" })).toBe("smaller:9");
  });

  it("are changed term by term, groups and quotes kept whole", () => {
    const query = 'from:(vera vendor) "has:attachment not" -{a b} x';
    expect(terms(query)).toEqual(["from:(vera vendor)", '"has:attachment not"', "-{a b}", "x"]);
    expect(has(query, "has:attachment")).toBe(false);
    const more = toggled(query, "has:attachment");
    expect(has(more, "has:attachment")).toBe(true);
    expect(toggled(more, "has:attachment")).toBe(query);
    expect(valueOf(replaced("a newer_than:7d", "newer_than", "1m"), "newer_than")).toBe("1m");
    expect(replaced("a newer_than:7d", "newer_than", "")).toBe("a");
    expect(slug("Clients/Acme & Co")).toBe("clients-acme-co");
  });
});

const vera = { name: "Vera Vendor", email: "vera@vendor.test" };
const me = { name: "Ada", email: "ada@acme.test" };
const cy = { name: "Doe, Cy", email: "cy@acme.test" };
const message: Message = {
  id: "a1",
  from: vera,
  to: [me, cy],
  cc: [{ name: "", email: "bo@acme.test" }, vera],
  bcc: [],
  at: NOW,
  labels: [],
  subject: "Offer",
  text: "One <two>\nThree",
  html: "",
  files: [{ n: 0, filename: "a.pdf", mime: "application/pdf", size: 3, blob: "b" }],
  messageId: "<1@x>",
  draft: null,
};

describe("replies", () => {
  it("go to the writer, or to everyone but oneself", () => {
    expect(answer(message, false, "")).toMatchObject({ to: ["Vera Vendor <vera@vendor.test>"], cc: [], subject: "Re: Offer", answers: "a1" });
    expect(answer(message, true, "").cc).toEqual(['"Doe, Cy" <cy@acme.test>', "bo@acme.test"]);
    const mine = { ...message, from: me, to: [vera] };
    expect(answer(mine, true, "").to).toEqual(["Vera Vendor <vera@vendor.test>"]);
  });

  it("quote what they answer, without its markup", () => {
    const start = answer(message, false, "<p>Ada</p>");
    expect(start.quote).toContain("<blockquote>One &lt;two&gt;<br>Three</blockquote>");
    expect(start.quoteText.split("\n").slice(1)).toEqual(["> One <two>", "> Three"]);
    const hostile = { ...message, html: "<p onclick='x()'>Hi<script>x()</script></p>" };
    expect(answer(hostile, false, "").quote).toContain("<p>Hi</p>");
    expect(split(joined(start.html, start.quote))).toEqual({ html: start.html, quote: start.quote });
  });

  it("prefix a subject once", () => {
    expect([prefixed("re: a", "Re"), prefixed("a", "Re"), prefixed("FW: a", "Fwd")]).toEqual(["re: a", "Re: a", "FW: a"]);
  });

  it("carry files on when they forward", () => {
    expect(forward(message, "")).toMatchObject({ to: [], subject: "Fwd: Offer", files: [{ filename: "a.pdf", blob: "b" }] });
  });

  it("know what is an address", () => {
    expect(wrongAddress(["a@b.test", line(cy), "Ada <ada@acme.test>"])).toBeUndefined();
    expect(wrongAddress(["a@b.test", "nobody"])).toBe("nobody");
    expect(wrongAddress(["Ada <ada@>"])).toBe("Ada <ada@>");
  });
});

describe("times for later", () => {
  const names = (found: { name: string }[]) => found.map((one) => one.name);

  it("depend on the persona's day and hour", () => {
    expect(names(snoozeTimes(NOW))).toEqual(["Later today", "Tomorrow", "This weekend", "Next week"]);
    const saturday = Date.UTC(2026, 8, 26, 18);
    expect(names(snoozeTimes(saturday))).toEqual(["Tomorrow", "Next week"]);
    expect(snoozeTimes(NOW).every((one) => one.at > NOW)).toBe(true);
    const sunday = Date.UTC(2026, 8, 27, 10);
    expect(names(sendTimes(sunday))).toEqual(["Tomorrow morning", "Tomorrow afternoon"]);
  });
});

describe("filters", () => {
  it("survive being edited", () => {
    const form = { ...NO_FILTER, from: " ap@x.test ", attachment: true, archive: true, label: "Label_3", important: "never" as const };
    const body = bodyOf(form);
    expect(formOf(body)).toEqual({ ...form, from: "ap@x.test" });
    expect(matches(body)).toBe("from:(ap@x.test) has:attachment");
    const label = { id: "Label_3", name: "Finance", color: "", textColor: "", visibility: "labelShow" as const, rev: "" };
    expect(does(body, [label])).toBe("Skip Inbox, Apply label “Finance”, Never mark it as important");
  });
});

describe("saving a draft", () => {
  const written: Written = { to: [], cc: [], bcc: [], subject: "a", text: "", html: "", files: [], answers: "" };
  const replies = (...given: [number, unknown][]) => {
    const sent: { method: string | undefined; path: string; body: unknown }[] = [];
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
      const [status, body] = given[sent.length] ?? [500, {}];
      sent.push({ method: init.method, path, body: JSON.parse(init.body as string) });
      return Promise.resolve(new Response(JSON.stringify(body), { status }));
    });
    return sent;
  };

  it("makes it once, then changes the version that it knows, one save at a time", async () => {
    const sent = replies([201, { id: "r1", rev: "v1" }], [200, { id: "r1", rev: "v2" }]);
    const states: SaveState["name"][] = [];
    const saver = new Saver("", "", (state) => states.push(state.name));
    const saved = await Promise.all([saver.save(written), saver.save(written), saver.save({ ...written, subject: "b" })]);
    expect(saved).toEqual([true, true, true]);
    expect(sent.map(({ method, path }) => [method, path])).toEqual([
      ["POST", "/_screen/gmail/drafts"],
      ["PUT", "/_screen/gmail/drafts/r1"],
    ]);
    expect(sent[1]?.body).toMatchObject({ subject: "b", rev: "v1" });
    expect(states).toEqual(["saving", "saved", "saving", "saved"]);
  });

  it("stops at a version that it does not know", async () => {
    const theirs = { id: "r1", rev: "v9", subject: "theirs" };
    const sent = replies([409, { error: { message: "changed", current: theirs } }], [200, { id: "r1", rev: "v10" }]);
    const states: SaveState[] = [];
    const saver = new Saver("r1", "v1", (state) => states.push(state));
    expect(await saver.save(written)).toBe(false);
    expect(states.at(-1)).toEqual({ name: "conflict", theirs });
    saver.adopt(theirs as never);
    expect(await saver.save(written)).toBe(true);
    expect(sent[1]?.body).toMatchObject({ rev: "v9" });
  });

  it("keeps the text of a draft that is gone", async () => {
    const sent = replies([404, { error: { message: "gone" } }], [201, { id: "r2", rev: "v1" }]);
    const saver = new Saver("r1", "v1", () => undefined);
    expect(await saver.save(written)).toBe(false);
    expect(await saver.save(written)).toBe(true);
    expect([sent[1]?.method, saver.id]).toEqual(["POST", "r2"]);
  });
});
