import { Button, Checkbox, Grid, Group, TextInput } from "@mantine/core";
import { DateInput } from "@mantine/dates";
import "@mantine/dates/styles.css";
import { useState } from "react";

import { Choice } from "../kit/choice";
import { isoDay } from "../kit/time";
import { useNow } from "../kit/world";
import classes from "./app.module.css";
import { useFacts } from "./mail";
import { NO_FIELDS, queryOf, slug, type Fields } from "./query";

interface Props {
  words: string;
  onSearch: (query: string) => void;
  onClose: () => void;
}

const SPANS = [
  ["1", "1 day"],
  ["3", "3 days"],
  ["7", "1 week"],
  ["14", "2 weeks"],
  ["30", "1 month"],
  ["60", "2 months"],
  ["182", "6 months"],
  ["365", "1 year"],
].map(([value, label]) => ({ value: value ?? "", label: label ?? "" }));

const PLACES = [
  { value: "", label: "All Mail" },
  { value: "in:inbox", label: "Inbox" },
  { value: "is:starred", label: "Starred" },
  { value: "in:sent", label: "Sent Mail" },
  { value: "in:drafts", label: "Drafts" },
  { value: "in:spam", label: "Spam" },
  { value: "in:trash", label: "Trash" },
  { value: "in:anywhere", label: "Mail & Spam & Trash" },
  { value: "is:read", label: "Read Mail" },
  { value: "is:unread", label: "Unread Mail" },
];

export default function AdvancedSearch({ words, onSearch, onClose }: Props) {
  const now = useNow();
  const { labels } = useFacts();
  const [fields, setFields] = useState<Fields>({ ...NO_FIELDS, words });
  const set = <K extends keyof Fields>(name: K, value: Fields[K]) => setFields({ ...fields, [name]: value });
  const text = (name: "from" | "to" | "subject" | "words" | "without", label: string) => (
    <Grid.Col span={12}>
      <Line label={label} id={`advanced-${name}`}>
        <TextInput
          id={`advanced-${name}`}
          value={fields[name]}
          onChange={(event) => set(name, event.currentTarget.value)}
          data-autofocus={name === "from" || undefined}
        />
      </Line>
    </Grid.Col>
  );
  return (
    <form
      className={classes.advanced}
      aria-label="Search options"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(queryOf(fields));
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <Grid gap="sm">
        {text("from", "From")}
        {text("to", "To")}
        {text("subject", "Subject")}
        {text("words", "Has the words")}
        {text("without", "Doesn't have")}
        <Grid.Col span={12}>
          <Line label="Size" id="advanced-size-way">
            <Group gap="sm" wrap="nowrap">
              <Choice
                id="advanced-size-way"
                aria-label="Size, greater or less than"
                w={150}
                data={[
                  { value: "larger", label: "greater than" },
                  { value: "smaller", label: "less than" },
                ]}
                value={fields.sizeWay}
                onChange={(value) => set("sizeWay", value as Fields["sizeWay"])}
              />
              <TextInput
                aria-label="Size value"
                flex={1}
                inputMode="numeric"
                value={fields.size}
                onChange={(event) => set("size", event.currentTarget.value.replaceAll(/\D/g, ""))}
              />
              <Choice
                aria-label="Size unit"
                w={100}
                data={[
                  { value: "M", label: "MB" },
                  { value: "K", label: "KB" },
                  { value: "b", label: "Bytes" },
                ]}
                value={fields.sizeUnit}
                onChange={(value) => set("sizeUnit", value as Fields["sizeUnit"])}
              />
            </Group>
          </Line>
        </Grid.Col>
        <Grid.Col span={12}>
          <Line label="Date within" id="advanced-within">
            <Group gap="sm" wrap="nowrap">
              <Choice
                id="advanced-within"
                w={150}
                data={SPANS}
                value={fields.within}
                onChange={(value) => set("within", value)}
              />
              <DateInput
                aria-label="Date"
                placeholder="of a date"
                valueFormat="YYYY-MM-DD"
                defaultDate={isoDay(now)}
                value={fields.day === "" ? null : fields.day}
                onChange={(value) => set("day", value ?? "")}
                clearable
                popoverProps={{ withinPortal: false }}
                flex={1}
              />
            </Group>
          </Line>
        </Grid.Col>
        <Grid.Col span={12}>
          <Line label="Search" id="advanced-where">
            <Choice
              id="advanced-where"
              data={[...PLACES, ...labels.map((label) => ({ value: `label:${slug(label.name)}`, label: label.name }))]}
              value={fields.where}
              onChange={(value) => set("where", value)}
            />
          </Line>
        </Grid.Col>
        <Grid.Col span={12}>
          <Group justify="space-between" mt="xs">
            <Checkbox
              label="Has attachment"
              size="sm"
              checked={fields.attachment}
              onChange={(event) => set("attachment", event.currentTarget.checked)}
            />
            <Group gap="sm">
              <Button variant="subtle" color="gray.7" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit">Search</Button>
            </Group>
          </Group>
        </Grid.Col>
      </Grid>
    </form>
  );
}

function Line({ label, id, children }: { label: string; id: string; children: React.ReactNode }) {
  return (
    <div style={{ display: "grid", gridTemplateColumns: "120px 1fr", alignItems: "center" }}>
      <label htmlFor={id} style={{ color: "var(--mantine-color-gray-7)", fontSize: 13 }}>
        {label}
      </label>
      {children}
    </div>
  );
}
