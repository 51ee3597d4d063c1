import { Button, Menu, SegmentedControl, Table, Text, TextInput, UnstyledButton } from "@mantine/core";
import { IconDots, IconLayoutGrid, IconLayoutList, IconPlus, IconSearch, IconUsers } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { api } from "../kit/api";
import { queries } from "../kit/boot";
import { Choice } from "../kit/choice";
import { Empty, Failed, IconButton, Portrait, Waiting } from "../kit/parts";
import { shortTime } from "../kit/time";
import { complain } from "../kit/toast";
import { useNow, world } from "../kit/world";
import looks from "./app.module.css";
import classes from "./home.module.css";
import { facts } from "./facts";
import { Mark } from "./Mark";
import { ShareDialog } from "./ShareDialog";
import { TemplatePicture } from "./TemplatePicture";
import type { FilePage, FileRow } from "./types";

interface Props {
  onOpen: (id: string) => void;
  onTrash: (id: string, title: string) => void;
}

const OWNERS = [
  { value: "anyone", label: "Owned by anyone" },
  { value: "me", label: "Owned by me" },
  { value: "others", label: "Not owned by me" },
];
const SORTS = [
  { value: "modified", label: "Last modified" },
  { value: "mine", label: "Last modified by me" },
  { value: "title", label: "Title" },
];

export async function make(template: string): Promise<string | null> {
  try {
    return (await api.post<{ id: string }>("/files", { template })).id;
  } catch (error) {
    complain(error);
    return null;
  }
}

/** Recent spreadsheets, and what to start a new one from. */
export function Home({ onOpen, onTrash }: Props) {
  const [owner, setOwner] = useState("anyone");
  const [sort, setSort] = useState("modified");
  const [text, setText] = useState("");
  const [page, setPage] = useState(0);
  const [look, setLook] = useState("list");
  const [shared, setShared] = useState<FileRow | null>(null);
  const query = new URLSearchParams({ owner, sort, q: text, page: String(page) });
  const found = useQuery({
    queryKey: ["files", owner, sort, text, page],
    queryFn: () => api.get<FilePage>(`/files?${query}`),
    placeholderData: keepPreviousData,
    refetchOnMount: "always",
  });
  const start = async (template: string) => {
    const id = await make(template);
    if (id !== null) onOpen(id);
  };
  const set = (change: () => void) => {
    change();
    setPage(0);
  };
  const menu = (file: FileRow) => <FileMenu file={file} onOpen={onOpen} onTrash={onTrash} onShare={() => setShared(file)} />;
  const data = found.data;
  return (
    <div className={classes.home}>
      <header className={classes.head}>
        <span className={classes.word}>
          <Mark size={30} /> Sheets
        </span>
        <TextInput
          className={classes.search ?? ""}
          aria-label="Search spreadsheets"
          placeholder="Search"
          size="md"
          leftSection={<IconSearch size={17} />}
          value={text}
          onChange={(event) => {
            const { value } = event.currentTarget;
            set(() => setText(value));
          }}
        />
        <span title={world.account.email}>
          <Portrait name={world.account.name} size={32} />
        </span>
      </header>
      <main className={classes.main}>
        <h1 className={looks.unseen}>Spreadsheets</h1>
        <section className={classes.gallery} aria-label="Start a new spreadsheet">
          <h2>Start a new spreadsheet</h2>
          <div className={classes.templates}>
            <Template title="Blank spreadsheet" onClick={() => void start("")}>
              <span className={classes.plus}>
                <IconPlus size={34} stroke={1.6} />
              </span>
            </Template>
            {facts().templates.map((one) => (
              <Template key={one.id} title={one.title} onClick={() => void start(one.id)}>
                <TemplatePicture id={one.id} />
              </Template>
            ))}
          </div>
        </section>
        <section className={classes.files} aria-label="Recent spreadsheets">
          <div className={classes.tools}>
            <h2>Recent spreadsheets</h2>
            <Choice aria-label="Owner" w={180} data={OWNERS} value={owner} onChange={(value) => set(() => setOwner(value))} />
            <Choice aria-label="Sort" w={190} data={SORTS} value={sort} onChange={(value) => set(() => setSort(value))} />
            <SegmentedControl
              aria-label="Layout"
              value={look}
              onChange={setLook}
              data={[
                { value: "list", label: <Glyph name="List"><IconLayoutList size={17} /></Glyph> },
                { value: "grid", label: <Glyph name="Grid"><IconLayoutGrid size={17} /></Glyph> },
              ]}
            />
          </div>
          {data === undefined ? (
            found.isError ? (
              <Failed error={found.error} onRetry={() => void found.refetch()} />
            ) : (
              <Waiting what="spreadsheets" />
            )
          ) : data.files.length === 0 ? (
            <Empty title={text === "" ? "No spreadsheets yet" : "Nothing found"}>
              {text === "" ? "Start with a blank one, or with a template." : `No spreadsheet’s title has “${text}” in it.`}
            </Empty>
          ) : look === "list" ? (
            <FileTable files={data.files} onOpen={onOpen} menu={menu} />
          ) : (
            <ul className={classes.cards}>
              {data.files.map((file) => (
                <li key={file.id} className={classes.card}>
                  <UnstyledButton aria-label={file.title} onClick={() => onOpen(file.id)}>
                    <span className={classes.preview} aria-hidden />
                    <b>{file.title}</b>
                  </UnstyledButton>
                  <div className={classes.cardFoot}>
                    <When at={file.modified} />
                    {menu(file)}
                  </div>
                </li>
              ))}
            </ul>
          )}
          {data !== undefined && data.total > data.files.length && (
            <div className={classes.pages}>
              <Text size="sm" c="gray.6">
                {data.first + 1}–{data.first + data.files.length} of {data.total}
              </Text>
              <Button variant="default" disabled={page === 0} onClick={() => setPage(page - 1)}>
                Newer
              </Button>
              <Button variant="default" disabled={!data.more} onClick={() => setPage(page + 1)}>
                Older
              </Button>
            </div>
          )}
        </section>
      </main>
      {shared !== null && <ShareDialog id={shared.id} title={shared.title} onClose={() => setShared(null)} />}
    </div>
  );
}

function Glyph({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <span className={classes.glyph} title={name}>
      {children}
      <span className={looks.unseen}>{name}</span>
    </span>
  );
}

function When({ at }: { at: number }) {
  const now = useNow();
  return <>{shortTime(at, now)}</>;
}

function Template({ title, onClick, children }: { title: string; onClick: () => void; children: React.ReactNode }) {
  return (
    <UnstyledButton className={classes.template ?? ""} onClick={onClick}>
      <span className={classes.picture} aria-hidden>
        {children}
      </span>
      <span>{title}</span>
    </UnstyledButton>
  );
}

interface TableProps {
  files: FileRow[];
  onOpen: (id: string) => void;
  menu: (file: FileRow) => React.ReactNode;
}

function FileTable({ files, onOpen, menu }: TableProps) {
  return (
    <Table highlightOnHover layout="fixed" className={classes.table ?? ""}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th w={200}>Owner</Table.Th>
          <Table.Th w={140}>Last modified</Table.Th>
          <Table.Th w={56}>
            <span className={looks.unseen}>Actions</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {files.map((file) => (
          <Table.Tr key={file.id}>
            <Table.Td className={classes.name ?? ""}>
              <Mark size={20} />
              <a
                href={`/spreadsheets/d/${file.id}/edit`}
                onClick={(event) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                  event.preventDefault();
                  onOpen(file.id);
                }}
              >
                {file.title}
              </a>
              {file.shared && <IconUsers size={15} aria-label="Shared" className={classes.shared} />}
            </Table.Td>
            <Table.Td>{file.owner}</Table.Td>
            <Table.Td className="kit-numbers">
              <When at={file.modified} />
            </Table.Td>
            <Table.Td>{menu(file)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface FileMenuProps extends Props {
  file: FileRow;
  onShare: () => void;
}

function FileMenu({ file, onOpen, onTrash, onShare }: FileMenuProps) {
  const [naming, setNaming] = useState(false);
  const rename = async (title: string) => {
    setNaming(false);
    if (title.trim() === "" || title === file.title) return;
    try {
      await api.patch(`/files/${file.id}`, { title });
      await queries.invalidateQueries();
    } catch (error) {
      complain(error);
    }
  };
  if (naming) {
    return (
      <TextInput
        aria-label={`New name of ${file.title}`}
        autoFocus
        size="xs"
        w={200}
        defaultValue={file.title}
        onBlur={(event) => void rename(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
          if (event.key === "Escape") setNaming(false);
        }}
      />
    );
  }
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <IconButton label={`More actions on ${file.title}`} size={28}>
          <IconDots size={17} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onOpen(file.id)}>Open</Menu.Item>
        <Menu.Item disabled={file.role === "reader" || file.role === "commenter"} onClick={() => setNaming(true)}>
          Rename
        </Menu.Item>
        <Menu.Item onClick={onShare}>Share</Menu.Item>
        <Menu.Item disabled={!file.mine} onClick={() => onTrash(file.id, file.title)}>
          Move to trash
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

