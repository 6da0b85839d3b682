import ipaddr from "ipaddr.js"

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

export const networkOf = (entry: string): Network | undefined => {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
  if (!ipaddr.isValid(entry)) return undefined
  const address = ipaddr.parse(entry)
  return [address, address.kind() === "ipv4" ? 32 : 128]
}

/** Normalizes an address for comparison: IPv4 in IPv6 becomes IPv4. */
export const parsedAddress = (text: string): Address | undefined =>
  ipaddr.isValid(text) && !text.includes("%") ? ipaddr.process(text) : undefined

const isWithin = (address: Address, network: Network): boolean =>
  address.kind() === network[0].kind() && address.match(network)

/** Whether an address belongs to a list of addresses and networks. */
export type AddressList = (address: string) => boolean

/** Entries that are neither an address nor a network match nothing. */
export const addressList = (entries: ReadonlyArray<string>): AddressList => {
  const networks = entries.map(networkOf).filter((network) => network !== undefined)
  if (networks.length === 0) return () => false
  return (text) => {
    const address = parsedAddress(text)
    return address !== undefined && networks.some((network) => isWithin(address, network))
  }
}
