import { createHash } from "node:crypto"
import { Data, Effect, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import { parsedUrl } from "../../../Services/Core/ParsedUrl.ts"
import type { CrmWarning } from "../../../Services/Crm/CrmModel.ts"
import {
  dealTitle,
  type FieldDefinition,
  type Fields,
  fieldNamed,
  filledIn,
  isSent,
  isWritten,
  leadNote,
  type MinimumStatus,
  mergeFields,
  nextStage,
  stageOf,
  takesValue
} from "../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../Services/Crm/Ids.ts"
import { languageOf } from "../../../Services/Text/Language.ts"
import { type CrmClient, CrmFailure, type CrmRecord, type Pipeline, type SearchKeys } from "../Calling/CrmAdapter.ts"
import type { ReachedCrm } from "../Calling/CrmSending.ts"
import { sameText } from "../Calling/JsonPath.ts"
import type { NoteOfLead } from "./BatchingCrm.ts"
import type { CrmLeadFacts, CrmLink, CrmPlace, LinkWriter, RecentCompany } from "./LeadFacts.ts"
import type { BatchedStep, Turns } from "./StepBatcher.ts"

/** The lead cannot be sent until somebody removes the cause. */
export class LeadStuck extends Data.TaggedError("LeadStuck")<{
  readonly reason: "ambiguous_at_crm" | "deleted_at_crm" | "email_missing" | "outcome_unknown"
}> {}

/** What is known of the CRM while leads are sent to it. */
export interface CrmDirectory {
  readonly pipeline: Pipeline | undefined
  readonly ownerId: string | undefined
  readonly definitions: ReadonlyArray<FieldDefinition>
}

/** A record of a lead at the CRM. */
interface RecordThere {
  readonly id: string
  readonly record: CrmRecord | undefined
  readonly written: Fields
  readonly isNew: boolean
}

/** What became of the company of a lead: leads of one company have it from the first of them. */
export interface CompanyThere {
  readonly leadId: CrmLeadFacts["leadId"]
  readonly wanted: Fields
  readonly there: RecordThere | undefined
}

export interface PushContext {
  readonly place: CrmPlace
  readonly writerOf: (leadId: CrmLeadFacts["leadId"]) => LinkWriter
  /** One after another for leads that may be of one company. */
  readonly companyTurn: Turns<CompanyThere>
  readonly companyLaneOf: (leadId: CrmLeadFacts["leadId"]) => string
  /** None where the CRM can only be written to. */
  readonly client: CrmClient | undefined
  readonly convert: ReachedCrm["convert"]
  readonly addNote: BatchedStep<NoteOfLead, void, CrmFailure | Transient>
  readonly directory: CrmDirectory
  /** Where the CRM's search lags behind: for how long, and the companies that it may not show yet, in this gathering too. */
  readonly indexLagSeconds: number
  readonly recent: Array<RecentCompany>
  readonly minimumStatus: MinimumStatus | undefined
  readonly customFields: ReadonlyArray<{ readonly field_name: string; readonly field_value: string }>
}

/** Hosts that many companies have their mail at, and so name none of them. */
const sharedHosts = /^(?:gmail|googlemail|hotmail|outlook|live|msn|yahoo|icloud|uol|bol|terra|ig|globo)\./

export const domainOf = ({ email, website }: Pick<CrmLeadFacts, "email" | "website">): string | undefined => {
  const given = website?.trim() ?? ""
  const url = parsedUrl(given) ?? parsedUrl(`https://${given}`)
  const host = url?.hostname.replace(/^www\./, "") ?? ""
  if (host.includes(".")) return host
  const ofMail = email?.split("@")[1] ?? ""
  return ofMail === "" || sharedHosts.test(ofMail) ? undefined : ofMail
}

/**
 * Leads whose companies may be one at the CRM, since they have a name or a domain in common, with the same lane; one by one
 * they find what the first of them made.
 */
export const companyLanes = (
  leads: ReadonlyArray<Pick<CrmLeadFacts, "leadId" | "company" | "email" | "website">>
): ReadonlyMap<CrmLeadFacts["leadId"], string> => {
  const parents = new Map<string, string>()
  const rootOf = (key: string): string => {
    let root = key
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent
    return root
  }
  const keysOf = ({ company, leadId, ...lead }: (typeof leads)[number]): ReadonlyArray<string> => {
    const name = (company ?? "").trim().toLowerCase()
    const domain = domainOf(lead)
    return [name === "" ? `lead ${leadId}` : `name ${name}`, ...(domain === undefined ? [] : [`domain ${domain}`])]
  }
  for (const lead of leads) {
    const [first = "", second] = keysOf(lead).map(rootOf)
    if (second !== undefined && second !== first) parents.set(second, first)
  }
  return new Map(leads.map((lead) => [lead.leadId, rootOf(keysOf(lead)[0] ?? "")]))
}

const present = (fields: { readonly [field: string]: string | null | undefined }): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) =>
      value === null || value === undefined || value === "" ? [] : [[field, value]]
    )
  )

interface OwnValues {
  readonly byKind: { readonly [K in CrmKind]: Fields }
  /** What found no field, to be said in the note. */
  readonly lines: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<CrmWarning>
}

/** The account's custom fields as this CRM has them. */
export const ownValues = (
  lead: CrmLeadFacts,
  fields: PushContext["customFields"],
  definitions: ReadonlyArray<FieldDefinition>
): OwnValues => {
  const byKind: { [K in CrmKind]: { [field: string]: string } } = { company: {}, person: {}, deal: {} }
  const lines: Array<string> = []
  const warnings: Array<CrmWarning> = []
  for (const { field_name, field_value } of fields) {
    const value = filledIn(field_value, lead)
    if (value === "") continue
    const field = fieldNamed(definitions, field_name)
    if (field !== undefined && takesValue(field, value)) {
      byKind[field.kind][`=${field.key}`] = value
      continue
    }
    lines.push(`${field_name}: ${value}`)
    warnings.push({
      reason: field === undefined ? "field_unknown" : "field_of_other_type",
      field_name,
      detail:
        field === undefined
          ? "The CRM has no field of this label or key: the value goes into the note. Make the field there, or remove it here."
          : "The CRM's field does not take this value: it goes into the note. Use a field of text, or send a value of its kind."
    })
  }
  return { byKind, lines, warnings }
}

/** What a record carries of ours: the same for the same lead, or for the same company of an account. */
const keyOf = (...parts: ReadonlyArray<number | string>): string =>
  `pgw${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 17)}`

/** It may be there, and the CRM's search would not show it yet: one failure, however many leads wait for it. */
const notShownYet = new CrmFailure({ kind: "maybe_sent" })

/** Whether a failure leaves it open if the record was made. */
const isOpen = ({ kind }: CrmFailure): boolean => kind === "maybe_sent"

/**
 * Brings one lead to where it belongs at the CRM: company, person, deal, one note, and the deal's end. Every record is
 * written down before it is made and after; what may have been made is looked up before it is made again. Answers what
 * there is to warn of, or nothing where the lead is not for the CRM.
 */
export const pushLead = (
  {
    addNote,
    client,
    indexLagSeconds,
    recent,
    companyLaneOf,
    companyTurn,
    convert,
    customFields,
    directory,
    minimumStatus,
    place,
    writerOf
  }: PushContext,
  lead: CrmLeadFacts,
  known: ReadonlyArray<CrmLink>
): Effect.Effect<ReadonlyArray<CrmWarning> | undefined, CrmFailure | LeadStuck | Transient> =>
  Effect.gen(function* () {
    const linkOf = (kind: CrmLink["kind"]) => known.find((link) => link.kind === kind)
    if (lead.isKeptBack) return undefined
    const converted = linkOf("conversion")
    const isLinked = linkOf("person")?.state === "linked" || converted?.state === "linked"
    if (!isSent(lead.status, minimumStatus, isLinked)) return undefined
    // It came from there, and there is nothing new to tell.
    const isAsItCame = linkOf("note")?.written["came_as"] === lead.status
    if (isAsItCame && lead.outcome === null && !lead.hasMeeting) return []
    const writer = writerOf(lead.leadId)
    if (convert !== undefined && lead.email !== null && converted?.written["status"] !== lead.status) {
      // One for each status. Nobody can look up whether it came, so one that may have come is not repeated.
      const before = converted?.state === "linked" ? converted.written : undefined
      const now = { status: lead.status }
      yield* before === undefined ? writer.begin("conversion", {}) : writer.settle("conversion", "", now)
      if (converted?.state !== "creating") {
        yield* convert({ ...lead, email: lead.email }).pipe(
          Effect.tapError((failure) =>
            isOpen(failure)
              ? Effect.void
              : before === undefined
                ? writer.undo("conversion")
                : writer.settle("conversion", "", before)
          )
        )
      }
      yield* writer.settle("conversion", "", now)
    }
    if (client === undefined) return lead.email === null ? yield* new LeadStuck({ reason: "email_missing" }) : []
    const { byKind, lines, warnings } = ownValues(lead, customFields, directory.definitions)

    const adopt = Effect.fnUntraced(function* (kind: CrmKind, id: string, wanted: Fields, written: Fields) {
      const found = yield* client.read(kind, id, ownKeysOf(wanted))
      if (Option.isNone(found)) {
        yield* writer.lose(kind)
        return undefined
      }
      const merge = mergeFields(found.value.fields, written, wanted)
      if (Object.keys(merge.changes).length > 0) yield* client.update(kind, id, merge.changes)
      yield* writer.settle(kind, id, merge.written)
      return { id, record: found.value, written: merge.written, isNew: false }
    })

    const make = Effect.fnUntraced(function* (
      kind: CrmKind,
      fields: Fields,
      of: { readonly companyId: string | undefined; readonly personId: string | undefined },
      key: string
    ) {
      yield* writer.begin(kind, fields)
      const made = yield* client
        .create(kind, {
          fields,
          key,
          companyId: of.companyId,
          personId: of.personId,
          pipelineId: directory.pipeline?.id,
          ownerId: directory.ownerId
        })
        .pipe(
          Effect.map((id) => ({ id, isNew: true })),
          Effect.catchTag("CrmFailure", (failure) =>
            failure.kind === "conflict" && failure.existingId !== undefined
              ? Effect.succeed({ id: failure.existingId, isNew: false })
              : Effect.zipRight(isOpen(failure) ? Effect.void : writer.undo(kind), Effect.fail(failure))
          )
        )
      if (!made.isNew) return yield* adopt(kind, made.id, fields, {})
      yield* writer.settle(kind, made.id, fields)
      return { id: made.id, record: undefined, written: fields, isNew: true }
    })

    /** The record of the lead; nothing where it was deleted there. */
    const ensure = Effect.fnUntraced(function* (
      kind: CrmKind,
      wanted: Fields,
      candidates: (key: string | undefined) => Effect.Effect<ReadonlyArray<string>, CrmFailure>,
      of: { readonly companyId: string | undefined; readonly personId: string | undefined },
      key: string
    ): Effect.fn.Return<RecordThere | undefined, CrmFailure | LeadStuck | Transient> {
      const link = linkOf(kind)
      if (link?.state === "gone") return undefined
      if (link?.state === "linked" && link.externalId !== null) {
        const id = link.externalId
        return isWritten(link.written, wanted)
          ? { id, record: undefined, written: link.written, isNew: false }
          : yield* adopt(kind, id, wanted, link.written)
      }
      // A deal that nobody tried to make is not there: its title has the lead's number.
      const found = [
        ...new Set(kind === "deal" && link === undefined ? [] : yield* candidates(link === undefined ? undefined : key))
      ]
      const [first, ...others] = found
      const isUnsure = kind === "company" || (kind === "person" && lead.email === null)
      if (first === undefined && isUnsure && link !== undefined && link.ageSeconds < indexLagSeconds)
        return yield* notShownYet
      if (others.length > 0) return yield* new LeadStuck({ reason: "ambiguous_at_crm" })
      return first === undefined ? yield* make(kind, wanted, of, key) : yield* adopt(kind, first, wanted, {})
    })

    const keys: SearchKeys = {
      email: lead.email ?? undefined,
      phone: lead.phone ?? undefined,
      name: lead.name,
      domain: domainOf(lead)
    }
    const nobody = { companyId: undefined, personId: undefined }
    const leadKey = keyOf(place.accountId, lead.leadId, lead.email ?? lead.phone ?? lead.name)
    const companyName = lead.company?.trim() ?? ""
    const ownCompany = Effect.fnUntraced(function* () {
      const wanted = { ...present({ name: companyName, domain: keys.domain }), ...byKind.company }
      const own = ensure(
        "company",
        wanted,
        (key) =>
          Effect.suspend(() => {
            const same = recentlyMade(recent, lead.leadId, companyName, keys.domain)
            if (same === undefined) return client.find("company", { name: companyName, domain: keys.domain, key })
            return same.externalId === null ? notShownYet : Effect.succeed([same.externalId])
          }),
        nobody,
        keyOf(place.accountId, companyName.toLowerCase())
      )
      const before = linkOf("company")
      if (before !== undefined && before.state !== "creating") return yield* own
      const { leadId } = lead
      const known = yield* companyTurn(
        companyLaneOf(leadId),
        (other) =>
          before === undefined && other.there !== undefined && JSON.stringify(other.wanted) === JSON.stringify(wanted),
        Effect.map(own, (there): CompanyThere => {
          if (there?.isNew === true && indexLagSeconds > 0)
            recent.push({ leadId, externalId: there.id, written: wanted })
          return { leadId, wanted, there }
        })
      )
      if (known.leadId !== leadId && known.there !== undefined) {
        yield* writer.settle("company", known.there.id, known.there.written)
      }
      return known.there
    })
    const company = companyName === "" ? undefined : yield* ownCompany()

    // Of a company that the CRM did not have it has nobody under an older address: one look-up is enough.
    const isStranger = company?.isNew === true
    const canBeFound = lead.email !== null || lead.phone !== null
    if (!canBeFound && linkOf("person")?.state === "creating") {
      return yield* new LeadStuck({ reason: "outcome_unknown" })
    }
    const person = yield* ensure(
      "person",
      {
        ...present({ name: lead.name, email: lead.email, phone: lead.phone, job_title: lead.jobTitle }),
        ...byKind.person
      },
      (key) =>
        canBeFound
          ? client.find("person", {
              ...keys,
              phone: isStranger && lead.email !== null && client.batches?.find === undefined ? undefined : keys.phone,
              key,
              companyId: isStranger ? undefined : company?.id
            })
          : Effect.succeed([]),
      { companyId: company?.id, personId: undefined },
      leadKey
    )
    if (person === undefined) return yield* new LeadStuck({ reason: "deleted_at_crm" })

    const stages = directory.pipeline?.stages ?? []
    const stage = { status: lead.status, hasMeeting: lead.hasMeeting }
    const title = dealTitle(lead)
    const before = linkOf("deal")
    const wasLinked = before?.state === "linked"
    const isAhead = (place: string | undefined): boolean => {
      const wanted = stageOf(stages, stage)
      return wanted !== undefined && wanted > stages.findIndex(({ id }) => id === place)
    }
    const start = stages[stageOf(stages, stage) ?? 0]?.id
    const of = { companyId: company?.id, personId: person.id }
    const deal = yield* ensure(
      "deal",
      { ...(wasLinked ? {} : present({ title, stage: start })), ...byKind.deal },
      () => client.findDeals(title, { ...of, key: leadKey }),
      of,
      leadKey
    )
    if (deal === undefined) return yield* new LeadStuck({ reason: "deleted_at_crm" })

    const readDeal = Effect.fnUntraced(function* (): Effect.fn.Return<CrmRecord | undefined, CrmFailure> {
      return deal.record ?? Option.getOrUndefined(yield* client.read("deal", deal.id, []))
    })
    const outcome = lead.outcome === null ? undefined : lead.outcome === "won" ? ("won" as const) : ("lost" as const)
    if (outcome !== undefined && deal.written["outcome"] !== outcome) {
      const now = wasLinked ? yield* readDeal() : undefined
      // What is closed there stays as it was closed.
      if (now?.state === undefined || now.state === "open") {
        yield* client.close(deal.id, {
          outcome,
          reason: lead.outcomeReason ?? undefined,
          value: lead.dealValue ?? undefined,
          pipelineId: directory.pipeline?.id
        })
      }
      yield* writer.settle("deal", deal.id, { ...deal.written, outcome })
    } else if (wasLinked && outcome === undefined && isAhead(deal.written["stage"])) {
      const now = yield* readDeal()
      const next =
        now?.state === "open" ? nextStage(stages, now.fields["stage"], deal.written["stage"], stage) : undefined
      if (next !== undefined) {
        yield* client.update("deal", deal.id, { stage: next })
        yield* writer.settle("deal", deal.id, { ...deal.written, stage: next })
      }
    }

    if (linkOf("note") === undefined) {
      yield* addNote({
        leadId: lead.leadId,
        text: leadNote(languageOf(lead.language), lead, lines),
        of: { dealId: deal.id, ...of }
      })
    }
    return warnings
  })

/** The company of the domain, else of the name, that another lead was given not long ago. */
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

const ownKeysOf = (fields: Fields): ReadonlyArray<string> =>
  Object.keys(fields).flatMap((field) => (field.startsWith("=") ? [field.slice(1)] : []))
