import { Menu, Text, UnstyledButton } from "@mantine/core";
import { IconHelp, IconMenu2, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";

import { IconButton, Portrait } from "../kit/parts";
import { longTime } from "../kit/time";
import { useNow, world } from "../kit/world";
import { CreatePanel } from "./CreatePanel";
import { useFacts } from "./crm";
import { GlobalSearch } from "./GlobalSearch";
import { KindIcon } from "./icons";
import { usePlaces } from "./place";
import classes from "./shell.module.css";
import type { TypeKey } from "./types";

export function TopBar({ onHelp, onMenu }: { onHelp: () => void; onMenu: () => void }) {
  const places = usePlaces();
  const facts = useFacts();
  const [creating, setCreating] = useState<TypeKey | null>(null);
  return (
    <header className={classes.top}>
      <IconButton label="Collapse or expand the menu" className={classes.topButton} onClick={onMenu}>
        <IconMenu2 size={18} />
      </IconButton>
      <Link to={places.index("contacts")} className={classes.brand} aria-label="Records, go to contacts">
        <Mark />
        Records
      </Link>
      <GlobalSearch />
      <Menu position="bottom-start" width={180}>
        <Menu.Target>
          <IconButton label="Create" className={classes.topButton}>
            <IconPlus size={18} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          {facts.types.map((type) => (
            <Menu.Item key={type.key} leftSection={<KindIcon kind={type.key} size={16} />} onClick={() => setCreating(type.key)}>
              {type.one}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <div className={classes.spacer} />
      <IconButton label="Keyboard shortcuts" shortcut="?" className={classes.topButton} onClick={onHelp}>
        <IconHelp size={19} />
      </IconButton>
      <Account />
      {creating !== null && <CreatePanel type={creating} onClose={() => setCreating(null)} />}
    </header>
  );
}

/** The wordmark's sign: three index cards, the front one marked. */
function Mark() {
  return (
    <svg width="24" height="22" viewBox="0 0 24 22" aria-hidden>
      <rect x="5" y="1" width="14" height="6" rx="2" fill="var(--mantine-color-accent-7)" />
      <rect x="3" y="5" width="18" height="8" rx="2" fill="var(--mantine-color-accent-5)" />
      <rect x="1" y="9" width="22" height="12" rx="3" fill="#fff" />
      <path d="M5 14h8M5 17h5" stroke="var(--mantine-color-accent-6)" strokeWidth="1.8" strokeLinecap="round" />
      <circle cx="18" cy="15.5" r="2" fill="var(--mantine-color-accent-4)" />
    </svg>
  );
}

function Account() {
  const now = useNow();
  const facts = useFacts();
  const { name, email } = world.account;
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <UnstyledButton aria-label={`Account: ${name} (${email})`} className={classes.account}>
          <Portrait name={name} size={28} />
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
          <Text size="sm" c="gray.7">
            Account {facts.portal}
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
