/** The shapes that the twin's screen routes answer with. */

export const TYPE_KEYS = ["contacts", "companies", "deals", "tickets", "tasks"] as const;
export type TypeKey = (typeof TYPE_KEYS)[number];
export const CARD_KEYS = ["contacts", "companies", "deals", "tickets"] as const;
export type CardKey = (typeof CARD_KEYS)[number];
export type ActivityKind = "notes" | "emails" | "calls" | "tasks" | "meetings";

export type Values = Record<string, string | null>;

export interface Named {
  type: TypeKey;
  id: string;
  title: string;
}

export interface CrmRecord {
  id: string;
  properties: Values;
  createdAt: string;
  updatedAt: string;
}

export interface Row extends CrmRecord {
  title: string;
  links: Partial<Record<TypeKey, Named[]>>;
}

export interface Label {
  category: string;
  typeId: number;
  label: string | null;
}

export interface AssociationCard extends CrmRecord {
  type: CardKey;
  title: string;
  primary: boolean;
  labels: Label[];
}

export interface FullRecord extends CrmRecord {
  type: TypeKey;
  title: string;
  associations: Record<CardKey, AssociationCard[]>;
}

export interface Comment {
  id: string;
  body: string;
  at: number;
  by: string;
  own: boolean;
}

export interface Activity extends CrmRecord {
  kind: ActivityKind;
  at: number;
  links: Named[];
  comments: Comment[];
}

export interface Option {
  label: string;
  value: string;
  hidden: boolean;
}

export interface Property {
  name: string;
  label: string;
  type: "string" | "number" | "date" | "datetime" | "enumeration" | "bool";
  fieldType: string;
  description: string;
  groupName: string;
  options: Option[];
  hidden: boolean;
  hubspotDefined: boolean;
  modificationMetadata: { readOnlyValue: boolean };
}

export interface PropertyGroup {
  name: string;
  label: string;
}

export interface Stage {
  id: string;
  label: string;
  displayOrder: number;
  metadata: Record<string, string>;
}

export interface Pipeline {
  id: string;
  label: string;
  displayOrder: number;
  stages: Stage[];
  updatedAt: string;
}

export interface Filter {
  propertyName: string;
  operator: string;
  value?: string;
  highValue?: string;
  values?: string[];
}

export interface FilterGroup {
  filters: Filter[];
}

export interface SavedView {
  id: string;
  name: string;
  filterGroups: FilterGroup[];
  columns: string[];
  sort: string;
}

export interface Owner {
  id: string;
  name: string;
  email: string;
  active: boolean;
  teams: string[];
}

export interface TypeInfo {
  key: TypeKey;
  id: string;
  one: string;
  many: string;
}

export interface Facts {
  portal: number;
  currency: string;
  /** The persona's own owner id; empty when it owns nothing. */
  owner: string;
  owners: Owner[];
  types: TypeInfo[];
  pipelines: Record<"deals" | "tickets", Pipeline[]>;
  views: Record<TypeKey, SavedView[]>;
}

export interface Segment {
  listId: string;
  name: string;
  objectTypeId: string;
  processingType: "MANUAL" | "DYNAMIC" | "SNAPSHOT";
  size: number;
  createdAt: string;
  updatedAt: string;
  createdById: string;
  filterBranch?: Branch;
}

export interface Branch {
  filterBranchType: "AND" | "OR";
  filterBranches: Branch[];
  filters: { filterType: "PROPERTY"; property: string; operation: Record<string, unknown> }[];
}
