import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import * as Task from "../../Services/Jobs/Task.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { normalisedPlace, type WrittenPlace } from "../../Services/Leads/LeadPlaces.ts"
import { makeFindCountry } from "../Accounts/Sql.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const normaliseStoredPlaces = Task.make("normalise_stored_places", { payload: Schema.Struct({}), maxAttempts: 3 })

/** The number of leads per transaction. */
const batchSize = 500
/** Batches per run. The next run continues. */
const batchesPerRun = 100

interface StoredPlace extends WrittenPlace {
  readonly leadId: LeadId
  readonly phone: string | null
}

interface Backlog {
  readonly accountId: AccountId
  readonly after: number
}

const isChanged = (old: WrittenPlace, place: WrittenPlace): boolean =>
  old.city !== place.city || old.state !== place.state || old.country !== place.country

/**
 * Normalises the stored places of one batch of an account's leads. Returns whether there was something to do. The
 * account's row is locked, and its cursor moves in the same transaction, so that a run that ends early loses nothing.
 */
const normaliseBatch = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const findCountry = yield* makeFindCountry
  const [next] = yield* unit
    .acrossAccounts(sql<Backlog>`
      select account_id as "accountId", after_lead_id as after from lead_place_backlog order by account_id limit 1`)
    .pipe(fromSql())
  if (next === undefined) return false
  const { accountId } = next
  yield* unit.write(
    Effect.gen(function* () {
      const [backlog] = yield* sql<Backlog>`
        select account_id as "accountId", after_lead_id as after from lead_place_backlog
        where account_id = ${accountId} for update`.pipe(fromSql())
      if (backlog === undefined) return
      const leads = yield* sql<StoredPlace>`
        select lead_id as "leadId", city, state, country, phone from lead
        where account_id = ${accountId} and lead_id > ${backlog.after}
        order by lead_id limit ${batchSize} for update`.pipe(fromSql())
      const last = leads.at(-1)
      if (last === undefined) {
        yield* sql`delete from lead_place_backlog where account_id = ${accountId}`.pipe(fromSql())
        return
      }
      const accountCountry = yield* findCountry(accountId)
      const changed = leads.flatMap((lead) => {
        const place = normalisedPlace(lead, { accountCountry, phone: lead.phone })
        return isChanged(lead, place) ? [{ leadId: lead.leadId, ...place }] : []
      })
      if (changed.length > 0) {
        yield* sql`
          update lead l set city = p.city, state = p.state, country = p.country
          from unnest(${changed.map(({ leadId }) => leadId)}::bigint[], ${changed.map(({ city }) => city)}::text[],
            ${changed.map(({ state }) => state)}::text[], ${changed.map(({ country }) => country)}::text[]
          ) as p (lead_id, city, state, country)
          where l.account_id = ${accountId} and l.lead_id = p.lead_id`.pipe(fromSql())
      }
      yield* sql`
        update lead_place_backlog set after_lead_id = ${last.leadId} where account_id = ${accountId}`.pipe(fromSql())
    })
  )
  return true
})

/** Normalises batches of stored places until none is left or the run is long enough. */
export const normaliseStored = Effect.gen(function* () {
  for (let batch = 0; batch < batchesPerRun; batch++) {
    if (!(yield* normaliseBatch)) return
  }
})

export const storedPlaces = {
  handler: handle(normaliseStoredPlaces, () => normaliseStored),
  recurring: recurring("normalise_stored_places", "*/5 * * * *", normaliseStoredPlaces, {})
}
