import { Button, CloseButton, Text } from "@mantine/core";
import { IconPaperclip } from "@tabler/icons-react";

import { bytes } from "../kit/time";
import classes from "./compose.module.css";
import type { SaveState } from "./saver";
import type { FileInfo } from "./types";

/** Whether what is written is safe. */
export function SaveLine({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  const said = { clean: "", saving: "Saving…", saved: "Draft saved", failed: "Not saved", conflict: "Not saved" }[state.name];
  return (
    <span className={classes.state} role="status" aria-label={said || "Not changed"} data-failed={state.name === "failed" || undefined} title={state.name === "failed" ? state.why : undefined}>
      {state.name === "failed" ? state.why : said}{" "}
      {state.name === "failed" && (
        <Button size="compact-xs" variant="subtle" onClick={onRetry}>
          Retry
        </Button>
      )}
    </span>
  );
}

/** A version of a draft, for choosing between two. */
export function Preview({ to, subject, text }: { to: string[]; subject: string; text: string }) {
  return (
    <>
      <Text size="sm">To: {to.join(", ") || "nobody yet"}</Text>
      <Text size="sm" fw={600}>
        {subject || "(no subject)"}
      </Text>
      <Text size="sm" mt="sm" style={{ whiteSpace: "pre-wrap" }}>
        {text}
      </Text>
    </>
  );
}

export function FileList({ files, onRemove }: { files: FileInfo[]; onRemove: (index: number) => void }) {
  if (files.length === 0) return null;
  return (
    <ul className={classes.files} aria-label="Attachments">
      {files.map((file, index) => (
        <li key={`${file.blob}-${index}`} className={classes.file}>
          <IconPaperclip size={14} aria-hidden />
          <b>{file.filename}</b>
          <Text size="xs" c="gray.6">
            {bytes(file.size)}
          </Text>
          <CloseButton size={24} aria-label={`Remove attachment ${file.filename}`} onClick={() => onRemove(index)} />
        </li>
      ))}
    </ul>
  );
}
