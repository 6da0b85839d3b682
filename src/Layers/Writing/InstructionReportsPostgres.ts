import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { Caller } from "../../Services/Core/Caller.ts"
import { LanguageModel } from "../../Services/Models/LanguageModel.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { InstructionReports, notAppliedIn } from "../../Services/Writing/Instructions/InstructionReports.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"

/** A language model gets every instruction. Rules carry out what they understand. */
export const InstructionReportsPostgres = Layer.effect(
  InstructionReports,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { mode } = yield* LanguageModel
    return InstructionReports.of({
      notApplied: Effect.fn("InstructionReports.notApplied")(function* (instructions) {
        if (mode !== "sandbox") return []
        const { accountId } = yield* Caller
        const { language } = single(
          yield* sql<{ readonly language: string }>`
            select language_key as language from account where account_id = ${accountId}`.pipe(fromSql())
        )
        return notAppliedIn(instructions, languageOf(language))
      })
    })
  })
)
