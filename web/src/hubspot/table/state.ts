/** An index's state lives in its address: what is not said there is as the view has it. */

import { useMemo } from "react";

import { useNow } from "../../kit/world";
import { isoDay } from "../../kit/time";
import type { Ask, Properties } from "../crm";
import { useAddress } from "../place";
import type { FilterGroup, SavedView, TypeKey } from "../types";
import { combine, isComplete, quickFilters, type Quick } from "./filters";
import { COLUMNS } from "./views";

export const SIZES = [25, 50, 100];

function parsed<T>(text: string | null, otherwise: T): T {
  if (text === null) return otherwise;
  try {
    return JSON.parse(text) as T;
  } catch {
    return otherwise;
  }
}

export interface IndexState {
  query: string;
  quick: Quick;
  groups: FilterGroup[];
  columns: string[];
  sort: string;
  page: number;
  size: number;
  /** Whether the address says something else than the view. */
  changed: boolean;
  ask: Ask;
  set: (changes: { query?: string; quick?: Quick; groups?: FilterGroup[]; columns?: string[]; sort?: string; page?: number; size?: number }) => void;
  reset: () => void;
}

export function useIndexState(type: TypeKey, view: SavedView, properties: Properties): IndexState {
  const [params, change] = useAddress();
  const now = useNow();
  const today = isoDay(now);
  const text = params.toString();
  const state = useMemo(() => {
    const at = new URLSearchParams(text);
    const size = Number(at.get("size"));
    return {
      query: at.get("q") ?? "",
      quick: parsed<Quick>(at.get("quick"), {}),
      groups: parsed<FilterGroup[]>(at.get("filters"), view.filterGroups),
      columns: at.get("columns")?.split(",") ?? (view.columns.length > 0 ? view.columns : COLUMNS[type]),
      sort: at.get("sort") ?? view.sort,
      page: Math.max(1, Number(at.get("page") ?? "1") || 1),
      size: SIZES.includes(size) ? size : 25,
      changed: ["quick", "filters", "columns", "sort"].some((name) => at.has(name)),
    };
  }, [text, view, type]);
  const ask = useMemo((): Ask => {
    const complete = state.groups.map((group) => ({ filters: group.filters.filter(isComplete) }));
    return {
      filterGroups: combine(complete, quickFilters(state.quick, properties.by, now)),
      ...(state.query !== "" && { query: state.query }),
      ...(state.sort !== "" && { sorts: [state.sort] }),
      properties: [...state.columns.filter((name) => !name.startsWith("@")), "pipeline", "hs_pipeline", "deal_currency_code"],
      links: state.columns.filter((name) => name.startsWith("@")).map((name) => name.slice(1)),
      limit: state.size,
      ...(state.page > 1 && { after: String((state.page - 1) * state.size) }),
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- spans of time follow the day, not each tick
  }, [state, properties.by, today]);
  return {
    ...state,
    ask,
    set: ({ query, quick, groups, columns, sort, page, size }) => {
      change(
        {
          ...(query !== undefined && { q: query }),
          ...(quick !== undefined && { quick: Object.values(quick).some((one) => one !== "") ? JSON.stringify(quick) : "" }),
          ...(groups !== undefined && { filters: JSON.stringify(groups) }),
          ...(columns !== undefined && { columns: columns.join(",") }),
          ...(sort !== undefined && { sort }),
          ...(size !== undefined && { size: String(size) }),
          page: page === undefined || page === 1 ? "" : String(page),
        },
        query === undefined,
      );
    },
    reset: () => change({ quick: "", filters: "", columns: "", sort: "", page: "" }, true),
  };
}
