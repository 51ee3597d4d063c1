import { Checkbox, Text } from "@mantine/core";

import type { AssociationCard, Named } from "../types";
import classes from "./record.module.css";

interface Props {
  own: Named;
  ends: Named[];
  near: AssociationCard[];
  onChange: (ends: Named[]) => void;
}

/** The records that a new activity goes on: this one, and those of its associations that are ticked. */
export function TieBoxes({ own, ends, near, onChange }: Props) {
  const has = (one: { type: string; id: string }) => ends.some((end) => end.type === one.type && end.id === one.id);
  return (
    <fieldset className={classes.ties}>
      <legend>
        Associated with {ends.length} {ends.length === 1 ? "record" : "records"}
      </legend>
      <Text size="sm" c="gray.7">
        {own.title}
      </Text>
      {near.map((card) => (
        <Checkbox
          key={`${card.type}/${card.id}`}
          label={card.title}
          checked={has(card)}
          onChange={() =>
            onChange(has(card) ? ends.filter((end) => !(end.type === card.type && end.id === card.id)) : [...ends, { type: card.type, id: card.id, title: card.title }])
          }
        />
      ))}
    </fieldset>
  );
}
