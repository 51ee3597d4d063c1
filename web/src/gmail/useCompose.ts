import { createContext, use } from "react";

import type { Start } from "./start";

export interface Compose {
  /** Open a window for a new letter. */
  open: (start: Partial<Start>) => void;
  /** Open a window for a draft; one that is open comes to the front. */
  openDraft: (draft: string) => void;
  /** The drafts that have a window. */
  drafts: readonly string[];
}

export const ComposeContext = createContext<Compose>({ open: () => undefined, openDraft: () => undefined, drafts: [] });

export function useCompose(): Compose {
  return use(ComposeContext);
}
