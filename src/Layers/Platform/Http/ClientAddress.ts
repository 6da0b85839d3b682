import type { IncomingMessage } from "node:http"
import ipaddr from "ipaddr.js"
import { type AddressList, addressList, networkOf, parsedAddress } from "../../../Services/Core/Outside/Networks.ts"

/** Returns whether an address belongs to a trusted proxy. */
export type TrustedProxies = AddressList

const entriesOf = (list: string): ReadonlyArray<string> =>
  list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")

export const isNetworkList = (list: string): boolean => entriesOf(list).every((entry) => networkOf(entry) !== undefined)

/** Makes the check from a list of addresses and networks, separated by commas. */
export const trustedProxies = (list: string): TrustedProxies => addressList(entriesOf(list))

/** The most proxies that a request may pass through. */
const mostHops = 10

/**
 * Returns the client's address: the socket's peer or, behind trusted proxies, the last forwarded address that is not a
 * proxy. Any client can forge the addresses before that one.
 */
export const clientAddress = (request: IncomingMessage, isTrusted: TrustedProxies): string => {
  let client = request.socket.remoteAddress ?? ""
  if (!isTrusted(client)) return client
  const forwarded = request.headers["x-forwarded-for"]
  if (typeof forwarded !== "string") return client
  for (const hop of forwarded.slice(-1000).split(",").slice(-mostHops).reverse()) {
    const address = parsedAddress(hop.trim())
    if (address === undefined) return client
    client = address.toString()
    if (!isTrusted(client)) return client
  }
  return client
}

/**
 * Returns the key that one client is counted by: an IPv4 address, or the /64 network of an IPv6 address, since a
 * subscriber has all of that.
 */
export const clientShare = (text: string): string => {
  const address = parsedAddress(text)
  if (address === undefined) return "unknown"
  return address instanceof ipaddr.IPv4 ? address.toString() : `${address.parts.slice(0, 4).join(":")}/64`
}

/** Returns the network of an address (/24, or /48 for IPv6), which does not identify a single person. */
export const clientNetwork = (text: string): string => {
  const address = parsedAddress(text)
  if (address === undefined) return "unknown"
  if (address instanceof ipaddr.IPv4) return `${address.octets.slice(0, 3).join(".")}.0/24`
  return `${address.parts
    .slice(0, 3)
    .map((part) => part.toString(16))
    .join(":")}::/48`
}
