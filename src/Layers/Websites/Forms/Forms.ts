import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { FormSubmissions } from "../../../Services/Websites/Forms/FormSubmissions.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { PageAnswers, SiteContexts, SiteRoutes, SiteSubmissions } from "../Serving/SiteRoute.ts"
import { makeAccountKeys } from "./AccountKeys.ts"
import { makeFormContexts } from "./FormContexts.ts"
import { makeFormRoutes } from "./FormRoutes.ts"
import { FormSubmissionsPostgres } from "./FormSubmissions.ts"
import { SiteRecordsPostgres } from "./SiteRecordsPostgres.ts"
import { makeVisitors } from "./Visitors.ts"

const Submissions = Layer.effect(
  SiteSubmissions,
  Effect.map(SqlClient, (sql) => ({
    perDay: (accountId, websiteId, since, timeZone) =>
      sql<{ readonly day: string; readonly count: number }>`
        select (created_at at time zone ${timeZone})::date::text as day, count(*)::float8 as count from site_record
        where account_id = ${accountId} and website_id = ${websiteId}
          and created_at >= (${since}::date)::timestamp at time zone ${timeZone}
        group by 1`.pipe(
        Effect.map((rows) => new Map(rows.map(({ count, day }) => [day, count]))),
        fromSql()
      )
  }))
)

const ContextsAndRoutes = Layer.unwrapEffect(
  Effect.gen(function* () {
    const keys = yield* makeAccountKeys
    const visitors = yield* makeVisitors
    const contexts = yield* makeFormContexts(keys, visitors)
    const submissions = yield* FormSubmissions
    const { render } = yield* PageAnswers
    return Layer.merge(
      Layer.succeed(SiteContexts, { of: contexts.of }),
      Layer.succeed(SiteRoutes, makeFormRoutes({ keys, visitors, contexts, submissions, render }))
    )
  })
)

/** The services that store visitors' submissions and show them on pages. */
export const FormsLive = Layer.mergeAll(ContextsAndRoutes, Submissions, SiteRecordsPostgres).pipe(
  Layer.provideMerge(FormSubmissionsPostgres)
)
