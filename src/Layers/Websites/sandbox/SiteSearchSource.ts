import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { siteOrigin } from "../../../Services/Text/Web/SiteHost.ts"
import { SearchSources } from "../../../Services/WebSearch/SearchSources.ts"
import { siteText } from "../../../Services/Websites/SiteText.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { Settings } from "../../Platform/Settings.ts"
import { storedSite } from "../WebsiteCodeRows.ts"

/** The number of newest sites that a search without the web reads. */
const newest = 20

/** Lets the sandbox's web search find the texts of the account's own sites. */
export const addSiteSearch = Effect.gen(function* () {
  const sql = yield* SqlClient
  const settings = yield* Settings
  const sources = yield* SearchSources
  yield* sources.add({
    find: () =>
      Effect.gen(function* () {
        const { accountId } = yield* Caller
        const rows = yield* sql<{ readonly name: string; readonly site: unknown }>`
          select n.name, c.site from website w
          join website_name n on n.account_id = ${accountId} and n.website_id = w.website_id and n.given_up_at is null
          join website_code c on c.account_id = ${accountId} and c.website_code_id = w.published_code_id
          where w.account_id = ${accountId} and w.archived_at is null and w.suspended_at is null
            and not w.is_restricted
          order by w.website_id desc limit ${newest}`.pipe(fromSql())
        const pages = yield* Effect.forEach(rows, ({ name, site }) =>
          Effect.map(storedSite(site), (stored) =>
            siteText(stored).map(({ passages, path, title }) => ({
              url: `${siteOrigin(settings, name)}/${path}`,
              title,
              date: null,
              passages
            }))
          )
        )
        return pages.flat()
      })
  })
})
