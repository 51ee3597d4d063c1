import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";

import { api, messageOf } from "../../kit/api";
import { queries } from "../../kit/boot";
import { Choice } from "../../kit/choice";
import { toast } from "../../kit/toast";
import { refresh, useFacts } from "../mail";
import type { Filter } from "../types";
import { bodyOf, CATEGORIES, formOf, NO_FILTER, type FilterForm } from "./filter";

interface Props {
  filter?: Filter;
  onClose: () => void;
}

type Flag = { [K in keyof FilterForm]: FilterForm[K] extends boolean ? K : never }[keyof FilterForm];

export function FilterDialog({ filter, onClose }: Props) {
  const { labels } = useFacts();
  const [form, setForm] = useState<FilterForm>(filter === undefined ? NO_FILTER : formOf(filter));
  const [step, setStep] = useState<"criteria" | "action">("criteria");
  const [apply, setApply] = useState(false);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const set = (changed: Partial<FilterForm>) => setForm({ ...form, ...changed });
  const text = (name: "from" | "to" | "subject" | "words" | "without", label: string) => (
    <TextInput label={label} value={form[name]} onChange={(event) => set({ [name]: event.currentTarget.value })} data-autofocus={name === "from" || undefined} />
  );
  const flag = (name: Flag, label: string) => (
    <Checkbox size="sm" label={label} checked={form[name]} onChange={(event) => set({ [name]: event.currentTarget.checked })} />
  );
  const save = async () => {
    setBusy(true);
    setProblem("");
    try {
      const { applied } = await api.post<{ applied: number }>("/filters", { ...bodyOf(form), replaces: filter?.id ?? "", apply });
      await Promise.all([queries.invalidateQueries({ queryKey: ["settings"] }), refresh()]);
      toast(apply ? `Filter saved and applied to ${applied} messages.` : "Your filter was saved.");
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const empty = Object.keys(bodyOf(form).criteria).length === 0;
  return (
    <Modal opened onClose={onClose} title={filter === undefined ? "Create a filter" : "Edit filter"} closeButtonProps={{ "aria-label": "Close" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (step === "criteria") setStep("action");
          else if (!busy) void save();
        }}
      >
        {step === "criteria" ? (
          <Stack gap="sm">
            {text("from", "From")}
            {text("to", "To")}
            {text("subject", "Subject")}
            {text("words", "Has the words")}
            {text("without", "Doesn't have")}
            {flag("attachment", "Has attachment")}
          </Stack>
        ) : (
          <Stack gap="sm">
            <Text size="sm" c="gray.7">
              When a message is an exact match for your search criteria:
            </Text>
            {flag("archive", "Skip the Inbox (Archive it)")}
            {flag("read", "Mark as read")}
            {flag("star", "Star it")}
            <Choice
              label="Apply the label"
              data={[{ value: "", label: "None" }, ...labels.map((label) => ({ value: label.id, label: label.name }))]}
              value={form.label}
              onChange={(label) => set({ label })}
            />
            {flag("remove", "Delete it")}
            {flag("neverSpam", "Never send it to Spam")}
            <Choice
              label="Importance"
              data={[
                { value: "", label: "Leave as it is" },
                { value: "always", label: "Always mark it as important" },
                { value: "never", label: "Never mark it as important" },
              ]}
              value={form.important}
              onChange={(important) => set({ important: important as FilterForm["important"] })}
            />
            <Choice label="Categorize as" data={CATEGORIES} value={form.category} onChange={(category) => set({ category })} />
            <Checkbox
              size="sm"
              label="Also apply filter to matching conversations"
              checked={apply}
              onChange={(event) => setApply(event.currentTarget.checked)}
            />
          </Stack>
        )}
        {problem !== "" && (
          <Text role="alert" c="accent.7" size="sm" mt="md">
            {problem}
          </Text>
        )}
        <Group justify="flex-end" mt="lg">
          {step === "action" && (
            <Button type="button" variant="default" onClick={() => setStep("criteria")}>
              Back
            </Button>
          )}
          <Button key={step} type="submit" disabled={empty} loading={busy}>
            {step === "criteria" ? "Continue" : filter === undefined ? "Create filter" : "Update filter"}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
