import {
  IconAlertOctagon,
  IconBookmark,
  IconClock,
  IconFile,
  IconInbox,
  IconMailbox,
  IconSend,
  IconSendOff,
  IconStar,
  IconTag,
  IconTrash,
  type Icon,
} from "@tabler/icons-react";

import type { ListRoute, ViewName } from "./route";

export interface Place {
  view: ViewName;
  name: string;
  icon: Icon;
  /** Which of the counts stands beside it. */
  count?: string;
}

export const PLACES: Place[] = [
  { view: "inbox", name: "Inbox", icon: IconInbox, count: "INBOX" },
  { view: "starred", name: "Starred", icon: IconStar },
  { view: "snoozed", name: "Snoozed", icon: IconClock },
  { view: "important", name: "Important", icon: IconBookmark },
  { view: "sent", name: "Sent", icon: IconSend },
  { view: "scheduled", name: "Scheduled", icon: IconSendOff, count: "SCHEDULED" },
  { view: "drafts", name: "Drafts", icon: IconFile, count: "DRAFT" },
  { view: "all", name: "All Mail", icon: IconMailbox },
  { view: "spam", name: "Spam", icon: IconAlertOctagon, count: "SPAM" },
  { view: "trash", name: "Trash", icon: IconTrash },
];

export const TABS: { value: string; name: string }[] = [
  { value: "primary", name: "Primary" },
  { value: "social", name: "Social" },
  { value: "promotions", name: "Promotions" },
  { value: "updates", name: "Updates" },
  { value: "forums", name: "Forums" },
];

export const LabelIcon = IconTag;

/** What a list is called: in titles, and in what is said after moving something. */
export function titleOf(route: ListRoute): string {
  switch (route.view) {
    case "search":
      return "Search results";
    case "label":
      return route.value;
    case "category":
      return TABS.find((tab) => tab.value === route.value)?.name ?? route.value;
    default:
      return PLACES.find((place) => place.view === route.view)?.name ?? "Mail";
  }
}

/** What an empty list says. */
export function emptiness(route: ListRoute): { title: string; text: string } {
  switch (route.view) {
    case "inbox":
      return { title: "Your inbox is empty", text: "New mail appears here." };
    case "starred":
      return { title: "No starred messages", text: "Stars mark mail that you want to find again." };
    case "snoozed":
      return { title: "Nothing is snoozed", text: "Snoozed mail comes back to the inbox at its time." };
    case "sent":
      return { title: "No sent messages", text: "What you send is kept here." };
    case "scheduled":
      return { title: "Nothing is scheduled", text: "Letters that wait for their time are kept here." };
    case "drafts":
      return { title: "You don't have any saved drafts", text: "A draft keeps a message that you aren't ready to send yet." };
    case "spam":
      return { title: "Hooray, no spam here", text: "Messages that you report as spam are kept here." };
    case "trash":
      return { title: "No conversations in Trash", text: "What you delete stays here until you empty it." };
    case "search":
      return { title: "No messages matched your search", text: "Try other words, or fewer of them." };
    case "category":
      return { title: `Your ${titleOf(route)} tab is empty`, text: "Mail of this kind appears here." };
    default:
      return { title: "There are no conversations here", text: "" };
  }
}
