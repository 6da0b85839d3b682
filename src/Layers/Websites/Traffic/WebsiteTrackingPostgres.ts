import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { notFound } from "../../../Errors.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { WebsiteId } from "../../../Services/Websites/Ids.ts"
import type { SiteTracking } from "../../../Services/Websites/PublishedSites.ts"
import { WebsiteTracking, type WebsiteTrackingView } from "../../../Services/Websites/Traffic/WebsiteTracking.ts"
import { assign } from "../../Platform/Postgres/ColumnChanges.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

interface Row extends SiteTracking {
  readonly website_id: WebsiteId
}

const columns = ["analytics_measurement_id", "ads_conversion_id", "pixel_id"]

const make = Effect.map(SqlClient, (sql) => {
  const shown = sql.literal(["website_id", ...columns].map((column) => `w.${column}`).join(", "))
  const viewOf = (websiteId: WebsiteId, rows: ReadonlyArray<Row>) => {
    const [row] = rows
    if (row === undefined) return Effect.fail(notFound("website", "website_id", websiteId))
    const { ads_conversion_id, analytics_measurement_id, pixel_id } = row
    const view: WebsiteTrackingView = {
      ...row,
      asks_for_consent: ads_conversion_id !== null || analytics_measurement_id !== null || pixel_id !== null
    }
    return Effect.succeed(view)
  }
  return WebsiteTracking.of({
    get: Effect.fn("WebsiteTracking.get")(function* (websiteId) {
      const { accountId } = yield* Caller
      const rows = yield* sql<Row>`
        select ${shown} from website w
        where w.account_id = ${accountId} and w.website_id = ${websiteId} and w.archived_at is null`.pipe(fromSql())
      return yield* viewOf(websiteId, rows)
    }),

    set: Effect.fn("WebsiteTracking.set")(function* (websiteId, changes) {
      const { accountId } = yield* Caller
      const rows = yield* sql<Row>`
        update website w set ${assign(sql, "w", columns, changes)}
        where w.account_id = ${accountId} and w.website_id = ${websiteId} and w.archived_at is null
        returning ${shown}`.pipe(fromSql())
      return yield* viewOf(websiteId, rows)
    })
  })
})

export const WebsiteTrackingPostgres = Layer.effect(WebsiteTracking, make)
