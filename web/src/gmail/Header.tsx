import { Menu, Text, UnstyledButton } from "@mantine/core";
import { IconHelp, IconMenu2, IconSettings } from "@tabler/icons-react";

import { IconButton, Portrait } from "../kit/parts";
import { useNow, world } from "../kit/world";
import { longTime } from "../kit/time";
import type { Go } from "./App";
import classes from "./app.module.css";
import { type Route } from "./route";
import { SearchBar } from "./SearchBar";

interface Props {
  route: Route;
  go: Go;
  onMenu: () => void;
}

export function Header({ route, go, onMenu }: Props) {
  return (
    <header className={classes.header}>
      <IconButton label="Main menu" onClick={onMenu} size={40} radius="xl">
        <IconMenu2 size={20} />
      </IconButton>
      <a className={classes.brand} href="#inbox" aria-label="Mail, go to Inbox">
        <Mark />
        Mail
      </a>
      <SearchBar route={route} go={go} />
      <div className={classes.spacer} />
      <IconButton label="Keyboard shortcuts" onClick={() => window.dispatchEvent(new KeyboardEvent("keydown", { key: "?" }))} size={40} radius="xl">
        <IconHelp size={21} />
      </IconButton>
      <IconButton label="Settings" onClick={() => go({ kind: "settings", tab: "general" })} size={40} radius="xl">
        <IconSettings size={21} />
      </IconButton>
      <AccountMenu />
    </header>
  );
}

/** The wordmark's sign: two folded sheets. */
function Mark() {
  return (
    <svg width="30" height="26" viewBox="0 0 30 26" aria-hidden>
      <rect x="1" y="3" width="28" height="21" rx="5" fill="var(--mantine-color-accent-6)" />
      <path d="M6 10l7.2 5.6a3 3 0 0 0 3.6 0L24 10" fill="none" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round" />
      <circle cx="25" cy="5" r="4.5" fill="var(--mantine-color-accent-3)" stroke="#f3f1ef" strokeWidth="2" />
    </svg>
  );
}

function AccountMenu() {
  const now = useNow();
  const { name, email } = world.account;
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <UnstyledButton aria-label={`Account: ${name} (${email})`} style={{ borderRadius: "50%" }}>
          <Portrait name={name} size={34} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text fw={600} c="gray.9">
            {name}
          </Text>
          <Text size="sm" c="gray.7">
            {email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>
          {longTime(now)}, {world.zone.replaceAll("_", " ")}
        </Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}
