import type { IncomingMessage } from "node:http"
import ipaddr from "ipaddr.js"

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

/** Tells whether an address is of a proxy whose word is taken. */
export type TrustedProxies = (address: string) => boolean

const entriesOf = (list: string): ReadonlyArray<string> =>
  list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")

const networkOf = (entry: string): Network | undefined => {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
  if (!ipaddr.isValid(entry)) return undefined
  const address = ipaddr.parse(entry)
  return [address, address.kind() === "ipv4" ? 32 : 128]
}

export const isNetworkList = (list: string): boolean => entriesOf(list).every((entry) => networkOf(entry) !== undefined)

/** An address as it is compared: IPv4 in IPv6 is IPv4. */
const parsed = (text: string): Address | undefined =>
  ipaddr.isValid(text) && !text.includes("%") ? ipaddr.process(text) : undefined

const isWithin = (address: Address, network: Network): boolean =>
  address.kind() === network[0].kind() && address.match(network)

/** Of a list of addresses and networks separated by commas. */
export const trustedProxies = (list: string): TrustedProxies => {
  const networks = entriesOf(list)
    .map(networkOf)
    .filter((network) => network !== undefined)
  if (networks.length === 0) return () => false
  return (text) => {
    const address = parsed(text)
    return address !== undefined && networks.some((network) => isWithin(address, network))
  }
}

/** Proxies that may stand one behind the other. */
const mostHops = 10

/**
 * Who asks: the socket's peer, or, where that is a trusted proxy, the last address that the proxies name and that is none
 * of them. What stands before it was written by whoever wanted to.
 */
export const clientAddress = (request: IncomingMessage, isTrusted: TrustedProxies): string => {
  let client = request.socket.remoteAddress ?? ""
  if (!isTrusted(client)) return client
  const forwarded = request.headers["x-forwarded-for"]
  if (typeof forwarded !== "string") return client
  for (const hop of forwarded.slice(-1000).split(",").slice(-mostHops).reverse()) {
    const address = parsed(hop.trim())
    if (address === undefined) return client
    client = address.toString()
    if (!isTrusted(client)) return client
  }
  return client
}

/** The network that an address is of, so that nobody is told from his neighbours by it: a /24, of IPv6 a /48. */
export const clientNetwork = (text: string): string => {
  const address = parsed(text)
  if (address === undefined) return "unknown"
  if (address instanceof ipaddr.IPv4) return `${address.octets.slice(0, 3).join(".")}.0/24`
  return `${address.parts
    .slice(0, 3)
    .map((part) => part.toString(16))
    .join(":")}::/48`
}
