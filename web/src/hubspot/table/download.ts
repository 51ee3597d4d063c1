import { api } from "../../kit/api";
import { complain, toast } from "../../kit/toast";
import type { Ask } from "../crm";
import type { TypeInfo } from "../types";
import { TITLES } from "./views";

/** Save a table as a CSV file: all of its pages, or the chosen records. */
export async function save(type: TypeInfo, ask: Ask, columns: string[], ids?: string[]): Promise<void> {
  const named = type.key === "contacts" ? ["firstname", "lastname"] : [TITLES[type.key].sort];
  const properties = [...named, ...columns.filter((name) => !name.startsWith("@"))];
  try {
    const body = { ...ask, after: "", properties, ...(ids !== undefined && { ids }) };
    const { filename, text, count } = await api.post<{ filename: string; text: string; count: number }>(`/export/${type.key}`, body);
    const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = filename;
    link.click();
    URL.revokeObjectURL(url);
    toast(`${count} ${count === 1 ? type.one.toLowerCase() : type.many.toLowerCase()} exported to ${filename}.`);
  } catch (error) {
    complain(error);
  }
}
