import type { MantineColorsTuple } from "@mantine/core";

import { boot } from "../kit/boot";
import { theme } from "../kit/theme";
import { App } from "./App";
import { remember } from "./crm";
import type { Facts } from "./types";

const spruce: MantineColorsTuple = [
  "#eef8f6",
  "#d6ece8",
  "#abd8d0",
  "#7ac2b6",
  "#45a395",
  "#1d8575",
  "#0f6e60",
  "#0c5a4f",
  "#0a473f",
  "#08352f",
];

boot<Facts>("hubspot", theme({ accent: spruce, radius: "sm" }), (facts) => {
  remember(facts);
  return <App />;
});
