import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option, Schema } from "effect"
import { AccountId, type Plan } from "../../Services/Accounts/Ids.ts"
import { Connections } from "../../Services/Connections/Connections.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { LeadImports, type ServiceRow } from "../../Services/LeadFiles/LeadImports.ts"
import { readingOf, type SavedContact, visibleContacts } from "../../Services/LeadSource/SavedContact.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import type { ProviderFailure } from "../Platform/Outbound/ProviderFailure.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { type ApolloClient, leadSourceService, makeApollo } from "./Apollo.ts"
import { LeadSourceTransport } from "./LeadSourceTransport.ts"
import { campaignOfList } from "./ListCampaign.ts"

export const readLeadSource = Task.make("read_lead_source", {
  payload: Schema.Struct({ accountId: AccountId }),
  pool: "long",
  maxAttempts: 3,
  timeout: "10 minutes"
})

const findLeadSources = Task.make("find_lead_sources_to_read", { payload: Schema.Struct({}), maxAttempts: 3 })

/** The number of accounts that are queued by one run. The next run finds the rest. */
const atATime = 500
/** Pages per run. Their contacts become one import. */
const pagesAtATime = 50
const perPage = 100
const lastPage = visibleContacts / perPage
const turnMillis = 120_000
const daySeconds = 86_400
/** The pause after a failure for which Apollo names no time. */
const defaultRetrySeconds = 300

/** The service and the tool that the notice about a refused key names. */
const keyRefusedNotice = {
  name: { "pt-BR": "A base de leads", en: "The lead database", es: "La base de leads" },
  tool: "manage_leadsource_integration"
}

interface SourceRow {
  readonly plan: Plan
  readonly listId: string | null
  readonly listName: string | null
  readonly page: number
}

/** Queues the accounts whose contacts are due to be read. */
export const queueReading = Effect.gen(function* () {
  const sql = yield* SqlClient
  const queue = yield* TaskQueue
  const unit = yield* UnitOfWork
  yield* unit.write(
    Effect.gen(function* () {
      const due = yield* unit
        .acrossAccounts(sql<{ readonly accountId: AccountId }>`
        select s.account_id as "accountId" from lead_source s join account a on a.account_id = s.account_id
        join connection c on c.account_id = s.account_id and c.service = ${leadSourceService} and c.state = 'connected'
        where s.next_read_at <= instant() and a.clock is not distinct from test_clock()
        order by s.next_read_at, s.account_id limit ${atATime}`)
        .pipe(fromSql())
      yield* queue.enqueueMany(
        readLeadSource,
        due.map(({ accountId }) => ({ payload: { accountId }, jobKey: `read_lead_source:${accountId}` }))
      )
    })
  )
}).pipe(Effect.withSpan("LeadSource.queueReading"))

type Source = Omit<SourceRow, "plan">

/** The result of one run. */
interface PagesRead {
  readonly contacts: ReadonlyArray<SavedContact>
  readonly nextPage: number
  readonly total: number | undefined
  readonly isEnd: boolean
  /** Seconds until the next attempt after a failure, 0 without one. */
  readonly wait: number
  readonly failure: ProviderFailure["kind"] | undefined
}

/** Reads pages until the last one, a failure, or the limit of one run. */
const readPages = Effect.fnUntraced(function* (client: ApolloClient, source: Source) {
  const deadline = (yield* Clock.currentTimeMillis) + turnMillis
  const contacts: Array<SavedContact> = []
  let nextPage = source.page
  let total: number | undefined
  let isEnd = false
  while (!isEnd && nextPage < source.page + pagesAtATime && (yield* Clock.currentTimeMillis) < deadline) {
    const read = yield* Effect.either(client.page(source.listId ?? undefined, nextPage))
    if (read._tag === "Left") {
      const { kind, retryAfterSeconds = defaultRetrySeconds } = read.left
      return { contacts, nextPage, total, isEnd, wait: retryAfterSeconds, failure: kind } satisfies PagesRead
    }
    contacts.push(...read.right.contacts)
    total = read.right.total
    isEnd = read.right.isLast || nextPage >= lastPage
    nextPage += 1
  }
  return { contacts, nextPage, total, isEnd, wait: 0, failure: undefined } satisfies PagesRead
})

/** Stores the contacts that were not read before, and returns the rows that they become. */
const newReadings = Effect.fnUntraced(function* (
  sql: SqlClient,
  accountId: AccountId,
  contacts: ReadonlyArray<SavedContact>
) {
  const newContacts = new Set(
    (yield* sql<{ readonly id: string }>`
      insert into lead_source_contact (account_id, contact_id)
      select ${accountId}, id from unnest(${[...new Set(contacts.map(({ id }) => id))]}::text[]) as id
      on conflict do nothing returning contact_id as id`.pipe(fromSql())).map(({ id }) => id)
  )
  return contacts.flatMap((contact) => (newContacts.delete(contact.id) ? [readingOf(contact)] : []))
})

/** The indexes of rows with a contact on the account's blacklist. */
const blockedIndexes = (sql: SqlClient, accountId: AccountId, rows: ReadonlyArray<ServiceRow>) =>
  sql<{ readonly place: number }>`
    select c.place::int as place from account a cross join lateral unnest(
      ${rows.map(({ email }) => (email ?? "").trim().toLowerCase())}::text[],
      ${rows.map(({ phone }) => phone ?? "")}::text[]) with ordinality as c (email, phone, place)
    where a.account_id = ${accountId}
      and exists (select from blacklist_match(a.account_id, nullif(c.email, ''), nullif(c.phone, '')))`.pipe(
    Effect.map((blocked) => new Set(blocked.map(({ place }) => place - 1))),
    fromSql()
  )

const startImport = Effect.fnUntraced(function* (source: Source, rows: ReadonlyArray<ServiceRow>) {
  const imports = yield* LeadImports
  const campaign = (yield* campaignOfList(source.listName)) === undefined ? undefined : (source.listName ?? undefined)
  yield* imports
    .start({
      source: {
        _tag: "Handed",
        name: `lead database: ${source.listName ?? "all saved contacts"}`.slice(0, 200),
        rows
      },
      status: "Cold",
      campaign,
      preferredChannel: undefined,
      instructions: undefined,
      firstMessageInstructions: undefined,
      background: undefined,
      goal: undefined
    })
    .pipe(Effect.catchTags({ NotFound: Effect.die, Refused: Effect.die }))
})

/** Hands new contacts to an import, and stores where the next run continues. */
const storePages = Effect.fnUntraced(function* (accountId: AccountId, source: Source, pages: PagesRead) {
  const sql = yield* SqlClient
  const queue = yield* TaskQueue
  const { contacts, isEnd, nextPage, total, wait } = pages
  // The account chose another list in the meantime, so the contacts are dropped.
  const [unchangedSource] = yield* sql`
    select page from lead_source where account_id = ${accountId} and page = ${source.page}
      and list_id is not distinct from ${source.listId} for update`.pipe(fromSql())
  if (unchangedSource === undefined) return
  const readings = yield* newReadings(sql, accountId, contacts)
  const rows = readings.flatMap((reading) => (reading._tag === "Row" ? [reading] : []))
  const blocked = yield* blockedIndexes(
    sql,
    accountId,
    rows.map(({ row }) => row)
  )
  const newRows = rows.filter((_, index) => !blocked.has(index))
  const skipped = (reason: string) =>
    readings.filter((reading) => reading._tag === "Passed" && reading.reason === reason).length
  if (newRows.length > 0) {
    yield* startImport(
      source,
      newRows.map(({ row }) => row)
    )
  }
  yield* sql`
    update lead_source set page = ${isEnd ? 1 : nextPage}, contact_count = ${total ?? sql`contact_count`},
      read_count = read_count + ${readings.length}, handed_over_count = handed_over_count + ${newRows.length},
      invalid_email_count = invalid_email_count + ${rows.filter(({ hasInvalidEmail }) => hasInvalidEmail).length},
      no_contact_count = no_contact_count + ${skipped("no_contact")},
      opted_out_count = opted_out_count + ${skipped("opted_out") + blocked.size},
      last_read_at = ${isEnd ? sql`instant()` : sql`last_read_at`},
      next_read_at = instant() + make_interval(secs => ${isEnd ? daySeconds : wait}::float8)
    where account_id = ${accountId}`.pipe(fromSql())
  if (!isEnd && wait === 0)
    yield* queue.enqueue(readLeadSource, { accountId }, { jobKey: `read_lead_source:${accountId}` })
})

/**
 * Reads pages from where the last run ended, and hands new contacts to an import. An interrupted run stores nothing and
 * is repeated.
 */
export const readContacts = Effect.fn("LeadSource.read")(function* (accountId: AccountId) {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const connections = yield* Connections
  const transport = yield* LeadSourceTransport
  const apollo = yield* makeApollo

  const work = Effect.gen(function* () {
    const [source] = yield* sql<Source>`
      select list_id as "listId", list_name as "listName", page from lead_source
      where account_id = ${accountId}`.pipe(fromSql())
    const connection = yield* connections.get(leadSourceService)
    if (source === undefined || Option.isNone(connection) || connection.value.state !== "connected") return
    const secrets = yield* connections.secrets(leadSourceService)
    const key = Option.getOrUndefined(secrets)?.["api_key"]
    const markLost = (error: string) => unit.write(connections.loseAccess(leadSourceService, error, keyRefusedNotice))
    if (key === undefined || connection.value.isSandbox !== (transport.mode === "sandbox")) {
      return yield* markLost(key === undefined ? "secrets_unreadable" : "made_in_other_mode")
    }
    const pages = yield* readPages(apollo(key, false), source)
    if (pages.failure === "unauthorized" || pages.failure === "forbidden") return yield* markLost(pages.failure)
    yield* unit.write(storePages(accountId, source, pages))
    // An exhausted rate limit is not an error of the connection.
    yield* connections.noteCheck(leadSourceService, pages.failure === "rate_limited" ? undefined : pages.failure)
  })

  const [account] = yield* sql<{ readonly plan: Plan }>`
    select plan from account where account_id = ${accountId}`.pipe(fromSql())
  if (account === undefined) return
  yield* Effect.provideService(work, Caller, Caller.forTask(accountId, account.plan, "lead-source"))
})

export const leadSourceTasks = [
  handle(findLeadSources, () => queueReading),
  handle(readLeadSource, ({ accountId }) => readContacts(accountId))
]
export const leadSourceRecurring = [recurring("find_lead_sources_to_read", "*/5 * * * *", findLeadSources, {})]
