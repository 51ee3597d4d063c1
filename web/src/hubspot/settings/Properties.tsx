import { Badge, Button, Menu, Table, TextInput } from "@mantine/core";
import { IconDotsVertical } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Link, useSearch } from "wouter";

import { api } from "../../kit/api";
import { Choice } from "../../kit/choice";
import { Empty, IconButton } from "../../kit/parts";
import { toast } from "../../kit/toast";
import { Confirm } from "../Confirm";
import { refresh, typeOf, useFacts, useGroups, useProperties } from "../crm";
import { useAddress, usePlaces } from "../place";
import shell from "../shell.module.css";
import classes from "../table/table.module.css";
import type { Property, TypeKey } from "../types";
import { Groups } from "./Groups";
import { kindOf, PropertyForm } from "./PropertyForm";

/** The properties of each kind of record, and the groups that they are shown in. */
export default function Properties({ tab }: { tab: string }) {
  const facts = useFacts();
  const places = usePlaces();
  const type = typeOf(facts, new URLSearchParams(useSearch()).get("type") ?? "contacts")?.key ?? "contacts";
  const [, change] = useAddress();
  const [creating, setCreating] = useState(false);
  const grouped = tab === "groups";
  useEffect(() => {
    document.title = "Properties - Settings - Records";
  }, []);
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <h1 className={classes.title}>Properties</h1>
        <div className={classes.actions}>
          <Choice
            aria-label="Kind of record"
            w={180}
            data={facts.types.map((one) => ({ value: one.id, label: `${one.one} properties` }))}
            value={typeOf(facts, type)?.id ?? ""}
            onChange={(id) => change({ type: id }, true)}
          />
          {!grouped && <Button onClick={() => setCreating(true)}>Create property</Button>}
        </div>
      </div>
      <nav className={classes.tabs} aria-label="Properties or groups">
        <Link className={classes.tab} to={places.properties(type)} aria-current={grouped ? undefined : "page"}>
          Properties
        </Link>
        <Link className={classes.tab} to={places.properties(type, "groups")} aria-current={grouped ? "page" : undefined}>
          Groups
        </Link>
      </nav>
      <div className={shell.column}>{grouped ? <Groups key={type} type={type} /> : <AllOf key={type} type={type} />}</div>
      {creating && <PropertyForm type={type} onClose={() => setCreating(false)} />}
    </div>
  );
}

function AllOf({ type }: { type: TypeKey }) {
  const properties = useProperties(type);
  const groups = useGroups(type);
  const [find, setFind] = useState("");
  const [group, setGroup] = useState("");
  const [editing, setEditing] = useState<Property | null>(null);
  const [deleting, setDeleting] = useState<Property | null>(null);
  const rows = properties.all.filter((p) => (group === "" || p.groupName === group) && `${p.label} ${p.name}`.toLowerCase().includes(find.toLowerCase()));
  return (
    <>
      <div className={shell.tools}>
        <TextInput type="search" aria-label="Search properties" placeholder="Search properties" w={260} value={find} onChange={(event) => setFind(event.currentTarget.value)} />
        <Choice
          aria-label="Group"
          w={220}
          data={[{ value: "", label: "All groups" }, ...groups.map((one) => ({ value: one.name, label: one.label }))]}
          value={group}
          onChange={setGroup}
        />
      </div>
      {rows.length === 0 && properties.all.length > 0 ? (
        <Empty title="No property matches" />
      ) : (
        <div className={shell.tableCard}>
          <Table verticalSpacing={6} horizontalSpacing="md" aria-label="Properties">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Internal name</Table.Th>
                <Table.Th>Field type</Table.Th>
                <Table.Th>Group</Table.Th>
                <Table.Th>Created by</Table.Th>
                <Table.Th w={48}>
                  <span className={shell.hidden}>Actions</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((p) => (
                <Table.Tr key={p.name}>
                  <Table.Td>
                    <span className={shell.clip} title={p.description === "" ? p.label : p.description}>
                      {p.label}
                    </span>
                  </Table.Td>
                  <Table.Td style={{ fontFamily: "var(--mantine-font-family-monospace)", fontSize: 12 }}>
                    <span className={shell.clip} title={p.name}>
                      {p.name}
                    </span>
                  </Table.Td>
                  <Table.Td>{kindOf(p)}</Table.Td>
                  <Table.Td>{groups.find((one) => one.name === p.groupName)?.label ?? p.groupName}</Table.Td>
                  <Table.Td>{p.hubspotDefined ? "Standard" : <Badge variant="light" tt="none">This account</Badge>}</Table.Td>
                  <Table.Td>
                    {!p.hubspotDefined && (
                      <Menu position="bottom-end">
                        <Menu.Target>
                          <IconButton label={`Actions of ${p.label}`} size={28}>
                            <IconDotsVertical size={16} />
                          </IconButton>
                        </Menu.Target>
                        <Menu.Dropdown>
                          <Menu.Item onClick={() => setEditing(p)}>Edit</Menu.Item>
                          <Menu.Item c="#b3261e" onClick={() => setDeleting(p)}>
                            Archive
                          </Menu.Item>
                        </Menu.Dropdown>
                      </Menu>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {editing !== null && <PropertyForm type={type} property={editing} onClose={() => setEditing(null)} />}
      {deleting !== null && (
        <Confirm
          title={`Archive the property “${deleting.label}”?`}
          action="Archive property"
          onConfirm={async () => {
            await api.delete(`/crm/v3/properties/${type}/${deleting.name}`);
            toast(`“${deleting.label}” was archived.`);
            setDeleting(null);
            await refresh();
          }}
          onClose={() => setDeleting(null)}
        >
          Records keep their values, but nobody can see or change them any more.
        </Confirm>
      )}
    </>
  );
}
