/** What an activity says, out of the properties of its kind. */

import type { Activity } from "../types";

const BODY = { notes: "hs_note_body", emails: "hs_email_text", calls: "hs_call_body", tasks: "hs_task_body", meetings: "hs_meeting_body" };
const TITLE = { notes: "", emails: "hs_email_subject", calls: "hs_call_title", tasks: "hs_task_subject", meetings: "hs_meeting_title" };

export const bodyName = (activity: Pick<Activity, "kind">) => BODY[activity.kind];
export const titleName = (activity: Pick<Activity, "kind">) => TITLE[activity.kind];

export function bodyOf(activity: Activity): string {
  const text = activity.properties[BODY[activity.kind]] ?? "";
  return text === "" && activity.kind === "emails" ? (activity.properties["hs_email_html"] ?? "") : text;
}

export function titleOf(activity: Activity): string {
  const name = TITLE[activity.kind];
  return name === "" ? "" : (activity.properties[name] ?? "");
}

export function wordsOf(activity: Activity): string {
  return [titleOf(activity), bodyOf(activity), ...activity.comments.map((one) => one.body)].join(" ");
}
