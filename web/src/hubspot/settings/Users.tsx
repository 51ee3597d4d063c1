import { Badge, Group, Table, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";

import { Empty, Portrait } from "../../kit/parts";
import { useFacts } from "../crm";
import shell from "../shell.module.css";

/** Who can own records. People are managed elsewhere; this page only lists them. */
export default function Users() {
  const facts = useFacts();
  const [find, setFind] = useState("");
  useEffect(() => {
    document.title = "Users - Settings - Records";
  }, []);
  const rows = facts.owners.filter((owner) => `${owner.name} ${owner.email}`.toLowerCase().includes(find.toLowerCase()));
  return (
    <div className={shell.column}>
      <div className={shell.pageHead}>
        <div>
          <h1 className={shell.title}>Users</h1>
          <p className={shell.lead}>Everyone who can own records. Deactivated users keep what they own.</p>
        </div>
      </div>
      <div className={shell.tools}>
        <TextInput type="search" aria-label="Search users" placeholder="Search users" w={260} value={find} onChange={(event) => setFind(event.currentTarget.value)} />
      </div>
      {rows.length === 0 ? (
        <Empty title="No user matches" />
      ) : (
        <div className={shell.tableCard}>
          <Table verticalSpacing="sm" horizontalSpacing="md" aria-label="Users">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Email</Table.Th>
                <Table.Th>Owner ID</Table.Th>
                <Table.Th>Teams</Table.Th>
                <Table.Th>State</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((owner) => (
                <Table.Tr key={owner.id}>
                  <Table.Td>
                    <Group gap="sm" wrap="nowrap">
                      <Portrait name={owner.name} size={24} />
                      <span className={shell.clip}>{owner.name}</span>
                      {owner.id === facts.owner && (
                        <Badge variant="light" tt="none">
                          You
                        </Badge>
                      )}
                    </Group>
                  </Table.Td>
                  <Table.Td>{owner.email}</Table.Td>
                  <Table.Td className="kit-numbers">{owner.id}</Table.Td>
                  <Table.Td>{owner.teams.join(", ") || "--"}</Table.Td>
                  <Table.Td>{owner.active ? "Active" : "Deactivated"}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </div>
  );
}
