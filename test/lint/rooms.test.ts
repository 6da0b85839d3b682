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
  ["src/Errors.ts", "src/Services/Core/Caller.ts", "inwards"],
  ["src/Services/Leads/Leads.ts", "src/Tools/Leads/Leads.ts", "inwards"],
  ["src/Tools/Leads/Leads.ts", "src/Layers/Leads/Sql.ts", "inwards"],
  ["src/Api.ts", "src/Layers/App.ts", "inwards"],
  ["src/Layers/Leads/Leads.ts", "src/Main.ts", "inwards"],
  ["src/Layers/Leads/Leads.ts", "test/support/TestAccount.ts", "outside src"],
  ["src/Services/Core/ServerVersion.ts", "package.json", undefined],

  ["src/Services/Meetings/Meetings.ts", "src/Services/Leads/Leads.ts", undefined],
  ["src/Services/Leads/Leads.ts", "src/Services/Meetings/Meetings.ts", "Meetings stands after Leads"],
  ["src/Services/Leads/Leads.ts", "src/Services/Meetings/Ids.ts", undefined],
  ["src/Services/Leads/Leads.ts", "src/Services/Leads/Deep/Rules.ts", undefined],
  ["src/Services/Unheard/Rules.ts", "src/Errors.ts", "is no room"],

  ["src/Tools/Meetings/Meetings.ts", "src/Tools/Core/Tool.ts", undefined],
  ["src/Tools/Meetings/Meetings.ts", "src/Tools/Leads/LeadParams.ts", undefined],
  ["src/Tools/Leads/LeadParams.ts", "src/Tools/Meetings/Meetings.ts", "Meetings stands after Leads"],
  ["src/Tools/Groups/Leads.ts", "src/Tools/Meetings/Meetings.ts", undefined],
  ["src/Tools/Leads/LeadParams.ts", "src/Tools/Groups/Leads.ts", "Groups stands after Leads"],
  ["src/Tools/Unheard/Unheard.ts", "src/Tools/Core/Tool.ts", "is no room"],

  ["src/Layers/Meetings/Meetings.ts", "src/Layers/Meetings/Sql.ts", undefined],
  ["src/Layers/Meetings/Meetings.ts", "src/Layers/Platform/Settings.ts", undefined],
  ["src/Layers/Meetings/Meetings.ts", "src/Services/Reports/Reports.ts", undefined],
  ["src/Layers/Meetings/Meetings.ts", "src/Layers/Leads/Sql.ts", undefined],
  ["src/Layers/Meetings/Meetings.ts", "src/Layers/Leads/Sql/History.ts", undefined],
  ["src/Layers/Leads/LeadsPostgres.ts", "src/Layers/Meetings/Sql/Notices.ts", "not Meetings/Sql/Notices.ts"],
  ["src/Layers/Meetings/Meetings.ts", "src/Layers/Leads/LeadsPostgres.ts", "not Leads/LeadsPostgres.ts"],
  ["src/Layers/Leads/LeadsPostgres.ts", "src/Layers/Meetings/Sql.ts", "not Meetings/Sql.ts"],
  ["src/Layers/Leads/LeadsPostgres.ts", "src/Layers/App.ts", "Main alone"],
  ["src/Layers/Meetings/Meetings.ts", "src/Layers/Sample/SampleLeads.ts", "Main alone"],
  ["src/Layers/Unheard/Unheard.ts", "src/Layers/Platform/Settings.ts", "is no room"],
  ["src/Layers/App.ts", "src/Layers/Meetings/Meetings.ts", undefined],
  ["src/Layers/Sample/SampleHistory.ts", "src/Layers/App.ts", undefined],
  ["src/Main.ts", "src/Layers/App.ts", undefined],

  ["src/Layers/Platform/Tracing.ts", "src/Services/Core/SafeCause.ts", undefined],
  ["src/Layers/Platform/Tracing.ts", "src/Layers/Meetings/Sql.ts", "knows no room"],
  ["src/Layers/Platform/Tracing.ts", "src/Services/Meetings/Meetings.ts", "not Meetings"],
  ["src/Layers/Platform/Tracing.ts", "src/Services/Meetings/Ids.ts", undefined]
]

/** A breach of each kind, by the file it is planted in, with what is reported there. */
const planted: { readonly [file: string]: readonly [code: string, rule: string] } = {
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
  "src/Services/Leads/There.ts": [
    `import type { Here } from "./Here.ts"\nexport type There = Here`,
    "import(no-cycle)"
  ],
  "src/Services/Leads/Vendor.ts": [`export { Pool } from "pg"`, "no-restricted-imports"],
  "src/Tools/Leads/Sql.ts": [`export { SqlClient } from "@effect/sql"`, "no-restricted-imports"],
  "src/Services/Leads/Floating.ts": [`Promise.resolve(1)`, "no-floating-promises"],
  "src/Services/Leads/Unsafe.ts": [`export const one: number = JSON.parse("1")`, "no-unsafe-assignment"]
}

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
    const said = breach(from, to)
    if (expected === undefined) assert.isUndefined(said)
    else assert.include(said, expected)
  })

  it("names each room once", () => {
    assert.strictEqual(new Set(rooms).size, rooms.length)
  })

  it.live("reports each planted breach, and nothing else", () =>
    Effect.gen(function* () {
      const reports = yield* reportedOn({
        ...Object.fromEntries(Object.entries(planted).map(([file, [code]]) => [file, `${code}\n`])),
        "src/Services/Meetings/Other.ts": "export const other = 1\nexport type Other = typeof other\n",
        "src/Layers/App.ts": "export const other = 1\n",
        "src/Layers/Leads/Sql.ts": "export const columns = 1\n",
        "src/Layers/Leads/LeadsPostgres.ts": `export { columns } from "./Sql.ts"\n`,
        "src/Layers/Meetings/Sql.ts": `export { columns } from "../Leads/Sql.ts"\n`
      })
      for (const [file, [, rule]] of Object.entries(planted)) {
        assert.isTrue(
          reports.some(({ code, filename }) => filename === file && code.includes(rule)),
          `${file}: ${rule}`
        )
      }
      assert.sameMembers([...new Set(reports.map(({ filename }) => filename))], Object.keys(planted))
    })
  )
})
