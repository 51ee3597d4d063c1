import "@mantine/tiptap/styles.css";

import { useQuery } from "@tanstack/react-query";

import { api, messageOf } from "../kit/api";
import { Waiting } from "../kit/parts";
import { ComposeForm } from "./ComposeForm";
import { NEW, split, type Start } from "./start";
import type { Draft } from "./types";

interface Props {
  start?: Start;
  draft?: string;
  inline?: boolean;
  onClose: () => void;
}

/** A compose window, or a reply in its conversation: for a new letter, or for a draft that is fetched. */
export default function Composer({ start = NEW, draft, inline = false, onClose }: Props) {
  if (draft === undefined) return <ComposeForm start={start} inline={inline} onClose={onClose} />;
  return <Saved draft={draft} inline={inline} onClose={onClose} />;
}

function Saved({ draft, inline, onClose }: { draft: string; inline: boolean; onClose: () => void }) {
  const found = useQuery({
    queryKey: ["draft", draft],
    queryFn: () => api.get<Draft>(`/drafts/${draft}`),
    gcTime: 0,
    // An open window holds its own text: what another window saves is met when this one saves.
    staleTime: "static",
  });
  if (found.isPending) return <Waiting what="the draft" />;
  if (found.isError) return <p role="alert">{messageOf(found.error)}</p>;
  return <ComposeForm start={startOf(found.data)} saved={found.data} inline={inline} onClose={onClose} />;
}

export function startOf(draft: Draft): Start {
  const { html, quote } = split(draft.html);
  return {
    ...NEW,
    to: draft.to,
    cc: draft.cc,
    bcc: draft.bcc,
    subject: draft.subject,
    html: html === "" && draft.html === "" ? textToHtml(draft.text) : html,
    quote,
    files: draft.files,
    answers: draft.answers,
    title: draft.subject === "" ? "New Message" : draft.subject,
  };
}

function textToHtml(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return escaped.split("\n").map((line) => `<p>${line}</p>`).join("");
}
