import type { SqlClient } from "@effect/sql/SqlClient"
import { Cause, Effect, Either, Exit, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { CrmKind } from "../../../Services/Crm/Ids.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { type CrmBatch, type CrmClient, CrmFailure, type NoteToAdd } from "../Calling/CrmAdapter.ts"
import type { ReachedCrm } from "../Calling/CrmSending.ts"
import type { CrmLink, CrmPlace, LinkWriter } from "./LeadFacts.ts"
import type { BatchedStep, ForMany, StepBatcher } from "./StepBatcher.ts"

/** True if the failure ends the run for all leads. */
export const endsRun = ({ kind }: CrmFailure): boolean => kind === "unauthorized" || kind === "rate_limited"

export const isPassing = ({ kind }: CrmFailure): boolean => kind === "unavailable" || kind === "maybe_sent"

/** The number of successive failures after which the run pauses. */
export const patience = 3

/** The order of a lead's parts and their steps. */
const places: { readonly [K in CrmLink["kind"] | "event"]: number } = {
  conversion: 0,
  company: 10,
  person: 20,
  deal: 30,
  note: 40,
  event: 50
}
const steps = { find: 0, begin: 1, create: 2, undo: 3, read: 4, update: 5, close: 6, settle: 7, lose: 8 }
const afterAll = 60

const failureOf = <A>(exit: Exit.Exit<A, CrmFailure>): CrmFailure | undefined =>
  Exit.isFailure(exit) ? Option.getOrUndefined(Cause.failureOption(exit.cause)) : undefined

/** Makes one call for each input, a few at a time. Stops if the CRM's limit is reached. */
export const oneByOne =
  <I, A>(run: (input: I) => Effect.Effect<A, CrmFailure>, lanes: number): ForMany<I, A, CrmFailure> =>
  (inputs) =>
    Effect.suspend(() => {
      let ended: CrmFailure | undefined
      let failures = 0
      return Effect.forEach(
        inputs,
        (input) =>
          Effect.suspend(() =>
            ended === undefined
              ? Effect.tap(Effect.exit(run(input)), (exit) =>
                  Effect.sync(() => {
                    const failure = failureOf(exit)
                    if (failure === undefined) failures = 0
                    else if (isPassing(failure)) failures += 1
                    if (failure !== undefined && (endsRun(failure) || failures >= patience)) ended = untried(failure)
                  })
                )
              : Effect.succeed(Exit.fail(ended))
          ),
        { concurrency: lanes }
      )
    })

/** The failure of requests that were not sent, because the CRM's limit is reached. */
const untried = (failure: CrmFailure): CrmFailure =>
  new CrmFailure({
    kind: endsRun(failure) ? failure.kind : "unavailable",
    retryAfterSeconds: failure.retryAfterSeconds,
    isUntried: true
  })

/** Whether a single record caused the failure and nothing was changed. */
const isOfOne = ({ isAddressRefused, kind }: CrmFailure): boolean =>
  (kind === "rejected" && isAddressRefused !== true) || kind === "conflict"
/** The CRM does not accept calls of this kind with this key. */
const isOfCall = ({ kind }: CrmFailure): boolean => kind === "forbidden" || kind === "not_found"

const mostRefusals = 8

/**
 * Runs a batch. If it is refused as a whole, it is halved until the bad record is alone, so that only this one fails.
 */
export const inBatches = <I, A>(
  batch: CrmBatch<I, A> | undefined,
  kind: CrmKind,
  single: (input: I) => Effect.Effect<A, CrmFailure>,
  lanes: number
): ForMany<I, A, CrmFailure> => {
  const singles = oneByOne(single, lanes)
  if (batch === undefined) return singles
  // Halving a hundred takes seven steps. If the CRM refuses more often, it does not accept batches.
  let refusals = 0
  const attempt = (inputs: ReadonlyArray<I>): ReturnType<ForMany<I, A, CrmFailure>> =>
    inputs.length <= 1 || refusals > mostRefusals
      ? singles(inputs)
      : Effect.flatMap(Effect.exit(batch.run(kind, inputs)), (exit): ReturnType<ForMany<I, A, CrmFailure>> => {
          if (Exit.isSuccess(exit)) {
            refusals = 0
            return Effect.forEach(inputs, (input, index) => {
              const result = exit.value[index]
              if (result === undefined) return Effect.succeed(Exit.fail(new CrmFailure({ kind: "maybe_sent" })))
              if (Either.isRight(result)) return Effect.succeed(Exit.succeed(result.right))
              // Only a single request reports which record is in conflict.
              return result.left.kind === "conflict"
                ? Effect.exit(single(input))
                : Effect.succeed(Exit.fail(result.left))
            })
          }
          const failure = failureOf(exit)
          if (failure !== undefined && isOfOne(failure)) refusals += 1
          if (failure !== undefined && (isOfCall(failure) || refusals > mostRefusals)) return singles(inputs)
          if (failure === undefined || !isOfOne(failure))
            return Effect.succeed(inputs.map(() => Exit.failCause(exit.cause)))
          const half = Math.ceil(inputs.length / 2)
          return Effect.flatMap(attempt(inputs.slice(0, half)), (first) =>
            Effect.map(attempt(inputs.slice(half)), (second) => [...first, ...second])
          )
        })
  return (inputs) =>
    Effect.gen(function* () {
      const results: Array<Exit.Exit<A, CrmFailure>> = []
      let ended: CrmFailure | undefined
      for (let from = 0; from < inputs.length; from += batch.most) {
        const chunk = inputs.slice(from, from + batch.most)
        if (ended !== undefined) {
          const failure = ended
          results.push(...chunk.map(() => Exit.fail(failure)))
          continue
        }
        const exits = yield* attempt(chunk)
        results.push(...exits)
        const failure = exits.map(failureOf).find((each) => each !== undefined && (endsRun(each) || isPassing(each)))
        if (failure !== undefined) ended = untried(failure)
      }
      return results
    })
}

/** Creates one value per kind of record. */
const ofKind = <F>(make: (kind: CrmKind) => F): { readonly [K in CrmKind]: F } => ({
  company: make("company"),
  person: make("person"),
  deal: make("deal")
})

/** Returns a client whose calls for many leads are combined, as far as the CRM supports it. */
export const batchingClient = (gathering: StepBatcher, client: CrmClient, lanes: number): CrmClient => {
  const { batches } = client
  const find = ofKind((kind) =>
    gathering.group(
      places[kind] + steps.find,
      inBatches(batches?.find, kind, (keys) => (kind === "deal" ? Effect.succeed([]) : client.find(kind, keys)), lanes)
    )
  )
  const findDeals = gathering.group(
    places.deal + steps.find,
    oneByOne(([title, of]: Parameters<CrmClient["findDeals"]>) => client.findDeals(title, of), lanes)
  )
  const read = ofKind((kind) =>
    gathering.group(
      places[kind] + steps.read,
      inBatches(batches?.read, kind, ({ id, ownKeys }) => client.read(kind, id, ownKeys), lanes)
    )
  )
  const create = ofKind((kind) =>
    gathering.group(
      places[kind] + steps.create,
      inBatches(batches?.create, kind, (record) => client.create(kind, record), lanes)
    )
  )
  const update = ofKind((kind) =>
    gathering.group(
      places[kind] + steps.update,
      inBatches(batches?.update, kind, ({ fields, id }) => client.update(kind, id, fields), lanes)
    )
  )
  const close = gathering.group(
    places.deal + steps.close,
    oneByOne(([dealId, closing]: Parameters<CrmClient["close"]>) => client.close(dealId, closing), lanes)
  )
  return {
    ...client,
    find: (kind, keys) => find[kind](keys),
    findDeals: (title, of) => findDeals([title, of]),
    read: (kind, id, ownKeys) => read[kind]({ id, ownKeys }),
    create: (kind, record) => create[kind](record),
    update: (kind, id, fields) => update[kind]({ id, fields }),
    close: (dealId, closing) => close([dealId, closing])
  }
}

export const batchedConversions = (
  gathering: StepBatcher,
  convert: ReachedCrm["convert"],
  lanes: number
): ReachedCrm["convert"] =>
  convert === undefined ? undefined : gathering.group(places.conversion + steps.create, oneByOne(convert, lanes))

const statement =
  <I>(run: (inputs: ReadonlyArray<I>) => Effect.Effect<unknown, Transient>): ForMany<I, void, Transient> =>
  (inputs) =>
    Effect.map(Effect.exit(run(inputs)), (exit) => inputs.map(() => Exit.asVoid(exit)))

interface Begun {
  readonly leadId: LeadId
  readonly wanted: CrmLink["written"]
}

interface Settled {
  readonly leadId: LeadId
  readonly externalId: string
  readonly written: CrmLink["written"]
}

type LinkKind = CrmLink["kind"]

/** The statements that record the links of many leads, one statement for each step. */
const linkStatements = (sql: SqlClient, { accountId, crm, crmAccount }: CrmPlace) => {
  const isOf = (kind: LinkKind, leadIds: ReadonlyArray<LeadId>) =>
    sql`account_id = ${accountId} and crm = ${crm} and crm_account = ${crmAccount} and lead_id = any (${leadIds}::bigint[])
      and kind = ${kind}`
  return {
    begin: (kind: LinkKind, all: ReadonlyArray<Begun>) => {
      const leadIds = all.map(({ leadId }) => leadId)
      return sql`
        insert into crm_link as k (account_id, crm, crm_account, lead_id, kind, state, written)
        select l.account_id, ${crm}, ${crmAccount}, l.lead_id, ${kind}, 'creating', wanted.written::jsonb
        from unnest(${leadIds}::bigint[], ${all.map(({ wanted }) => JSON.stringify(wanted))}::text[])
          as wanted (lead_id, written)
        join lead l on l.lead_id = wanted.lead_id
        where l.account_id = ${accountId} and l.lead_id = any (${leadIds}::bigint[])
        order by l.lead_id
        on conflict (account_id, crm, crm_account, lead_id, kind) do update
          set began_at = instant(), written = excluded.written where k.state = 'creating'`.pipe(fromSql())
    },
    undo: (kind: LinkKind, leadIds: ReadonlyArray<LeadId>) =>
      sql`delete from crm_link where ${isOf(kind, leadIds)} and state = 'creating'`.pipe(fromSql()),
    settle: (kind: LinkKind, all: ReadonlyArray<Settled>) => {
      const leadIds = all.map(({ leadId }) => leadId)
      // Starting from the list of leads makes the query independent of the number of rows.
      return sql`
        insert into crm_link (account_id, crm, crm_account, lead_id, kind, state, external_id, written)
        select l.account_id, ${crm}, ${crmAccount}, l.lead_id, ${kind}, 'linked', made.external_id, made.written::jsonb
        from unnest(${leadIds}::bigint[], ${all.map(({ externalId }) => externalId)}::text[],
          ${all.map(({ written }) => JSON.stringify(written))}::text[]) as made (lead_id, external_id, written)
        join lead l on l.lead_id = made.lead_id
        where l.account_id = ${accountId} and l.lead_id = any (${leadIds}::bigint[])
        order by l.lead_id
        on conflict (account_id, crm, crm_account, lead_id, kind) do update
          set state = 'linked', external_id = excluded.external_id, written = excluded.written`.pipe(fromSql())
    },
    lose: (kind: LinkKind, leadIds: ReadonlyArray<LeadId>) =>
      sql`update crm_link set state = 'gone' where ${isOf(kind, leadIds)}`.pipe(fromSql())
  }
}

/** Records the links of many leads together, as the CRM's responses arrive. */
export const batchedLinks = (
  gathering: StepBatcher,
  sql: SqlClient,
  place: CrmPlace
): ((leadId: LeadId) => LinkWriter) => {
  const statements = linkStatements(sql, place)
  const writerOf = (kind: LinkKind) => ({
    begin: gathering.group(
      places[kind] + steps.begin,
      statement((all: ReadonlyArray<Begun>) => statements.begin(kind, all))
    ),
    undo: gathering.group(
      places[kind] + steps.undo,
      statement((leadIds: ReadonlyArray<LeadId>) => statements.undo(kind, leadIds))
    ),
    settle: gathering.group(
      places[kind] + steps.settle,
      statement((all: ReadonlyArray<Settled>) => statements.settle(kind, all))
    ),
    lose: gathering.group(
      places[kind] + steps.lose,
      statement((leadIds: ReadonlyArray<LeadId>) => statements.lose(kind, leadIds))
    )
  })
  const writers = {
    company: writerOf("company"),
    person: writerOf("person"),
    deal: writerOf("deal"),
    conversion: writerOf("conversion")
  }
  return (leadId) => ({
    begin: (kind, wanted) => writers[kind].begin({ leadId, wanted }),
    undo: (kind) => writers[kind].undo(leadId),
    settle: (kind, externalId, written) => writers[kind].settle({ leadId, externalId, written }),
    lose: (kind) => writers[kind].lose(leadId)
  })
}

export interface NoteOfLead extends NoteToAdd {
  readonly leadId: LeadId
  /** The event that the note is about. The lead's own note has none. */
  readonly event?: string | undefined
}

/** The number of notes that are begun at a time, if each takes a call. */
const notesAtATime = 8

interface MadeNote {
  readonly note: NoteOfLead
  readonly id: string
}

/** Records which notes were begun, and which exist at the CRM. */
interface NoteLedger {
  readonly begin: (notes: ReadonlyArray<NoteOfLead>) => Effect.Effect<unknown, Transient>
  readonly undo: (notes: ReadonlyArray<NoteOfLead>) => Effect.Effect<unknown, Transient>
  readonly settle: (notes: ReadonlyArray<MadeNote>) => Effect.Effect<unknown, Transient>
}

const leadsOf = (notes: ReadonlyArray<NoteOfLead>): ReadonlyArray<LeadId> => notes.map(({ leadId }) => leadId)

/** Records the note of a lead. There is only one. */
export const leadNotes = (sql: SqlClient, place: CrmPlace): NoteLedger => {
  const { begin, settle, undo } = linkStatements(sql, place)
  return {
    begin: (notes) =>
      begin(
        "note",
        notes.map(({ leadId }) => ({ leadId, wanted: {} }))
      ),
    undo: (notes) => undo("note", leadsOf(notes)),
    settle: (madeNotes) =>
      settle(
        "note",
        madeNotes.map(({ id, note }) => ({ leadId: note.leadId, externalId: id, written: {} }))
      )
  }
}

/** Records the notes of a lead's events, one for each. */
export const eventNotes = (sql: SqlClient, { accountId, crm, crmAccount }: CrmPlace): NoteLedger => {
  const eventsOf = (notes: ReadonlyArray<NoteOfLead>) => sql`
    unnest(${leadsOf(notes)}::bigint[], ${notes.map(({ event = "" }) => event)}::text[])`
  const isOf = (notes: ReadonlyArray<NoteOfLead>) => sql`
    k.account_id = ${accountId} and k.crm = ${crm} and k.crm_account = ${crmAccount}
      and k.lead_id = any (${leadsOf(notes)}::bigint[])`
  return {
    begin: (notes) =>
      sql`
        insert into crm_activity (account_id, crm, crm_account, lead_id, event, state)
        select l.account_id, ${crm}, ${crmAccount}, l.lead_id, n.event, 'creating'
        from ${eventsOf(notes)} as n (lead_id, event) join lead l on l.lead_id = n.lead_id
        where l.account_id = ${accountId} and l.lead_id = any (${leadsOf(notes)}::bigint[])
        order by l.lead_id, n.event on conflict do nothing`.pipe(fromSql()),
    undo: (notes) =>
      sql`
        delete from crm_activity k
        where ${isOf(notes)} and k.state = 'creating' and (k.lead_id, k.event) in (select * from ${eventsOf(notes)})`.pipe(
        fromSql()
      ),
    settle: (madeNotes) =>
      sql`
        update crm_activity k set state = 'made', external_id = n.external_id
        from unnest(${madeNotes.map(({ note }) => note.leadId)}::bigint[], ${madeNotes.map(({ note: { event = "" } }) => event)}::text[],
          ${madeNotes.map(({ id }) => id)}::text[]) as n (lead_id, event, external_id)
        where ${isOf(madeNotes.map(({ note }) => note))} and k.lead_id = n.lead_id and k.event = n.event`.pipe(
        fromSql()
      )
  }
}

/** Sends notes in batches. Meetings are records of another kind, and are sent one by one. */
const addInBatches = (client: CrmClient, lanes: number): ForMany<NoteToAdd, string, CrmFailure> => {
  const single = oneByOne(client.addNote, lanes)
  const many = inBatches(client.batches?.addNotes, "deal", client.addNote, lanes)
  return (notes) =>
    Effect.gen(function* () {
      const plain = yield* many(notes.filter(({ meeting }) => meeting === undefined))
      const meetings = yield* single(notes.filter(({ meeting }) => meeting !== undefined))
      const [restOfPlain, restOfMeetings] = [[...plain], [...meetings]]
      return notes.map(
        ({ meeting }) =>
          (meeting === undefined ? restOfPlain : restOfMeetings).shift() ??
          Exit.fail(new CrmFailure({ kind: "maybe_sent" }))
      )
    })
}

/**
 * Writes notes. A note cannot be looked up, so one that may exist is never written again. A note is recorded as begun
 * shortly before it is sent, so that a crash loses few. Created notes are recorded together for the batch.
 */
export const batchedNotes = (
  gathering: StepBatcher,
  order: "note" | "event",
  { begin, settle, undo }: NoteLedger,
  client: CrmClient,
  lanes: number
): BatchedStep<NoteOfLead, void, CrmFailure | Transient> => {
  const add = addInBatches(client, lanes)
  const some = Effect.fnUntraced(function* (notes: ReadonlyArray<NoteOfLead>) {
    yield* begin(notes)
    const exits = yield* add(notes)
    const endOf = (place: number): Exit.Exit<string, CrmFailure> =>
      exits[place] ?? Exit.fail(new CrmFailure({ kind: "maybe_sent" }))
    // An interrupted request may have arrived.
    const notMade = notes.filter((_, place) => (failureOf(endOf(place))?.kind ?? "maybe_sent") !== "maybe_sent")
    if (notMade.length > 0) yield* undo(notMade)
    return exits
  })
  return gathering.group(places[order] + steps.create, (notes) =>
    Effect.gen(function* () {
      const results: Array<Exit.Exit<string, CrmFailure | Transient>> = []
      const most = client.batches?.addNotes?.most ?? notesAtATime
      let ended: CrmFailure | undefined
      for (let from = 0; from < notes.length; from += most) {
        const chunk = notes.slice(from, from + most)
        if (ended !== undefined) {
          const failure = ended
          results.push(...chunk.map(() => Exit.fail(failure)))
          continue
        }
        const done = yield* Effect.exit(some(chunk))
        if (Exit.isFailure(done)) {
          results.push(...chunk.map(() => Exit.failCause(done.cause)))
          continue
        }
        results.push(...done.value)
        const failure = done.value
          .map(failureOf)
          .find((each) => each !== undefined && (endsRun(each) || isPassing(each)))
        if (failure !== undefined) ended = untried(failure)
      }
      const madeNotes = notes.flatMap((note, place): ReadonlyArray<MadeNote> => {
        const result = results[place]
        return result !== undefined && Exit.isSuccess(result) ? [{ note, id: result.value }] : []
      })
      if (madeNotes.length === 0) return results.map(Exit.asVoid)
      const settled = yield* Effect.exit(settle(madeNotes))
      return results.map((result) =>
        Exit.isSuccess(result) && Exit.isFailure(settled) ? Exit.failCause(settled.cause) : Exit.asVoid(result)
      )
    })
  )
}

/** Records that leads are done, once all records of each exist. */
export const batchedEnds = <I>(
  gathering: StepBatcher,
  run: (inputs: ReadonlyArray<I>) => Effect.Effect<unknown, Transient>
) => gathering.group(afterAll, statement(run))
