import { Context, type Effect, Either } from "effect"
import { type Refused, refused, type Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import { normaliseEmail } from "../Text/ContactDetails.ts"

/** Addresses that one call may name for its result. */
export const mostNamedInCall = 5
/** Addresses of all calls of an account on one day (UTC). */
export const mostNamedInDay = 50

/** The addresses of a comma-separated parameter, without repeats. */
export const namedRecipients = (
  parameter: string,
  words: ReadonlyArray<string>
): Either.Either<ReadonlyArray<string>, Refused> => {
  if (words.length > mostNamedInCall) {
    return Either.left(
      refused(
        "too_many_items",
        `${parameter} lists more than ${mostNamedInCall} addresses.`,
        `Send at most ${mostNamedInCall}.`,
        { parameter }
      )
    )
  }
  return Either.map(
    Either.all(
      words.map((word) =>
        Either.mapLeft(normaliseEmail(word), ({ message, reason }) =>
          refused(reason, message, `Correct ${parameter}.`, { parameter })
        )
      )
    ),
    (addresses) => [...new Set(addresses)]
  )
}

/** Addresses that calls name for their results: nobody is mailed by way of a tool more than a few times. */
export class NamedRecipients extends Context.Tag("NamedRecipients")<
  NamedRecipients,
  {
    /**
     * Counts the addresses against the account's day. Refused with `named_recipients_limit` where it has had as many as
     * it may. To be run in the transaction of the call that names them.
     */
    readonly reserve: (addresses: ReadonlyArray<string>) => Effect.Effect<void, Refused | Transient, Caller>
  }
>() {}
