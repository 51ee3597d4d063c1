/** Filters in words, and as the form edits them. */

import type { Filter, Label } from "../types";

export interface FilterForm {
  from: string;
  to: string;
  subject: string;
  words: string;
  without: string;
  attachment: boolean;
  archive: boolean;
  read: boolean;
  star: boolean;
  label: string;
  remove: boolean;
  neverSpam: boolean;
  important: "" | "always" | "never";
  category: string;
}

export const NO_FILTER: FilterForm = {
  from: "",
  to: "",
  subject: "",
  words: "",
  without: "",
  attachment: false,
  archive: false,
  read: false,
  star: false,
  label: "",
  remove: false,
  neverSpam: false,
  important: "",
  category: "",
};

export const CATEGORIES = [
  { value: "", label: "None" },
  { value: "CATEGORY_PERSONAL", label: "Primary" },
  { value: "CATEGORY_SOCIAL", label: "Social" },
  { value: "CATEGORY_PROMOTIONS", label: "Promotions" },
  { value: "CATEGORY_UPDATES", label: "Updates" },
  { value: "CATEGORY_FORUMS", label: "Forums" },
];

export function formOf({ criteria, action }: Pick<Filter, "criteria" | "action">): FilterForm {
  const add = action.addLabelIds ?? [];
  const remove = action.removeLabelIds ?? [];
  return {
    from: criteria.from ?? "",
    to: criteria.to ?? "",
    subject: criteria.subject ?? "",
    words: criteria.query ?? "",
    without: criteria.negatedQuery ?? "",
    attachment: criteria.hasAttachment ?? false,
    archive: remove.includes("INBOX"),
    read: remove.includes("UNREAD"),
    star: add.includes("STARRED"),
    label: add.find((id) => id.startsWith("Label_")) ?? "",
    remove: add.includes("TRASH"),
    neverSpam: remove.includes("SPAM"),
    important: add.includes("IMPORTANT") ? "always" : remove.includes("IMPORTANT") ? "never" : "",
    category: add.find((id) => id.startsWith("CATEGORY_")) ?? "",
  };
}

export function bodyOf(form: FilterForm): Pick<Filter, "criteria" | "action"> {
  const when = <T>(wanted: boolean, value: T): T[] => (wanted ? [value] : []);
  const text = (name: string, value: string) => (value.trim() === "" ? {} : { [name]: value.trim() });
  const addLabelIds = [
    ...when(form.star, "STARRED"),
    ...when(form.label !== "", form.label),
    ...when(form.remove, "TRASH"),
    ...when(form.important === "always", "IMPORTANT"),
    ...when(form.category !== "", form.category),
  ];
  const removeLabelIds = [
    ...when(form.archive, "INBOX"),
    ...when(form.read, "UNREAD"),
    ...when(form.neverSpam, "SPAM"),
    ...when(form.important === "never", "IMPORTANT"),
  ];
  return {
    criteria: {
      ...text("from", form.from),
      ...text("to", form.to),
      ...text("subject", form.subject),
      ...text("query", form.words),
      ...text("negatedQuery", form.without),
      ...(form.attachment ? { hasAttachment: true } : {}),
    },
    action: {
      ...(addLabelIds.length > 0 ? { addLabelIds } : {}),
      ...(removeLabelIds.length > 0 ? { removeLabelIds } : {}),
    },
  };
}

export function matches({ criteria }: Pick<Filter, "criteria">): string {
  const parts = [
    criteria.from === undefined ? "" : `from:(${criteria.from})`,
    criteria.to === undefined ? "" : `to:(${criteria.to})`,
    criteria.subject === undefined ? "" : `subject:(${criteria.subject})`,
    criteria.query ?? "",
    criteria.negatedQuery === undefined ? "" : `-{${criteria.negatedQuery}}`,
    criteria.hasAttachment === true ? "has:attachment" : "",
    criteria.size === undefined ? "" : `${criteria.sizeComparison ?? "larger"}:${criteria.size}`,
  ];
  return parts.filter((part) => part !== "").join(" ");
}

export function does({ action }: Pick<Filter, "action">, labels: Label[]): string {
  const form = formOf({ criteria: {}, action });
  const label = labels.find((one) => one.id === form.label)?.name ?? form.label;
  const category = CATEGORIES.find((one) => one.value === form.category)?.label ?? "";
  const parts = [
    form.archive ? "Skip Inbox" : "",
    form.read ? "Mark as read" : "",
    form.star ? "Star it" : "",
    form.label === "" ? "" : `Apply label “${label}”`,
    form.remove ? "Delete it" : "",
    form.neverSpam ? "Never send it to Spam" : "",
    form.important === "always" ? "Always mark it as important" : "",
    form.important === "never" ? "Never mark it as important" : "",
    form.category === "" ? "" : `Categorize as ${category}`,
    action.forward === undefined ? "" : `Forward to ${action.forward}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
