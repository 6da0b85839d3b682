import tseslint from "typescript-eslint"

/**
 * The tiers, from the innermost: each may import itself and what stands before it.
 * Errors <- Services <- Tools <- Api <- Layers <- Main
 */
const tiers = [
  { files: ["src/Errors.ts"], forbidden: ["Services", "Tools", "Api", "Layers"] },
  { files: ["src/Services/**"], forbidden: ["Tools", "Api", "Layers"] },
  { files: ["src/Tools/**"], forbidden: ["Api", "Layers"] },
  { files: ["src/Api.ts", "src/Api/**"], forbidden: ["Layers"] }
]

const vendors = [
  "pg",
  "graphile-worker",
  "@effect/sql-pg",
  "@effect/platform-node",
  "prom-client",
  "node:http",
  "node:https"
]

const restrictImports = ({ files, forbidden }) => ({
  files,
  rules: {
    "no-restricted-imports": [
      "error",
      {
        paths: vendors.map((name) => ({ name, message: "Only src/Layers knows a vendor." })),
        patterns: [
          {
            regex: `^\\.{1,2}/(?:.*/)?(?:${forbidden.join("|")}|Main)(?:/.*|\\.ts)$`,
            message: "Imports go inwards: Errors <- Services <- Tools <- Api <- Layers <- Main."
          },
          ...(files.some((file) => file.includes("Tools"))
            ? [
                {
                  group: ["@effect/sql", "@effect/sql/*", "@effect/platform", "@effect/platform/*"],
                  message: "A tool knows neither SQL nor HTTP."
                }
              ]
            : [])
        ]
      }
    ]
  }
})

export default tseslint.config(
  { ignores: ["node_modules/", "dist/", ".data/", "coverage/", "test/generated/"] },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/no-unnecessary-type-assertion": "error",
      // Effects are values: what must not float is a promise, and of these there are few.
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      eqeqeq: "error",
      "no-console": "error"
    }
  },
  ...tiers.map(restrictImports),
  // The client of `pg` is wrapped by overriding an overloaded method, which has no type of its own to bind.
  { files: ["src/Layers/Platform/Postgres/Pool.ts"], rules: { "@typescript-eslint/unbound-method": "off" } },
  { files: ["src/Main.ts", "bench/**/*.ts"], rules: { "no-console": "off" } }
)
