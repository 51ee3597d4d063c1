import { Group, TextInput } from "@mantine/core";

import type { Condition } from "./types";

interface Kind {
  value: string;
  label: string;
  operands: number;
}

/** The conditions that rules and filters offer, as the vendor names them. */
export const CONDITIONS: Kind[] = [
  { value: "BLANK", label: "Is empty", operands: 0 },
  { value: "NOT_BLANK", label: "Is not empty", operands: 0 },
  { value: "TEXT_CONTAINS", label: "Text contains", operands: 1 },
  { value: "TEXT_NOT_CONTAINS", label: "Text does not contain", operands: 1 },
  { value: "TEXT_STARTS_WITH", label: "Text starts with", operands: 1 },
  { value: "TEXT_ENDS_WITH", label: "Text ends with", operands: 1 },
  { value: "TEXT_EQ", label: "Text is exactly", operands: 1 },
  { value: "DATE_EQ", label: "Date is", operands: 1 },
  { value: "DATE_BEFORE", label: "Date is before", operands: 1 },
  { value: "DATE_AFTER", label: "Date is after", operands: 1 },
  { value: "NUMBER_GREATER", label: "Greater than", operands: 1 },
  { value: "NUMBER_GREATER_THAN_EQ", label: "Greater than or equal to", operands: 1 },
  { value: "NUMBER_LESS", label: "Less than", operands: 1 },
  { value: "NUMBER_LESS_THAN_EQ", label: "Less than or equal to", operands: 1 },
  { value: "NUMBER_EQ", label: "Is equal to", operands: 1 },
  { value: "NUMBER_NOT_EQ", label: "Is not equal to", operands: 1 },
  { value: "NUMBER_BETWEEN", label: "Is between", operands: 2 },
  { value: "NUMBER_NOT_BETWEEN", label: "Is not between", operands: 2 },
];
const OTHERS: Record<string, string> = { ONE_OF_LIST: "Dropdown", ONE_OF_RANGE: "Dropdown from", BOOLEAN: "Checkbox", CUSTOM_FORMULA: "Custom formula is" };

export function conditionText(condition: Condition): string {
  const label = CONDITIONS.find((one) => one.value === condition.type)?.label ?? OTHERS[condition.type] ?? condition.type;
  const values = (condition.values ?? []).map((one) => one.userEnteredValue ?? one.relativeDate ?? "");
  if (condition.type === "ONE_OF_LIST") return `${label}: ${values.join(", ")}`;
  return [label, values.join(" and ")].filter(Boolean).join(" ");
}

export function ConditionFields({ kind, values, onChange }: { kind: string; values: string[]; onChange: (values: string[]) => void }) {
  const count = CONDITIONS.find((one) => one.value === kind)?.operands ?? 0;
  if (count === 0) return null;
  return (
    <Group gap="sm" grow>
      {Array.from({ length: count }, (_, index) => (
        <TextInput
          key={index}
          aria-label={count === 1 ? "Value" : `Value ${index + 1}`}
          placeholder="Value"
          value={values[index] ?? ""}
          onChange={(event) => {
            const next = Array.from({ length: count }, (__, at) => values[at] ?? "");
            next[index] = event.currentTarget.value;
            onChange(next);
          }}
        />
      ))}
    </Group>
  );
}
