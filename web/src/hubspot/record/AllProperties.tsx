import { Drawer, Stack, Switch, TextInput } from "@mantine/core";
import { useState } from "react";

import { useGroups, useProperties } from "../crm";
import type { FullRecord, TypeInfo } from "../types";
import { InlineProperty } from "./InlineProperty";
import classes from "./record.module.css";

interface Props {
  type: TypeInfo;
  record: FullRecord;
  onClose: () => void;
}

/** Every property of a record, by group. */
export function AllProperties({ type, record, onClose }: Props) {
  const properties = useProperties(type.key);
  const groups = useGroups(type.key);
  const [find, setFind] = useState("");
  const [filled, setFilled] = useState(false);
  const fitting = properties.all.filter((p) => {
    if (p.hidden || (filled && !record.properties[p.name])) return false;
    return `${p.label} ${p.name}`.toLowerCase().includes(find.toLowerCase());
  });
  return (
    <Drawer opened onClose={onClose} position="right" size={480} title={`All properties of ${record.title}`} closeButtonProps={{ "aria-label": "Close" }}>
      <Stack gap="sm">
        <TextInput aria-label="Search properties" placeholder="Search properties" value={find} onChange={(event) => setFind(event.currentTarget.value)} data-autofocus />
        <Switch size="sm" label="Hide blank properties" checked={filled} onChange={(event) => setFilled(event.currentTarget.checked)} />
        {groups.map((group) => {
          const inside = fitting.filter((p) => p.groupName === group.name);
          if (inside.length === 0) return null;
          return (
            <section key={group.name} aria-label={group.label}>
              <h2 className={classes.cardTitle}>{group.label}</h2>
              {inside.map((p) => (
                <InlineProperty key={p.name} type={type.key} record={record} property={p} />
              ))}
            </section>
          );
        })}
        {fitting.length === 0 && <p className={classes.none}>No property matches.</p>}
      </Stack>
    </Drawer>
  );
}
