import { Clock, Effect, Either } from "effect"
import { permanent, refused, transient } from "../../Errors.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { LanguageUsage } from "../../Services/Models/LanguageUsage.ts"
import { TouchComposer } from "../../Services/Outreach/TouchComposer.ts"
import type { EffectiveConfiguration } from "../../Services/Prospecting/EffectiveConfiguration.ts"
import { subjectOf } from "../../Services/Simulation/SimulatedLead.ts"
import {
  languageOfSimulated,
  type SimulatingAccount,
  type SimulationSoFar,
  touchFactsOf
} from "../../Services/Simulation/SimulatedTurn.ts"
import { callablePhone } from "../../Services/Voice/CallablePhone.ts"

const notAllowed = refused(
  "agent_calls_not_allowed",
  "The agent may not call the phones of this account.",
  "Allow it with set_agent_phone_call_permission."
)
const noNumber = refused(
  "owner_phone_missing",
  "The account has no phone number of its owner, and simulations call no other number.",
  "Store the owner's number in the account's profile, then repeat the call."
)

/** Makes the order of a simulated call: the number, and the agent's instructions. */
export const makeCallOrders = Effect.gen(function* () {
  const composer = yield* TouchComposer
  const usages = yield* LanguageUsage

  return {
    /** A simulated call goes only to the owner's own stored number. */
    ownersNumber: ({ phone }: SimulatingAccount, isAllowed: boolean) => {
      if (!isAllowed) return Effect.fail(notAllowed)
      if (phone === null || phone.trim() === "") return Effect.fail(noNumber)
      return Either.mapLeft(callablePhone(phone), ({ error, reason }) =>
        refused(reason, `The owner's saved number cannot be called: ${error}`, "Have the saved number corrected.")
      )
    },

    /** Writes the call's script as for the first call to a lead. */
    write: Effect.fnUntraced(function* (
      simulation: SimulationSoFar,
      account: SimulatingAccount,
      config: EffectiveConfiguration
    ) {
      const { accountId } = yield* Caller
      const at = yield* Clock.currentTimeMillis
      const facts = touchFactsOf(simulation, { account, answers: [], at, channel: "email", purpose: "touch" })
      const writing = yield* composer
        .write({ accountId, leadId: subjectOf(simulation.profile) }, facts, config, {
          _tag: "Write",
          channel: "voice",
          kind: { _tag: "first_contact" },
          messageType: "first_contact",
          isParkedMessage: false,
          nextTouchAt: undefined
        })
        .pipe(
          Effect.catchTag("LanguageModelFailed", (failure) =>
            Effect.zipRight(
              failure.usage === undefined ? Effect.void : usages.add(accountId, "simulate", failure.usage),
              transient(
                "language_model_unavailable",
                "The language model gave no usable answer, so there is no call.",
                failure.retryAfterSeconds ?? 30
              )
            )
          )
        )
      if (writing.usage !== undefined && writing.usage.model !== "sandbox") {
        yield* usages.add(accountId, "simulate", writing.usage)
      }
      if (writing._tag === "NeedsReview" || writing.message.channel !== "voice") {
        return yield* permanent(
          "call_not_written",
          "The text of the call failed its checks, so there is no call.",
          "Give background and goal in plain words, then call again."
        )
      }
      return {
        goal: writing.message.body,
        openingLine: writing.message.openingLine,
        staged: {
          personName: simulation.profile.lead_name,
          companyName: simulation.profile.company_name,
          businessName: config.identity.businessName ?? account.name,
          instructions: config.voice_instructions,
          language: languageOfSimulated(simulation, account)
        }
      }
    })
  }
})
