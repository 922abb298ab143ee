import js from "@eslint/js";
import tseslint from "typescript-eslint";

const node = { require: "readonly", module: "writable", console: "readonly", process: "readonly" };
const jest = { describe: "readonly", it: "readonly", expect: "readonly" };

export default tseslint.config(
  js.configs.recommended,
  { files: ["src/**/*.ts"], extends: [tseslint.configs.recommended] },
  {
    files: ["server/**/*.js", "jest.config.js"],
    languageOptions: { sourceType: "commonjs", globals: { ...node, ...jest } },
    rules: { eqeqeq: "error", "no-unused-vars": "warn", "prefer-const": "warn" },
  },
);
