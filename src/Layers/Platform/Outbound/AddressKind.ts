import ipaddr from "ipaddr.js"

/**
 * Where an address leads. `internal` is everything that is neither on the public internet nor this machine's loopback.
 */
export type AddressKind = "public" | "loopback" | "internal"

// The only unicast range of IPv6 that is assigned. Addresses outside of it (IPv4-compatible, NAT64, …) lead elsewhere.
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/** An address in a public range that is the host's management endpoint on every machine of one large cloud. */
const cloudManagement = "168.63.129.16"

/** Returns the kind of an IPv4 or IPv6 address, in the form that a resolver or a socket writes. */
export const addressKind = (text: string): AddressKind => {
  if (!ipaddr.isValid(text)) return "internal"
  const address = ipaddr.parse(text)
  const range = address.range()
  if (range === "loopback") return "loopback"
  if (range !== "unicast" || text === cloudManagement) return "internal"
  return address instanceof ipaddr.IPv6 && !address.match(globalUnicast) ? "internal" : "public"
}
