import type { Filter } from "../types";

export interface Vacation {
  enableAutoReply: boolean;
  responseSubject?: string;
  responseBodyPlainText?: string;
  responseBodyHtml?: string;
  restrictToContacts: boolean;
  restrictToDomain: boolean;
  /** World time, epoch milliseconds as text. */
  startTime?: string;
  endTime?: string;
  rev: string;
}

export interface Address {
  sendAsEmail: string;
  displayName: string;
  signature: string;
  replyToAddress: string;
  rev: string;
}

export interface ForwardingAddress {
  forwardingEmail: string;
  verificationStatus: "accepted" | "pending";
}

export interface AutoForwarding {
  enabled: boolean;
  emailAddress?: string;
  disposition?: string;
  rev: string;
}

export interface SettingsFacts {
  vacation: Vacation;
  address: Address;
  filters: Filter[];
  forwarding: { addresses: ForwardingAddress[]; auto: AutoForwarding };
}
