import { Button, Drawer, FileButton, Group, Select, Stack, Text } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useState } from "react";

import { api, messageOf } from "../../kit/api";
import { refresh, type Properties } from "../crm";
import type { TypeInfo } from "../types";

interface Preview {
  header: string[];
  guesses: string[];
  sample: string[][];
  total: number;
}

interface Outcome {
  created: number;
  updated: number;
  errors: { row: number; message: string }[];
}

/** Records out of a CSV file: choose it, say what its columns are, take it in. */
export function ImportPanel({ type, properties, onClose }: { type: TypeInfo; properties: Properties; onClose: () => void }) {
  const [text, setText] = useState("");
  const [preview, setPreview] = useState<Preview | null>(null);
  const [columns, setColumns] = useState<string[]>([]);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const attempt = async (run: () => Promise<void>) => {
    setBusy(true);
    setProblem("");
    try {
      await run();
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  const choose = (file: File | null) =>
    attempt(async () => {
      if (file === null) return;
      const content = await file.text();
      const found = await api.post<Preview>(`/import/${type.key}`, { text: content });
      setText(content);
      setPreview(found);
      setColumns(found.guesses);
      setOutcome(null);
    });
  const take = () =>
    attempt(async () => {
      setOutcome(await api.post<Outcome>(`/import/${type.key}`, { text, columns }));
      await refresh();
    });
  const data = properties.all
    .filter((p) => !p.hidden && (!p.modificationMetadata.readOnlyValue || p.name === "hs_object_id"))
    .map((p) => ({ value: p.name, label: p.label }));
  const many = type.many.toLowerCase();
  return (
    <Drawer opened onClose={onClose} position="right" size={480} title={`Import ${many}`} closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <Text size="sm">
          A CSV file whose first row names its columns. Rows about known {many} update them, the others create new ones.
        </Text>
        <FileButton accept=".csv,text/csv" onChange={(file) => void choose(file)} inputProps={{ "aria-label": "CSV file" }}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
              Choose a file
            </Button>
          )}
        </FileButton>
        {preview !== null &&
          outcome === null &&
          preview.header.map((name, index) => (
            // Two columns may have one heading: their place tells them apart.
            <Select
              key={index}
              label={name}
              description={preview.sample.map((row) => row[index]).join(", ")}
              placeholder="Leave out"
              searchable
              clearable
              clearButtonProps={{ "aria-label": `Leave out ${name}` }}
              data={data}
              value={columns[index] === "" ? null : (columns[index] ?? null)}
              onChange={(chosen) => setColumns(columns.map((one, at) => (at === index ? (chosen ?? "") : one)))}
            />
          ))}
        {outcome !== null && (
          <div role="status">
            <Text size="sm" fw={600}>
              {outcome.created} created, {outcome.updated} updated, {outcome.errors.length} refused.
            </Text>
            {outcome.errors.map((one) => (
              <Text key={one.row} size="sm">
                Row {one.row}: {one.message}
              </Text>
            ))}
          </div>
        )}
        {problem !== "" && (
          <Text role="alert" size="sm" c="#b3261e">
            {problem}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {outcome === null ? "Cancel" : "Close"}
          </Button>
          {preview !== null && outcome === null && (
            <Button loading={busy} disabled={columns.every((one) => one === "")} onClick={() => void take()}>
              Import {preview.total} {preview.total === 1 ? "row" : "rows"}
            </Button>
          )}
        </Group>
      </Stack>
    </Drawer>
  );
}
