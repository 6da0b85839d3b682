import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Either } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { AcquiredLeads } from "../../../Services/Leads/AcquiredLeads.ts"
import type { LeadId } from "../../../Services/Leads/Ids.ts"
import { type CountryCode, normaliseEmail, normalisePhone } from "../../../Services/Text/ContactDetails.ts"
import { withoutControlCharacters } from "../../../Services/Text/SingleLine.ts"
import { makeAccountCountry } from "../../Accounts/Sql.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import type { ContactScope, CrmClient, CrmContact, CrmFailure } from "../Calling/CrmAdapter.ts"
import type { CrmPlace } from "../Pushing/LeadFacts.ts"

/** The interval in seconds at which contacts are read. */
const restSeconds = 3600
/** The longest time in milliseconds that one run reads contacts. Other work for the CRM follows in between. */
const turnMillis = 30_000
const leadsAtATime = 100
/** The status of a new lead. As long as it stays the same, nothing is sent back to the CRM. */
export const importedStatus = "Cold"

interface SourceRow {
  readonly pipeline: string | null
  readonly stage: string | null
  readonly cursor: string | null
}

const line = (text: string, most: number): string =>
  withoutControlCharacters(text.replace(/\s+/g, " ")).trim().slice(0, most)

/** Converts a contact to a lead. Undefined without a usable address or phone. */
const leadOf = ({ company, email, name, phone }: CrmContact, country: CountryCode) => {
  const address = email === "" ? undefined : normaliseEmail(email)
  const number = phone === "" ? undefined : normalisePhone(phone, country)
  const contactDetails = {
    email: address !== undefined && Either.isRight(address) ? address.right : null,
    phone: number !== undefined && Either.isRight(number) ? number.right.e164 : null
  }
  if (contactDetails.email === null && contactDetails.phone === null) return undefined
  const companyName = line(company?.name ?? "", 200)
  return {
    ...contactDetails,
    name: line(name, 200) || companyName || (contactDetails.email ?? contactDetails.phone ?? ""),
    company: companyName,
    website: null,
    city: null,
    state: null,
    country,
    cnae: null,
    industry: null,
    background: ""
  }
}

/**
 * Makes the function that turns contacts of a CRM into leads. Each page is one transaction: its leads, their links with
 * the records that they come from, and the position of the next page. So a resumed run creates no lead twice.
 */
export const makeContactReader = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const acquired = yield* AcquiredLeads
  const countries = yield* makeAccountCountry

  const register = Effect.fnUntraced(function* (place: CrmPlace, contacts: ReadonlyArray<CrmContact>) {
    const { accountId, crm, crmAccount } = place
    const ids = contacts.map(({ id }) => id)
    const linked = new Set(
      (yield* sql<{ readonly id: string }>`
        select external_id as id from crm_link
        where account_id = ${accountId} and crm = ${crm} and crm_account = ${crmAccount} and kind = 'person'
          and external_id = any (${ids}::text[])`.pipe(fromSql())).map(({ id }) => id)
    )
    const country = yield* countries.get(accountId)
    const seen = new Set(linked)
    const fresh = contacts.flatMap((contact) => {
      if (contact.id === "" || seen.has(contact.id)) return []
      seen.add(contact.id)
      return [{ contact, lead: leadOf(contact, country) }]
    })
    const usable = fresh.flatMap(({ contact, lead }) => (lead === undefined ? [] : [{ contact, lead }]))
    const links: Array<{ leadId: LeadId; kind: string; externalId: string; written: object }> = []
    let created = 0
    for (let from = 0; from < usable.length; from += leadsAtATime) {
      const some = usable.slice(from, from + leadsAtATime)
      const outcomes = yield* acquired.register(
        some.map(({ lead }) => lead),
        null
      )
      for (const [index, outcome] of outcomes.entries()) {
        const of = some[index]
        if (of === undefined || outcome._tag !== "Created") continue
        const { contact, lead } = of
        const { leadId } = outcome
        created += 1
        const link = (kind: string, externalId: string, written: object) =>
          links.push({ leadId, kind, externalId, written })
        link("person", contact.id, {
          name: lead.name,
          ...(lead.email === null ? {} : { email: lead.email }),
          ...(lead.phone === null ? {} : { phone: lead.phone })
        })
        if (contact.company !== undefined) link("company", contact.company.id, { name: lead.company })
        if (contact.deal !== undefined) link("deal", contact.deal.id, { stage: contact.deal.stage })
        link("note", contact.id, { came_as: importedStatus })
      }
    }
    if (links.length > 0) {
      yield* sql`
        insert into crm_link (account_id, crm, crm_account, lead_id, kind, state, external_id, written)
        select ${accountId}, ${crm}, ${crmAccount}, lead_id, kind, 'linked', external_id, written::jsonb
        from unnest(${links.map(({ leadId }) => leadId)}::bigint[], ${links.map(({ kind }) => kind)}::text[],
          ${links.map(({ externalId }) => externalId)}::text[],
          ${links.map(({ written }) => JSON.stringify(written))}::text[])
          as made (lead_id, kind, external_id, written)`.pipe(fromSql())
    }
    return { created, passed: fresh.length - created }
  })

  /** Continues reading until the contacts or the time are used up. */
  return Effect.fnUntraced(function* (
    place: CrmPlace,
    client: CrmClient | undefined
  ): Effect.fn.Return<void, CrmFailure | Transient, Caller> {
    const { accountId, crm } = place
    const contacts = client?.contacts
    if (contacts === undefined) return
    const isOf = sql`account_id = ${accountId} and crm = ${crm}`
    const [source] = yield* sql<SourceRow>`
      select pipeline_id as pipeline, stage_id as stage, cursor from crm_source
      where ${isOf} and (cursor is not null or read_at <= instant() - make_interval(secs => ${restSeconds}))`.pipe(
      fromSql()
    )
    if (source === undefined) return
    const scope: ContactScope | undefined =
      source.pipeline === null ? undefined : { pipelineId: source.pipeline, stageId: source.stage ?? undefined }
    const deadline = (yield* Clock.currentTimeMillis) + turnMillis
    let cursor = source.cursor ?? undefined
    while ((yield* Clock.currentTimeMillis) < deadline) {
      const page = yield* contacts(scope, cursor)
      yield* unit.write(
        Effect.gen(function* () {
          // The source was disabled or changed during the read, so the result is dropped.
          const [still] = yield* sql`
            select crm from crm_source where ${isOf} and pipeline_id is not distinct from ${source.pipeline}
              and stage_id is not distinct from ${source.stage} for update`.pipe(fromSql())
          if (still === undefined) return
          const { created, passed } = yield* register(place, page.contacts)
          yield* sql`
            update crm_source set cursor = ${page.next ?? null},
              warning = case when cursor is null then ${page.warning ?? null} else coalesce(${page.warning ?? null}, warning) end, created_count = created_count + ${created},
              passed_count = passed_count + ${passed},
              read_at = ${page.next === undefined ? sql`instant()` : sql`read_at`}
            where ${isOf}`.pipe(fromSql())
        })
      )
      cursor = page.next
      if (cursor === undefined) return
    }
  })
})
