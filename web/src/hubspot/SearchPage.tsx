import { useEffect } from "react";
import { Link, useSearch } from "wouter";

import { Empty, Failed, Waiting } from "../kit/parts";
import { typeOf, useFacts } from "./crm";
import { Hits, useEverywhere } from "./GlobalSearch";
import { usePlaces } from "./place";
import classes from "./shell.module.css";

export default function SearchPage() {
  const query = new URLSearchParams(useSearch()).get("q") ?? "";
  const found = useEverywhere(query);
  const facts = useFacts();
  const places = usePlaces();
  useEffect(() => {
    document.title = `${query} - Search - Records`;
  }, [query]);
  const groups = found.data ?? [];
  return (
    <div className={classes.column}>
      <h1 className={classes.title}>Search results for “{query}”</h1>
      {query === "" ? (
        <Empty title="Type what you look for at the top" />
      ) : found.isPending ? (
        <Waiting what="results" />
      ) : found.isError ? (
        <Failed error={found.error} onRetry={() => void found.refetch()} />
      ) : groups.length === 0 ? (
        <Empty title="Nothing was found">Each word must begin a word of a name, an address, a phone number or a domain.</Empty>
      ) : (
        <div className={classes.card}>
          <Hits groups={groups} />
          <div className={classes.more}>
            {groups
              .filter((group) => group.total > group.hits.length)
              .map((group) => (
                <Link key={group.type} to={`${places.index(group.type)}?q=${encodeURIComponent(query)}`}>
                  See all {group.total} {typeOf(facts, group.type)?.many.toLowerCase()}
                </Link>
              ))}
          </div>
        </div>
      )}
    </div>
  );
}
