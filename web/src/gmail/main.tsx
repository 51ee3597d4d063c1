import type { MantineColorsTuple } from "@mantine/core";

import { boot } from "../kit/boot";
import { theme } from "../kit/theme";
import { App } from "./App";
import { remember } from "./mail";
import type { Facts } from "./types";

const brick: MantineColorsTuple = [
  "#fdf2f0",
  "#f9e2de",
  "#f1c4bd",
  "#e89f95",
  "#d97467",
  "#c65247",
  "#b0392f",
  "#932e26",
  "#762621",
  "#571d1a",
];

boot<Facts>("gmail", theme({ accent: brick, radius: "md" }), (facts) => {
  remember(facts);
  return <App />;
});
