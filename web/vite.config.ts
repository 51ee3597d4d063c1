import react from "@vitejs/plugin-react";
import { readdirSync, existsSync } from "node:fs";
import { defineConfig } from "vitest/config";

// A folder of src with a main.tsx is a twin's screen; the server finds it in the manifest.
const entries = readdirSync("src")
  .map((name) => `src/${name}/main.tsx`)
  .filter((file) => existsSync(file));

export default defineConfig({
  plugins: [react()],
  base: "/_screen/",
  publicDir: false,
  build: {
    outDir: "../src/tenure/twins/_screens",
    emptyOutDir: true,
    manifest: "manifest.json",
    assetsInlineLimit: 0,
    target: "es2022",
    rolldownOptions: { input: entries },
  },
  test: { include: ["test/**/*.test.{ts,tsx}"], environment: "jsdom" },
});
