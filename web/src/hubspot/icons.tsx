import {
  IconAddressBook,
  IconBuilding,
  IconCalendarEvent,
  IconCheckbox,
  IconCoins,
  IconMail,
  IconNote,
  IconPhone,
  IconTicket,
} from "@tabler/icons-react";

import type { ActivityKind, TypeKey } from "./types";

const ICONS = {
  contacts: IconAddressBook,
  companies: IconBuilding,
  deals: IconCoins,
  tickets: IconTicket,
  tasks: IconCheckbox,
  notes: IconNote,
  emails: IconMail,
  calls: IconPhone,
  meetings: IconCalendarEvent,
};

export function KindIcon({ kind, size = 18 }: { kind: TypeKey | ActivityKind; size?: number }) {
  const Icon = ICONS[kind];
  return <Icon size={size} stroke={1.7} aria-hidden />;
}
