import type { Go } from "./App";
export default function Settings(_: { tab: string; go: Go }) {
  return null;
}
