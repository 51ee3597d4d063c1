import { Button, Text } from "@mantine/core";

import classes from "../app.module.css";

interface Props {
  dirty: boolean;
  busy: boolean;
  problem: string;
  onSave: () => void;
  onCancel: () => void;
}

export function SaveRow({ dirty, busy, problem, onSave, onCancel }: Props) {
  return (
    <>
      {problem !== "" && (
        <Text role="alert" c="accent.7" size="sm" ta="center" mt="md">
          {problem}
        </Text>
      )}
      <div className={classes.saveRow}>
        <Button onClick={onSave} disabled={!dirty} loading={busy}>
          Save Changes
        </Button>
        <Button variant="default" onClick={onCancel} disabled={!dirty || busy}>
          Cancel
        </Button>
      </div>
    </>
  );
}
