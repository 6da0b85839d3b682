import { Either } from "effect"
import { type Refused, refused } from "../../../Errors.ts"
import { addressNotPublic, destinationOf, isInternalName } from "../../Platform/Outbound/Destination.ts"

/**
 * The URL as it is stored, if its text shows a permitted address. The addresses that its name resolves to are checked
 * at each delivery.
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
