import { Effect, Layer } from "effect"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { passagesAbout, QuotablePassages } from "../../../Services/Knowledge/QuotablePassages.ts"
import { TouchComposer } from "../../../Services/Outreach/TouchComposer.ts"
import { OfferableFiles } from "../../../Services/ProspectingFiles/OfferableFiles.ts"
import { Writer } from "../../../Services/Writing/Writer.ts"
import { briefOf, needsOf, planOf, searchedQuestions } from "./TouchBrief.ts"

export const TouchComposerLive = Layer.effect(
  TouchComposer,
  Effect.gen(function* () {
    const unit = yield* UnitOfWork
    const writer = yield* Writer
    const quotable = yield* QuotablePassages
    const offerable = yield* OfferableFiles
    return TouchComposer.of({
      plan: planOf,
      needs: needsOf,
      write: Effect.fnUntraced(function* (subject, facts, config, plan, details = {}) {
        const scope = { ...subject, campaignId: facts.campaign_id }
        const questions = searchedQuestions(facts, config, plan)
        const knowledge = yield* unit.read(passagesAbout(quotable, scope, questions))
        const files = plan.kind._tag === "response" ? yield* unit.read(offerable.to(scope, questions.join("\n"))) : []
        return yield* writer.write(
          briefOf(subject, facts, config, plan, {
            knowledge,
            files: files.filter(({ url }) => details.isSent?.(url) !== true),
            bookingLink: details.bookingLink,
            documents: details.documents
          })
        )
      })
    })
  })
)
