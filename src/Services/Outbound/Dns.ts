import { Context, type Effect } from "effect"
import type { ServiceMode } from "../Core/Outside/IntegrationModes.ts"

/** A name server's answer for a name. */
export type DnsAnswer<A> =
  | { readonly _tag: "Found"; readonly records: ReadonlyArray<A> }
  /** The name exists, but has no record of this type. */
  | { readonly _tag: "NoRecords" }
  /** NXDOMAIN: the name does not exist. */
  | { readonly _tag: "NoName" }
  /** Time-out, SERVFAIL or refusal. The result is unknown. */
  | { readonly _tag: "Unavailable" }

export interface MxRecord {
  /** Lower case, without a final dot. Empty for a null MX (RFC 7505). */
  readonly host: string
  readonly preference: number
}

/**
 * Looks up names within a few seconds, without a cache in the gateway. Follows aliases (CNAME). Names are lower case,
 * in ASCII, without a final dot.
 */
export class Dns extends Context.Tag("Dns")<
  Dns,
  {
    readonly mode: ServiceMode
    /** Complete records. The strings of a record are joined. */
    readonly txt: (name: string) => Effect.Effect<DnsAnswer<string>>
    readonly mx: (name: string) => Effect.Effect<DnsAnswer<MxRecord>>
    /** IPv4 and IPv6 addresses. Mail for a domain without MX is delivered to them. */
    readonly addresses: (name: string) => Effect.Effect<DnsAnswer<string>>
  }
>() {}
