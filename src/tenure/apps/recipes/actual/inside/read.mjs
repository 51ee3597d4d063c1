// Makes /tmp/budget/db.sqlite: the budget as the server has it. Usage: node read.mjs PORT PASSWORD
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { api, connect } from "./api.mjs";

const [port, password] = process.argv.slice(2);
await connect("/tmp/read", port, password);
const [budget] = await api.getBudgets();
await api.downloadBudget(budget.groupId);
await api.sync();
await api.shutdown();
const [folder] = readdirSync("/tmp/read", { withFileTypes: true }).filter((entry) => entry.isDirectory());
mkdirSync("/tmp/budget", { recursive: true });
copyFileSync(`/tmp/read/${folder.name}/db.sqlite`, "/tmp/budget/db.sqlite");
