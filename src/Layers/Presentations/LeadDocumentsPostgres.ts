import { Effect, Layer } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import type { LeadId } from "../../Services/Leads/Ids.ts"
import { LeadDocuments } from "../../Services/Presentations/LeadDocuments.ts"
import { hasContent, showsPrices } from "../../Services/Presentations/PresentationPages.ts"
import { Presentations } from "../../Services/Presentations/Presentations.ts"
import { OfferableFiles } from "../../Services/ProspectingFiles/OfferableFiles.ts"
import {
  type AvailableDocuments,
  type RequestedDocument,
  requestedDocuments
} from "../../Services/ProspectingFiles/RequestedDocuments.ts"
import type { DocumentsForLead, HandedDocument } from "../../Services/Writing/WritingBrief.ts"
import { makePresentationFacts, type PresentationAtHand } from "./PresentationFactsRows.ts"

/** The address of a simulated lead's presentation. No one can register this name. */
const simulatedAddress = "https://simulation.invalid/presentation.pdf"

interface AnsweredWish extends AvailableDocuments {
  readonly wish: string
}

const handed = (document: RequestedDocument, presentationUrl: string | undefined): ReadonlyArray<HandedDocument> => {
  if (document._tag === "File") {
    const { title, url } = document.file
    return [{ purpose: "file", kind: document.kind, title, url }]
  }
  return presentationUrl === undefined
    ? []
    : [{ purpose: "presentation", kind: "overview", title: "", url: presentationUrl }]
}

/** Returns the documents to send. A presentation without an address counts as missing, like any other document. */
const documentsFor = (wishes: ReadonlyArray<AnsweredWish>, presentationUrl: string | undefined): DocumentsForLead => {
  const documents = wishes.flatMap((one) => one.documents.flatMap((document) => handed(document, presentationUrl)))
  return {
    documents: [...new Map(documents.map((document) => [document.url, document])).values()],
    missing: wishes.flatMap((one) => {
      const isThere = one.documents.every((document) => handed(document, presentationUrl).length > 0)
      return one.isComplete && isThere ? [] : [one.wish]
    })
  }
}

const needsPresentation = (wishes: ReadonlyArray<AnsweredWish>): boolean =>
  wishes.some(({ documents }) => documents.some(({ _tag }) => _tag === "Presentation"))

const make = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const presentations = yield* Presentations
  const offerable = yield* OfferableFiles
  const facts = yield* makePresentationFacts

  const answer = Effect.fnUntraced(function* (hand: PresentationAtHand, wishes: ReadonlyArray<string>) {
    const { accountId } = yield* Caller
    const campaignId = hand.config.campaign_id
    const files = yield* unit.read(offerable.all({ accountId, campaignId }))
    const isMade = hand.config.generate_presentations && hasContent(hand.facts)
    const presentation = isMade ? { showsPrices: showsPrices(hand.facts) } : undefined
    return wishes.map((wish): AnsweredWish => ({ wish, ...requestedDocuments(wish, files, presentation) }))
  })

  /** A lead that was erased in the meantime gets nothing. */
  const answerLead = (leadId: LeadId, wishes: ReadonlyArray<string>) =>
    facts.ofLead(leadId).pipe(
      Effect.flatMap((hand) => answer(hand, wishes)),
      Effect.catchTag("NotFound", () => Effect.succeed<ReadonlyArray<AnsweredWish>>([]))
    )

  return LeadDocuments.of({
    missing: (leadId, wishes) =>
      wishes.length === 0
        ? Effect.succeed([])
        : Effect.map(answerLead(leadId, wishes), (answered) =>
            answered.flatMap(({ isComplete, wish }) => (isComplete ? [] : [wish]))
          ),

    handOver: (leadId, wishes) =>
      Effect.gen(function* () {
        const answered = yield* answerLead(leadId, wishes)
        // If the presentation cannot be made, for example without free storage, the owner is asked for a document.
        const url = needsPresentation(answered)
          ? yield* presentations.create(leadId).pipe(
              Effect.map(({ presentation_url }): string | undefined => presentation_url),
              Effect.catchTags({ NotFound: () => Effect.succeed(undefined), Refused: () => Effect.succeed(undefined) })
            )
          : undefined
        return documentsFor(answered, url)
      }),

    preview: ({ campaignId, language }, wishes) =>
      Effect.gen(function* () {
        const hand = yield* facts.ofCampaign(campaignId)
        const answered = yield* answer({ ...hand, facts: { ...hand.facts, language } }, wishes)
        return documentsFor(answered, simulatedAddress)
      })
  })
})

export const LeadDocumentsPostgres = Layer.effect(LeadDocuments, make)
