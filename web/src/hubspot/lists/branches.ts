/** A list's filter branches and an index's filter groups say the same; these turn one into the other. */

import type { Branch, Filter, FilterGroup, Property } from "../types";

const OPERATORS: Record<string, string> = {
  EQ: "IS_EQUAL_TO",
  NEQ: "IS_NOT_EQUAL_TO",
  GT: "IS_GREATER_THAN",
  GTE: "IS_GREATER_THAN_OR_EQUAL_TO",
  LT: "IS_LESS_THAN",
  LTE: "IS_LESS_THAN_OR_EQUAL_TO",
  IN: "IS_ANY_OF",
  NOT_IN: "IS_NONE_OF",
  BETWEEN: "IS_BETWEEN",
  CONTAINS_TOKEN: "CONTAINS",
  NOT_CONTAINS_TOKEN: "DOES_NOT_CONTAIN",
  HAS_PROPERTY: "IS_KNOWN",
  NOT_HAS_PROPERTY: "IS_UNKNOWN",
};
const BACK: Record<string, string> = {
  ...Object.fromEntries(Object.entries(OPERATORS).map(([search, list]) => [list, search])),
  IS_EXACTLY: "EQ",
  IS_NOT_EXACTLY: "NEQ",
  IS_AFTER: "GT",
  IS_BEFORE: "LT",
};
const TYPES: Record<Property["type"], string> = {
  string: "MULTISTRING",
  number: "NUMBER",
  date: "TIME_POINT",
  datetime: "TIME_POINT",
  enumeration: "ENUMERATION",
  bool: "BOOL",
};

export function branchOf(groups: FilterGroup[], properties: ReadonlyMap<string, Property>): Branch {
  const one = (filter: Filter): Branch["filters"][number] => ({
    filterType: "PROPERTY",
    property: filter.propertyName,
    operation: {
      operationType: TYPES[properties.get(filter.propertyName)?.type ?? "string"],
      operator: OPERATORS[filter.operator] ?? filter.operator,
      ...(filter.operator === "BETWEEN" ? { lowerBound: filter.value, upperBound: filter.highValue } : {}),
      ...(filter.values !== undefined ? { values: filter.values } : {}),
      ...(filter.operator !== "BETWEEN" && filter.value !== undefined ? { values: [filter.value] } : {}),
    },
  });
  return {
    filterBranchType: "OR",
    filterBranches: groups.map((group) => ({ filterBranchType: "AND", filterBranches: [], filters: group.filters.map(one) })),
    filters: [],
  };
}

const text = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : "");

/** The groups that a branch says; `undefined` for one of another shape, which the editor cannot show. */
export function groupsOf(branch: Branch | undefined): FilterGroup[] | undefined {
  if (branch === undefined) return [];
  const simple = (one: Branch) => one.filterBranchType === "AND" && one.filterBranches.length === 0;
  const inner = branch.filterBranchType === "OR" && branch.filters.length === 0 ? branch.filterBranches : [branch];
  if (!inner.every(simple)) return undefined;
  return inner.map((one) => ({
    filters: one.filters.map(({ property, operation }): Filter => {
      const given = Array.isArray(operation["values"]) ? operation["values"].map(text) : [text(operation["value"])];
      const operator = BACK[text(operation["operator"])] ?? text(operation["operator"]);
      if (operator === "BETWEEN") return { propertyName: property, operator, value: text(operation["lowerBound"]), highValue: text(operation["upperBound"]) };
      if (operator === "IN" || operator === "NOT_IN") return { propertyName: property, operator, values: given };
      if (operator === "HAS_PROPERTY" || operator === "NOT_HAS_PROPERTY") return { propertyName: property, operator };
      return { propertyName: property, operator, value: given[0] ?? "" };
    }),
  }));
}
