import react from "@vitejs/plugin-react";
import { readdirSync, existsSync } from "node:fs";
import { defineConfig } from "vitest/config";

// A folder of src with a main.tsx is a twin's screen; the server finds it in the manifest.
// SCREENS=gmail builds one; TENURE_SCREENS is where the server looks for another build than its own.
const only = process.env["SCREENS"]?.split(",");
const entries = readdirSync("src")
  .filter((name) => only?.includes(name) ?? true)
  .map((name) => `src/${name}/main.tsx`)
  .filter((file) => existsSync(file));

export default defineConfig({
  plugins: [react()],
  base: "/_screen/",
  publicDir: false,
  build: {
    outDir: process.env["TENURE_SCREENS"] ?? "../src/tenure/twins/_screens",
    emptyOutDir: true,
    manifest: "manifest.json",
    assetsInlineLimit: 0,
    target: "es2022",
    rolldownOptions: { input: entries },
  },
  test: { include: ["test/**/*.test.{ts,tsx}"], environment: "jsdom" },
});
