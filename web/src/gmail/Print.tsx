import { Button, Container, Divider, Group, Text, Title } from "@mantine/core";

import { Failed, Waiting } from "../kit/parts";
import { longTime } from "../kit/time";
import { useThread } from "./mail";
import { Letter } from "./MessageCard";
import type { Person } from "./types";

const listed = (people: Person[]) => people.map((person) => `${person.name} <${person.email}>`).join(", ");

/** A conversation as it goes on paper. */
export default function Print({ thread }: { thread: string }) {
  const found = useThread(thread);
  if (found.isPending) return <Waiting what="the conversation" />;
  if (found.isError) return <Failed error={found.error} onRetry={() => void found.refetch()} />;
  const { subject, messages } = found.data;
  return (
    <Container component="main" size="md" py="xl">
      <Group justify="space-between" wrap="nowrap" align="start">
        <Title order={1} size={22}>
          {subject || "(no subject)"}
        </Title>
        <Button className="kit-no-print" variant="default" onClick={() => window.print()}>
          Print
        </Button>
      </Group>
      <Text size="sm" c="gray.7">
        {messages.length === 1 ? "1 message" : `${messages.length} messages`}
      </Text>
      {messages.map((message) => (
        <section key={message.id} aria-label={`Message from ${message.from.name}`}>
          <Divider my="md" />
          <Group justify="space-between">
            <Text fw={600}>{listed([message.from])}</Text>
            <Text size="sm">{longTime(message.at)}</Text>
          </Group>
          <Text size="sm">To: {listed(message.to)}</Text>
          {message.cc.length > 0 && <Text size="sm">Cc: {listed(message.cc)}</Text>}
          <Letter message={message} />
        </section>
      ))}
    </Container>
  );
}
