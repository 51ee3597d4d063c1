import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { DateInput } from "@mantine/dates";
import "@mantine/dates/styles.css";
import { useState } from "react";

import { fromFields, isoDay, onDay } from "../kit/time";
import { useNow, world } from "../kit/world";

interface Props {
  title: string;
  action: string;
  onPick: (at: number) => void;
  onClose: () => void;
}

/** A date and a time of the persona's, in the future. */
export function PickTime({ title, action, onPick, onClose }: Props) {
  const now = useNow();
  const [day, setDay] = useState(isoDay(onDay(now, 1, 8)));
  const [time, setTime] = useState("08:00");
  const at = fromFields(day, time);
  const problem = Number.isNaN(at) ? "Enter a time such as 14:30." : at <= now ? "Choose a time that has not passed." : "";
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": "Close" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === "") onPick(at);
        }}
      >
        <Stack>
          <DateInput
            label="Date"
            valueFormat="YYYY-MM-DD"
            value={day}
            minDate={isoDay(now)}
            defaultDate={isoDay(now)}
            onChange={(value) => setDay(value ?? "")}
          />
          <TextInput
            label="Time"
            description={`24 hours, ${world.zone.replaceAll("_", " ")}`}
            value={time}
            error={problem}
            onChange={(event) => setTime(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={problem !== ""}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
