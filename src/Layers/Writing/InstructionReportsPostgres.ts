import { Effect, Layer } from "effect"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { LanguageModel } from "../../Services/Models/LanguageModel.ts"
import {
  hasInstructions,
  InstructionReports,
  notAppliedIn
} from "../../Services/Writing/Instructions/InstructionReports.ts"
import { makeOwnerLocale } from "../Accounts/Sql.ts"

/**
 * Reports which instructions are followed. A language model gets all of them, while rules follow those that they
 * understand.
 */
export const InstructionReportsPostgres = Layer.effect(
  InstructionReports,
  Effect.gen(function* () {
    const localeOf = yield* makeOwnerLocale
    const { mode } = yield* LanguageModel
    return InstructionReports.of({
      notApplied: Effect.fn("InstructionReports.notApplied")(function* (instructions) {
        if (mode !== "sandbox" || !hasInstructions(instructions)) return []
        const { accountId } = yield* Caller
        const { language } = yield* localeOf(accountId)
        return notAppliedIn(instructions, language)
      })
    })
  })
)
