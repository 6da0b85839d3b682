import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { countTokens } from "gpt-tokenizer"
import { OAuth } from "../../src/Services/Connections/OAuth.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { isCluster } from "../support/isCluster.ts"
import { RecordedStatements, statementsWithoutAccount } from "../support/logs/RecordedStatements.ts"
import { as } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import { argumentsOf, impossible, Sample, sampleGateway, servedTools } from "./examples.ts"
import { entryOf, fieldOf, makeAnsweredFields, namesWithBoth } from "./NullFields.ts"
import nullFields from "./nullFields.json" with { type: "json" }

/** What the examples of all tools answered. */
const answeredFields = makeAnsweredFields()

const SampleGateway = Layer.provideMerge(sampleGateway, RecordedStatements.layer)

/** The changes of an example are undone, so that each finds the account as it was made. */
class Undone<A> {
  constructor(readonly answer: A) {}
}

const undoing = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient, (sql) =>
    effect.pipe(
      Effect.flatMap((answer) => Effect.fail(new Undone(answer))),
      sql.withTransaction,
      Effect.catchAll((error) => (error instanceof Undone ? Effect.succeed(error.answer) : Effect.fail(error)))
    )
  )

layer(SampleGateway, { excludeTestServices: true, timeout: "10 minutes" })("examples", (it) => {
  /** An agent's context holds a default answer; a larger one says how to get less. */
  const mostTokens = 10_000
  /** They answer a file, which is as long as it is. */
  const wholeFiles = new Set(["get_website_code"])

  it.effect.each(servedTools.filter(({ name }) => !impossible.has(name)))(
    "$name runs on the sample account and answers as declared",
    ({ catalog, tool }) =>
      Effect.gen(function* () {
        const caller = yield* Sample
        const sql = yield* SqlClient
        // The sample's member got the welcome today, and an address gets the same text once a day.
        const isNextDay =
          tool.name === "resend_member_welcome" ? Effect.asVoid(sql`delete from mail_recipient`) : Effect.void
        const answer = yield* undoing(
          Effect.zipRight(
            isNextDay,
            Effect.flatMap(argumentsOf(tool.name, tool.example), (args) => answerOf(catalog, tool.name, args))
          )
        ).pipe(as(caller))
        assert.isObject(answer)
        answeredFields.add(tool.name, answer)
        const text = JSON.stringify(answer)
        // Counting takes time: what is as short as this has no more tokens, whatever it says.
        if (text.length > mostTokens && !wholeFiles.has(tool.name)) assert.isAtMost(countTokens(text), mostTokens)
        if (tool.name === "disconnect_scheduler") {
          // What was taken back at the simulated scheduler is not undone with the transaction.
          yield* Effect.flatMap(OAuth, (oauth) => oauth.consentInSandbox("scheduler", "helena@ondas.example")).pipe(
            as(caller)
          )
        }
      })
  )

  /** Reads of records that answers named, since an example shows one of them. */
  const furtherReads = servedTools.flatMap(({ catalog, tool }) => {
    const required = Object.entries(tool.parameters).filter(([, spec]) => spec.required)
    const [first] = required
    return tool.kind === "read" && !tool.openWorld && required.length === 1 && first?.[0].endsWith("_id") === true
      ? [{ catalog, tool: tool.name, parameter: first[0] }]
      : []
  })

  it.effect("answer no field without a value, except for a reason", () =>
    Effect.gen(function* () {
      const caller = yield* Sample
      for (const { catalog, parameter, tool } of furtherReads) {
        for (const id of answeredFields.idsNamed(parameter)) {
          const answer = yield* Effect.option(undoing(answerOf(catalog, tool, { [parameter]: id })).pipe(as(caller)))
          if (Option.isSome(answer)) answeredFields.add(tool, answer.value)
        }
      }
      const listed = Object.values(nullFields).flat()
      const entries = new Set(listed)
      assert.strictEqual(entries.size, listed.length, "each entry has one reason")
      // Background work fills `last_synced_at`, and it may not have run yet. `code` is null unless the leads of the sample
      // are grouped by CNAE, which depends on the day on which the sample is made.
      const uncertain: ReadonlySet<string> = new Set(["last_synced_at", "code"])
      // Simulated calls may still ring, and which notices the sample has depends on the day too. An entry of the audit
      // log has a reason if the example of its tool failed, as one that draws does on a busy machine.
      const uncertainPath =
        /^get_voice_simulation_status\.(?:cost_brl|duration_seconds|summary)$|^list_voice_calls\.voice_calls\[\]\.(?:duration_seconds|goal_achieved|summary|was_picked_up)$|notifications\[\]\.data\.reason$|^list_audit_entries\.entries\[\]\.reason$/
      const alwaysNull = answeredFields
        .alwaysNull()
        .filter((path) => !uncertain.has(fieldOf(path)) && !uncertainPath.test(path))
      assert.isAbove(alwaysNull.length, 100)
      const used = new Map(alwaysNull.map((path) => [path, entryOf(path, entries)]))
      assert.deepStrictEqual(
        alwaysNull.filter((path) => used.get(path) === undefined),
        [],
        "fields without a value: give them one, or a reason in nullFields.json"
      )
      const usedEntries = new Set(used.values())
      assert.deepStrictEqual(
        listed.filter((entry) => !usedEntries.has(entry)),
        [],
        "fields that have a value need no reason in nullFields.json"
      )
      // A name that means one thing in one tool and another in the next has a reason for each, and none for all.
      assert.deepStrictEqual(namesWithBoth(listed), [])
    })
  )

  it.effect("find leads that the sample's capture page brought", () =>
    Effect.gen(function* () {
      const caller = yield* Sample
      const pages = yield* answerOf(AllTools, "list_lead_capture_pages").pipe(as(caller))
      assert.include(JSON.stringify(pages), `"submissions":3`)
      const leads = yield* answerOf(AllTools, "search_leads", { query: "Marina Teles" }).pipe(as(caller))
      assert.include(JSON.stringify(leads), `"status":"Interested"`)
    })
  )

  // Plans of a cluster tell of its nodes, not of the tables.
  it.effect.skipIf(isCluster)("and every statement of theirs names its account on each table that it reads", () =>
    Effect.gen(function* () {
      const { found, looked } = yield* statementsWithoutAccount
      assert.deepStrictEqual(found, [])
      assert.isAbove(looked.length, 300)
    })
  )
})
