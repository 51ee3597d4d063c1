/** The mailbox: what is read from it and what is done to it. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { api } from "../kit/api";
import { queries } from "../kit/boot";
import { complain, toast } from "../kit/toast";
import type { Opening } from "../kit/world";
import type { ListRoute } from "./route";
import type { Before, Counts, Facts, Label, Listing, Thread } from "./types";

const COUNTS = ["counts"];
const START = ["start"];

export function remember(facts: Facts): void {
  queries.setQueryData(START, facts);
  queries.setQueryData(COUNTS, facts.counts);
}

export function useFacts(): Facts {
  const { data } = useQuery({
    queryKey: START,
    queryFn: async () => {
      const { facts } = await api.get<Opening<Facts>>("/start");
      setCounts(facts.counts);
      return facts;
    },
  });
  if (data === undefined) throw new Error("the page was opened without its facts");
  return data;
}

export function useCounts(): Counts {
  return useQuery<Counts>({ queryKey: COUNTS, queryFn: () => ({}), enabled: false }).data ?? {};
}

function setCounts(counts: Counts): void {
  queries.setQueryData(COUNTS, counts);
}

export function labelNamed(labels: Label[], name: string): Label | undefined {
  return labels.find((label) => label.name.toLowerCase() === name.toLowerCase());
}

/** The server's name of a list, or `null` for a label that does not exist. */
function listQuery(route: ListRoute, labels: Label[]): string | null {
  const page = `page=${route.page}`;
  switch (route.view) {
    case "category":
      return `view=inbox&value=${encodeURIComponent(route.value)}&${page}`;
    case "search":
      return `view=search&value=${encodeURIComponent(route.value)}&${page}`;
    case "label": {
      const label = labelNamed(labels, route.value);
      return label === undefined ? null : `view=label&value=${encodeURIComponent(label.id)}&${page}`;
    }
    default:
      return `view=${route.view}&${page}`;
  }
}

export function useListing(route: ListRoute, labels: Label[]) {
  const query = listQuery(route, labels);
  return useQuery({
    queryKey: ["threads", query],
    queryFn: async () => {
      if (query === null) throw new Error(`There is no label “${route.value}”.`);
      const listing = await api.get<Listing>(`/threads?${query}`);
      setCounts(listing.counts);
      return listing;
    },
    placeholderData: keepPreviousData,
  });
}

export function useThread(id: string) {
  return useQuery({
    queryKey: ["thread", id],
    queryFn: async () => {
      const thread = await api.get<Thread>(`/threads/${id}`);
      setCounts(thread.counts);
      return thread;
    },
  });
}

interface Moved {
  before: Before;
  counts: Counts;
}

/** After a change: what is on screen is read anew. */
export async function refresh(): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ["threads"] }),
    queries.invalidateQueries({ queryKey: ["thread"] }),
  ]);
}

export function refreshFacts(): Promise<void> {
  return queries.invalidateQueries({ queryKey: START });
}

async function settled(reply: Promise<Moved>): Promise<Moved> {
  const moved = await reply;
  setCounts(moved.counts);
  await refresh();
  return moved;
}

/** Do something to the mailbox, say so, and offer to take it back; says whether it worked. */
async function perform(reply: Promise<Moved>, said?: string): Promise<boolean> {
  try {
    const { before } = await settled(reply);
    if (said !== undefined) {
      const undo = { label: "Undo", run: () => restore(before) };
      toast(said, Object.keys(before).length > 0 ? [undo] : []);
    }
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

async function restore(messages: Before): Promise<void> {
  if (await perform(api.post("/restore", { messages }))) toast("Action undone.");
}

/** What opening a conversation does; the conversation on screen stays as it is. */
export async function markRead(thread: string): Promise<void> {
  try {
    setCounts((await api.post<Moved>("/move", { threads: [thread], remove: ["UNREAD"] })).counts);
    await queries.invalidateQueries({ queryKey: ["threads"], refetchType: "none" });
  } catch (error) {
    complain(error);
  }
}

export interface Change {
  add?: string[];
  remove?: string[];
}

export function move(threads: string[], change: Change, said?: string): Promise<boolean> {
  return perform(api.post("/move", { threads, ...change }), said);
}

export function moveMessage(message: string, change: Change, said?: string): Promise<boolean> {
  return perform(api.post("/move", { messages: [message], ...change }), said);
}

export function star(threads: string[], on: boolean): Promise<boolean> {
  return perform(api.post("/star", { threads, on }));
}

export function snooze(threads: string[], until: number, said: string): Promise<boolean> {
  return perform(api.post("/snooze", { threads, until }), said);
}

export function unsnooze(threads: string[]): Promise<boolean> {
  return perform(api.post("/unsnooze", { threads }), "Moved to Inbox.");
}

export function deleteForever(threads: string[], said: string): Promise<boolean> {
  return perform(api.post("/delete", { threads }), said);
}

export function empty(label: "TRASH" | "SPAM", said: string): Promise<boolean> {
  return perform(api.post("/empty", { label }), said);
}

export function discard(draft: string): Promise<boolean> {
  return perform(api.delete(`/drafts/${draft}`), "Draft discarded.");
}

/** How many conversations, in words. */
export function conversations(count: number): string {
  return count === 1 ? "Conversation" : `${count} conversations`;
}
