/** What a compose window starts with: a new letter, a reply, a forward. */

import DOMPurify from "dompurify";

import { longTime } from "../kit/time";
import { world } from "../kit/world";
import type { FileInfo, Message, Person } from "./types";

export interface Start {
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  /** The part that is written. */
  html: string;
  /** The letter that is answered or passed on, below what is written; kept as it is. */
  quote: string;
  quoteText: string;
  files: FileInfo[];
  answers: string;
  title: string;
}

const QUOTE_OPEN = '<div data-quote="1">';

export const NEW: Start = {
  to: [],
  cc: [],
  bcc: [],
  subject: "",
  html: "",
  quote: "",
  quoteText: "",
  files: [],
  answers: "",
  title: "New Message",
};

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

export function line(person: Person): string {
  if (person.name === "" || person.name === person.email) return person.email;
  const name = /[()<>@,:;".[\]\\]/.test(person.name) ? `"${person.name.replaceAll(/["\\]/g, "\\$&")}"` : person.name;
  return `${name} <${person.email}>`;
}

export function prefixed(subject: string, prefix: "Re" | "Fwd"): string {
  const known = prefix === "Re" ? /^\s*re\s*:/i : /^\s*fwd?\s*:/i;
  return known.test(subject) ? subject : `${prefix}: ${subject}`;
}

export function signed(signature: string): string {
  return signature.trim() === "" ? "" : `<p></p><p></p><p>--</p>${signature}`;
}

function bodyOf(message: Message): string {
  if (message.html !== "") return DOMPurify.sanitize(message.html);
  return escapeHtml(message.text).replaceAll("\n", "<br>");
}

const sentence = (message: Message) => `On ${longTime(message.at)}, ${line(message.from)} wrote:`;

/** A reply to a message, to its writer or to everyone in it. */
export function answer(message: Message, all: boolean, signature: string): Start {
  const me = world.account.email.toLowerCase();
  const mine = message.from.email === me;
  const first = mine ? message.to : [message.from];
  const rest = all ? [...(mine ? [] : message.to), ...message.cc] : [];
  const taken = new Set([me, ...first.map((person) => person.email)]);
  const cc = rest.filter((person) => !taken.has(person.email) && taken.add(person.email));
  return {
    ...NEW,
    to: first.map(line),
    cc: cc.map(line),
    subject: prefixed(message.subject, "Re"),
    html: signed(signature),
    quote: `<p>${escapeHtml(sentence(message))}</p><blockquote>${bodyOf(message)}</blockquote>`,
    quoteText: [sentence(message), ...message.text.split("\n").map((text) => `> ${text}`)].join("\n"),
    answers: message.id,
    title: "Reply",
  };
}

/** A message passed on, with its files. */
export function forward(message: Message, signature: string): Start {
  const head = [
    "---------- Forwarded message ---------",
    `From: ${line(message.from)}`,
    `Date: ${longTime(message.at)}`,
    `Subject: ${message.subject}`,
    `To: ${message.to.map(line).join(", ")}`,
    ...(message.cc.length > 0 ? [`Cc: ${message.cc.map(line).join(", ")}`] : []),
  ];
  return {
    ...NEW,
    subject: prefixed(message.subject, "Fwd"),
    html: signed(signature),
    quote: `<p>${head.map(escapeHtml).join("<br>")}</p>${bodyOf(message)}`,
    quoteText: `${head.join("\n")}\n\n${message.text}`,
    files: message.files.map(({ filename, mime, size, blob }) => ({ filename, mime, size, blob })),
    answers: message.id,
    title: "Forward",
  };
}

export function joined(html: string, quote: string): string {
  return quote === "" ? html : `${html}${QUOTE_OPEN}${quote}</div>`;
}

/** A saved letter's own part and its quote. */
export function split(html: string): { html: string; quote: string } {
  const at = html.indexOf(QUOTE_OPEN);
  if (at < 0) return { html, quote: "" };
  return { html: html.slice(0, at), quote: html.slice(at + QUOTE_OPEN.length).replace(/<\/div>\s*$/, "") };
}

const ADDRESS = /^[^@\s<>,;"]+@[^@\s<>,;"]+\.[^@\s<>,;"]+$/;

/** The first recipient that is no address, or nothing. */
export function wrongAddress(people: string[]): string | undefined {
  return people.find((person) => !ADDRESS.test(/<([^<>]*)>\s*$/.exec(person)?.[1] ?? person.trim()));
}
