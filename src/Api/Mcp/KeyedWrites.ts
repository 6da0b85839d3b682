import { Effect } from "effect"
import { outcomeUnknownReason, refused, transient } from "../../Errors.ts"
import type { Caller } from "../../Services/Core/Caller.ts"
import { KeyedCalls } from "../../Services/Mcp/KeyedCalls.ts"
import { failureBody } from "./CatalogTools.ts"
import { digestOf } from "./Confirmation.ts"
import type { JsonObject, ResultMembers } from "./Protocol.ts"
import { complete, failed, isFailed, isOutcomeUnknown, type Outcome } from "./Toolbox.ts"

const longestKey = 200

const unusable = refused(
  "idempotency_key_invalid",
  "The idempotency key cannot be used.",
  `Send a text of 1 to ${longestKey} characters that no other call has, such as a UUID.`
)
const taken = refused(
  "idempotency_key_taken",
  "Another call was made with this idempotency key.",
  "Send a key of its own with each call; repeat one only with the same tool and the same arguments."
)
const lost = refused(
  outcomeUnknownReason,
  "A call with this idempotency key began, and its answer is not known.",
  "Look at the records to see whether it was done, and send a new key if it is to be done again."
)
const running = transient("still_running", "The call with this idempotency key is still under way.", 2)

const refusedBy = (failure: Parameters<typeof failureBody>[0]): Outcome => failed(failureBody(failure, ""))

/**
 * A write with a key is done once: whoever sends it again gets what it answered. It is not given up when its stream
 * breaks, since whoever sends it again wants to know its end. What is refused did nothing, and leaves the key free, unless
 * nobody knows what it did.
 */
export const keyed = <R>(
  key: string,
  tool: string,
  args: JsonObject,
  run: Effect.Effect<Outcome, never, R>
): Effect.Effect<Outcome, never, R | KeyedCalls | Caller> =>
  Effect.gen(function* () {
    if (key.length > longestKey || key.trim() === "") return refusedBy(unusable)
    const calls = yield* KeyedCalls
    const found = yield* calls.begin(key, { tool, digest: digestOf(args) })
    switch (found._tag) {
      case "Answered":
        return complete(found.answer satisfies ResultMembers)
      case "Taken":
        return refusedBy(taken)
      case "Lost":
        return refusedBy(lost)
      case "Running":
        return refusedBy(running)
      case "Begun": {
        const outcome = yield* run
        // What is written down late is answered all the same; then a repeated call is told that the end is not known.
        const note =
          isFailed(outcome) && !isOutcomeUnknown(outcome) ? calls.release(key) : calls.answered(key, outcome.members)
        yield* Effect.ignore(note)
        return outcome
      }
    }
  }).pipe(
    Effect.catchAll((failure) => Effect.succeed(refusedBy(failure))),
    Effect.uninterruptible
  )
