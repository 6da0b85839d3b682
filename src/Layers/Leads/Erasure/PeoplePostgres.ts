import { SqlClient } from "@effect/sql/SqlClient"
import { Chunk, Effect, Either, Layer, Option, Stream } from "effect"
import { refused, type Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { now } from "../../../Services/Core/Timestamp.ts"
import {
  everywherePatterns,
  noLead,
  type PersonTraces,
  patternInBytes
} from "../../../Services/Leads/Erasure/LeadErasure.ts"
import {
  contactMissing,
  type ErasureReceipt,
  type LeftToDo,
  People,
  type PersonContact,
  type Place,
  personOfAccount,
  retainedAfterErasure
} from "../../../Services/Leads/Erasure/People.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { Leads } from "../../../Services/Leads/Leads.ts"
import { normaliseEmail, normalisePhone, type Problem } from "../../../Services/Text/ContactDetails.ts"
import { makeFindCountry } from "../../Accounts/Sql.ts"
import { filesNaming, makeRemoveFiles } from "../../Files/Sql.ts"
import { PersonalDataOfRooms } from "../../Platform/PersonalData.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { erasureLock } from "../Sql.ts"
import { makeForgetInRooms } from "./PersonalDataErasure.ts"
import { isOfOwnPeople, isSetting, redactTable, rowsOfPerson, scanAccount, type TableMentions } from "./PersonScan.ts"

interface LeadOfPerson extends PersonTraces {
  readonly lead_id: LeadId
}

const unacceptable = (parameter: "email" | "phone") => (problem: Problem) =>
  refused(
    problem.reason,
    `${parameter} is not acceptable: ${problem.message}`,
    "Send one e-mail address, and a phone number with + and the country code.",
    { parameter }
  )

const placesOf = (
  scanned: ReadonlyArray<TableMentions>,
  count: (mentions: TableMentions) => number
): ReadonlyArray<Place> =>
  scanned.flatMap((one) => (count(one) === 0 ? [] : [{ place: one.table.name, records: count(one) }]))

const makeLookup = Effect.gen(function* () {
  const sql = yield* SqlClient
  const findCountry = yield* makeFindCountry

  /** The person's contacts as they are stored, the leads with them, and the patterns that find them elsewhere. */
  const personOf = Effect.fnUntraced(function* (contact: PersonContact) {
    const { accountId } = yield* Caller
    if (contact.email === undefined && contact.phone === undefined) return yield* contactMissing
    const email =
      contact.email === undefined ? null : yield* Either.mapLeft(normaliseEmail(contact.email), unacceptable("email"))
    const phone =
      contact.phone === undefined
        ? null
        : (yield* Either.mapLeft(normalisePhone(contact.phone, yield* findCountry(accountId)), unacceptable("phone")))
            .e164
    const leads = yield* sql<LeadOfPerson>`
      select lead_id, name, email, phone from lead
      where account_id = ${accountId} and (email = ${email} or phone_key(phone) = phone_key(${phone}))
      order by lead_id`.pipe(fromSql())
    const traces: PersonTraces = { name: "", email, phone }
    return { accountId, traces, leads, patterns: everywherePatterns([traces, ...leads]) }
  })
  return { personOf, sql }
})
type Lookup = Effect.Effect.Success<typeof makeLookup>

const reading = ({ personOf, sql }: Lookup): Pick<typeof People.Service, "find" | "lines"> => ({
  find: Effect.fn("People.find")(function* (contact) {
    const { accountId, leads, patterns } = yield* personOf(contact)
    const leadIds = leads.map(({ lead_id }) => lead_id)
    const scanned = yield* scanAccount(sql, accountId, leadIds, patterns).pipe(fromSql())
    const files = yield* filesNaming(sql, accountId, patternInBytes(patterns.person)).pipe(fromSql())
    const [settings, others] = [
      scanned.filter(({ table }) => isSetting(table)),
      scanned.filter((one) => !isSetting(one.table))
    ]
    return {
      leads: leads.map(({ lead_id, name }) => ({ lead_id, name })),
      records_of_leads: placesOf(others, ({ ofLeads }) => ofLeads),
      mentions: placesOf(others, ({ mentions }) => mentions),
      settings: placesOf(settings, ({ mentions }) => mentions),
      files: files.ids,
      files_not_searched: files.otherFiles
    }
  }),

  lines: (contact) =>
    Stream.unwrap(
      Effect.map(personOf(contact), ({ accountId, leads, patterns }) => {
        const leadIds = leads.map(({ lead_id }) => lead_id)
        const linesOf = ({ table }: TableMentions): Stream.Stream<string, Transient> =>
          Stream.paginateChunkEffect(0, (page) =>
            Effect.map(
              rowsOfPerson(sql, accountId, leadIds, { table, patterns }, page).pipe(fromSql()),
              ({ isLast, rows }) =>
                [
                  Chunk.unsafeFromArray(rows.map((row) => `${JSON.stringify({ place: table.name, record: row })}\n`)),
                  isLast ? Option.none<number>() : Option.some(page + 1)
                ] as const
            )
          )
        const tables = Stream.fromIterableEffect(scanAccount(sql, accountId, leadIds, patterns).pipe(fromSql()))
        const head = `${JSON.stringify({ account_id: accountId, leads: leadIds })}\n`
        return Stream.concat(
          Stream.make(head),
          Stream.flatMap(
            Stream.filter(tables, ({ table }) => !isSetting(table)),
            linesOf
          )
        )
      })
    )
})

const makeErasing = ({ personOf, sql }: Lookup) =>
  Effect.gen(function* () {
    const leadsService = yield* Leads
    const forgetInRooms = yield* makeForgetInRooms
    const removeFiles = yield* makeRemoveFiles
    const rooms = yield* PersonalDataOfRooms

    const outsideRecords = Effect.fnUntraced(function* (accountId: AccountId, leadIds: ReadonlyArray<LeadId>) {
      const records: Array<LeftToDo> = []
      for (const { heldOutside } of rooms) {
        if (heldOutside === undefined) continue
        for (const { external_id, kind, service } of yield* heldOutside(sql, accountId, leadIds)) {
          records.push({ where: service, what: `Delete the ${kind} there.`, reference: external_id })
        }
      }
      return records
    }, fromSql())

    const block = (accountId: AccountId, { email, phone }: PersonTraces) =>
      sql`
        insert into lead_tombstone (account_id, contact_digest, is_person)
        select a.account_id, contact_digest(a.tombstone_key, contact.kind, contact.value), true
        from account a, (values ('email', ${email}), ('phone', ${phone})) contact (kind, value)
        where a.account_id = ${accountId} and contact.value is not null
        on conflict (account_id, contact_digest) do update set is_person = true, created_at = instant()`.pipe(fromSql())

    const refuseOwnPeople = Effect.fnUntraced(function* (accountId: AccountId, contacts: string) {
      const named = yield* scanAccount(sql, accountId, [], { person: contacts, json: contacts }, isOfOwnPeople)
      if (named.length > 0) return yield* personOfAccount
    })

    const erase = Effect.fn("People.erase")(function* (contact: PersonContact, reason: string | undefined) {
      const { accountId, leads, patterns, traces } = yield* personOf(contact)
      yield* refuseOwnPeople(accountId, patterns.contacts).pipe(fromSql())
      const leadIds = leads.map(({ lead_id }) => lead_id)
      const before = yield* scanAccount(sql, accountId, leadIds, patterns).pipe(fromSql())
      const leftToDo = yield* outsideRecords(accountId, leadIds)

      const erased = yield* Effect.forEach(leads, ({ lead_id }) =>
        // The transaction scanned the lead before, and holds the lock of erasures.
        Effect.catchTag(leadsService.erase(lead_id, reason), "NotFound", () => Effect.succeed(undefined))
      )
      // The lock comes after the leads, as in the erasure of one lead, so that the order of locks is always the same.
      yield* erasureLock(sql, accountId, "alone")
      yield* block(accountId, traces)
      const others = [...new Set(before.flatMap(({ otherLeads }) => otherLeads))]
      for (const person of [traces, ...leads]) {
        const full = { name: person.name, email: person.email, phone: person.phone, accountId, leadId: noLead }
        yield* forgetInRooms.inAccount(full).pipe(fromSql())
        yield* forgetInRooms.inLeads(full, others).pipe(fromSql())
      }
      const files = yield* filesNaming(sql, accountId, patternInBytes(patterns.person)).pipe(fromSql())
      yield* removeFiles(accountId, files.ids).pipe(fromSql())
      for (const { table } of yield* scanAccount(sql, accountId, [], patterns).pipe(fromSql())) {
        if (!isSetting(table)) yield* redactTable(sql, accountId, table, patterns).pipe(fromSql())
      }
      const after = yield* scanAccount(sql, accountId, [], patterns).pipe(fromSql())

      const ofAccount = before.filter(({ table }) => !isSetting(table))
      const receipt: ErasureReceipt = {
        erased_at: yield* now,
        leads: leadIds,
        deleted: placesOf(ofAccount, ({ ofLeads }) => ofLeads),
        redacted: placesOf(ofAccount, ({ mentions }) => mentions),
        deleted_files: files.ids,
        cancelled_calendar_events: erased.reduce((sum, one) => sum + (one?.cancelled_calendar_events ?? 0), 0),
        remaining_calendar_events: erased.flatMap((one) => one?.remaining_calendar_events ?? []),
        retained: retainedAfterErasure,
        left_to_do: [
          ...leftToDo,
          ...after.map(({ table }) => ({
            where: table.name,
            what: "Change or remove what names the person there.",
            reference: null
          })),
          ...(files.otherFiles === 0
            ? []
            : [
                {
                  where: "customer_file",
                  what: `Look through ${files.otherFiles} files that are no text, such as pictures and PDF.`,
                  reference: null
                }
              ])
        ]
      }
      return receipt
    })
    return { erase }
  })

export const PeoplePostgres = Layer.effect(
  People,
  Effect.gen(function* () {
    const lookup = yield* makeLookup
    return People.of({ ...reading(lookup), ...(yield* makeErasing(lookup)) })
  })
)
