import { DateInput, type DateInputProps } from "@mantine/dates";
import "@mantine/dates/styles.css";

import { isoDay } from "../kit/time";
import { useNow } from "../kit/world";

const NAMES = {
  previousMonth: "Previous month",
  nextMonth: "Next month",
  previousYear: "Previous year",
  nextYear: "Next year",
  previousDecade: "Previous decade",
  nextDecade: "Next decade",
  monthLevelControl: "Choose a month",
  yearLevelControl: "Choose a year",
};

interface Props extends Omit<DateInputProps, "value" | "onChange"> {
  /** `2026-10-01`, or `null` for none. */
  value: string | null;
  onChange: (day: string) => void;
}

/** A day, typed or picked from a calendar that opens at the world's today. */
export function DayInput({ onChange, ...rest }: Props) {
  const today = isoDay(useNow());
  return (
    <DateInput
      placeholder="YYYY-MM-DD"
      valueFormat="YYYY-MM-DD"
      ariaLabels={NAMES}
      weekendDays={[]}
      defaultDate={today}
      {...rest}
      onChange={(day) => onChange(day?.slice(0, 10) ?? "")}
    />
  );
}
