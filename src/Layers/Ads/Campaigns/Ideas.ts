import { createHash } from "node:crypto"
import type { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option, Schema } from "effect"
import { refused, type Transient } from "../../../Errors.ts"
import { checkedKeywords } from "../../../Services/Ads/AdKeywords.ts"
import { KeywordIdea } from "../../../Services/Ads/AdsModel.ts"
import { brlOf } from "../../../Services/Ads/AdsMoney.ts"
import { checkedUrl } from "../../../Services/Ads/AdTexts.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { fromMillis, type Timestamp } from "../../../Services/Core/Timestamp.ts"
import { at, numberAt, textAt } from "../../Platform/AnswerPaths.ts"
import { outsideTransaction } from "../../Platform/Postgres/OutsideTransaction.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { AdsSettingsShape } from "../AdsSettings.ts"
import { toolError } from "../Calling/AdsFailure.ts"
import type { AdsPlatform } from "../Calling/AdsPlatform.ts"
import type { makeGoLive } from "./GoLive.ts"

/** The most seeds that the platform accepts. */
const mostSeeds = 20
export const mostIdeas = 500

const Ideas = Schema.Array(KeywordIdea)
const decodeIdeas = Schema.decodeUnknownOption(Ideas)

const bid = (row: unknown, name: string): number | null => {
  const micros = numberAt(row, "keywordIdeaMetrics", name)
  return micros === undefined ? null : brlOf(micros)
}

const count = (row: unknown, name: string): number | null => {
  const value = numberAt(row, "keywordIdeaMetrics", name)
  return value === undefined ? null : Math.round(value)
}

const ideaOf = (row: unknown): KeywordIdea => ({
  keyword: textAt(row, "text").slice(0, 200),
  average_monthly_searches: count(row, "avgMonthlySearches"),
  competition: textAt(at(row, "keywordIdeaMetrics"), "competition").slice(0, 40) || null,
  competition_index: count(row, "competitionIndex"),
  low_top_of_page_bid_brl: bid(row, "lowTopOfPageBidMicros"),
  high_top_of_page_bid_brl: bid(row, "highTopOfPageBidMicros")
})

interface Seeds {
  readonly keywords: string | undefined
  readonly pageUrl: string | undefined
}

const checkedSeeds = ({ keywords, pageUrl }: Seeds) => {
  const texts = keywords === undefined || keywords.trim() === "" ? [] : checkedKeywords(keywords)
  if ("_tag" in texts) return texts
  const url = pageUrl === undefined || pageUrl.trim() === "" ? undefined : checkedUrl(pageUrl)
  if (typeof url === "object") {
    return refused("page_url_invalid", url.error, url.detail, { parameter: "page_url", accepted_values: ["https://…"] })
  }
  if (texts.length === 0 && url === undefined) {
    return refused("seeds_missing", "Ideas need something to begin with.", "Send seed_keywords or page_url, or both.", {
      parameter: "seed_keywords"
    })
  }
  if (texts.length > mostSeeds) {
    return refused(
      "too_many_seeds",
      `${texts.length} seed keywords came; at most ${mostSeeds} are taken.`,
      "Send fewer.",
      { parameter: "seed_keywords", maximum: mostSeeds }
    )
  }
  return { texts: texts.map(({ text }) => text), url }
}

/**
 * Creates the look-up of keyword ideas from the platform's keyword planner. The same seeds are requested once a day.
 */
export const makeIdeas = (
  sql: SqlClient,
  unit: UnitOfWork["Type"],
  platform: AdsPlatform,
  goLive: ReturnType<typeof makeGoLive>,
  settings: AdsSettingsShape
) =>
  Effect.fnUntraced(function* (given: Seeds, most: number) {
    const { accountId } = yield* Caller
    const seeds = checkedSeeds(given)
    if ("_tag" in seeds) return yield* seeds
    const { texts, url } = seeds
    const key = JSON.stringify([[...texts].map((text) => text.toLowerCase()).sort(), url ?? "", platform.mode])
    const hash = createHash("sha256").update(key).digest("hex")
    const [cached] = yield* sql<{ readonly ideas: unknown; readonly fetchedAt: Timestamp }>`
      select ideas, fetched_at as "fetchedAt" from ads_keyword_idea
      where account_id = ${accountId} and seeds_hash = ${hash} and fetched_at > instant() - interval '1 day'`.pipe(
      fromSql()
    )
    const known = Option.flatMap(Option.fromNullable(cached?.ideas), decodeIdeas)
    if (cached !== undefined && Option.isSome(known)) {
      return { ideas: known.value.slice(0, most), fetchedAt: cached.fetchedAt }
    }
    const customer = yield* goLive.storedCustomer(accountId)
    const body = {
      language: `languageConstants/${settings.languages[0] ?? "1014"}`,
      geoTargetConstants: settings.geoTargets.map((id) => `geoTargetConstants/${id}`),
      keywordPlanNetwork: "GOOGLE_SEARCH",
      pageSize: mostIdeas,
      ...(url === undefined
        ? { keywordSeed: { keywords: texts } }
        : texts.length === 0
          ? { urlSeed: { url } }
          : { keywordAndUrlSeed: { url, keywords: texts } })
    }
    // Before its first campaign the account has no client account, so the manager account is used.
    const rows = yield* Effect.mapError(
      platform.keywordIdeas(
        Option.match(customer, { onNone: () => platform.managerId, onSome: ({ customerId }) => customerId }),
        body
      ),
      toolError
    )
    const ideas = rows
      .slice(0, mostIdeas)
      .map(ideaOf)
      .filter(({ keyword }) => keyword !== "")
    const fetchedAt = fromMillis(yield* Clock.currentTimeMillis)
    // The answer is cached outside the transaction, because the tool itself only reads.
    yield* outsideTransaction(
      unit.write(
        Effect.gen(function* (): Effect.fn.Return<void, Transient> {
          yield* sql`
            delete from ads_keyword_idea
            where account_id = ${accountId} and fetched_at < instant() - interval '1 day'`.pipe(fromSql())
          yield* sql`
            insert into ads_keyword_idea (account_id, seeds_hash, ideas, fetched_at)
            values (${accountId}, ${hash}, ${JSON.stringify(ideas)}::jsonb, ${fetchedAt})
            on conflict (account_id, seeds_hash) do update set ideas = excluded.ideas, fetched_at = excluded.fetched_at`.pipe(
            fromSql()
          )
        })
      )
    )
    return { ideas: ideas.slice(0, most), fetchedAt }
  })
