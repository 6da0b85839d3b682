import type { DnsAnswer } from "../../Services/Outbound/Dns.ts"
import { normaliseDomain } from "../../Services/Text/ContactDetails.ts"

export const noName = { _tag: "NoName" } as const
export const noRecords = { _tag: "NoRecords" } as const
export const unavailable = { _tag: "Unavailable" } as const

export const answerOf = <A>(records: ReadonlyArray<A>): DnsAnswer<A> =>
  records.length === 0 ? noRecords : { _tag: "Found", records }

/** Returns a host name in lower case, without the final dot. */
export const bareHost = (host: string): string => host.toLowerCase().replace(/\.$/, "")

/** Returns a zone's name, whose labels may begin with an underscore. Undefined for any other text. */
export const zoneName = (text: string): string | undefined => {
  const name = bareHost(text.trim())
  const plain = name.replace(/(^|\.)_/g, "$1x")
  return normaliseDomain(plain)._tag === "Right" && name.length <= 253 ? name : undefined
}
