import { Menu } from "@mantine/core";
import { IconDotsVertical } from "@tabler/icons-react";
import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import { Link } from "wouter";

import { IconButton, Portrait } from "../../kit/parts";
import { useFacts } from "../crm";
import { usePlaces } from "../place";
import { money, ownerName, showDay } from "../values";
import type { Card, Held, StageColumn } from "./Board";
import classes from "./board.module.css";

/** How far the mouse goes before a press becomes a drag. */
const SLACK_PX = 5;

interface Props {
  type: "deals" | "tickets";
  card: Card;
  stage: StageColumn;
  stages: StageColumn[];
  held: Held | null;
  onHold: (held: Held | null, said: string) => void;
  onStep: (by: number) => void;
  onDrop: () => void;
  onMove: (stage: string) => void;
}

export function BoardCard({ type, card, stage, stages, held, onHold, onStep, onDrop, onMove }: Props) {
  const facts = useFacts();
  const places = usePlaces();
  const pressed = useRef<{ x: number; y: number; left: number; top: number; width: number } | null>(null);
  const dragged = useRef(false);
  const mine = held?.card.id === card.id ? held : null;
  const p = card.properties;
  const down = (event: PointerEvent<HTMLLIElement>) => {
    if (event.button !== 0 || (event.target as HTMLElement).closest("button") !== null) return;
    const box = event.currentTarget.getBoundingClientRect();
    pressed.current = { x: event.clientX, y: event.clientY, left: box.left, top: box.top, width: box.width };
    dragged.current = false;
  };
  const over = (event: PointerEvent<HTMLLIElement>) => {
    const start = pressed.current;
    if (start === null) return;
    if (!dragged.current && Math.hypot(event.clientX - start.x, event.clientY - start.y) < SLACK_PX) return;
    if (!dragged.current) event.currentTarget.setPointerCapture(event.pointerId);
    dragged.current = true;
    const under = document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest("[data-stage]"));
    const column = under.find((one) => one !== null)?.getAttribute("data-stage") ?? stage.id;
    const at = { x: event.clientX - (start.x - start.left), y: event.clientY - (start.y - start.top), dx: 0, dy: 0, width: start.width };
    onHold({ card, from: stage.id, over: column, at }, "");
  };
  const up = () => {
    pressed.current = null;
    if (dragged.current && mine !== null) onDrop();
  };
  const cancel = () => {
    pressed.current = null;
    if (dragged.current) onHold(null, "");
  };
  const key = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLButtonElement) return;
    if (event.key === " ") {
      event.preventDefault();
      if (mine === null) onHold({ card, from: stage.id, over: stage.id }, `${card.title} picked up. Arrow keys choose a stage, Space drops, Escape puts back.`);
      else onDrop();
    } else if (mine !== null && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
      event.preventDefault();
      onStep(event.key === "ArrowRight" ? 1 : -1);
    } else if (mine !== null && event.key === "Enter") {
      event.preventDefault();
      onDrop();
    } else if (mine !== null && event.key === "Escape") {
      event.preventDefault();
      onHold(null, `${card.title} put back.`);
    }
  };
  const style = mine?.at === undefined ? undefined : { position: "fixed" as const, left: mine.at.x, top: mine.at.y, width: mine.at.width, zIndex: 50, pointerEvents: "none" as const };
  return (
    <li
      className={classes.card}
      aria-label={card.title}
      data-held={mine !== null || undefined}
      style={style}
      onPointerDown={down}
      onPointerMove={over}
      onPointerUp={up}
      onPointerCancel={cancel}
      onKeyDown={key}
    >
      <div className={classes.cardHead}>
        <Link
          to={places.record(type, card.id)}
          draggable={false}
          title={card.title}
          aria-roledescription="card"
          onClick={(event) => {
            if (dragged.current) event.preventDefault();
          }}
        >
          {card.title}
        </Link>
        <Menu position="bottom-end" width={220}>
          <Menu.Target>
            <IconButton label={`Move ${card.title}`} size={26}>
              <IconDotsVertical size={15} />
            </IconButton>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflowY: "auto" }}>
            <Menu.Label>Move to</Menu.Label>
            {stages.map((one) => (
              <Menu.Item key={one.id} disabled={one.id === stage.id} onClick={() => onMove(one.id)}>
                {one.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
      {type === "deals" && (
        <div className={classes.line}>
          <span>Amount:</span> {p["amount"] ? money(Number(p["amount"]), p["deal_currency_code"] ?? facts.currency) : "--"}
        </div>
      )}
      {type === "deals" && (
        <div className={classes.line}>
          <span>Close date:</span> {p["closedate"] ? showDay(p["closedate"]) : "--"}
        </div>
      )}
      {type === "tickets" && p["hs_ticket_priority"] && (
        <div className={classes.line}>
          <span>Priority:</span> {p["hs_ticket_priority"].toLowerCase()}
        </div>
      )}
      {card.links[0] !== undefined && (
        <Link className={classes.cardLink} to={places.record(card.links[0].type, card.links[0].id)} draggable={false} title={card.links[0].title}>
          {card.links[0].title}
        </Link>
      )}
      <div className={classes.cardFoot}>
        <Portrait name={ownerName(facts, p["hubspot_owner_id"])} size={20} />
        <span title={ownerName(facts, p["hubspot_owner_id"])}>{ownerName(facts, p["hubspot_owner_id"])}</span>
      </div>
    </li>
  );
}
