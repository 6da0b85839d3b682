import ipaddr from "ipaddr.js"

/** `internal` is everything that is neither of the public internet nor this machine's loopback. */
export type AddressKind = "public" | "loopback" | "internal"

// The only unicast space that was ever handed out: what lies outside (IPv4-compatible, NAT64, …) leads elsewhere.
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/** A public address by its range, but the host's own management endpoint on every machine of one large cloud. */
const cloudManagement = "168.63.129.16"

/** What an IPv4 or IPv6 address, as a resolver or a socket writes it, belongs to. */
export const addressKind = (text: string): AddressKind => {
  if (!ipaddr.isValid(text)) return "internal"
  const address = ipaddr.parse(text)
  const range = address.range()
  if (range === "loopback") return "loopback"
  if (range !== "unicast" || text === cloudManagement) return "internal"
  return address instanceof ipaddr.IPv6 && !address.match(globalUnicast) ? "internal" : "public"
}
