import { Either } from "effect"
import { type Refused, refused } from "../../../Errors.ts"
import { addressNotPublic, destinationOf, isInternalName } from "../../Platform/Outbound/Destination.ts"

/**
 * The URL as it is stored, when webhooks may go there as far as its text can tell. What its name leads to is checked at
 * each delivery.
 */
export const webhookUrl = (text: string, allowLoopback: boolean): Either.Either<string, Refused> =>
  Either.flatMap(destinationOf(text, {}, allowLoopback), ({ hostname, url }) => {
    if (!allowLoopback && isInternalName(hostname)) return Either.left(addressNotPublic)
    return text.includes("#")
      ? Either.left(
          refused("url_has_fragment", "The URL has a fragment.", "Leave out the # and what follows: it is never sent.")
        )
      : Either.right(url.href)
  })
