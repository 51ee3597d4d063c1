import { Group, MultiSelect, Select, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";

import { fromFields, isoDay, wall } from "../kit/time";
import { world } from "../kit/world";
import { useFacts } from "./crm";
import { DayInput } from "./DayInput";
import type { Property, Values } from "./types";
import { choicesOf, dayOf, isDateOnly, momentOf } from "./values";

interface Props {
  property: Property;
  value: string;
  /** The other values of the record: a stage's choices follow from its pipeline. */
  values?: Values;
  onChange: (value: string) => void;
  label?: boolean;
  required?: boolean;
  autoFocus?: boolean;
}

/** The editor of one property's value, in the form that the value is stored in. */
export function Field({ property, value, values, onChange, label = true, required, autoFocus }: Props) {
  const facts = useFacts();
  const named = {
    ...(label ? { label: property.label } : { "aria-label": property.label }),
    required: required ?? false,
    ...(autoFocus === true && { autoFocus: true, "data-autofocus": true }),
  };
  const choices = choicesOf(facts, property, values);
  if (choices !== undefined && property.fieldType === "checkbox") {
    const chosen = value === "" ? [] : value.split(";");
    return <MultiSelect {...named} searchable clearable data={choices} value={chosen} onChange={(all) => onChange(all.join(";"))} />;
  }
  if (choices !== undefined) {
    return (
      <Select
        {...named}
        searchable
        clearable={required !== true}
        clearButtonProps={{ "aria-label": `Clear ${property.label}` }}
        data={choices}
        value={value === "" ? null : value}
        onChange={(chosen) => onChange(chosen ?? "")}
        nothingFoundMessage="No such option"
      />
    );
  }
  if (isDateOnly(property)) return <DayField {...named} value={value} onChange={onChange} />;
  if (property.type === "datetime") return <MomentField {...named} value={value} onChange={onChange} />;
  const typed = { ...named, value, onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value) };
  if (property.fieldType === "textarea" || property.fieldType === "html") return <Textarea {...typed} autosize minRows={3} maxRows={10} />;
  return <TextInput {...typed} inputMode={property.type === "number" ? "decimal" : "text"} />;
}

interface TimedProps {
  label?: string;
  "aria-label"?: string;
  required: boolean;
  autoFocus?: boolean;
  value: string;
  onChange: (value: string) => void;
}

/** A date, stored as midnight UTC as the API stores it. */
export function DayField({ value, onChange, ...named }: TimedProps) {
  return (
    <DayInput
      {...named}
      {...(named.label === undefined && { popoverProps: { position: "right-start" } })}
      clearable
      clearButtonProps={{ "aria-label": "Clear the date" }}
      value={value === "" ? null : dayOf(value)}
      onChange={(day) => onChange(day === "" ? "" : `${day}T00:00:00.000Z`)}
    />
  );
}

const two = (part: number) => String(part).padStart(2, "0");

/** A date and a time of the persona's day. */
export function MomentField({ value, onChange, label, ...rest }: TimedProps) {
  const name = label ?? rest["aria-label"] ?? "Date";
  const at = value === "" ? NaN : momentOf(value);
  const shown = Number.isNaN(at) ? undefined : wall(at);
  const [day, setDay] = useState(shown === undefined ? "" : isoDay(at));
  const [time, setTime] = useState(shown === undefined ? "09:00" : `${two(shown.hour)}:${two(shown.minute)}`);
  const tell = (nextDay: string, nextTime: string) => {
    setDay(nextDay);
    setTime(nextTime);
    const moment = fromFields(nextDay, nextTime);
    if (nextDay === "") onChange("");
    else if (!Number.isNaN(moment)) onChange(new Date(moment).toISOString());
  };
  const wrong = Number.isNaN(fromFields("2026-01-01", time));
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap" role="group" aria-label={name}>
      <DayInput
        {...rest}
        {...(label === undefined ? { popoverProps: { position: "right-start" } } : { label })}
        aria-label={`${name}: date`}
        style={{ flex: 1 }}
        value={day === "" ? null : day}
        onChange={(next) => tell(next, time)}
      />
      <TextInput
        {...(label !== undefined && { label: "Time" })}
        aria-label={`${name}: time`}
        title={`24 hours, ${world.zone.replaceAll("_", " ")}`}
        w={92}
        value={time}
        error={wrong ? "HH:MM" : false}
        onChange={(event) => tell(day, event.currentTarget.value)}
      />
    </Group>
  );
}
