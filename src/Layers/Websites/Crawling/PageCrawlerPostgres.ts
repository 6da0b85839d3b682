import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Deferred, Effect, Exit, FiberId, Layer, Schedule } from "effect"
import type { Refused, Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import type { Timestamp } from "../../../Services/Core/Timestamp.ts"
import {
  chunkLength,
  chunkPastEnd,
  crawlLimit,
  mostPageBytes,
  mostPages,
  PageCrawler,
  pageMinutes
} from "../../../Services/Websites/Pages/PageCrawler.ts"
import { yieldToEventLoop } from "../../Platform/Fairness/EventLoop.ts"
import { FairSemaphore, withFairPermit } from "../../Platform/Fairness/FairSemaphore.ts"
import { outsideTransaction } from "../../Platform/Postgres/OutsideTransaction.ts"
import { fromSql, overloaded, single } from "../../Platform/Postgres/Sql.ts"
import { type FetchedPage, makeFetchPage } from "./FetchedPage.ts"

/** The number of chunks in each stored piece. */
const chunksOfBlock = 50
const blockLength = chunksOfBlock * chunkLength
/** The number of blocks that are cut in one turn of the event loop. */
const blocksInTurn = 10

interface PageRow {
  readonly crawled_page_id: number
  readonly final_url: string
  readonly status: number
  readonly content_type: string
  readonly characters: number
  readonly fetched_at: Timestamp
}

/** Cuts the text after every `length` characters. A character of two code units is not split. */
export function* piecesIn(text: string, length: number): Generator<string> {
  let [start, count, at] = [0, 0, 0]
  while (at < text.length) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
    if (++count === length) {
      yield text.slice(start, at)
      start = at
      count = 0
    }
  }
  if (start < text.length) yield text.slice(start)
}

/** The text in blocks. Long texts yield to other calls. */
const blocksOf = (text: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const blocks: Array<string> = []
    for (const block of piecesIn(text, blockLength)) {
      blocks.push(block)
      if (blocks.length % blocksInTurn === 0) yield* yieldToEventLoop
    }
    return blocks
  })

const charactersOf = (text: string): number => {
  let pairs = 0
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xd800) pairs++
  return text.length - pairs
}

const digestOf = (url: string): string => createHash("sha256").update(url).digest("hex").slice(0, 40)

/** Returns the address without the part after `#`, which is never sent to a server. */
const normalised = (text: string): string => {
  const url = parsedUrl(text)
  if (url === undefined) return text
  url.hash = ""
  return url.href
}

/** Stores the pages that accounts fetched. They are cached for some minutes. */
const makeStoredPages = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork

  const isRecent = sql.literal(`fetched_at > instant() - interval '${pageMinutes} minutes'`)

  const pageOf = (accountId: AccountId, digest: string) =>
    sql<PageRow>`
      select crawled_page_id, final_url, status, content_type, characters, fetched_at from crawled_page
      where account_id = ${accountId} and url_digest = ${digest} and ${isRecent}`.pipe(
      fromSql(),
      Effect.map((rows) => rows[0])
    )

  const checkLimits = (accountId: AccountId) =>
    sql<{ readonly pages: number; readonly bytes: number }>`
      select count(*)::int as pages, coalesce(sum(size_bytes), 0)::float8 as bytes from crawled_page
      where account_id = ${accountId} and ${isRecent}`.pipe(
      fromSql(),
      Effect.flatMap((rows) => {
        const { bytes, pages } = single(rows)
        return pages >= mostPages || bytes >= mostPageBytes ? Effect.fail(crawlLimit) : Effect.void
      })
    )

  const store = (accountId: AccountId, digest: string, page: FetchedPage, blocks: ReadonlyArray<string>) =>
    unit.write(
      Effect.gen(function* () {
        yield* sql`
          delete from crawled_page where account_id = ${accountId} and not (${isRecent})`
        const rows = yield* sql<{ readonly id: number }>`
          insert into crawled_page (account_id, url_digest, final_url, status, content_type, characters, size_bytes)
          values (${accountId}, ${digest}, ${page.finalUrl}, ${page.status}, ${page.contentType},
            ${Math.max(0, blocks.length - 1) * blockLength + charactersOf(blocks.at(-1) ?? "")}, ${page.sizeBytes})
          on conflict (account_id, url_digest) do nothing
          returning crawled_page_id as id`
        // Another process has stored the page first. All chunks then come from that version.
        const [row] = rows
        if (row === undefined) return
        for (const [block, text] of blocks.entries()) {
          yield* sql`
            insert into crawled_page_block (account_id, crawled_page_id, block, text)
            values (${accountId}, ${row.id}, ${block}, ${text})`
        }
      }).pipe(fromSql())
    )

  return { pageOf, checkLimits, store }
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const { checkLimits, pageOf, store } = yield* makeStoredPages
  const fetchPage = yield* makeFetchPage
  const turns = new FairSemaphore({
    slots: 16,
    perAccount: 3,
    waiting: 300,
    waitingPerAccount: 20,
    longestWait: 10_000
  })
  const runningFetches = new Map<string, Deferred.Deferred<void, Refused | Transient>>()

  /** Concurrent requests for the same page share one fetch. */
  const fetchOnce = (accountId: AccountId, url: string, digest: string): Effect.Effect<void, Refused | Transient> =>
    Effect.suspend(() => {
      const key = `${accountId} ${digest}`
      const running = runningFetches.get(key)
      if (running !== undefined) return Deferred.await(running)
      const done = Deferred.unsafeMake<void, Refused | Transient>(FiberId.none)
      runningFetches.set(key, done)
      const work = Effect.gen(function* () {
        yield* checkLimits(accountId)
        const page = yield* fetchPage(url)
        yield* store(accountId, digest, page, yield* blocksOf(page.text))
      })
      return withFairPermit(turns, accountId, work).pipe(
        Effect.catchTag("Overloaded", () => Effect.fail(overloaded())),
        Effect.onExit((exit) => {
          runningFetches.delete(key)
          // If the first caller is interrupted, the others get an error that makes them retry.
          return Deferred.done(done, Exit.isInterrupted(exit) ? Exit.fail(overloaded()) : exit)
        })
      )
    })

  const chunkOf = (accountId: AccountId, url: string, index: number, row: PageRow) =>
    Effect.gen(function* () {
      const total = Math.ceil(row.characters / chunkLength)
      if (index >= Math.max(1, total)) return yield* chunkPastEnd(index, total)
      const block = Math.floor(index / chunksOfBlock)
      const rows = yield* sql<{ readonly text: string }>`
        select text from crawled_page_block
        where account_id = ${accountId} and crawled_page_id = ${row.crawled_page_id} and block = ${block}`.pipe(
        fromSql()
      )
      return {
        url,
        final_url: row.final_url,
        status: row.status,
        content_type: row.content_type,
        chunk_index: index,
        chunk: [...piecesIn(rows[0]?.text ?? "", chunkLength)][index % chunksOfBlock] ?? "",
        total_chunks: total,
        total_characters: row.characters,
        fetched_at: row.fetched_at
      }
    })

  const sweep = unit
    .acrossAccounts(sql`
    delete from crawled_page where fetched_at < instant() - interval '${sql.literal(String(2 * pageMinutes))} minutes'
      and uses_test_clock(account_id)`)
    .pipe(Effect.ignore)
  yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced("10 minutes")))

  return PageCrawler.of({
    chunk: Effect.fn("PageCrawler.chunk")(function* (url, index) {
      const { accountId } = yield* Caller
      const address = normalised(url)
      const digest = digestOf(address)
      const kept = yield* pageOf(accountId, digest)
      if (kept !== undefined) return yield* chunkOf(accountId, url, index, kept)
      yield* fetchOnce(accountId, address, digest)
      const fetched = yield* pageOf(accountId, digest)
      return fetched === undefined ? yield* overloaded() : yield* chunkOf(accountId, url, index, fetched)
    }, outsideTransaction)
  })
})

export const PageCrawlerPostgres = Layer.scoped(PageCrawler, make)
