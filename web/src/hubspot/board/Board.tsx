import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";

import { api, ApiError, messageOf } from "../../kit/api";
import { Choice } from "../../kit/choice";
import { Failed, Waiting } from "../../kit/parts";
import { toast } from "../../kit/toast";
import { refresh, useFacts, type Ask } from "../crm";
import { useAddress } from "../place";
import type { CrmRecord, Named } from "../types";
import { count, money } from "../values";
import classes from "./board.module.css";
import { BoardCard } from "./BoardCard";

export interface Card extends CrmRecord {
  title: string;
  links: Named[];
}

export interface StageColumn {
  id: string;
  label: string;
  probability: number;
  closed: boolean;
  count: number;
  sum: number;
  weighted: number;
  cards: Card[];
}

/** A card in hand: which one, over which column, and by the mouse or by the keyboard. */
export interface Held {
  card: Card;
  from: string;
  over: string;
  at?: { x: number; y: number; dx: number; dy: number; width: number };
}

const STEP = 50;

/** A pipeline's stages side by side. A card is moved by dragging, from its menu, or with Space and the arrows. */
export default function Board({ type, ask }: { type: "deals" | "tickets"; ask: Ask }) {
  const facts = useFacts();
  const [params, change] = useAddress();
  const [cards, setCards] = useState(STEP);
  const [held, setHeld] = useState<Held | null>(null);
  const [said, setSaid] = useState("");
  const board = useRef<HTMLDivElement>(null);
  const pipelines = facts.pipelines[type];
  const pipeline = pipelines.find((one) => one.id === params.get("pipeline")) ?? pipelines[0];
  const question = { pipeline: pipeline?.id ?? "", filterGroups: ask.filterGroups, query: ask.query, sorts: ask.sorts, cards };
  const found = useQuery({
    queryKey: ["board", type, question],
    queryFn: async () => (await api.post<{ stages: StageColumn[] }>(`/board/${type}`, question)).stages,
    placeholderData: (before: StageColumn[] | undefined) => before,
  });
  const stages = found.data ?? [];
  const records = stages.reduce((sum, stage) => sum + stage.count, 0);
  const stageName = type === "deals" ? "dealstage" : "hs_pipeline_stage";
  const labelOf = (id: string) => stages.find((stage) => stage.id === id)?.label ?? id;
  const move = async (card: Card, to: string, was = card.properties[stageName] ?? "") => {
    if (to === was) return;
    try {
      await api.patch(`/records/${type}/${card.id}`, { properties: { [stageName]: to }, was: { [stageName]: was } });
      setSaid(`${card.title} is now in ${labelOf(to)}.`);
      toast(`${card.title} moved to ${labelOf(to)}.`, [{ label: "Undo", run: () => move(card, was, to) }]);
    } catch (error) {
      const current = error instanceof ApiError && error.status === 409 ? (error.current as { properties?: Record<string, string> } | undefined) : undefined;
      const now = current?.properties?.[stageName];
      toast(now === undefined ? messageOf(error) : `${card.title} was moved to ${labelOf(now)} in another window. It was left there.`, [], 12_000);
    }
    await refresh();
  };
  const step = (by: number) => {
    if (held === null) return;
    const at = stages.findIndex((stage) => stage.id === held.over);
    const next = stages[Math.max(0, Math.min(stages.length - 1, at + by))];
    if (next === undefined) return;
    setHeld({ ...held, over: next.id });
    setSaid(`Over ${next.label}.`);
    board.current?.querySelector(`[data-stage="${CSS.escape(next.id)}"]`)?.scrollIntoView({ inline: "nearest", block: "nearest" });
  };
  const drop = () => {
    if (held === null) return;
    setHeld(null);
    void move(held.card, held.over);
  };
  return (
    <div className={classes.board}>
      <div className={classes.head}>
        <Choice
          aria-label="Pipeline"
          w={220}
          data={pipelines.map((one) => ({ value: one.id, label: one.label }))}
          value={pipeline?.id ?? ""}
          onChange={(id) => change({ pipeline: id }, true)}
        />
        <span className={classes.total} role="status">
          {count(records)} {records === 1 ? type.slice(0, -1) : type}
          {type === "deals" && ` · ${money(stages.reduce((sum, stage) => sum + stage.sum, 0), facts.currency)}`}
        </span>
        <span className={classes.hint}>Drag a card, use its menu, or press Space and then the arrow keys.</span>
      </div>
      <div className={classes.spoken} aria-live="assertive">
        {said}
      </div>
      {found.isPending ? (
        <Waiting what="the board" />
      ) : found.isError ? (
        <Failed error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <div className={classes.columns} ref={board} tabIndex={0} role="region" aria-label={`${pipeline?.label ?? ""}, stages`}>
          {stages.map((stage) => (
            <section key={stage.id} className={classes.column} data-stage={stage.id} data-over={held?.over === stage.id || undefined} aria-label={stage.label}>
              <header className={classes.stage}>
                <h2>{stage.label}</h2>
                <span className={classes.number}>{count(stage.count)}</span>
              </header>
              <ul className={classes.cards} aria-label={`${stage.label}, cards`}>
                {stage.cards.map((card) => (
                  <BoardCard
                    key={card.id}
                    type={type}
                    card={card}
                    stage={stage}
                    stages={stages}
                    held={held}
                    onHold={(next, text) => {
                      setHeld(next);
                      setSaid(text);
                    }}
                    onStep={step}
                    onDrop={drop}
                    onMove={(to) => void move(card, to)}
                  />
                ))}
                {stage.cards.length < stage.count && (
                  <li>
                    <button type="button" className={classes.more} onClick={() => setCards(cards + 200)}>
                      Show {count(stage.count - stage.cards.length)} more
                    </button>
                  </li>
                )}
              </ul>
              {type === "deals" && (
                <footer className={classes.sums}>
                  <div>
                    <span>Total amount</span> {money(stage.sum, facts.currency)}
                  </div>
                  <div>
                    <span>Weighted ({Math.round(stage.probability * 100)}%)</span> {money(stage.weighted, facts.currency)}
                  </div>
                </footer>
              )}
            </section>
          ))}
        </div>
      )}
    </div>
  );
}
