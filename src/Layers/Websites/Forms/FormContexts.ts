import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import { formPhrases } from "../../../Services/Websites/Forms/FormPhrases.ts"
import { ticked } from "../../../Services/Websites/Forms/FormReading.ts"
import { siteLanguage } from "../../../Services/Websites/Forms/FormTexts.ts"
import {
  blocksOf,
  type FieldTexts,
  fieldsOf,
  fieldTexts,
  isContact,
  type RecordsBlock
} from "../../../Services/Websites/Forms/SiteForms.ts"
import type { PublishedSite } from "../../../Services/Websites/PublishedSites.ts"
import type { SiteBlock } from "../../../Services/Websites/Site.ts"
import { visitSource } from "../../../Services/Websites/Traffic/VisitSource.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { FormState } from "../Design/RenderContext.ts"
import { noContext, type PageContext, type SiteRequest } from "../Serving/SiteRoute.ts"
import type { AccountKeys } from "./AccountKeys.ts"
import { newToken } from "./Renderings.ts"
import { maskedEmail, type Visitors } from "./Visitors.ts"

/** The most records that a page lists. */
const mostShown = 100

const hasVisitors = (block: SiteBlock): boolean => block._tag === "Form" || block._tag === "Records"

export const embedPath = "/embed"

/** Makes the data that pages show in forms and in lists of records. */
export const makeFormContexts = (keys: AccountKeys, visitors: Visitors) =>
  Effect.map(SqlClient, (sql) => {
    const shown = ({ accountId, site, websiteId }: PublishedSite, block: RecordsBlock, visitor: string | undefined) => {
      const fields = fieldsOf(site, block.collection)
      const isPublic = site.collections.some(({ id, is_public }) => id === block.collection && is_public)
      if (block.shows === "public" ? !isPublic : visitor === undefined)
        return Effect.succeed<ReadonlyArray<FieldTexts>>([])
      const { yes } = formPhrases[siteLanguage(site.language)]
      const visible = block.shows === "public" ? fields.filter((field) => !isContact(field)) : fields
      const whose = block.shows === "public" ? sql`true` : sql`visitor_email = ${visitor ?? null}`
      return sql<{ readonly filled: Readonly<Record<string, string>> }>`
        select filled from site_record
        where account_id = ${accountId} and website_id = ${websiteId} and collection = ${block.collection} and ${whose}
        order by site_record_id desc limit ${mostShown}`.pipe(
        Effect.map((rows) =>
          rows.map(({ filled }) =>
            fieldTexts(
              visible.flatMap(({ kind, name }) => {
                const value = Object.hasOwn(filled, name) ? filled[name] : undefined
                return value === undefined
                  ? []
                  : [[name, kind === "checkbox" && value === ticked ? yes : value] as const]
              })
            )
          )
        ),
        fromSql()
      )
    }

    const of = (request: SiteRequest, pageId: string, variant: string): Effect.Effect<PageContext, Transient> =>
      Effect.gen(function* () {
        const { headers, path, query, site } = request
        const page = site.site.pages.find(({ id }) => id === pageId)
        const blocks = page === undefined ? [] : blocksOf(page, variant).filter(hasVisitors)
        if (blocks.length === 0) return noContext
        const key = yield* keys.get(site.accountId)
        const isEmbedded = path === embedPath
        const email = isEmbedded ? undefined : yield* visitors.emailOf(site, headers)
        const source = visitSource(query, headers)
        const forms = new Map<string, FormState>()
        const records = new Map<string, ReadonlyArray<FieldTexts>>()
        for (const block of blocks) {
          const token = yield* newToken(site, key, {
            kind: "form",
            blockId: block.id,
            pageId,
            variant,
            isEmbedded,
            source
          })
          forms.set(block.id, {
            action: block._tag === "Form" ? `/_/form/${block.id}` : "/_/session",
            token,
            values: fieldTexts([]),
            errors: fieldTexts([]),
            sent: block._tag === "Form" && query.get("sent") === block.id
          })
          if (block._tag === "Records") records.set(block.id, yield* shown(site, block, email))
        }
        return {
          forms: (blockId) => forms.get(blockId),
          records: (blockId) => records.get(blockId) ?? [],
          visitor: email === undefined ? undefined : maskedEmail(email)
        }
      })
    return { of }
  })
export type FormContexts = Effect.Effect.Success<ReturnType<typeof makeFormContexts>>
