import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, type ComponentType } from "react";

import { api } from "../kit/api";
import { Failed, Waiting } from "../kit/parts";
import type { Go } from "./App";
import classes from "./app.module.css";
import { build } from "./route";
import type { SettingsFacts } from "./settings/types";

const TABS: { tab: string; name: string; page: ComponentType<{ facts: SettingsFacts; go: Go }> }[] = [
  { tab: "general", name: "General", page: lazy(() => import("./settings/General")) },
  { tab: "labels", name: "Labels", page: lazy(() => import("./settings/Labels")) },
  { tab: "filters", name: "Filters and Blocked Addresses", page: lazy(() => import("./settings/Filters")) },
  { tab: "forwarding", name: "Forwarding", page: lazy(() => import("./settings/Forwarding")) },
];

export default function Settings({ tab, go }: { tab: string; go: Go }) {
  const found = useQuery({ queryKey: ["settings"], queryFn: () => api.get<SettingsFacts>("/settings") });
  const current = TABS.find((one) => one.tab === tab) ?? TABS[0];
  return (
    <div className={classes.scroll}>
      <h1 className={classes.settingsTitle}>Settings</h1>
      <nav className={classes.tabs} aria-label="Settings">
        {TABS.map((one) => (
          <a
            key={one.tab}
            className={classes.tab}
            style={{ minWidth: 0 }}
            href={build({ kind: "settings", tab: one.tab })}
            aria-current={one === current ? "page" : undefined}
          >
            {one.name}
          </a>
        ))}
      </nav>
      {found.isPending ? (
        <Waiting what="settings" />
      ) : found.isError ? (
        <Failed error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        current !== undefined && (
          <Suspense fallback={<Waiting what="settings" />}>
            <div className={classes.settings}>
              <current.page facts={found.data} go={go} />
            </div>
          </Suspense>
        )
      )}
    </div>
  );
}
