import { Context, type Effect } from "effect"
import type { ServiceMode } from "../Core/IntegrationModes.ts"

/** A name server's answer for a name. */
export type DnsAnswer<A> =
  | { readonly _tag: "Found"; readonly records: ReadonlyArray<A> }
  /** The name exists, with no record of this type. */
  | { readonly _tag: "NoRecords" }
  /** NXDOMAIN: there is no such name. */
  | { readonly _tag: "NoName" }
  /** Time-out, SERVFAIL, refusal: nothing can be said now. */
  | { readonly _tag: "Unavailable" }

export interface MxRecord {
  /** Lower case, without a final dot; empty for a null MX (RFC 7505). */
  readonly host: string
  readonly preference: number
}

/**
 * Looks names up, never from a cache of ours, within a few seconds. Aliases (CNAME) are followed. Names are lower case,
 * in ASCII, without a final dot.
 */
export class Dns extends Context.Tag("Dns")<
  Dns,
  {
    readonly mode: ServiceMode
    /** Each record whole: the strings that it is cut into are put together. */
    readonly txt: (name: string) => Effect.Effect<DnsAnswer<string>>
    readonly mx: (name: string) => Effect.Effect<DnsAnswer<MxRecord>>
    /** IPv4 and IPv6 addresses; what a mail domain without MX is reached by. */
    readonly addresses: (name: string) => Effect.Effect<DnsAnswer<string>>
  }
>() {}
