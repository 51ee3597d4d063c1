/** Noticing what changes elsewhere: another window, the API, the world itself. */

import { world } from "./world";

const EVERY_MS = 4_000;

/**
 * Ask every few seconds, and whenever the window is looked at again, whether the world has changed.
 * The question costs no world time and shows no record; `changed` then reads anew what is on screen.
 */
export function listenForChanges(changed: () => void): void {
  let asking = false;
  const ask = async () => {
    if (asking || document.visibilityState === "hidden") return;
    asking = true;
    try {
      const reply = await fetch(`/_screen/${world.twin}/pulse`);
      if (reply.ok && world.hear(reply.headers)) changed();
    } catch {
      // Offline: the next read or write says so.
    } finally {
      asking = false;
    }
  };
  setInterval(() => void ask(), EVERY_MS);
  window.addEventListener("focus", () => void ask());
  document.addEventListener("visibilitychange", () => void ask());
}
