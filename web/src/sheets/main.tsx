import type { MantineColorsTuple } from "@mantine/core";

import { boot } from "../kit/boot";
import { theme } from "../kit/theme";
import { App } from "./App";
import { remember } from "./facts";
import type { Facts } from "./types";

const pine: MantineColorsTuple = [
  "#eef8f4",
  "#d8eee5",
  "#b3dccb",
  "#86c6ab",
  "#56ab88",
  "#2f8f6b",
  "#1c7455",
  "#165e45",
  "#114936",
  "#0b3325",
];

boot<Facts>("sheets", theme({ accent: pine, radius: "sm" }), (facts) => {
  remember(facts);
  return <App />;
});
