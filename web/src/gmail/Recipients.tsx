import { TagsInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { useState } from "react";

import { api } from "../kit/api";
import { line } from "./start";
import type { Person } from "./types";

interface Props {
  id: string;
  name: string;
  value: string[];
  onChange: (people: string[]) => void;
  focus?: boolean;
}

/** Addresses as chips, completed from the people in the mailbox. */
export function Recipients({ id, name, value, onChange, focus = false }: Props) {
  const [search, setSearch] = useState("");
  const known = useQuery({
    queryKey: ["people"],
    queryFn: async () => (await api.get<{ people: Person[] }>("/people")).people.map(line),
    staleTime: "static",
  });
  return (
    <TagsInput
      id={id}
      aria-label={name}
      variant="unstyled"
      size="sm"
      data={known.data ?? []}
      value={value}
      onChange={onChange}
      splitChars={[",", ";"]}
      limit={8}
      selectFirstOptionOnChange
      comboboxProps={{ shadow: "md", transitionProps: { duration: 0 } }}
      autoFocus={focus}
      clearable={false}
      searchValue={search}
      onSearchChange={setSearch}
      dropdownOpened={search.trim() !== ""}
    />
  );
}
