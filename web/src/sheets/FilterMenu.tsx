import { Button, Checkbox, Group, Popover, ScrollArea, Stack, TextInput, UnstyledButton } from "@mantine/core";
import { IconSortAscendingLetters, IconSortDescendingLetters } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { api } from "../kit/api";
import { Choice } from "../kit/choice";
import { Waiting } from "../kit/parts";
import { areaOf, letters } from "./a1";
import { CONDITIONS, ConditionFields } from "./conditions";
import { useDesk } from "./desk";
import * as make from "./requests";
import classes from "./app.module.css";
import type { Criteria } from "./types";

const NO_CONDITION = { value: "", label: "None" };

/** Sort by a column of the filter, and choose which of its values are shown. */
export function FilterMenu({ column, at, onClose }: { column: number; at: DOMRect; onClose: () => void }) {
  const { frame, sheet, editor } = useDesk();
  const filter = sheet.filter;
  const area = areaOf(filter?.range ?? "A1");
  const all: Record<string, Criteria> = { ...filter?.criteria };
  for (const spec of filter?.filterSpecs ?? []) all[String(spec.columnIndex ?? 0)] = spec.filterCriteria ?? {};
  const held = all[String(column)];
  const found = useQuery({
    queryKey: ["book", frame.id, "filter", sheet.number, column],
    queryFn: () => api.get<{ values: string[] }>(`/books/${frame.id}/filter/${sheet.number}/${column}`),
  });
  const [hidden, setHidden] = useState(new Set(held?.hiddenValues ?? []));
  const [kind, setKind] = useState(held?.condition?.type ?? "");
  const [values, setValues] = useState((held?.condition?.values ?? []).map((one) => one.userEnteredValue ?? ""));
  const [text, setText] = useState("");
  const listed = (found.data?.values ?? []).filter((value) => value.toLowerCase().includes(text.toLowerCase()));
  const sort = (descending: boolean) => {
    const bottom = Math.min(area.bottom, Math.max(sheet.filled, area.top + 2));
    void editor.run("Sort", [make.sort(sheet.number, { ...area, top: area.top + 1, bottom }, [{ column, descending }])]);
    onClose();
  };
  const apply = () => {
    const next: Criteria = {
      ...(hidden.size > 0 ? { hiddenValues: [...hidden] } : {}),
      ...(kind === "" ? {} : { condition: make.condition(kind, values.filter(Boolean)) }),
    };
    const others = Object.fromEntries(Object.entries(all).filter(([key]) => key !== String(column)));
    const criteria = Object.keys(next).length === 0 ? others : { ...others, [column]: next };
    void editor.run("Filter", [make.filter(sheet.number, area, criteria)]);
    onClose();
  };
  const toggle = (value: string, on: boolean) => {
    const next = new Set(hidden);
    if (on) next.delete(value);
    else next.add(value);
    setHidden(next);
  };
  return (
    <Popover opened onDismiss={onClose} position="bottom-start" trapFocus width={300} withinPortal>
      <Popover.Target>
        <span aria-hidden style={{ position: "fixed", left: at.left, top: at.bottom, width: 1, height: 1 }} />
      </Popover.Target>
      <Popover.Dropdown aria-label={`Filter of column ${letters(column)}`} onKeyDown={(event) => event.key === "Escape" && onClose()}>
        <Stack gap="sm">
          <UnstyledButton className={classes.option ?? ""} onClick={() => sort(false)}>
            <IconSortAscendingLetters size={17} /> Sort A to Z
          </UnstyledButton>
          <UnstyledButton className={classes.option ?? ""} onClick={() => sort(true)}>
            <IconSortDescendingLetters size={17} /> Sort Z to A
          </UnstyledButton>
          <Choice
            label="Filter by condition"
            data={[NO_CONDITION, ...CONDITIONS.map(({ value, label }) => ({ value, label }))]}
            value={kind}
            onChange={setKind}
            comboboxProps={{ withinPortal: false }}
          />
          <ConditionFields kind={kind} values={values} onChange={setValues} />
          <Group justify="space-between">
            <Button variant="subtle" size="compact-sm" onClick={() => setHidden(new Set())}>
              Select all
            </Button>
            <Button variant="subtle" size="compact-sm" onClick={() => setHidden(new Set(found.data?.values ?? []))}>
              Clear
            </Button>
          </Group>
          <TextInput aria-label="Find a value" placeholder="Find a value" value={text} onChange={(event) => setText(event.currentTarget.value)} />
          {found.data === undefined ? (
            <Waiting what="values" />
          ) : (
            <ScrollArea.Autosize mah={200} role="group" aria-label="Values">
              <Stack gap={6} py={4}>
                {listed.map((value) => (
                  <Checkbox
                    key={value}
                    size="sm"
                    label={value === "" ? "(Blanks)" : value}
                    checked={!hidden.has(value)}
                    onChange={(event) => toggle(value, event.currentTarget.checked)}
                  />
                ))}
              </Stack>
            </ScrollArea.Autosize>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button onClick={apply}>OK</Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
