import { lazy, Suspense, useMemo, useState, type ReactNode } from "react";

import { Waiting } from "../kit/parts";
import classes from "./compose.module.css";
import { useFacts } from "./mail";
import { NEW, signed, type Start } from "./start";
import { ComposeContext, type Compose } from "./useCompose";

const Composer = lazy(() => import("./Composer"));

interface Window {
  key: number;
  start?: Start;
  draft?: string;
}

let opened = 0;

/** Keeps the compose windows, and draws them over everything. */
export function ComposeProvider({ children }: { children: ReactNode }) {
  const { signature } = useFacts();
  const [windows, setWindows] = useState<Window[]>([]);
  const compose = useMemo<Compose>(
    () => ({
      open: (start) => {
        opened += 1;
        const made = { key: opened, start: { ...NEW, html: signed(signature), ...start } };
        setWindows((now) => [...now, made]);
      },
      openDraft: (draft) => {
        opened += 1;
        const made = { key: opened, draft };
        setWindows((now) => (now.some((one) => one.draft === draft) ? now : [...now, made]));
      },
      drafts: windows.flatMap((one) => one.draft ?? []),
    }),
    [signature, windows],
  );
  return (
    <ComposeContext value={compose}>
      {children}
      <div className={classes.dock}>
        {windows.map((one) => (
          <Suspense key={one.key} fallback={<Waiting what="the message" />}>
            <Composer
              {...(one.start === undefined ? {} : { start: one.start })}
              {...(one.draft === undefined ? {} : { draft: one.draft })}
              onClose={() => setWindows((now) => now.filter((other) => other.key !== one.key))}
            />
          </Suspense>
        ))}
      </div>
    </ComposeContext>
  );
}

interface InlineProps {
  start?: Start;
  draft?: string;
  onClose: () => void;
}

/** A reply inside its conversation. */
export function InlineCompose(props: InlineProps) {
  return (
    <Suspense fallback={<Waiting what="the reply" />}>
      <Composer {...props} inline />
    </Suspense>
  );
}
