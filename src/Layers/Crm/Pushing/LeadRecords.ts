import { Data, Effect, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import { type Fields, isWritten, mergeFields } from "../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../Services/Crm/Ids.ts"
import { type CrmClient, CrmFailure, type CrmRecord } from "../Calling/CrmAdapter.ts"
import type { CrmLeadFacts, CrmLink, LinkWriter } from "./LeadFacts.ts"

/** The lead cannot be sent until a person removes the cause. */
export class LeadStuck extends Data.TaggedError("LeadStuck")<{
  readonly reason: "ambiguous_at_crm" | "deleted_at_crm" | "email_missing" | "outcome_unknown"
}> {}

export interface LeadRecord {
  readonly id: string
  /** The record as it was just read. Undefined if it did not have to be read. */
  readonly record: CrmRecord | undefined
  readonly written: Fields
  readonly isNew: boolean
}

/** A record that the lead should have at the CRM. */
interface RequiredRecord {
  readonly kind: CrmKind
  readonly fields: Fields
  /** The gateway's key, for CRMs with a field for it. */
  readonly key: string
  readonly companyId?: string | undefined
  readonly personId?: string | undefined
  /** Returns ids of existing records. The gateway's key is passed if an earlier attempt may have created the record. */
  readonly search: (key: string | undefined) => Effect.Effect<ReadonlyArray<string>, CrmFailure>
}

type PushEffect<A> = Effect.Effect<A, CrmFailure | LeadStuck | Transient>

/** The record may exist but not be in the CRM's search index yet. All leads that wait for it share this failure. */
export const notIndexedYet = new CrmFailure({ kind: "maybe_sent" })

/** True if the record may have been created in spite of the failure. */
export const mayBeMade = ({ kind }: CrmFailure): boolean => kind === "maybe_sent"

const customKeys = (fields: Fields): ReadonlyArray<string> =>
  Object.keys(fields).flatMap((field) => (field.startsWith("=") ? [field.slice(1)] : []))

/** Makes the functions that find or create the records of one lead. Each step is stored before and after it. */
export const makeLeadRecords = (options: {
  readonly client: CrmClient
  readonly writer: LinkWriter
  readonly lead: Pick<CrmLeadFacts, "email">
  readonly linkOf: (kind: CrmLink["kind"]) => CrmLink | undefined
  readonly indexLagSeconds: number
  /** The pipeline of new deals. */
  readonly pipelineId: string | undefined
  readonly ownerId: string | undefined
}) => {
  const { client, indexLagSeconds, lead, linkOf, ownerId, pipelineId, writer } = options

  /** Links an existing record and writes the fields that differ. Undefined if it was deleted at the CRM. */
  const adopt = Effect.fnUntraced(function* (kind: CrmKind, id: string, fields: Fields, written: Fields) {
    const existing = yield* client.read(kind, id, customKeys(fields))
    if (Option.isNone(existing)) {
      yield* writer.lose(kind)
      return undefined
    }
    const merge = mergeFields(existing.value.fields, written, fields)
    if (Object.keys(merge.changes).length > 0) yield* client.update(kind, id, merge.changes)
    yield* writer.settle(kind, id, merge.written)
    return { id, record: existing.value, written: merge.written, isNew: false }
  })

  const make = Effect.fnUntraced(function* ({ companyId, fields, key, kind, personId }: RequiredRecord) {
    yield* writer.begin(kind, fields)
    const made = yield* client.create(kind, { fields, key, companyId, personId, pipelineId, ownerId }).pipe(
      Effect.map((id) => ({ id, isNew: true })),
      Effect.catchTag("CrmFailure", (failure) =>
        failure.kind === "conflict" && failure.existingId !== undefined
          ? Effect.succeed({ id: failure.existingId, isNew: false })
          : Effect.zipRight(mayBeMade(failure) ? Effect.void : writer.undo(kind), Effect.fail(failure))
      )
    )
    if (!made.isNew) return yield* adopt(kind, made.id, fields, {})
    yield* writer.settle(kind, made.id, fields)
    return { id: made.id, record: undefined, written: fields, isNew: true }
  })

  const findOrMake = Effect.fnUntraced(function* (
    required: RequiredRecord
  ): Effect.fn.Return<LeadRecord | undefined, CrmFailure | LeadStuck | Transient> {
    const { fields, key, kind, search } = required
    const link = linkOf(kind)
    // A deal's title contains the lead's number, so a deal whose creation never began does not exist.
    const cannotExist = kind === "deal" && link === undefined
    const [first, ...others] = new Set(cannotExist ? [] : yield* search(link === undefined ? undefined : key))
    const isIndexedLate = kind === "company" || (kind === "person" && lead.email === null)
    if (first === undefined && isIndexedLate && link !== undefined && link.ageSeconds < indexLagSeconds) {
      return yield* notIndexedYet
    }
    if (others.length > 0) return yield* new LeadStuck({ reason: "ambiguous_at_crm" })
    return yield* first === undefined ? make(required) : adopt(kind, first, fields, {})
  })

  /** Returns the lead's record, updated. Undefined if it was deleted at the CRM. */
  const ensure = (required: RequiredRecord): PushEffect<LeadRecord | undefined> => {
    const { fields, kind } = required
    const link = linkOf(kind)
    if (link?.state === "gone") return Effect.succeed(undefined)
    if (link?.state !== "linked" || link.externalId === null) return findOrMake(required)
    return isWritten(link.written, fields)
      ? Effect.succeed({ id: link.externalId, record: undefined, written: link.written, isNew: false })
      : adopt(kind, link.externalId, fields, link.written)
  }

  return { ensure }
}

export type LeadRecords = ReturnType<typeof makeLeadRecords>
