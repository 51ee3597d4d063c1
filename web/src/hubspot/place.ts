/** Addresses, as the product writes them: every view and every record has its own. */

import { useLocation, useSearch } from "wouter";

import { typeOf, useFacts } from "./crm";
import type { TypeKey } from "./types";

export function usePlaces() {
  const facts = useFacts();
  const id = (type: TypeKey) => typeOf(facts, type)?.id ?? type;
  const portal = facts.portal;
  return {
    index: (type: TypeKey, view = "all", shape: "list" | "board" = "list") =>
      type === "tasks" ? `/tasks/${portal}/view/all` : `/contacts/${portal}/objects/${id(type)}/views/${view}/${shape}`,
    record: (type: TypeKey, record: string, tab = "") =>
      `/contacts/${portal}/record/${id(type)}/${record}${tab === "" ? "" : `/view/${tab}`}`,
    tasks: (tab: string) => `/tasks/${portal}/view/${tab}`,
    lists: () => `/contacts/${portal}/objectLists/all`,
    list: (list: string) => `/contacts/${portal}/objectLists/${list}`,
    properties: (type: TypeKey, tab = "properties") => `/property-settings/${portal}/${tab}?type=${id(type)}`,
    pipelines: (type: "deals" | "tickets", pipeline = "") =>
      `/pipelines-settings/${portal}/object/${id(type)}${pipeline === "" ? "" : `/${encodeURIComponent(pipeline)}`}`,
    users: () => `/settings/${portal}/users`,
    reports: () => `/reports-dashboard/${portal}/view`,
    search: (text: string) => `/search/${portal}?q=${encodeURIComponent(text)}`,
  };
}

/** The query part of the address as a place to keep a view's state: back and reload keep it. */
export function useAddress(): [URLSearchParams, (changes: Record<string, string>, push?: boolean) => void] {
  const [location, navigate] = useLocation();
  const text = useSearch();
  const params = new URLSearchParams(text);
  const change = (changes: Record<string, string>, push = false) => {
    for (const [name, value] of Object.entries(changes)) {
      if (value === "") params.delete(name);
      else params.set(name, value);
    }
    const rest = params.toString();
    navigate(rest === "" ? location : `${location}?${rest}`, { replace: !push });
  };
  return [params, change];
}
