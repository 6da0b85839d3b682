import { Either } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { normaliseEmail } from "../Text/ContactDetails.ts"

/** The most addresses that a call may name for its result. */
export const mostNamedInCall = 5

/** The addresses of a comma-separated parameter, without duplicates. */
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
