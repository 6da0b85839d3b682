import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option, Stream } from "effect"
import { notFound, refused } from "../../Errors.ts"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { Timestamp } from "../../Services/Core/Timestamp.ts"
import { CustomerFiles, GeneratedFiles } from "../../Services/Files/CustomerFiles.ts"
import type { CustomerFileId } from "../../Services/Files/Ids.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { presentationOf } from "../../Services/Presentations/PresentationPages.ts"
import { type LeadPresentation, Presentations } from "../../Services/Presentations/Presentations.ts"
import { setPresentation } from "../Leads/Sql/State.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { makeDrawing } from "./DrawnPresentation.ts"
import { makePresentationFacts, type PresentationAtHand } from "./PresentationFactsRows.ts"

const turnedOff = (leadId: LeadId) =>
  refused(
    "presentations_off",
    "Presentations are turned off for this lead.",
    "Turn them on for its campaign (generate_custom_presentations) or for the account (set_prospecting_preferences).",
    { lead_id: leadId }
  )

/** A new month on the cover is no reason to make the presentation again. */
const anyTime = Timestamp.make("2000-01-01T00:00:00Z")

/** Returns a digest of everything that a presentation shows. */
const digestOf = ({ facts, logo }: PresentationAtHand): Buffer =>
  createHash("sha256")
    .update(JSON.stringify([presentationOf({ ...facts, madeAt: anyTime }), logo?.sha256 ?? null]))
    .digest()

const isOutdated = (hand: PresentationAtHand): boolean =>
  hand.digest === null || !digestOf(hand).equals(Buffer.from(hand.digest))

/** Draws presentations. */
const makePages = Effect.gen(function* () {
  const { bytesOf } = yield* makePresentationFacts
  const draw = yield* makeDrawing
  return Effect.fnUntraced(function* ({ facts, logo }: PresentationAtHand) {
    const { accountId } = yield* Caller
    const presentation = presentationOf(facts)
    const picture = logo === undefined ? undefined : yield* bytesOf(logo.fileId)
    const plain = draw(accountId, presentation)
    // If the picture cannot be read, only the logo is missing.
    const bytes =
      picture === undefined
        ? yield* plain
        : yield* Effect.catchAllCause(draw(accountId, { ...presentation, logo: picture }), () => plain)
    return { bytes, title: presentation.title }
  })
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const files = yield* CustomerFiles
  const { ofLead } = yield* makePresentationFacts
  const pagesOf = yield* makePages

  const answer = (leadId: LeadId, created: boolean, fileId: CustomerFileId) =>
    Effect.map(
      files.get(fileId),
      (file): LeadPresentation => ({
        lead_id: leadId,
        created,
        presentation_url: file.download_url,
        file
      })
    )

  /** Locks the file of the lead's presentation until the transaction ends. */
  const lockFile = Effect.fnUntraced(function* (leadId: LeadId) {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly presentation_file_id: CustomerFileId | null }>`
      select presentation_file_id from lead where account_id = ${accountId} and lead_id = ${leadId}
      for no key update`.pipe(fromSql())
    return rows[0] ?? (yield* notFound("lead", "lead_id", leadId))
  })

  /** Stores the file and links it to the lead, unless another call already did. */
  const store = (leadId: LeadId, title: string, bytes: Uint8Array, digest: Uint8Array) =>
    unit.write(
      Effect.gen(function* () {
        const { accountId } = yield* Caller
        const lead = yield* lockFile(leadId)
        if (lead.presentation_file_id !== null) return yield* answer(leadId, false, lead.presentation_file_id)
        const file = yield* files.write({
          // A slash in a file name would cut off the text before it.
          fileName: `${title.replace(/[/\\]/g, "-").slice(0, 120)}.pdf`,
          mediaType: "application/pdf",
          bytes: Stream.make(bytes)
        })
        yield* setPresentation(sql, { accountId, leadId }, file.customer_file_id, digest)
        return { lead_id: leadId, created: true, presentation_url: file.download_url, file }
      })
    )

  /** Makes a presentation again at the same address if its content has changed. Returns whether it did. */
  const refresh = Effect.fnUntraced(function* (leadId: LeadId, hand: PresentationAtHand) {
    if (!hand.config.generate_presentations || hand.fileId === null || !isOutdated(hand)) return false
    const { accountId } = yield* Caller
    const { bytes } = yield* pagesOf(hand)
    return yield* unit.write(
      Effect.gen(function* () {
        const { presentation_file_id: fileId } = yield* lockFile(leadId)
        if (fileId === null || fileId !== hand.fileId) return false
        yield* files.replace(fileId, bytes)
        yield* setPresentation(sql, { accountId, leadId }, fileId, digestOf(hand))
        return true
      })
    )
  })

  const create = Effect.fn("Presentations.create")(function* (leadId: LeadId) {
    const hand = yield* ofLead(leadId)
    if (!hand.config.generate_presentations) return yield* turnedOff(leadId)
    const { fileId } = hand
    if (fileId !== null) {
      // If it cannot be made again, the existing presentation stays.
      yield* Effect.catchAll(refresh(leadId, hand), () => Effect.succeed(false))
      return yield* unit.read(answer(leadId, false, fileId))
    }
    const { bytes, title } = yield* pagesOf(hand)
    return yield* store(leadId, title, bytes, digestOf(hand))
  })

  return { create, ofLead, refresh }
})

/** Presentations are checked when they are read, so that no outdated one is shown. */
const MadePresentations = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const accounts = yield* Accounts
  const { create, ofLead, refresh } = yield* make

  const refreshFile = Effect.fnUntraced(function* (accountId: AccountId, fileId: CustomerFileId) {
    const [lead] = yield* unit.read(
      sql<{ readonly lead_id: LeadId }>`
        select lead_id from lead where account_id = ${accountId} and presentation_file_id = ${fileId}`.pipe(fromSql())
    )
    const plan = lead === undefined ? Option.none() : yield* accounts.planOf(accountId)
    if (lead === undefined || Option.isNone(plan)) return false
    const caller = Caller.forTask(accountId, plan.value, `presentation-${lead.lead_id}`)
    return yield* Effect.flatMap(ofLead(lead.lead_id), (hand) => refresh(lead.lead_id, hand)).pipe(
      Effect.provideService(Caller, caller)
    )
  })

  return Layer.merge(
    Layer.succeed(Presentations, { create }),
    Layer.succeed(GeneratedFiles, {
      refresh: (accountId, id) => Effect.catchAll(refreshFile(accountId, id), () => Effect.succeed(false))
    })
  )
})

export const PresentationsPostgres = Layer.unwrapScoped(MadePresentations)
