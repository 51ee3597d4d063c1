import { lazy, Suspense, useMemo, useState } from "react";
import { useHashLocation } from "wouter/use-hash-location";

import { useShortcuts } from "../kit/keys";
import { Waiting } from "../kit/parts";
import classes from "./app.module.css";
import { ComposeProvider } from "./compose";
import { Header } from "./Header";
import { Nav } from "./Nav";
import { build, listOf, parse, type Route, type ViewName } from "./route";
import { ShortcutHelp } from "./ShortcutHelp";
import { ThreadList } from "./ThreadList";
import { ThreadView } from "./ThreadView";
import { useCompose } from "./useCompose";

const Settings = lazy(() => import("./Settings"));
const Original = lazy(() => import("./Original"));
const Print = lazy(() => import("./Print"));

export type Go = (route: Route) => void;

export function App() {
  const [location] = useHashLocation();
  const route = useMemo(() => parse(location), [location]);
  if (route.kind === "original" || route.kind === "print") {
    return (
      <Suspense fallback={<Waiting what="the message" />}>
        {route.kind === "original" ? <Original message={route.message} /> : <Print thread={route.thread} />}
      </Suspense>
    );
  }
  return (
    <ComposeProvider>
      <Mailbox route={route} />
    </ComposeProvider>
  );
}

type PageRoute = Exclude<Route, { kind: "original" } | { kind: "print" }>;

function Mailbox({ route }: { route: PageRoute }) {
  const [, navigate] = useHashLocation();
  const [narrow, setNarrow] = useState(false);
  const [help, setHelp] = useState(false);
  const compose = useCompose();
  const go: Go = (next) => navigate(build(next).slice(1));
  const show = (view: ViewName) => () => go({ kind: "list", view, value: "", page: 0 });
  useShortcuts({
    c: () => compose.open({}),
    "/": () => document.querySelector<HTMLInputElement>("#search")?.focus(),
    "?": () => setHelp(true),
    "g i": show("inbox"),
    "g s": show("starred"),
    "g b": show("snoozed"),
    "g t": show("sent"),
    "g d": show("drafts"),
    "g a": show("all"),
  });
  return (
    <div className={classes.app}>
      <a className="kit-skip" href="#content" onClick={(event) => skip(event)}>
        Skip to content
      </a>
      <Header route={route} go={go} onMenu={() => setNarrow(!narrow)} />
      <div className={classes.body}>
        <Nav route={route} go={go} narrow={narrow} />
        <main className={classes.card} id="content" tabIndex={-1}>
          {route.kind === "settings" ? (
            <Suspense fallback={<Waiting what="settings" />}>
              <Settings tab={route.tab} go={go} />
            </Suspense>
          ) : route.kind === "list" ? (
            <ThreadList key={build(route)} route={route} go={go} />
          ) : (
            <ThreadView key={route.thread} route={route} back={listOf(route)} go={go} />
          )}
        </main>
      </div>
      <ShortcutHelp opened={help} onClose={() => setHelp(false)} />
    </div>
  );
}

function skip(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}
