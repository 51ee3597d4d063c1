/** The addresses of the screen: `#inbox`, `#label/Clients%2FAcme/p2`, `#search/from%3Aada/<thread>`. */

export const VIEWS = [
  "inbox",
  "starred",
  "snoozed",
  "important",
  "sent",
  "scheduled",
  "drafts",
  "all",
  "spam",
  "trash",
] as const;

export type ViewName = (typeof VIEWS)[number] | "label" | "search" | "category";

export interface ListRoute {
  kind: "list";
  view: ViewName;
  /** The label's name, the query, or the category. */
  value: string;
  /** From 0. */
  page: number;
}

export interface ThreadRoute extends Omit<ListRoute, "kind"> {
  kind: "thread";
  thread: string;
}

export type Route =
  | ListRoute
  | ThreadRoute
  | { kind: "settings"; tab: string }
  | { kind: "original"; message: string }
  | { kind: "print"; thread: string };

const VALUED = new Set(["label", "search", "category"]);
const INBOX: ListRoute = { kind: "list", view: "inbox", value: "", page: 0 };

function isView(name: string): name is ViewName {
  return VALUED.has(name) || (VIEWS as readonly string[]).includes(name);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return part;
  }
}

export function parse(hash: string): Route {
  const parts = hash.replace(/^[#/]+/, "").split("/").filter((part) => part !== "");
  const [name = "inbox", ...rest] = parts;
  if (name === "settings") return { kind: "settings", tab: rest[0] ?? "general" };
  if (name === "original" && rest[0] !== undefined) return { kind: "original", message: rest[0] };
  if (name === "print" && rest[0] !== undefined) return { kind: "print", thread: rest[0] };
  if (!isView(name)) return INBOX;
  const value = VALUED.has(name) ? decode(rest.shift() ?? "") : "";
  if (VALUED.has(name) && value === "") return INBOX;
  let page = 0;
  let thread = "";
  for (const part of rest) {
    if (/^p\d+$/.test(part)) page = Math.max(0, Number(part.slice(1)) - 1);
    else if (/^[0-9a-f]{1,16}$/.test(part)) thread = part;
  }
  const list = { view: name, value, page };
  return thread === "" ? { kind: "list", ...list } : { kind: "thread", ...list, thread };
}

export function build(route: Route): string {
  switch (route.kind) {
    case "settings":
      return `#settings/${route.tab}`;
    case "original":
      return `#original/${route.message}`;
    case "print":
      return `#print/${route.thread}`;
    case "list":
    case "thread": {
      const parts: string[] = [route.view];
      if (VALUED.has(route.view)) parts.push(encodeURIComponent(route.value));
      if (route.page > 0) parts.push(`p${route.page + 1}`);
      if (route.kind === "thread") parts.push(route.thread);
      return `#${parts.join("/")}`;
    }
  }
}

export function listOf(route: ListRoute | ThreadRoute): ListRoute {
  return { kind: "list", view: route.view, value: route.value, page: route.page };
}
