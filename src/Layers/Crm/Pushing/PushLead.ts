import { Effect, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import { eventNote, type LeadEvent } from "../../../Services/Crm/ConversationNotes.ts"
import type { CrmWarning } from "../../../Services/Crm/CrmModel.ts"
import {
  dealTitle,
  type FieldDefinition,
  type Fields,
  isSent,
  leadNote,
  type MinimumStatus,
  nextStage,
  stageOf,
  takesBrl
} from "../../../Services/Crm/CrmRules.ts"
import { languageOf } from "../../../Services/Text/Language.ts"
import type { CrmClient, CrmFailure, Pipeline } from "../Calling/CrmAdapter.ts"
import type { ReachedCrm } from "../Calling/CrmSending.ts"
import { sameText } from "../Calling/JsonPath.ts"
import type { NoteOfLead } from "./BatchingCrm.ts"
import type { CrmLeadFacts, CrmLink, CrmPlace, LinkWriter, RecentCompany } from "./LeadFacts.ts"
import { type CustomField, type CustomValues, customValues, domainOf, keyOf, present } from "./LeadFields.ts"
import {
  type LeadRecord,
  type LeadRecords,
  LeadStuck,
  makeLeadRecords,
  mayBeMade,
  notIndexedYet
} from "./LeadRecords.ts"
import type { BatchedStep, Turns } from "./StepBatcher.ts"

/** Facts about the CRM that are read once for many leads. */
export interface CrmDirectory {
  readonly pipeline: Pipeline | undefined
  readonly ownerId: string | undefined
  readonly definitions: ReadonlyArray<FieldDefinition>
}

/** The company's record of a lead. Other leads of the same company use it too. */
export interface SharedCompany {
  readonly leadId: CrmLeadFacts["leadId"]
  readonly fields: Fields
  readonly record: LeadRecord | undefined
}

export interface PushContext {
  readonly place: CrmPlace
  readonly writerOf: (leadId: CrmLeadFacts["leadId"]) => LinkWriter
  /** Runs leads that may share a company one after another. */
  readonly companyTurn: Turns<SharedCompany>
  readonly companyLaneOf: (leadId: CrmLeadFacts["leadId"]) => string
  /** Undefined if the CRM can only be written to. */
  readonly client: CrmClient | undefined
  readonly convert: ReachedCrm["convert"]
  readonly addNote: BatchedStep<NoteOfLead, void, CrmFailure | Transient>
  readonly addEvent: BatchedStep<NoteOfLead, void, CrmFailure | Transient>
  readonly directory: CrmDirectory
  /** Seconds for which the CRM's search may not find a new record. */
  readonly indexLagSeconds: number
  /** Companies that the CRM's search may not find yet, including those that this batch creates. */
  readonly recent: Array<RecentCompany>
  readonly minimumStatus: MinimumStatus | undefined
  readonly customFields: ReadonlyArray<CustomField>
}

/** One lead that is being sent to a CRM. */
interface LeadPush {
  readonly context: PushContext
  readonly client: CrmClient
  readonly lead: CrmLeadFacts
  readonly linkOf: (kind: CrmLink["kind"]) => CrmLink | undefined
  readonly writer: LinkWriter
  readonly records: LeadRecords
  readonly custom: CustomValues
  readonly leadKey: string
  /** Events for which the CRM has no note yet. */
  readonly events: ReadonlyArray<LeadEvent>
}

type PushEffect<A> = Effect.Effect<A, CrmFailure | LeadStuck | Transient>

/** Sends one event for each status. Events cannot be looked up, so one that may have arrived is not repeated. */
const sendConversion = Effect.fnUntraced(function* (
  convert: NonNullable<ReachedCrm["convert"]>,
  lead: CrmLeadFacts,
  link: CrmLink | undefined,
  writer: LinkWriter
) {
  if (lead.email === null || link?.written["status"] === lead.status) return
  const before = link?.state === "linked" ? link.written : undefined
  const now = { status: lead.status }
  yield* before === undefined ? writer.begin("conversion", {}) : writer.settle("conversion", "", now)
  if (link?.state !== "creating") {
    const undo = before === undefined ? writer.undo("conversion") : writer.settle("conversion", "", before)
    yield* Effect.tapError(convert({ ...lead, email: lead.email }), (failure) =>
      mayBeMade(failure) ? Effect.void : undo
    )
  }
  yield* writer.settle("conversion", "", now)
})

/** Returns the company that another lead with the same domain, or else with the same name, got recently. */
const recentlyMade = (
  recent: ReadonlyArray<RecentCompany>,
  leadId: CrmLeadFacts["leadId"],
  name: string,
  domain: string | undefined
): RecentCompany | undefined => {
  const others = recent.filter((each) => each.leadId !== leadId)
  const has = (field: string, value: string) => others.find(({ written }) => sameText(written[field] ?? "", value))
  return (domain === undefined ? undefined : has("domain", domain)) ?? has("name", name)
}

const companySearch = ({ client, context: { recent }, lead }: LeadPush, name: string) => {
  const domain = domainOf(lead)
  return (key: string | undefined): Effect.Effect<ReadonlyArray<string>, CrmFailure> =>
    Effect.suspend(() => {
      const same = recentlyMade(recent, lead.leadId, name, domain)
      if (same === undefined) return client.find("company", { name, domain, key })
      return same.externalId === null ? notIndexedYet : Effect.succeed([same.externalId])
    })
}

const pushCompany = (push: LeadPush): PushEffect<LeadRecord | undefined> =>
  Effect.gen(function* () {
    const { context, custom, lead, linkOf, records, writer } = push
    const { companyLaneOf, companyTurn, indexLagSeconds, place, recent } = context
    const { leadId } = lead
    const name = lead.company?.trim() ?? ""
    if (name === "") return undefined
    const fields = { ...present({ name, domain: domainOf(lead) }), ...custom.byKind.company }
    const ensured = records.ensure({
      kind: "company",
      fields,
      key: keyOf(place.accountId, name.toLowerCase()),
      search: companySearch(push, name)
    })
    const link = linkOf("company")
    if (link !== undefined && link.state !== "creating") return yield* ensured
    const shared = yield* companyTurn(
      companyLaneOf(leadId),
      (other) =>
        link === undefined && other.record !== undefined && JSON.stringify(other.fields) === JSON.stringify(fields),
      Effect.map(ensured, (record): SharedCompany => {
        if (record?.isNew === true && indexLagSeconds > 0)
          recent.push({ leadId, externalId: record.id, written: fields })
        return { leadId, fields, record }
      })
    )
    if (shared.leadId !== leadId && shared.record !== undefined) {
      yield* writer.settle("company", shared.record.id, shared.record.written)
    }
    return shared.record
  })

const pushPerson = (push: LeadPush, company: LeadRecord | undefined): PushEffect<LeadRecord> =>
  Effect.gen(function* () {
    const { client, custom, lead, leadKey, linkOf, records } = push
    const canBeFound = lead.email !== null || lead.phone !== null
    if (!canBeFound && linkOf("person")?.state === "creating") {
      return yield* new LeadStuck({ reason: "outcome_unknown" })
    }
    // People of a new company cannot be in the CRM under an older address, so one look-up is enough.
    const isCompanyNew = company?.isNew === true
    const isPhoneNeeded = !isCompanyNew || lead.email === null || client.batches?.find !== undefined
    const person = yield* records.ensure({
      kind: "person",
      fields: {
        ...present({ name: lead.name, email: lead.email, phone: lead.phone, job_title: lead.jobTitle }),
        ...custom.byKind.person
      },
      key: leadKey,
      companyId: company?.id,
      search: (key) =>
        canBeFound
          ? client.find("person", {
              email: lead.email ?? undefined,
              phone: isPhoneNeeded ? (lead.phone ?? undefined) : undefined,
              name: lead.name,
              domain: domainOf(lead),
              key,
              companyId: isCompanyNew ? undefined : company?.id
            })
          : Effect.succeed([])
    })
    return person ?? (yield* new LeadStuck({ reason: "deleted_at_crm" }))
  })

interface DealLinks {
  readonly companyId: string | undefined
  readonly personId: string
}

const stagesOf = ({ context: { directory } }: LeadPush) => directory.pipeline?.stages ?? []

const ensureDeal = (push: LeadPush, links: DealLinks): PushEffect<LeadRecord> =>
  Effect.gen(function* () {
    const { client, custom, lead, leadKey, linkOf, records } = push
    const stages = stagesOf(push)
    const title = dealTitle(lead)
    const firstFields = present({ title, stage: stages[stageOf(stages, lead) ?? 0]?.id })
    const deal = yield* records.ensure({
      kind: "deal",
      fields: { ...(linkOf("deal")?.state === "linked" ? {} : firstFields), ...custom.byKind.deal },
      key: leadKey,
      ...links,
      search: () => client.findDeals(title, { ...links, key: leadKey })
    })
    return deal ?? (yield* new LeadStuck({ reason: "deleted_at_crm" }))
  })

const readDeal = ({ client }: LeadPush, { id, record }: LeadRecord): Effect.Effect<LeadRecord["record"], CrmFailure> =>
  record === undefined ? Effect.map(client.read("deal", id, []), Option.getOrUndefined) : Effect.succeed(record)

const isLinkedBefore = ({ linkOf }: LeadPush): boolean => linkOf("deal")?.state === "linked"

/** A deal that was closed at the CRM is not changed. */
const closeDeal = (push: LeadPush, deal: LeadRecord, outcome: "won" | "lost"): PushEffect<void> =>
  Effect.gen(function* () {
    const { client, context, lead, writer } = push
    if (deal.written["outcome"] === outcome) return
    const value = lead.dealValue ?? undefined
    const present = isLinkedBefore(push) || value !== undefined ? yield* readDeal(push, deal) : undefined
    const state = present?.state ?? "open"
    if (state === "open") {
      yield* client.close(deal.id, {
        outcome,
        reason: lead.outcomeReason ?? undefined,
        value: takesBrl(present?.currency) ? value : undefined,
        pipelineId: context.directory.pipeline?.id
      })
    }
    yield* writer.settle("deal", deal.id, { ...deal.written, outcome, closed_as: state === "open" ? outcome : state })
  })

/** Moves an open deal to a later stage, unless a person moved it. */
const moveDeal = (push: LeadPush, deal: LeadRecord): PushEffect<void> =>
  Effect.gen(function* () {
    const { client, lead, writer } = push
    const stages = stagesOf(push)
    const target = stageOf(stages, lead)
    const isBehind = target !== undefined && target > stages.findIndex(({ id }) => id === deal.written["stage"])
    if (!isLinkedBefore(push) || !isBehind) return
    const present = yield* readDeal(push, deal)
    if (present?.state !== "open") return
    const next = nextStage(stages, present.fields["stage"], deal.written["stage"], lead)
    if (next === undefined) return
    yield* client.update("deal", deal.id, { stage: next })
    yield* writer.settle("deal", deal.id, { ...deal.written, stage: next })
  })

/** Closes the deal, or moves it to a later stage. Nothing that was closed or moved further at the CRM is changed. */
const advanceDeal = (push: LeadPush, deal: LeadRecord): PushEffect<void> =>
  push.lead.outcome === null
    ? moveDeal(push, deal)
    : closeDeal(push, deal, push.lead.outcome === "won" ? "won" : "lost")

const pushRecords = (push: LeadPush): PushEffect<ReadonlyArray<CrmWarning>> =>
  Effect.gen(function* () {
    const { context, custom, lead, linkOf } = push
    const company = yield* pushCompany(push)
    const person = yield* pushPerson(push, company)
    const links = { companyId: company?.id, personId: person.id }
    const deal = yield* ensureDeal(push, links)
    yield* advanceDeal(push, deal)
    const of = { dealId: deal.id, ...links }
    if (linkOf("note") === undefined) {
      const text = leadNote(languageOf(lead.language), lead, custom.lines)
      yield* context.addNote({ leadId: lead.leadId, key: push.leadKey, text, of })
    }
    yield* pushEvents(push, of)
    return custom.warnings
  })

/** Sends the events since the last push, one after another, so that the CRM shows them in order. */
const pushEvents = ({ context, events, lead, leadKey }: LeadPush, of: NoteOfLead["of"]): PushEffect<void> =>
  Effect.forEach(
    events,
    (event) => {
      const note: NoteOfLead = {
        leadId: lead.leadId,
        event: event.event,
        key: keyOf(leadKey, event.event),
        text: eventNote(languageOf(lead.language), lead.offsetHours, event),
        of
      }
      if (event.kind !== "meeting") return context.addEvent(note)
      // An account may lack the CRM's kind of record for meetings, or the right to make one.
      return Effect.catchIf(
        context.addEvent({ ...note, meeting: event }),
        (failure) => failure._tag === "CrmFailure" && ["rejected", "forbidden", "not_found"].includes(failure.kind),
        () => context.addEvent(note)
      )
    },
    { discard: true }
  )

/**
 * Sends one lead to the CRM: company, person, deal, a note, the deal's end, and a note per event. A record that may
 * already exist is looked up first. Returns the warnings. Undefined if the lead is not for the CRM.
 */
export const pushLead = (
  context: PushContext,
  lead: CrmLeadFacts,
  links: ReadonlyArray<CrmLink>,
  events: ReadonlyArray<LeadEvent>
): PushEffect<ReadonlyArray<CrmWarning> | undefined> =>
  Effect.gen(function* () {
    const { client, convert, customFields, directory, indexLagSeconds, minimumStatus, place, writerOf } = context
    const linkOf = (kind: CrmLink["kind"]) => links.find((link) => link.kind === kind)
    if (lead.isKeptBack) return undefined
    const isLinked = linkOf("person")?.state === "linked" || linkOf("conversion")?.state === "linked"
    if (!isSent(lead.status, minimumStatus, isLinked)) return undefined
    // The lead came from the CRM, and nothing has changed since.
    const isUnchanged = linkOf("note")?.written["came_as"] === lead.status
    if (isUnchanged && lead.outcome === null && !lead.hasMeeting && events.length === 0) return []
    const writer = writerOf(lead.leadId)
    if (convert !== undefined) yield* sendConversion(convert, lead, linkOf("conversion"), writer)
    if (client === undefined) return lead.email === null ? yield* new LeadStuck({ reason: "email_missing" }) : []
    const records = makeLeadRecords({
      client,
      writer,
      lead,
      linkOf,
      indexLagSeconds,
      pipelineId: directory.pipeline?.id,
      ownerId: directory.ownerId
    })
    return yield* pushRecords({
      context,
      client,
      lead,
      linkOf,
      writer,
      records,
      events,
      custom: customValues(lead, customFields, directory.definitions),
      leadKey: keyOf(place.accountId, lead.leadId, lead.email ?? lead.phone ?? lead.name)
    })
  })
