import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { breach, rooms } from "../../lint/rooms.js"

const root = path.resolve(import.meta.dirname, "../..")

/** From, to, and a part of what is said of it; undefined where it may be imported. */
const cases: ReadonlyArray<readonly [string, string, string | undefined]> = [
  ["src/Errors.ts", "src/Services/Core/Calls/Caller.ts", "inwards"],
  ["src/Services/Leads/Leads.ts", "src/Tools/Leads/Leads.ts", "inwards"],
  ["src/Tools/Leads/Leads.ts", "src/Layers/Leads/Sql.ts", "inwards"],
  ["src/Api.ts", "src/Layers/App.ts", "inwards"],
  ["src/Layers/Leads/Leads.ts", "src/Main.ts", "inwards"],
  ["src/Layers/Leads/Leads.ts", "test/support/TestAccount.ts", "outside src"],
  ["src/Services/Core/Outside/ServerVersion.ts", "package.json", undefined],

  ["src/Services/Meetings/Meetings.ts", "src/Services/Leads/Leads.ts", undefined],
  ["src/Services/Leads/Leads.ts", "src/Services/Meetings/Meetings.ts", "Meetings comes after Leads"],
  ["src/Services/Leads/Leads.ts", "src/Services/Meetings/Ids.ts", undefined],
  ["src/Services/Leads/Leads.ts", "src/Services/Leads/Deep/Rules.ts", undefined],
  ["src/Services/Unheard/Rules.ts", "src/Errors.ts", "is no room"],

  ["src/Tools/Meetings/Meetings.ts", "src/Tools/Core/Tool.ts", undefined],
  ["src/Tools/Meetings/Meetings.ts", "src/Tools/Leads/LeadParams.ts", undefined],
  ["src/Tools/Leads/LeadParams.ts", "src/Tools/Meetings/Meetings.ts", "Meetings comes after Leads"],
  ["src/Tools/Groups/Leads.ts", "src/Tools/Meetings/Meetings.ts", undefined],
  ["src/Tools/Leads/LeadParams.ts", "src/Tools/Groups/Leads.ts", "Groups comes after Leads"],
  ["src/Tools/Unheard/Unheard.ts", "src/Tools/Core/Tool.ts", "is no room"],

  ["src/Layers/Meetings/Meetings.ts", "src/Layers/Meetings/Sql.ts", undefined],
  ["src/Layers/Meetings/Meetings.ts", "src/Layers/Platform/Settings.ts", undefined],
  ["src/Layers/Meetings/Meetings.ts", "src/Services/Reports/Reports.ts", undefined],
  ["src/Layers/Meetings/Meetings.ts", "src/Layers/Leads/Sql.ts", undefined],
  ["src/Layers/Meetings/Meetings.ts", "src/Layers/Leads/Sql/History.ts", undefined],
  ["src/Layers/Leads/LeadsPostgres.ts", "src/Layers/Meetings/Sql/Notices.ts", "not Meetings/Sql/Notices.ts"],
  ["src/Layers/Meetings/Meetings.ts", "src/Layers/Leads/LeadsPostgres.ts", "not Leads/LeadsPostgres.ts"],
  ["src/Layers/Leads/LeadsPostgres.ts", "src/Layers/Meetings/Sql.ts", "not Meetings/Sql.ts"],
  ["src/Layers/Leads/LeadsPostgres.ts", "src/Layers/App.ts", "Only Main"],
  ["src/Layers/Meetings/Meetings.ts", "src/Layers/Sample/SampleLeads.ts", "Only Main"],
  ["src/Layers/Unheard/Unheard.ts", "src/Layers/Platform/Settings.ts", "is no room"],
  ["src/Layers/App.ts", "src/Layers/Meetings/Meetings.ts", undefined],
  ["src/Layers/Sample/SampleHistory.ts", "src/Layers/App.ts", undefined],
  ["src/Main.ts", "src/Layers/App.ts", undefined],

  ["src/Layers/Platform/Tracing.ts", "src/Services/Core/SafeCause.ts", undefined],
  ["src/Layers/Platform/Tracing.ts", "src/Layers/Meetings/Sql.ts", "knows no room"],
  ["src/Layers/Platform/Tracing.ts", "src/Services/Meetings/Meetings.ts", "not Meetings"],
  ["src/Layers/Platform/Tracing.ts", "src/Services/Meetings/Ids.ts", undefined]
]

/** A breach of each law of the rooms, by the file it is planted in, with what is reported there. */
const plantedImports: { readonly [file: string]: readonly [code: string, rule: string] } = {
  "src/Services/Leads/Upwards.ts": [`export { other } from "../Meetings/Other.ts"`, "rooms(imports)"],
  "src/Services/Leads/Outwards.ts": [`export { other } from "../../Layers/App.ts"`, "rooms(imports)"],
  "src/Services/Leads/InType.ts": [`export type Other = import("../Meetings/Other.ts").Other`, "rooms(imports)"],
  "src/Services/Leads/Late.ts": [`export const late = () => import("../Meetings/Other.ts")`, "rooms(imports)"],
  "src/Layers/Meetings/Across.ts": [`import "../Leads/LeadsPostgres.ts"`, "rooms(imports)"],
  "src/Layers/Platform/Knows.ts": [`import "../Meetings/Sql.ts"`, "rooms(imports)"],
  "src/Services/Leads/Here.ts": [
    `import type { There } from "./There.ts"\nexport type Here = There`,
    "import(no-cycle)"
  ],
  "src/Services/Leads/There.ts": [`import type { Here } from "./Here.ts"\nexport type There = Here`, "import(no-cycle)"]
}

/** A breach of each rule that the configuration switches on for all files, by the rule's name. */
const breaches: { readonly [rule: string]: string } = {
  eqeqeq: "export const same = (a: number, b: number) => a == b",
  "no-console": `console.log("said")`,
  "no-var": "export var late = 1",
  "prefer-const": "let fixed = 1\nexport const twice = () => fixed * 2",
  "prefer-rest-params": "export function first(): unknown {\n  return arguments[0]\n}",
  "prefer-spread": "export const most = (list: Array<number>): number => Math.max.apply(Math, list)",
  "no-unused-vars": "const unused = 1\nexport {}",
  "no-unused-expressions": "export const one = 1\none + 1",
  "no-array-constructor": "export const list = new Array(1, 2)",
  // The breach that the rule must find.
  "typescript/ban-ts-comment": "// @ts-ignore\nexport const one = 1",
  "typescript/consistent-type-imports": `import { Shape } from "./Shape.ts"\nexport type Shapes = ReadonlyArray<Shape>`,
  "typescript/no-duplicate-enum-values": "export enum Twice {\n  One = 1,\n  Two = 1\n}",
  "typescript/no-empty-object-type": "export type Anything = {}",
  "typescript/no-explicit-any": "export type Open = any",
  "typescript/no-extra-non-null-assertion": "export const sure = (given?: { readonly a: string }) => given!!.a",
  "typescript/no-misused-new": "export interface Thing {\n  new (): Thing\n}",
  "typescript/no-namespace": "export namespace Old {\n  export const one = 1\n}",
  "typescript/no-non-null-asserted-optional-chain":
    "export const sure = (given?: { readonly a?: string }) => given?.a!",
  "typescript/no-non-null-assertion": "export const sure = (given: string | undefined): string => given!",
  "typescript/no-require-imports": `import old = require("node:fs")\nexport { old }`,
  "typescript/no-this-alias": "export class Self {\n  me() {\n    const self = this\n    return () => self\n  }\n}",
  "typescript/no-unnecessary-type-constraint": "export const same = <A extends unknown>(a: A): A => a",
  "typescript/no-unsafe-declaration-merging": "export interface Both {\n  readonly a: 1\n}\nexport class Both {}",
  "typescript/no-unsafe-function-type": "export type Called = Function",
  "typescript/no-wrapper-object-types": "export type Text = String",
  "typescript/prefer-as-const": "export const two = 2 as 2",
  "typescript/prefer-namespace-keyword": "declare module Old {\n  const one: number\n}\nexport {}",
  "typescript/triple-slash-reference": `/// <reference path="./Shape.ts" />\nexport {}`,
  "typescript/await-thenable": "export const wait = async () => {\n  await 1\n}",
  "typescript/no-array-delete": "export const cut = (list: Array<number>) => {\n  delete list[0]\n}",
  "typescript/no-base-to-string": "export const said = (thing: { readonly a: 1 }) => String(thing)",
  "typescript/no-duplicate-type-constituents": `export type Twice = "a" | "a"`,
  "typescript/no-floating-promises": "Promise.resolve(1)",
  "typescript/no-for-in-array":
    "export const walk = (list: Array<number>) => {\n  for (const place in list) list[place] = 0\n}",
  "typescript/no-implied-eval": `export const late = new Function("return 1")`,
  "typescript/no-misused-promises":
    "export const all = (list: Array<number>) => list.forEach(async () => {\n  await Promise.resolve()\n})",
  "typescript/no-redundant-type-constituents": "export type Wide = string | unknown",
  "typescript/no-unnecessary-type-assertion": "const one: number = Number(1)\nexport const two = one as number",
  "typescript/no-unsafe-argument": "export const read = (text: string): number => parseInt(JSON.parse(text))",
  "typescript/no-unsafe-assignment": `export const one: number = JSON.parse("1")`,
  "typescript/no-unsafe-call": "export const run = (text: string): unknown => JSON.parse(text)()",
  "typescript/no-unsafe-enum-comparison":
    "export enum Side {\n  Left,\n  Right\n}\nexport const isLeft = (side: Side) => side === 0",
  "typescript/no-unsafe-member-access": "export const read = (text: string): unknown => JSON.parse(text).a",
  "typescript/no-unsafe-return": "export const read = (text: string): number => JSON.parse(text)",
  "typescript/no-unsafe-unary-minus": "export const less = (text: string) => -text",
  "typescript/only-throw-error": `export const fail = () => {\n  throw "no"\n}`,
  "typescript/prefer-promise-reject-errors": `export const failed = () => Promise.reject("no")`,
  "typescript/require-await": "export const late = async () => 1",
  "typescript/restrict-plus-operands": "export const sum = (a: { readonly a: 1 }, b: string) => a + b",
  "typescript/restrict-template-expressions": "export const said = (thing: { readonly a: 1 }) => `${thing}`",
  "typescript/switch-exhaustiveness-check": `export const side = (given: "left" | "right") => {\n  switch (given) {\n    case "left":\n      return 1\n  }\n  return 2\n}`,
  "typescript/unbound-method": "class Bound {\n  own() {\n    return this\n  }\n}\nexport const free = new Bound().own"
}

/** Rules whose planted breaches are above. */
const lawsOfRooms = ["rooms/imports", "import/no-cycle"]

/** Packages that only the layers may know, and who else is asked. */
const layersAlone = ["pg", "graphile-worker", "@effect/sql-pg", "@effect/platform-node", "prom-client"].concat([
  "node:http",
  "node:https",
  "@effect/sql",
  "@effect/sql/SqlClient",
  "@effect/platform",
  "@effect/platform/HttpClient"
])
const others = ["src/Services/Leads", "src/Tools/Leads", "src/Api", "src/Api/Deep"]

/** As the linter names a rule in its reports: the plugin, and the rule in brackets. */
const reportedAs = (rule: string): string => rule.replace(/^.*\//, "")

const plantedRules = Object.fromEntries(
  Object.entries(breaches).map(([rule, code], index) => [
    `src/Services/Leads/Breach${index}.ts`,
    [code, `(${reportedAs(rule)})`] as const
  ])
)

const plantedPackages = Object.fromEntries(
  others.flatMap((folder) =>
    layersAlone.map((name, index) => [
      `${folder}/Vendor${index}.ts`,
      [`import * as vendor from "${name}"\nexport { vendor }`, "no-restricted-imports"] as const
    ])
  )
)

const planted = { ...plantedImports, ...plantedRules, ...plantedPackages }

interface Reported {
  readonly code: string
  readonly filename: string
}

/** What the linter reports, with the project's own configuration, on a project of these files. */
const reportedOn = (files: { readonly [file: string]: string }) =>
  Effect.acquireUseRelease(
    Effect.promise(() => fs.mkdtemp(path.join(os.tmpdir(), "gateway-lint-"))),
    (directory) =>
      Effect.promise(async () => {
        for (const part of [".oxlintrc.json", "lint", "tsconfig.json", "package.json"]) {
          await fs.cp(path.join(root, part), path.join(directory, part), { recursive: true })
        }
        await fs.symlink(path.join(root, "node_modules"), path.join(directory, "node_modules"))
        for (const [file, text] of Object.entries(files)) {
          await fs.mkdir(path.dirname(path.join(directory, file)), { recursive: true })
          await fs.writeFile(path.join(directory, file), text)
        }
        const output = await new Promise<string>((resolve) =>
          execFile(
            process.execPath,
            [path.join(root, "node_modules/oxlint/bin/oxlint"), "--type-aware", "--format", "json", "src"],
            { cwd: directory },
            (_, stdout) => resolve(stdout)
          )
        )
        const { diagnostics } = JSON.parse(output) as { readonly diagnostics: ReadonlyArray<Reported> }
        return diagnostics
      }),
    (directory) => Effect.promise(() => fs.rm(directory, { recursive: true, force: true }))
  )

describe("who may import whom", () => {
  it.each(cases)("%s imports %s: %s", (from, to, expected) => {
    const message = breach(from, to)
    if (expected === undefined) assert.isUndefined(message)
    else assert.include(message, expected)
  })

  it("names each room once", () => {
    assert.strictEqual(new Set(rooms).size, rooms.length)
  })

  it("has a planted breach of every rule", async () => {
    const configured: unknown = JSON.parse(await fs.readFile(path.join(root, ".oxlintrc.json"), "utf8"))
    const { rules: switched } = configured as { readonly rules: { readonly [rule: string]: unknown } }
    assert.sameMembers(Object.keys(switched), [...lawsOfRooms, ...Object.keys(breaches)])
  })

  it.live("reports each planted breach, and nothing else", () =>
    Effect.gen(function* () {
      const reports = yield* reportedOn({
        ...Object.fromEntries(Object.entries(planted).map(([file, [code]]) => [file, `${code}\n`])),
        "src/Services/Leads/Shape.ts": "export interface Shape {\n  readonly side: number\n}\n",
        "src/Services/Core/SafeCause.ts": `export { isSqlError } from "@effect/sql/SqlError"\n`,
        "src/Services/Meetings/Other.ts": "export const other = 1\nexport type Other = typeof other\n",
        "src/Layers/App.ts": "export const other = 1\n",
        "src/Layers/Leads/Sql.ts": "export const columns = 1\n",
        "src/Layers/Leads/LeadsPostgres.ts": `export { columns } from "./Sql.ts"\n`,
        "src/Layers/Meetings/Sql.ts": `export { columns } from "../Leads/Sql.ts"\n`
      })
      const missed = Object.entries(planted).filter(
        ([file, [, rule]]) => !reports.some(({ code, filename }) => filename === file && code.includes(rule))
      )
      assert.deepStrictEqual(missed, [])
      assert.sameMembers([...new Set(reports.map(({ filename }) => filename))], Object.keys(planted))
    })
  )
})
