import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Layer } from "effect"
import type { Transient } from "../../Errors.ts"
import { databaseConflictReason } from "../../Errors.ts"
import { CompanyDirectory } from "../../Services/Companies/CompanyDirectory.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { directoryReplaced, makeCnpjDirectory } from "./CnpjCompanyDirectory.ts"
import { makeCompanyDirectorySandbox } from "./sandbox/CompanyDirectorySandbox.ts"

/** The time in milliseconds for which a process caches which edition is current. */
const editionCachedMillis = 10_000

/** Provides the open data if an operator has loaded it, or else the invented companies. */
export const CompanyDirectoryLive = Layer.effect(
  CompanyDirectory,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const context = yield* Effect.context<SqlClient>()
    const sandbox = yield* makeCompanyDirectorySandbox
    let current: { readonly edition: number; readonly directory: CompanyDirectory["Type"] } | undefined
    let seenAt = Number.NEGATIVE_INFINITY

    const loaded = Effect.gen(function* () {
      const time = yield* Clock.currentTimeMillis
      if (Math.abs(time - seenAt) >= editionCachedMillis) {
        const rows = yield* sql<{ readonly edition: number }>`
          select edition_id as edition from company_edition where state = 'current'`.pipe(fromSql())
        const edition = rows[0]?.edition
        if (edition !== current?.edition) {
          current =
            edition === undefined
              ? undefined
              : { edition, directory: yield* Effect.provide(makeCnpjDirectory(edition), context) }
        }
        seenAt = time
      }
      return current?.directory ?? sandbox
    })

    /**
     * Retries if the edition was replaced in the meantime, or if its removal caused a deadlock. Cursors work across
     * editions.
     */
    const query = <A>(
      effect: (directory: CompanyDirectory["Type"]) => Effect.Effect<A, Transient>,
      timesLeft = 3
    ): Effect.Effect<A, Transient> =>
      Effect.flatMap(loaded, effect).pipe(
        Effect.catchIf(
          ({ reason }) => timesLeft > 0 && (reason === directoryReplaced || reason === databaseConflictReason),
          ({ reason }) =>
            Effect.suspend(() => {
              if (reason === directoryReplaced) seenAt = Number.NEGATIVE_INFINITY
              return query(effect, timesLeft - 1)
            })
        )
      )

    return CompanyDirectory.of({
      facts: query((directory) => directory.facts),
      count: (filter) => query((directory) => directory.count(filter)),
      page: (filter, options) => query((directory) => directory.page(filter, options)),
      resumeAfter: (company) => (current?.directory ?? sandbox).resumeAfter(company),
      get: (keys) => query((directory) => directory.get(keys))
    })
  })
)
