import tseslint from "typescript-eslint"
import { importRule } from "./lint/importRule.js"

/** What a file may import and how it may be written. Rules that need types are oxlint's (.oxlintrc.json). */

const vendors = [
  "pg",
  "graphile-worker",
  "@effect/sql-pg",
  "@effect/platform-node",
  "prom-client",
  "node:http",
  "node:https"
]

const knowsNoVendor = vendors.map((name) => ({ name, message: "Only src/Layers knows a vendor." }))

export default tseslint.config(
  { ignores: ["node_modules/", "dist/", ".data/", "coverage/", "test/generated/"] },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.recommended],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { rooms: { rules: { imports: importRule } } },
    rules: {
      "rooms/imports": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      eqeqeq: "error",
      "no-console": "error"
    }
  },
  {
    files: ["src/Errors.ts", "src/Services/**", "src/Api.ts", "src/Api/**"],
    rules: { "no-restricted-imports": ["error", { paths: knowsNoVendor }] }
  },
  {
    files: ["src/Tools/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          paths: knowsNoVendor,
          patterns: [
            {
              group: ["@effect/sql", "@effect/sql/*", "@effect/platform", "@effect/platform/*"],
              message: "A tool knows neither SQL nor HTTP."
            }
          ]
        }
      ]
    }
  },
  { files: ["src/Main.ts", "bench/**/*.ts"], rules: { "no-console": "off" } }
)
