import { Button, Group, Menu, Modal, Text, TextInput } from "@mantine/core";
import { IconDotsVertical, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";

import { api, messageOf } from "../../kit/api";
import { IconButton } from "../../kit/parts";
import { complain, toast } from "../../kit/toast";
import { Confirm } from "../Confirm";
import { refresh } from "../crm";
import { usePlaces } from "../place";
import type { SavedView, TypeInfo } from "../types";
import type { IndexState } from "./state";
import classes from "./table.module.css";
import { isOwn } from "./views";

interface Props {
  type: TypeInfo;
  views: SavedView[];
  view: SavedView;
  shape: "list" | "board";
  state: IndexState;
}

export function ViewTabs({ type, views, view, shape, state }: Props) {
  const places = usePlaces();
  const [, navigate] = useLocation();
  const [doing, setDoing] = useState<"" | "new" | "rename" | "delete">("");
  const shown = { filterGroups: state.groups, columns: state.columns, sort: state.sort };
  const saveChanges = async () => {
    try {
      await api.patch(`/views/${type.key}/${view.id}`, shown);
      state.reset();
      await refresh();
      toast(`View “${view.name}” saved.`);
    } catch (error) {
      complain(error);
    }
  };
  const named = async (name: string) => {
    if (doing === "rename") await api.patch(`/views/${type.key}/${view.id}`, { name });
    else {
      const made = await api.post<SavedView>(`/views/${type.key}`, { name, ...shown });
      await refresh();
      navigate(places.index(type.key, made.id, shape));
    }
    await refresh();
    setDoing("");
  };
  return (
    <nav className={classes.tabs} aria-label="Views">
      {views.map((one) => (
        <Link key={one.id} className={classes.tab} to={places.index(type.key, one.id, shape)} aria-current={one.id === view.id ? "page" : undefined} title={one.name}>
          {one.name}
        </Link>
      ))}
      <button type="button" className={classes.tab} onClick={() => setDoing("new")}>
        <IconPlus size={15} aria-hidden style={{ marginRight: 4 }} /> Save as view
      </button>
      {state.changed && (
        <Button size="compact-sm" variant="subtle" my="auto" onClick={state.reset}>
          Reset view
        </Button>
      )}
      {isOwn(view) && (
        <Menu position="bottom-start">
          <Menu.Target>
            <IconButton label={`Options of view ${view.name}`} my="auto">
              <IconDotsVertical size={16} />
            </IconButton>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item disabled={!state.changed} onClick={() => void saveChanges()}>
              Save changes
            </Menu.Item>
            <Menu.Item onClick={() => setDoing("rename")}>Rename</Menu.Item>
            <Menu.Item c="#b3261e" onClick={() => setDoing("delete")}>
              Delete view
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {(doing === "new" || doing === "rename") && (
        <NameView start={doing === "rename" ? view.name : ""} onSave={named} onClose={() => setDoing("")} />
      )}
      {doing === "delete" && (
        <Confirm
          title={`Delete the view “${view.name}”?`}
          action="Delete view"
          onConfirm={async () => {
            await api.delete(`/views/${type.key}/${view.id}`);
            navigate(places.index(type.key));
            await refresh();
          }}
          onClose={() => setDoing("")}
        >
          The records stay; only the view goes.
        </Confirm>
      )}
    </nav>
  );
}

function NameView({ start, onSave, onClose }: { start: string; onSave: (name: string) => Promise<void>; onClose: () => void }) {
  const [name, setName] = useState(start);
  const [problem, setProblem] = useState("");
  return (
    <Modal opened onClose={onClose} title={start === "" ? "Save as a view" : "Rename the view"} closeButtonProps={{ "aria-label": "Close" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSave(name).catch((error: unknown) => setProblem(messageOf(error)));
        }}
      >
        <TextInput label="View name" value={name} onChange={(event) => setName(event.currentTarget.value)} data-autofocus />
        <Text size="xs" c="gray.6" mt="xs">
          Filters, columns and order are kept with it. Only you see it.
        </Text>
        {problem !== "" && (
          <Text role="alert" size="sm" c="#b3261e" mt="sm">
            {problem}
          </Text>
        )}
        <Group justify="flex-end" mt="lg">
          <Button type="button" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={name.trim() === ""}>
            Save
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
