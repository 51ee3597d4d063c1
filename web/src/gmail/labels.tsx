import { Button, Checkbox, ColorSwatch, Group, Modal, Stack, Text, TextInput, UnstyledButton } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useState } from "react";

import { api, ApiError, messageOf } from "../kit/api";
import { inkOn } from "../kit/color";
import { Choice } from "../kit/choice";
import { Conflict } from "../kit/conflict";
import { complain, toast } from "../kit/toast";
import { refresh, refreshFacts, useFacts } from "./mail";
import type { Label } from "./types";

/** The vendor allows only colours of its own table; these are readable on it. */
const COLORS = [
  { name: "None", background: "", text: "" },
  { name: "Red", background: "#fb4c2f", text: "#ffffff" },
  { name: "Orange", background: "#ffad47", text: "#000000" },
  { name: "Yellow", background: "#fad165", text: "#000000" },
  { name: "Green", background: "#16a766", text: "#ffffff" },
  { name: "Teal", background: "#43d692", text: "#000000" },
  { name: "Blue", background: "#4a86e8", text: "#ffffff" },
  { name: "Purple", background: "#a479e2", text: "#ffffff" },
  { name: "Pink", background: "#f691b3", text: "#000000" },
  { name: "Gray", background: "#cccccc", text: "#000000" },
];

const parentOf = (name: string) => name.split("/").slice(0, -1).join("/");
const leafOf = (name: string) => name.split("/").at(-1) ?? name;

interface DialogProps {
  label?: Label;
  onClose: () => void;
}

export function LabelDialog({ label, onClose }: DialogProps) {
  const { labels } = useFacts();
  const [name, setName] = useState(label === undefined ? "" : leafOf(label.name));
  const [parent, setParent] = useState(label === undefined ? "" : parentOf(label.name));
  const [color, setColor] = useState(label?.color ?? "");
  const [rev, setRev] = useState(label?.rev ?? "");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const [theirs, setTheirs] = useState<Label | null>(null);
  const [nest, setNest] = useState(parent !== "");
  const parents = labels.filter((one) => one.id !== label?.id).map((one) => one.name);

  const save = async (known = rev) => {
    const full = nest && parent !== "" ? `${parent}/${name.trim()}` : name.trim();
    const chosen = COLORS.find((one) => one.background === color);
    const body = {
      name: full,
      ...(chosen === undefined ? {} : { color: { backgroundColor: chosen.background, textColor: chosen.text } }),
    };
    setBusy(true);
    setProblem("");
    try {
      if (label === undefined) await api.post("/labels", { body });
      else await api.patch(`/labels/${label.id}`, { rev: known, body });
      await Promise.all([refreshFacts(), refresh()]);
      toast(label === undefined ? `Label “${full}” created.` : `Label “${full}” saved.`);
      onClose();
    } catch (error) {
      if (error instanceof ApiError && error.current !== undefined) setTheirs(error.current as Label);
      else setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  if (theirs !== null) {
    return (
      <Conflict
        opened
        what={`The label “${label?.name ?? ""}”`}
        mine={<Text>{nest && parent !== "" ? `${parent}/${name}` : name}</Text>}
        theirs={<Text>{theirs.name}</Text>}
        onKeepMine={() => {
          setRev(theirs.rev);
          setTheirs(null);
          void save(theirs.rev);
        }}
        onTakeTheirs={() => {
          void refreshFacts();
          onClose();
        }}
      />
    );
  }
  return (
    <Modal opened onClose={onClose} title={label === undefined ? "New label" : "Edit label"} closeButtonProps={{ "aria-label": "Close" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void save();
        }}
      >
        <Stack gap="md">
          <TextInput
            label={label === undefined ? "Please enter a new label name" : "Label name"}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={problem}
            data-autofocus
          />
          <Checkbox
            size="sm"
            label="Nest label under"
            checked={nest}
            disabled={parents.length === 0}
            onChange={(event) => setNest(event.currentTarget.checked)}
          />
          <Choice
            aria-label="Parent label"
            placeholder="Choose a parent label"
            searchable
            data={parents.map((one) => ({ value: one, label: one }))}
            value={parent}
            disabled={!nest}
            onChange={setParent}
          />
          <div role="radiogroup" aria-label="Label color">
            <Text size="sm" fw={500} mb="xs">
              Color
            </Text>
            <Group gap="xs">
              {COLORS.map((one) => (
                <UnstyledButton
                  key={one.name}
                  role="radio"
                  aria-checked={one.background === color}
                  aria-label={one.name}
                  type="button"
                  onClick={() => setColor(one.background)}
                >
                  <ColorSwatch color={one.background || "#ffffff"} size={26} c={inkOn(one.background || "#ffffff")}>
                    {one.background === color && <IconCheck size={15} />}
                  </ColorSwatch>
                </UnstyledButton>
              ))}
            </Group>
          </div>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={name.trim() === ""} loading={busy}>
              {label === undefined ? "Create" : "Save"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

export function DeleteLabelDialog({ label, onClose }: { label: Label; onClose: () => void }) {
  const remove = async () => {
    try {
      await api.delete(`/labels/${label.id}`);
      await Promise.all([refreshFacts(), refresh()]);
      toast(`Label “${label.name}” removed.`);
      onClose();
    } catch (error) {
      complain(error);
    }
  };
  return (
    <Modal opened onClose={onClose} title="Remove label" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <Text size="sm">
          Delete the label “{label.name}”? It is taken off all its messages; the messages stay.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button onClick={() => void remove()}>Delete</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
