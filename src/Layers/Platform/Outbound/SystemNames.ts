import type { LookupAddress } from "node:dns"
import * as fs from "node:fs/promises"
import { isIP } from "node:net"

/** Host names and search domains from the machine's own files. */
export interface SystemNames {
  readonly hosts: ReadonlyMap<string, ReadonlyArray<LookupAddress>>
  /** Search domains for short names, in this order. */
  readonly searched: ReadonlyArray<string>
}

const linesOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text.split("\n").flatMap((line) => {
    const words = (line.split(/[#;]/, 1)[0] ?? "").split(/[ \t\r]/).filter((word) => word !== "")
    return words.length === 0 ? [] : [words]
  })

/** Parses `/etc/hosts`: an address, followed by its names. */
export const parseHosts = (text: string): SystemNames["hosts"] => {
  const hosts = new Map<string, Array<LookupAddress>>()
  for (const [address = "", ...names] of linesOf(text)) {
    const family = isIP(address)
    if (family === 0) continue
    for (const name of names) {
      const addresses = hosts.get(name.toLowerCase())
      if (addresses === undefined) hosts.set(name.toLowerCase(), [{ address, family }])
      else addresses.push({ address, family })
    }
  }
  return hosts
}

/** Parses `/etc/resolv.conf`, in which the last line of a kind counts. */
export const parseSearched = (text: string): ReadonlyArray<string> =>
  linesOf(text)
    .filter(([word]) => word === "search" || word === "domain")
    .at(-1)
    ?.slice(1) ?? []

const textOf = (file: string): Promise<string> => fs.readFile(file, "utf8").catch(() => "")

export const readSystemNames = async (): Promise<SystemNames> => ({
  hosts: parseHosts(await textOf("/etc/hosts")),
  searched: parseSearched(await textOf("/etc/resolv.conf"))
})
