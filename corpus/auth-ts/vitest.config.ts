import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const src = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

export default defineConfig({
  resolve: { alias: { "@": src("."), "#auth": src("auth/index.ts") } },
  test: { include: ["src/**/*.test.ts", "src/**/__tests__/*.ts"] },
});
