/** What the server answers; see src/tenure/twins/gmail/screen.py. */

export interface Label {
  id: string;
  name: string;
  color: string;
  textColor: string;
  visibility: "labelShow" | "labelShowIfUnread" | "labelHide";
  rev: string;
}

export type Counts = Record<string, number>;

export interface Facts {
  labels: Label[];
  counts: Counts;
  signature: string;
  vacation: boolean;
}

export interface Person {
  name: string;
  email: string;
}

export interface Row {
  id: string;
  subject: string;
  snippet: string;
  at: number;
  messages: number;
  people: (Person & { unread: boolean })[];
  recipients: string[];
  unread: boolean;
  labels: string[];
  files: { filename: string; mime: string }[];
  draft: string | null;
  alone: boolean;
  snoozed: number | null;
  scheduled: number | null;
}

export interface Listing {
  rows: Row[];
  first: number;
  total: number | null;
  more: boolean;
  counts: Counts;
}

export interface FileInfo {
  filename: string;
  mime: string;
  size: number;
  blob: string;
}

export interface Message {
  id: string;
  from: Person;
  to: Person[];
  cc: Person[];
  bcc: Person[];
  at: number;
  labels: string[];
  subject: string;
  text: string;
  html: string;
  files: (FileInfo & { n: number })[];
  messageId: string;
  draft: string | null;
}

export interface Thread {
  id: string;
  subject: string;
  labels: string[];
  messages: Message[];
  counts: Counts;
}

export interface Draft {
  id: string;
  rev: string;
  thread: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  text: string;
  html: string;
  files: FileInfo[];
  answers: string;
  at: number;
  scheduled: number | null;
}

export interface Filter {
  id: string;
  criteria: {
    from?: string;
    to?: string;
    subject?: string;
    query?: string;
    negatedQuery?: string;
    hasAttachment?: boolean;
    size?: number;
    sizeComparison?: string;
  };
  action: { addLabelIds?: string[]; removeLabelIds?: string[]; forward?: string };
}

/** Where messages were before they were moved: label ids by message id. */
export type Before = Record<string, string[]>;
