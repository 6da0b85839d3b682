import * as fs from "node:fs"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { fromJsonBody, isRefused } from "../../src/Api/RequestArguments.ts"
import { RequestRefused } from "../../src/Errors.ts"
import { DryRuns } from "../../src/Services/Core/DryRuns.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { as } from "../support/TestAccount.ts"
import { argumentsOf, impossible, Sample, sampleGateway } from "./examples.ts"

/** Tools that cannot be tried, with the service whose answer they need. */
const documented = new Map(
  [
    ...fs
      .readFileSync(new URL("../../docs/reference/dry-runs.md", import.meta.url), "utf8")
      .matchAll(/^\| `([a-z_]+)` \| ([a-z_]+) \|/gm)
  ].map(([, tool = "", service = ""]) => [tool, service])
)

/** What the examples of the other tools would send. */
const expectedEffects: { readonly [tool: string]: string } = {}

/** How many rows each table has and which transactions wrote them: different after any committed change. */
const writtenRows = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`
  const rows = yield* sql.unsafe<{ readonly name: string; readonly fingerprint: string }>(
    tables
      .map(
        ({ name }) =>
          `select '${name}' as name, count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as fingerprint from ${name}`
      )
      .join(" union all ")
  )
  return Object.fromEntries(rows.map(({ fingerprint, name }) => [name, fingerprint]))
})

/** A digest of the content of every table. */
const contents = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = Object.keys(yield* writtenRows)
  const rows = yield* sql.unsafe<{ readonly name: string; readonly digest: string }>(
    tables
      .map(
        (name) =>
          `select '${name}' as name, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as digest from ${name} t`
      )
      .join(" union all ")
  )
  return Object.fromEntries(rows.map(({ digest, name }) => [name, digest]))
})

const writes = AllTools.entries
  .map(({ tool }) => tool)
  .filter(({ kind, name }) => kind !== "read" && !impossible.has(name))

layer(sampleGateway, { excludeTestServices: true, timeout: "10 minutes" })("a dry run", (it) => {
  // What is simulated of providers is in tables, so that this is a recorder of all of them.
  it.effect("of every write with its example leaves every table as it was, those of simulated providers too", () =>
    Effect.gen(function* () {
      const observed = new Map<string, string>()
      const caller = yield* Sample
      const { makeMode } = yield* DryRuns
      const problems: Array<string> = []
      let digest: { readonly [table: string]: string } = {}
      const effects: Array<readonly [string, string]> = []
      for (const { example, name } of writes) {
        const raw = fromJsonBody(Buffer.from(JSON.stringify(yield* as(caller)(argumentsOf(name, example)))))
        if (isRefused(raw)) return yield* Effect.die(raw)
        const before = yield* writtenRows
        if (name === writes.at(-1)?.name) digest = yield* contents
        const mode = makeMode()
        const exit = yield* Effect.exit(as(caller)(AllTools.call(name, raw, mode)))
        const after = yield* writtenRows
        const changed = Object.keys({ ...before, ...after }).filter((table) => before[table] !== after[table])
        if (changed.length > 0) problems.push(`${name} changed ${changed.join(", ")}`)
        if (Exit.isSuccess(exit)) {
          const sent = mode.headers()["Dry-Run-Effects"]
          if (sent !== undefined) effects.push([name, sent])
          continue
        }
        const failure = exit.cause._tag === "Fail" ? exit.cause.error : undefined
        if (failure instanceof RequestRefused && failure.type === "DryRunUnsupported") {
          observed.set(name, / on what (\w+) answers/.exec(failure.error)?.[1] ?? "")
          // A browser on a slow machine takes longer than a dry run may.
        } else if (failure?._tag === "Transient" && failure.reason === "dry_run_timed_out") continue
        else problems.push(`${name} failed: ${JSON.stringify(failure ?? exit.cause)}`)
      }
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(yield* contents, digest)
      assert.deepStrictEqual(Object.fromEntries(effects), expectedEffects)
      assert.deepStrictEqual([...observed].sort(), [...documented].sort(), "docs/reference/dry-runs.md")
    })
  )
})
