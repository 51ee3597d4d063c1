/** What the page reads: the account's facts, property definitions, tables, records. */

import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo } from "react";

import { api } from "../kit/api";
import { queries } from "../kit/boot";
import type { ActivityKind, Facts, FilterGroup, FullRecord, Property, PropertyGroup, Row, TypeInfo, TypeKey } from "./types";

let opening: Facts | undefined;

/** Keep what the server put into the page: nothing is asked twice. */
export function remember(facts: Facts): void {
  opening = facts;
}

export const FactsContext = createContext<Facts | undefined>(undefined);

/** The one reader of the facts; every part of the page takes them from the context that it fills. */
export function useFreshFacts(): Facts | undefined {
  const read = async () => (await api.get<{ facts: Facts }>("/start")).facts;
  return useQuery({ queryKey: ["start"], queryFn: read, ...(opening && { initialData: opening }) }).data;
}

export function useFacts(): Facts {
  const facts = useContext(FactsContext);
  if (facts === undefined) throw new Error("the page has no facts");
  return facts;
}

export function typeOf(facts: Facts, name: string): TypeInfo | undefined {
  return facts.types.find((type) => type.key === name || type.id === name);
}

export interface Properties {
  all: Property[];
  by: ReadonlyMap<string, Property>;
}

const NONE: Property[] = [];

export function useProperties(type: TypeKey | ActivityKind): Properties {
  const { data = NONE } = useQuery({
    queryKey: ["properties", type],
    queryFn: async () => (await api.get<{ results: Property[] }>(`/crm/v3/properties/${type}`)).results,
  });
  return useMemo(() => ({ all: data, by: new Map(data.map((one) => [one.name, one])) }), [data]);
}

export function useGroups(type: TypeKey): PropertyGroup[] {
  const { data = [] } = useQuery({
    queryKey: ["groups", type],
    queryFn: async () => (await api.get<{ results: PropertyGroup[] }>(`/crm/v3/properties/${type}/groups`)).results,
  });
  return data;
}

/** A table's question. Filters in a group hold together, any group is enough. */
export interface Ask {
  filterGroups?: FilterGroup[];
  query?: string;
  sorts?: string[];
  properties?: string[];
  links?: string[];
  listId?: string;
  limit?: number;
  after?: string;
}

export interface Page {
  total: number;
  rows: Row[];
}

export function useTable(type: TypeKey, ask: Ask, enabled = true) {
  return useQuery({
    queryKey: ["table", type, ask],
    queryFn: () => api.post<Page>(`/table/${type}`, ask),
    placeholderData: (before: Page | undefined) => before,
    enabled,
  });
}

export function useRecord(type: TypeKey, id: string) {
  return useQuery({
    queryKey: ["record", type, id],
    queryFn: () => api.get<FullRecord>(`/records/${type}/${id}`),
  });
}

/** Every page that is opened from now on reads anew; the page of what is gone is left without asking for it. */
export function refreshElsewhere(): void {
  void queries.invalidateQueries({ refetchType: "none" });
}

/** Read anew whatever is on screen. */
export function refresh(): Promise<void> {
  return queries.invalidateQueries();
}
