import { Button, Checkbox, Group, Stack, Text, TextInput, Textarea } from "@mantine/core";
import { IconTrash, IconX } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";

import { api } from "../kit/api";
import { Choice } from "../kit/choice";
import { Empty, IconButton } from "../kit/parts";
import { areaOf, nameOf, parseArea, quoted, splitSheet, type Area } from "./a1";
import { ruleRange } from "./commands";
import { CONDITIONS, ConditionFields, conditionText } from "./conditions";
import { useDesk, type Desk } from "./desk";
import { colorOf, css } from "./formats";
import { ruleAt } from "./GridRow";
import * as make from "./requests";
import classes from "./app.module.css";
import { COLORS } from "./Toolbar";

function Panel({ title, children }: { title: string; children: ReactNode }) {
  const { setPanel, focus } = useDesk();
  return (
    <aside className={classes.panel} aria-label={title}>
      <Group justify="space-between" mb="md">
        <Text component="h2" fw={600} size="lg" m={0}>
          {title}
        </Text>
        <IconButton
          label="Close panel"
          onClick={() => {
            setPanel(null);
            focus();
          }}
        >
          <IconX size={17} />
        </IconButton>
      </Group>
      {children}
    </aside>
  );
}

/** The cells that a text names: of the sheet in sight, or of the one that it names. */
function target(desk: Desk, text: string): { sheet: number; area: Area } | null {
  const [title, rest] = splitSheet(text.trim());
  const sheet = title === "" ? desk.sheet : desk.frame.sheets.find((one) => one.title.toLowerCase() === title.toLowerCase());
  const area = sheet === undefined ? null : parseArea(rest, sheet.rows, sheet.columns);
  return sheet === undefined || area === null ? null : { sheet: sheet.number, area };
}

function RangeField({ label, value, onChange }: { label: string; value: string; onChange: (text: string) => void }) {
  const desk = useDesk();
  const wrong = target(desk, value) === null;
  return (
    <Group gap="sm" align="flex-end" wrap="nowrap">
      <TextInput label={label} style={{ flex: 1 }} value={value} error={wrong ? "Not a range of this spreadsheet" : undefined} onChange={(event) => onChange(event.currentTarget.value)} />
      <Button variant="default" px="sm" mb={wrong ? 18 : 0} onClick={() => onChange(`${quoted(desk.sheet.title)}!${nameOf(desk.selection.area)}`)}>
        Use selection
      </Button>
    </Group>
  );
}

function rangeName(desk: Desk, area: Area): string {
  return `${quoted(desk.sheet.title)}!${nameOf(area)}`;
}

// -- data validation -----------------------------------------------------------------------------

const KINDS = [
  { value: "ONE_OF_LIST", label: "Dropdown" },
  { value: "ONE_OF_RANGE", label: "Dropdown (from a range)" },
  { value: "BOOLEAN", label: "Checkbox" },
  ...CONDITIONS.filter((one) => !/BLANK/.test(one.value)),
];

export function ValidationPanel() {
  const desk = useDesk();
  const { sheet, selection, editor } = desk;
  const held = ruleAt(sheet, selection.active.row, selection.active.column);
  const key = `${sheet.number}/${nameOf(selection.area)}/${JSON.stringify(held)}`;
  return (
    <Panel title="Data validation">
      <ValidationForm key={key} />
      <Rules
        title="Rules of this sheet"
        rules={sheet.validations.flatMap((one) =>
          one.value === null ? [] : [{ key: one.range, name: one.range, text: conditionText(one.value.condition), area: areaOf(one.range) }],
        )}
        onDelete={(area) => void editor.run("Remove validation", [make.validation(sheet.number, area, null)])}
      />
    </Panel>
  );
}

function ValidationForm() {
  const desk = useDesk();
  const { sheet, selection, editor } = desk;
  const held = ruleAt(sheet, selection.active.row, selection.active.column);
  const given = (held?.condition.values ?? []).map((one) => one.userEnteredValue ?? "");
  const [range, setRange] = useState(rangeName(desk, held === null ? selection.area : ruleRange(desk)));
  const [kind, setKind] = useState(held?.condition.type ?? "ONE_OF_LIST");
  const [items, setItems] = useState(kind === "ONE_OF_LIST" ? given.join("\n") : "");
  const [values, setValues] = useState(kind === "ONE_OF_LIST" ? [] : given);
  const [strict, setStrict] = useState(held?.strict ?? true);
  const [help, setHelp] = useState(held?.inputMessage ?? "");
  const where = target(desk, range);
  const list = items.split("\n").map((one) => one.trim()).filter(Boolean);
  const taken = kind === "ONE_OF_LIST" ? list : values.filter(Boolean);
  const needs = kind === "ONE_OF_LIST" || kind === "ONE_OF_RANGE" ? 1 : (CONDITIONS.find((one) => one.value === kind)?.operands ?? 0);
  const save = () => {
    if (where === null) return;
    const texts = kind === "ONE_OF_RANGE" ? taken.map((one) => (one.startsWith("=") ? one : `=${one}`)) : taken;
    const rule = {
      condition: make.condition(kind, texts),
      strict,
      showCustomUi: true,
      ...(help.trim() === "" ? {} : { inputMessage: help.trim() }),
    };
    void editor.run("Data validation", [make.validation(where.sheet, where.area, rule)]);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap="md">
        <RangeField label="Apply to range" value={range} onChange={setRange} />
        <Choice label="Criteria" data={KINDS.map(({ value, label }) => ({ value, label }))} value={kind} onChange={setKind} />
        {kind === "ONE_OF_LIST" && (
          <Textarea label="Items, one a line" autosize minRows={3} maxRows={10} value={items} onChange={(event) => setItems(event.currentTarget.value)} />
        )}
        {kind === "ONE_OF_RANGE" && (
          <TextInput label="Range of the items" placeholder="Sheet2!A2:A9" value={values[0] ?? ""} onChange={(event) => setValues([event.currentTarget.value])} />
        )}
        {!/^(ONE_OF|BOOLEAN)/.test(kind) && <ConditionFields kind={kind} values={values} onChange={setValues} />}
        <Checkbox size="sm" label="Reject invalid input" checked={strict} onChange={(event) => setStrict(event.currentTarget.checked)} />
        <TextInput label="Help text" value={help} onChange={(event) => setHelp(event.currentTarget.value)} />
        <Group gap="sm">
          <Button type="submit" disabled={where === null || taken.length < needs}>
            Save rule
          </Button>
          {held !== null && where !== null && (
            <Button variant="default" onClick={() => void editor.run("Remove validation", [make.validation(where.sheet, where.area, null)])}>
              Remove rule
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

interface Rule {
  key: string;
  name: string;
  text: string;
  area: Area;
  look?: React.CSSProperties;
}

function Rules({ title, rules, onDelete }: { title: string; rules: Rule[]; onDelete?: (area: Area, index: number) => void }) {
  const { open, sheet, mayEdit } = useDesk();
  if (rules.length === 0) return null;
  return (
    <section aria-label={title} className={classes.rules}>
      <Text component="h3" fw={600} size="sm" m={0}>
        {title}
      </Text>
      <ul>
        {rules.map((rule, index) => (
          <li key={rule.key}>
            <button type="button" className={classes.rule} onClick={() => open(sheet.number, rule.area)}>
              {rule.look !== undefined && (
                <span className={classes.sample} style={rule.look} aria-hidden>
                  123
                </span>
              )}
              <span>
                <b>{rule.text}</b>
                <small>{rule.name}</small>
              </span>
            </button>
            {mayEdit && onDelete !== undefined && (
              <IconButton label={`Delete rule ${index + 1}`} onClick={() => onDelete(rule.area, index)}>
                <IconTrash size={16} />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

// -- conditional formats -------------------------------------------------------------------------

const FILLS = COLORS.filter(([name]) => /^Light /.test(name));

export function ConditionalPanel() {
  const desk = useDesk();
  const { sheet, selection, editor, frame } = desk;
  const [range, setRange] = useState(rangeName(desk, selection.area));
  const [kind, setKind] = useState("NOT_BLANK");
  const [values, setValues] = useState<string[]>([]);
  const [fill, setFill] = useState("#d4edda");
  const [style, setStyle] = useState({ bold: false, italic: false, strikethrough: false });
  const where = target(desk, range);
  const needs = CONDITIONS.find((one) => one.value === kind)?.operands ?? 0;
  const taken = values.slice(0, needs);
  const ready = where !== null && taken.filter(Boolean).length === needs;
  const rules = sheet.conditional.map((rule, index): Rule => {
    const one = rule.booleanRule;
    const look = one === undefined ? {} : { background: css(one.format.backgroundColor), fontWeight: one.format.textFormat?.bold ? 650 : 400 };
    return {
      key: `${index}`,
      name: rule.ranges.join(", "),
      text: one === undefined ? "Colour scale" : conditionText(one.condition),
      area: areaOf(rule.ranges[0] ?? "A1"),
      look,
    };
  });
  const remove = (index: number) => void editor.change("Remove conditional format", () => api.delete(`/books/${frame.id}/conditional/${sheet.number}/${index}`));
  return (
    <Panel title="Conditional format rules">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (where === null) return;
          const look = { backgroundColor: colorOf(fill), ...(Object.values(style).some(Boolean) ? { textFormat: style } : {}) };
          void editor.run("Conditional format", [make.conditional(where.sheet, where.area, make.condition(kind, taken), look)]);
        }}
      >
        <Stack gap="md">
          <RangeField label="Apply to range" value={range} onChange={setRange} />
          <Choice label="Format cells if…" data={CONDITIONS.map(({ value, label }) => ({ value, label }))} value={kind} onChange={setKind} />
          <ConditionFields kind={kind} values={values} onChange={setValues} />
          <div>
            <Text size="sm" fw={500} mb={4}>
              Fill
            </Text>
            <div className={classes.fills} role="radiogroup" aria-label="Fill">
              {FILLS.map(([name, hex]) => (
                <button key={hex} type="button" role="radio" aria-checked={fill === hex} aria-label={name} style={{ background: hex }} onClick={() => setFill(hex)} />
              ))}
            </div>
          </div>
          <Group gap="lg">
            {(["bold", "italic", "strikethrough"] as const).map((name) => (
              <Checkbox key={name} size="sm" label={name.charAt(0).toUpperCase() + name.slice(1)} checked={style[name]} onChange={(event) => setStyle({ ...style, [name]: event.currentTarget.checked })} />
            ))}
          </Group>
          <Group>
            <Button type="submit" disabled={!ready || !desk.mayEdit}>
              Add rule
            </Button>
          </Group>
        </Stack>
      </form>
      <Rules title="Rules of this sheet" rules={rules} onDelete={(_, index) => remove(index)} />
    </Panel>
  );
}

// -- named ranges --------------------------------------------------------------------------------

export function NamesPanel() {
  const desk = useDesk();
  const { frame, selection, editor, mayEdit, open } = desk;
  const [name, setName] = useState("");
  const [range, setRange] = useState(rangeName(desk, selection.area));
  const where = target(desk, range);
  return (
    <Panel title="Named ranges">
      {mayEdit && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (where === null) return;
            void editor.run("Named range", [make.addName(where.sheet, name.trim(), where.area)]).then((done) => {
              if (done !== null) setName("");
            });
          }}
        >
          <Stack gap="md">
            <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
            <RangeField label="Range" value={range} onChange={setRange} />
            <Group>
              <Button type="submit" disabled={name.trim() === "" || where === null}>
                Add range
              </Button>
            </Group>
          </Stack>
        </form>
      )}
      {frame.named.length === 0 ? (
        <Empty title="No named ranges yet">A name stands for its cells in formulas and in the name box.</Empty>
      ) : (
        <section aria-label="Names" className={classes.rules}>
          <ul>
            {frame.named.map((one) => {
              const sheet = frame.sheets.find((candidate) => candidate.number === one.sheet);
              return (
                <li key={one.id}>
                  <button type="button" className={classes.rule} onClick={() => open(one.sheet, areaOf(one.range))}>
                    <span>
                      <b>{one.name}</b>
                      <small>
                        {quoted(sheet?.title ?? "")}!{one.range}
                      </small>
                    </span>
                  </button>
                  {mayEdit && (
                    <IconButton label={`Delete ${one.name}`} onClick={() => void editor.run("Remove named range", [make.dropName(one.id)])}>
                      <IconTrash size={16} />
                    </IconButton>
                  )}
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </Panel>
  );
}
