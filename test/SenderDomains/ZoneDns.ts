import { Effect, Layer } from "effect"
import { Dns, type DnsAnswer, type MxRecord } from "../../src/Services/Outbound/Dns.ts"

/** Records by type and name; `"SERVFAIL"` stands for a name server that is away. */
export interface Zone {
  readonly txt?: { readonly [name: string]: ReadonlyArray<string> | "SERVFAIL" }
  readonly mx?: { readonly [name: string]: ReadonlyArray<MxRecord> | "SERVFAIL" }
  /** TXT records of every name under the suffix that has none of its own. */
  readonly wildcard?: { readonly suffix: string; readonly txt: ReadonlyArray<string> }
}

const answerOf = <A>(records: ReadonlyArray<A> | "SERVFAIL" | undefined): DnsAnswer<A> =>
  records === undefined
    ? { _tag: "NoName" }
    : records === "SERVFAIL"
      ? { _tag: "Unavailable" }
      : records.length === 0
        ? { _tag: "NoRecords" }
        : { _tag: "Found", records }

/** Answers from a zone, as a name server would. */
export const zoneDns = (zone: Zone): Layer.Layer<Dns> =>
  Layer.succeed(Dns, {
    mode: "sandbox",
    txt: (name) =>
      Effect.succeed(
        answerOf(
          zone.txt?.[name] ??
            (zone.wildcard !== undefined && name.endsWith(zone.wildcard.suffix) ? zone.wildcard.txt : undefined)
        )
      ),
    mx: (name) => Effect.succeed(answerOf(zone.mx?.[name])),
    addresses: () => Effect.succeed({ _tag: "NoName" })
  })
