import { Button, Checkbox, Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";

import { api } from "../kit/api";
import { Choice } from "../kit/choice";
import { IconButton } from "../kit/parts";
import { complain } from "../kit/toast";
import { gridRange, nameOf, single } from "./a1";
import { useDesk } from "./desk";
import classes from "./app.module.css";

interface Hit {
  sheet: number;
  row: number;
  column: number;
  cell: string;
}

/** Find and replace: a window beside the grid, so that what is found stays in sight. */
export function FindDialog({ onClose }: { onClose: () => void }) {
  const desk = useDesk();
  const { frame, sheet, selection, editor, mayEdit } = desk;
  const [find, setFind] = useState("");
  const [replacement, setReplacement] = useState("");
  const [scope, setScope] = useState("all");
  const [match, setMatch] = useState({ matchCase: false, matchEntireCell: false, searchByRegex: false, includeFormulas: false });
  const [said, setSaid] = useState("");
  const [area] = useState(selection.area);
  const flag = (name: keyof typeof match, label: string) => (
    <Checkbox size="sm" label={label} checked={match[name]} onChange={(event) => setMatch({ ...match, [name]: event.currentTarget.checked })} />
  );
  const search = async () => {
    const query = new URLSearchParams({ q: find });
    if (scope !== "all") query.set("sheet", String(sheet.number));
    if (match.matchCase) query.set("case", "1");
    if (match.matchEntireCell) query.set("entire", "1");
    if (match.includeFormulas) query.set("formulas", "1");
    try {
      const { found } = await api.get<{ found: Hit[] }>(`/books/${frame.id}/find?${query}`);
      const inside = found.filter((hit) => scope !== "range" || (hit.row >= area.top && hit.row < area.bottom && hit.column >= area.left && hit.column < area.right));
      if (inside.length === 0) {
        setSaid(`There are no entries matching “${find}”.`);
        return;
      }
      const { active } = selection;
      const order = (hit: Hit) => frame.sheets.findIndex((one) => one.number === hit.sheet);
      const here = order({ sheet: sheet.number, row: 0, column: 0, cell: "" });
      const after = inside.findIndex(
        (hit) => order(hit) > here || (order(hit) === here && (hit.row > active.row || (hit.row === active.row && hit.column > active.column))),
      );
      const at = after < 0 ? 0 : after;
      const next = inside[at];
      if (next === undefined) return;
      desk.open(next.sheet, single(next));
      setSaid(`${at + 1} of ${inside.length}: ${next.cell}`);
    } catch (error) {
      complain(error);
    }
  };
  const replace = async (everything: boolean) => {
    const where = !everything
      ? { range: gridRange(sheet.number, selection.area) }
      : scope === "all"
        ? { allSheets: true }
        : scope === "sheet"
          ? { sheetId: sheet.number }
          : { range: gridRange(sheet.number, area) };
    const answer = await editor.run<{ findReplace?: { occurrencesChanged?: number } }[]>("Replace", [
      { findReplace: { find, replacement, ...match, ...where } },
    ]);
    const count = answer?.[0]?.findReplace?.occurrencesChanged ?? 0;
    if (answer !== null) setSaid(count === 0 ? `Nothing was replaced.` : `${count} replaced with “${replacement}”.`);
    if (!everything && answer !== null) await search();
  };
  const empty = find === "";
  return (
    <Paper className={classes.find} shadow="lg" withBorder role="dialog" aria-label="Find and replace" onKeyDown={(event) => event.key === "Escape" && onClose()}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void search();
        }}
      >
        <Stack gap="md">
          <Group justify="space-between">
            <Text fw={600} component="h2" m={0} size="lg">
              Find and replace
            </Text>
            <IconButton label="Close" onClick={onClose}>
              <IconX size={17} />
            </IconButton>
          </Group>
          <TextInput label="Find" autoFocus value={find} onChange={(event) => setFind(event.currentTarget.value)} />
          <TextInput label="Replace with" value={replacement} disabled={!mayEdit} onChange={(event) => setReplacement(event.currentTarget.value)} />
          <Choice
            label="Search"
            data={[
              { value: "all", label: "All sheets" },
              { value: "sheet", label: "This sheet" },
              { value: "range", label: `Range ${nameOf(area)}` },
            ]}
            value={scope}
            onChange={setScope}
          />
          {flag("matchCase", "Match case")}
          {flag("matchEntireCell", "Match entire cell contents")}
          {flag("searchByRegex", "Replace using regular expressions")}
          {flag("includeFormulas", "Also search within formulas")}
          <Text size="sm" c="gray.6" role="status" mih={20}>
            {said}
          </Text>
          <Group gap="sm" justify="flex-end">
            <Button type="submit" disabled={empty}>
              Find
            </Button>
            <Button variant="default" disabled={empty || !mayEdit} onClick={() => void replace(false)}>
              Replace
            </Button>
            <Button variant="default" disabled={empty || !mayEdit} onClick={() => void replace(true)}>
              Replace all
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
