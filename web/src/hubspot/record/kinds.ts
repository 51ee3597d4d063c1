import type { ActivityKind } from "../types";

export const ACTIVITIES: { kind: ActivityKind; one: string; many: string; shortcut: string }[] = [
  { kind: "notes", one: "Note", many: "Notes", shortcut: "n" },
  { kind: "emails", one: "Email", many: "Emails", shortcut: "e" },
  { kind: "calls", one: "Call", many: "Calls", shortcut: "p" },
  { kind: "tasks", one: "Task", many: "Tasks", shortcut: "t" },
  { kind: "meetings", one: "Meeting", many: "Meetings", shortcut: "m" },
];
