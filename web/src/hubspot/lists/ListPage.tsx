import { Button, Drawer, Group, Menu, Modal, Text, TextInput } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconDotsVertical } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";

import { api, messageOf } from "../../kit/api";
import { Empty, Failed, IconButton, Waiting } from "../../kit/parts";
import { complain, toast } from "../../kit/toast";
import { Confirm } from "../Confirm";
import { refresh, refreshElsewhere, typeOf, useFacts, useProperties, useTable, type Ask } from "../crm";
import { Picker } from "../Picker";
import { useAddress, usePlaces } from "../place";
import shell from "../shell.module.css";
import { save as download } from "../table/download";
import { FilterEditor } from "../table/FilterEditor";
import { isComplete, say } from "../table/filters";
import { RecordTable } from "../table/RecordTable";
import classes from "../table/table.module.css";
import { COLUMNS } from "../table/views";
import type { FilterGroup, Named, Segment, TypeInfo } from "../types";
import { branchOf, groupsOf } from "./branches";
import { KINDS } from "./Lists";

const SIZE = 50;

export default function ListPage({ id }: { id: string }) {
  const facts = useFacts();
  const places = usePlaces();
  const list = useQuery({
    queryKey: ["list", id],
    queryFn: async () => (await api.get<{ list: Segment }>(`/crm/v3/lists/${id}?includeFilters=true`)).list,
  });
  useEffect(() => {
    document.title = `${list.data?.name ?? "List"} - Records`;
  }, [list.data?.name]);
  if (list.isPending) return <Waiting what="the list" />;
  if (list.isError)
    return (
      <Empty title="This list is not there">
        {messageOf(list.error)} <Link to={places.lists()}>See all lists</Link>
      </Empty>
    );
  const type = typeOf(facts, list.data.objectTypeId);
  if (type === undefined) return <Failed error={new Error("The screen has no index of these records.")} onRetry={() => void list.refetch()} />;
  return <Members list={list.data} type={type} />;
}

function Members({ list, type }: { list: Segment; type: TypeInfo }) {
  const facts = useFacts();
  const places = usePlaces();
  const properties = useProperties(type.key);
  const [params, change] = useAddress();
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [doing, setDoing] = useState<"" | "filters" | "rename" | "delete" | "add">("");
  const page = Math.max(1, Number(params.get("page") ?? "1") || 1);
  const columns = COLUMNS[type.key];
  const sort = params.get("sort") ?? "-createdate";
  const ask: Ask = {
    listId: list.listId,
    sorts: [sort],
    properties: [...columns.filter((name) => !name.startsWith("@")), "pipeline", "hs_pipeline"],
    links: columns.filter((name) => name.startsWith("@")).map((name) => name.slice(1)),
    limit: SIZE,
    after: String((page - 1) * SIZE),
  };
  const table = useTable(type.key, ask);
  const total = table.data?.total ?? 0;
  const fixed = list.processingType === "DYNAMIC";
  const groups = fixed ? groupsOf(list.filterBranch) : [];
  const said = groups?.map((group) => group.filters.map((one) => say(one, properties.by.get(one.propertyName), facts)).join(" and ")).join(", or ");
  const takeOut = async () => {
    try {
      const ids = [...chosen];
      await api.put(`/crm/v3/lists/${list.listId}/memberships/remove`, ids);
      toast(`${ids.length} removed from the list.`, [
        {
          label: "Undo",
          run: async () => {
            await api.put(`/crm/v3/lists/${list.listId}/memberships/add`, ids).catch(complain);
            await refresh();
          },
        },
      ]);
      setChosen(new Set());
      await refresh();
    } catch (error) {
      complain(error);
    }
  };
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <div style={{ minWidth: 0 }}>
          <Link className={shell.link} to={places.lists()}>
            Lists
          </Link>
          <h1 className={classes.title}>{list.name}</h1>
          <p className={shell.lead}>
            {KINDS[list.processingType]} list of {type.many.toLowerCase()}
            {said !== undefined && said !== "" ? `: ${said}` : ""}
          </p>
        </div>
        <div className={classes.actions}>
          {fixed ? (
            <Button variant="default" disabled={groups === undefined} onClick={() => setDoing("filters")}>
              Edit filters
            </Button>
          ) : (
            <Button variant="default" onClick={() => setDoing("add")}>
              Add records
            </Button>
          )}
          <Button variant="default" onClick={() => void download(type, ask, columns)}>
            Export
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <IconButton label="List actions">
                <IconDotsVertical size={18} />
              </IconButton>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setDoing("rename")}>Rename</Menu.Item>
              <Menu.Item c="#b3261e" onClick={() => setDoing("delete")}>
                Delete list
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      </div>
      <div className={classes.card}>
        {chosen.size > 0 && !fixed && (
          <div className={classes.bulk} role="toolbar" aria-label="Bulk actions">
            <Text size="sm" fw={600} mr="sm">
              {chosen.size} selected
            </Text>
            <Button size="compact-sm" variant="subtle" onClick={() => void takeOut()}>
              Remove from list
            </Button>
          </div>
        )}
        {table.isPending ? (
          <Waiting what="the list" />
        ) : table.isError ? (
          <Failed error={table.error} onRetry={() => void table.refetch()} />
        ) : total === 0 ? (
          <Empty title="The list is empty">{fixed ? "No record fits its filters now." : "Add records here, or from their index."}</Empty>
        ) : (
          <RecordTable
            type={type}
            name={list.name}
            rows={table.data.rows}
            total={total}
            first={(page - 1) * SIZE}
            columns={columns}
            properties={properties}
            sort={sort}
            onSort={(next) => change({ sort: next, page: "" }, true)}
            chosen={chosen}
            onChoose={setChosen}
          />
        )}
      </div>
      <nav className={classes.foot} aria-label="Pages">
        <IconButton label="Previous page" disabled={page <= 1} onClick={() => change({ page: String(page - 1) }, true)}>
          <IconChevronLeft size={17} />
        </IconButton>
        <span>
          Page {page} of {Math.max(1, Math.ceil(total / SIZE))}, {total} {total === 1 ? "record" : "records"}
        </span>
        <IconButton label="Next page" disabled={page * SIZE >= total} onClick={() => change({ page: String(page + 1) }, true)}>
          <IconChevronRight size={17} />
        </IconButton>
      </nav>
      {doing === "filters" && groups !== undefined && <EditFilters list={list} type={type} start={groups} onClose={() => setDoing("")} />}
      {doing === "rename" && <Rename list={list} onClose={() => setDoing("")} />}
      {doing === "add" && <AddRecords list={list} type={type} onClose={() => setDoing("")} />}
      {doing === "delete" && (
        <Confirm
          title={`Delete the list “${list.name}”?`}
          action="Delete list"
          onConfirm={async () => {
            await api.delete(`/crm/v3/lists/${list.listId}`);
            toast(`List “${list.name}” deleted.`, [
              {
                label: "Undo",
                run: async () => {
                  await api.put(`/crm/v3/lists/${list.listId}/restore`, {}).catch(complain);
                  await refresh();
                },
              },
            ]);
            navigate(places.lists());
            refreshElsewhere();
          }}
          onClose={() => setDoing("")}
        >
          The records in it stay.
        </Confirm>
      )}
    </div>
  );
}

function EditFilters({ list, type, start, onClose }: { list: Segment; type: TypeInfo; start: FilterGroup[]; onClose: () => void }) {
  const properties = useProperties(type.key);
  const [groups, setGroups] = useState(start);
  const [problem, setProblem] = useState("");
  const full = groups.map((group) => ({ filters: group.filters.filter(isComplete) })).filter((group) => group.filters.length > 0);
  const save = async () => {
    try {
      await api.put(`/crm/v3/lists/${list.listId}/update-list-filters`, { filterBranch: branchOf(full, properties.by) });
      onClose();
      toast("The list follows its new filters.");
      await refresh();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Drawer opened onClose={onClose} position="right" size={460} title={`Filters of ${list.name}`} closeButtonProps={{ "aria-label": "Close" }}>
      <FilterEditor groups={groups} properties={properties} onChange={setGroups} />
      {problem !== "" && (
        <Text role="alert" size="sm" c="#b3261e" mt="sm">
          {problem}
        </Text>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={full.length === 0} onClick={() => void save()}>
          Save filters
        </Button>
      </Group>
    </Drawer>
  );
}

function Rename({ list, onClose }: { list: Segment; onClose: () => void }) {
  const [name, setName] = useState(list.name);
  const [problem, setProblem] = useState("");
  const save = async () => {
    try {
      await api.put(`/crm/v3/lists/${list.listId}/update-list-name?listName=${encodeURIComponent(name.trim())}`, {});
      onClose();
      await refresh();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Modal opened onClose={onClose} title="Rename the list" closeButtonProps={{ "aria-label": "Close" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextInput label="List name" value={name} error={problem === "" ? null : problem} onChange={(event) => setName(event.currentTarget.value)} data-autofocus />
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

function AddRecords({ list, type, onClose }: { list: Segment; type: TypeInfo; onClose: () => void }) {
  const [picked, setPicked] = useState<Named[]>([]);
  const add = async () => {
    try {
      await api.put(`/crm/v3/lists/${list.listId}/memberships/add`, picked.map((one) => one.id));
      onClose();
      await refresh();
    } catch (error) {
      complain(error);
    }
  };
  return (
    <Drawer opened onClose={onClose} position="right" size={440} title={`Add ${type.many.toLowerCase()} to ${list.name}`} closeButtonProps={{ "aria-label": "Close" }}>
      <Picker type={type.key} picked={picked} onPick={setPicked} />
      <Group mt="md">
        <Button disabled={picked.length === 0} onClick={() => void add()}>
          Add
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Drawer>
  );
}
