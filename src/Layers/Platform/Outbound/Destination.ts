import { isIP } from "node:net"
import { Either } from "effect"
import { type Refused, refused } from "../../../Errors.ts"
import { parsedUrl } from "../../../Services/Core/Outside/ParsedUrl.ts"
import type { OutboundRequest } from "../../../Services/Outbound/OutboundHttp.ts"
import { addressKind } from "./AddressKind.ts"

/** A checked URL, with the rule for the addresses that its host may resolve to. */
export interface Destination {
  readonly url: URL
  /** The host name in the form that the resolver expects: IPv6 without brackets. */
  readonly hostname: string
  readonly mayConnectTo: (address: string) => boolean
}

const maximumLength = 2048

const refuse = (reason: string, error: string, detail: string) => Either.left(refused(reason, error, detail))

export const addressNotPublic: Refused = refused(
  "address_not_public",
  "The URL leads to an address that is not public.",
  "Give a URL on the public internet: loopback, private, link-local and other internal addresses are never contacted."
)

/** True for names that do not exist in public DNS, even if the gateway's resolver knows them. */
export const isInternalName = (hostname: string): boolean =>
  !hostname.includes(":") && /^[^.]+\.?$|\.(?:localhost|local|internal|intranet|lan|home\.arpa)\.?$/.test(hostname)

/** Checks a request's URL before connecting. The addresses that its name resolves to are checked later. */
export const destinationOf = (
  text: string,
  request: Pick<OutboundRequest, "allowHttp" | "allowNonPublic">,
  allowLoopback: boolean
): Either.Either<Destination, Refused> => {
  const url = text.length <= maximumLength ? parsedUrl(text) : undefined
  if (url === undefined) {
    return refuse(
      "url_invalid",
      "The URL is not valid.",
      `Give an absolute URL of at most ${maximumLength} characters.`
    )
  }
  const isHttp = url.protocol === "http:"
  if (!isHttp && url.protocol !== "https:") {
    return refuse("url_not_https", "The URL does not start with https://.", "Give an absolute https URL.")
  }
  if (url.username !== "" || url.password !== "") {
    return refuse(
      "url_has_credentials",
      "The URL holds a user name or password.",
      "Leave out what stands before the @: it would be kept in logs along the way."
    )
  }
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1")
  const destination = (mayConnectTo: Destination["mayConnectTo"]) => Either.right({ url, hostname, mayConnectTo })
  if (request.allowNonPublic === true) return destination(() => true)

  // Plain http and unusual ports are allowed only on the developer's own machine, if the settings permit it.
  const isPlain = isHttp && request.allowHttp !== true
  const isOddPort = url.port !== "" && url.port !== "80" && url.port !== "443"
  if (isPlain && !allowLoopback) {
    return refuse("url_not_https", "The URL does not start with https://.", "Give an absolute https URL.")
  }
  if (isOddPort && !allowLoopback) {
    return refuse("url_port_not_allowed", "The URL names a port other than 443 or 80.", "Leave the port out.")
  }
  const mayConnectTo = (address: string): boolean => {
    const kind = addressKind(address)
    return kind === "loopback" ? allowLoopback : kind === "public" && !isPlain && !isOddPort
  }
  return isIP(hostname) !== 0 && !mayConnectTo(hostname) ? Either.left(addressNotPublic) : destination(mayConnectTo)
}

/** Returns the target of a redirect. It must stay on the same host and must not fall back to http. */
export const redirectTarget = (from: URL, location: string): Either.Either<string, Refused> => {
  const to = parsedUrl(location, from)
  const stays =
    to !== undefined &&
    to.hostname === from.hostname &&
    (to.protocol === from.protocol ? to.port === from.port : to.protocol === "https:")
  return stays
    ? Either.right(to.href)
    : refuse(
        "redirect_to_other_host",
        "The URL redirects to another host.",
        "Give the address that the redirect leads to."
      )
}
