import ipaddr from "ipaddr.js"

/** `internal` is everything that is neither on the public internet nor this machine's loopback. */
export type AddressKind = "public" | "loopback" | "internal"

// The only unicast range that is assigned. Addresses outside of it (IPv4-compatible, NAT64, …) lead elsewhere.
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/** Public by its range, but on every machine of one large cloud it is the host's management endpoint. */
const cloudManagement = "168.63.129.16"

/** The kind of an IPv4 or IPv6 address, as a resolver or a socket writes it. */
export const addressKind = (text: string): AddressKind => {
  if (!ipaddr.isValid(text)) return "internal"
  const address = ipaddr.parse(text)
  const range = address.range()
  if (range === "loopback") return "loopback"
  if (range !== "unicast" || text === cloudManagement) return "internal"
  return address instanceof ipaddr.IPv6 && !address.match(globalUnicast) ? "internal" : "public"
}
