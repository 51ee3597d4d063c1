import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { IconLink, IconLock, IconWorld, IconBuilding } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { api } from "../kit/api";
import { queries } from "../kit/boot";
import { Choice } from "../kit/choice";
import { Failed, Portrait, Waiting } from "../kit/parts";
import { complain, toast } from "../kit/toast";
import { world } from "../kit/world";
import classes from "./app.module.css";
import { CLOSE } from "./desk";
import type { People } from "./types";

const ROLES = [
  { value: "reader", label: "Viewer" },
  { value: "commenter", label: "Commenter" },
  { value: "writer", label: "Editor" },
];
const NAMES: Record<string, string> = { owner: "Owner", organizer: "Manager", fileOrganizer: "Content manager", writer: "Editor", commenter: "Commenter", reader: "Viewer" };
const REMOVE = "remove";
/** Letters of a title that a dialog has room for. */
const LONG = 60;

export function ShareDialog({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  const key = ["people", id];
  const found = useQuery({ queryKey: key, queryFn: () => api.get<People>(`/books/${id}/people`) });
  const [email, setEmail] = useState("");
  const [role, setRole] = useState("writer");
  const people = found.data;
  const may = people !== undefined && ["writer", "fileOrganizer", "organizer", "owner"].includes(people.role);
  const change = async (work: Promise<People>, said: string) => {
    try {
      queries.setQueryData(key, await work);
      toast(said);
      return true;
    } catch (error) {
      complain(error);
      return false;
    }
  };
  const invite = async () => {
    if (email.trim() === "") return;
    if (await change(api.put<People>(`/books/${id}/people`, { email, role }), `Shared with ${email.trim()}.`)) setEmail("");
  };
  return (
    <Modal opened closeButtonProps={CLOSE} onClose={onClose} title={`Share “${title.length > LONG ? `${title.slice(0, LONG)}…` : title}”`} size={540}>
      {found.isError ? (
        <Failed error={found.error} onRetry={() => void found.refetch()} />
      ) : people === undefined ? (
        <Waiting what="people" />
      ) : (
        <Stack gap="lg">
          {may && (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                void invite();
              }}
            >
              <Group gap="sm" align="flex-end" wrap="nowrap">
                <TextInput
                  label="Add people"
                  placeholder="name@example.com"
                  style={{ flex: 1 }}
                  value={email}
                  data-autofocus
                  onChange={(event) => setEmail(event.currentTarget.value)}
                />
                <Choice aria-label="Role of the added person" w={130} data={ROLES} value={role} onChange={setRole} />
                <Button type="submit" disabled={email.trim() === ""}>
                  Share
                </Button>
              </Group>
            </form>
          )}
          <section aria-label="People with access">
            <Text fw={600} size="md" component="h3" m={0} mb="sm">
              People with access
            </Text>
            <ul className={classes.people}>
              {people.people.map((one) => (
                <li key={one.id} aria-label={one.email}>
                  <Portrait name={one.name} size={32} />
                  <div className={classes.person}>
                    <span>
                      {one.name}
                      {one.email.toLowerCase() === world.account.email.toLowerCase() ? " (you)" : ""}
                    </span>
                    {one.name !== one.email && <small>{one.email}</small>}
                  </div>
                  {one.role === "owner" || !may ? (
                    <Text size="sm" c="gray.6">
                      {NAMES[one.role] ?? one.role}
                    </Text>
                  ) : (
                    <Choice
                      aria-label={`Role of ${one.email}`}
                      w={150}
                      variant="unstyled"
                      data={[...ROLES, { value: REMOVE, label: "Remove access" }]}
                      value={one.role}
                      onChange={(next) =>
                        void (next === REMOVE
                          ? change(api.delete<People>(`/books/${id}/people/${one.id}`), `${one.email} has no access any more.`)
                          : change(api.put<People>(`/books/${id}/people`, { email: one.email, role: next }), `${one.email} is now ${(NAMES[next] ?? next).toLowerCase()}.`))
                      }
                    />
                  )}
                </li>
              ))}
            </ul>
          </section>
          <General id={id} people={people} may={may} onChange={change} />
          <Group justify="space-between">
            <Button
              variant="default"
              leftSection={<IconLink size={16} />}
              onClick={() => void navigator.clipboard.writeText(`${location.origin}/spreadsheets/d/${id}/edit`).then(() => toast("Link copied."))}
            >
              Copy link
            </Button>
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

interface GeneralProps {
  id: string;
  people: People;
  may: boolean;
  onChange: (work: Promise<People>, said: string) => Promise<boolean>;
}

function General({ id, people, may, onChange }: GeneralProps) {
  const { general, domain } = people;
  const Icon = general.type === "restricted" ? IconLock : general.type === "domain" ? IconBuilding : IconWorld;
  const set = (type: string, role: string) =>
    void onChange(api.put<People>(`/books/${id}/general`, { type, role }), "General access changed.");
  const says = {
    restricted: "Only people with access can open the link.",
    domain: `Anyone at ${domain} can open it.`,
    anyone: "Anyone on the internet with the link can open it.",
  }[general.type];
  return (
    <section aria-label="General access">
      <Text fw={600} size="md" component="h3" m={0} mb="sm">
        General access
      </Text>
      <Group gap="md" wrap="nowrap">
        <span className={classes.lock}>
          <Icon size={18} />
        </span>
        <div className={classes.person}>
          {may ? (
            <Choice
              aria-label="Who can open the link"
              w={220}
              variant="unstyled"
              data={[
                { value: "restricted", label: "Restricted" },
                { value: "domain", label: domain },
                { value: "anyone", label: "Anyone with the link" },
              ]}
              value={general.type}
              onChange={(type) => set(type, general.role)}
            />
          ) : (
            <span>{{ restricted: "Restricted", domain, anyone: "Anyone with the link" }[general.type]}</span>
          )}
          <small>{says}</small>
        </div>
        {general.type !== "restricted" &&
          (may ? (
            <Choice aria-label="Role of the link" w={150} variant="unstyled" data={ROLES} value={general.role} onChange={(role) => set(general.type, role)} />
          ) : (
            <Text size="sm" c="gray.6">
              {NAMES[general.role]}
            </Text>
          ))}
      </Group>
    </section>
  );
}
