// Actual's own library for programs, over this machine's server.
import { createRequire } from "node:module";
import { mkdirSync, rmSync } from "node:fs";

export const api = createRequire("/opt/program/")("@actual-app/api");

export async function connect(folder, port, password) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  console.log = console.info = () => {};
  await api.init({ dataDir: folder, serverURL: `http://127.0.0.1:${port}`, password, verbose: false });
}
