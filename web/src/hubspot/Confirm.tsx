import { Button, Group, Modal, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { messageOf } from "../kit/api";

interface Props {
  title: string;
  action: string;
  children: ReactNode;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** What cannot be undone is asked once more; a refusal stays in sight. */
export function Confirm({ title, action, children, onConfirm, onClose }: Props) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const run = async () => {
    setBusy(true);
    setProblem("");
    try {
      await onConfirm();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": "Close" }}>
      <Text size="sm" component="div">
        {children}
      </Text>
      {problem !== "" && (
        <Text role="alert" size="sm" c="#b3261e" mt="md">
          {problem}
        </Text>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="#b3261e" loading={busy} onClick={() => void run()}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
