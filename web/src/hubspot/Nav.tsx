import { Tooltip } from "@mantine/core";
import { IconAdjustments, IconChartBar, IconListCheck, IconTimeline, IconUsers } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";

import { useFacts } from "./crm";
import { KindIcon } from "./icons";
import { usePlaces } from "./place";
import classes from "./shell.module.css";
import type { TypeKey } from "./types";

interface Place {
  name: string;
  to: string;
  icon: ReactNode;
  here: (path: string) => boolean;
}

export function Nav({ narrow }: { narrow: boolean }) {
  const places = usePlaces();
  const facts = useFacts();
  const [path] = useLocation();
  const index = (key: TypeKey): Place => {
    const type = facts.types.find((one) => one.key === key);
    return {
      name: type?.many ?? key,
      to: places.index(key),
      icon: <KindIcon kind={key} />,
      here: (at) => at.includes(`/objects/${type?.id ?? ""}/`) || at.includes(`/record/${type?.id ?? ""}/`),
    };
  };
  const under = (name: string, to: string, icon: ReactNode, start: string): Place => ({ name, to, icon, here: (at) => at.includes(start) });
  const groups: { title: string; items: Place[] }[] = [
    {
      title: "CRM",
      items: [
        index("contacts"),
        index("companies"),
        index("deals"),
        index("tickets"),
        under("Tasks", places.tasks("today"), <KindIcon kind="tasks" />, "/tasks/"),
        under("Lists", places.lists(), <IconListCheck size={18} stroke={1.7} aria-hidden />, "/objectLists/"),
      ],
    },
    {
      title: "Reporting",
      items: [under("Dashboard", places.reports(), <IconChartBar size={18} stroke={1.7} aria-hidden />, "/reports-dashboard/")],
    },
    {
      title: "Settings",
      items: [
        under("Properties", places.properties("contacts"), <IconAdjustments size={18} stroke={1.7} aria-hidden />, "/property-settings/"),
        under("Pipelines", places.pipelines("deals"), <IconTimeline size={18} stroke={1.7} aria-hidden />, "/pipelines-settings/"),
        under("Users", places.users(), <IconUsers size={18} stroke={1.7} aria-hidden />, "/settings/"),
      ],
    },
  ];
  return (
    <nav className={classes.nav} data-narrow={narrow || undefined} aria-label="Main">
      {groups.map((group) => (
        <div key={group.title} role="group" aria-label={group.title}>
          <div className={classes.navTitle} aria-hidden>
            {group.title}
          </div>
          {group.items.map((item) => (
            <Tooltip key={item.name} label={item.name} position="right" disabled={!narrow}>
              <Link to={item.to} className={classes.place} aria-current={item.here(path) ? "page" : undefined} aria-label={item.name}>
                {item.icon}
                <span className={classes.placeName}>{item.name}</span>
              </Link>
            </Tooltip>
          ))}
        </div>
      ))}
    </nav>
  );
}
