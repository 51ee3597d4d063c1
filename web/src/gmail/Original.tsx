import { Button, Container, Group, Table, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { api } from "../kit/api";
import { Failed, Waiting } from "../kit/parts";

interface Source {
  subject: string;
  messageId: string;
  raw: string;
}

/** A message as it came over the wire. */
export default function Original({ message }: { message: string }) {
  const found = useQuery({
    queryKey: ["original", message],
    queryFn: () => api.get<Source>(`/messages/${message}/original`),
  });
  if (found.isPending) return <Waiting what="the original message" />;
  if (found.isError) return <Failed error={found.error} onRetry={() => void found.refetch()} />;
  const { subject, messageId, raw } = found.data;
  return (
    <Container component="main" size="lg" py="xl">
      <Group justify="space-between">
        <Title order={1} size={22} fw={500}>
          Original message
        </Title>
        <Button variant="default" onClick={() => void navigator.clipboard.writeText(raw)}>
          Copy to clipboard
        </Button>
      </Group>
      <Table mt="lg" variant="vertical" withTableBorder>
        <Table.Tbody>
          <Table.Tr>
            <Table.Th w={140}>Message ID</Table.Th>
            <Table.Td style={{ overflowWrap: "anywhere" }}>{messageId}</Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>Subject</Table.Th>
            <Table.Td>{subject}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <pre
        tabIndex={0}
        aria-label="Source"
        style={{ marginTop: 16, padding: 16, overflow: "auto", background: "var(--mantine-color-gray-0)", borderRadius: 8, fontSize: 12, fontFamily: "var(--mantine-font-family-monospace)" }}
      >
        {raw}
      </pre>
    </Container>
  );
}
