import { Effect, Schema } from "effect"
import { Dns, type DnsAnswer, type MxRecord } from "../Outbound/Dns.ts"
import { DnsRecord, type Platform, spfInclude } from "./DnsRecords.ts"
import { allowsMechanism, countSpfLookups, mostSpfLookups, spfRecordsIn } from "./SpfRecord.ts"

export const RecordState = Schema.Literal("ok", "missing", "wrong", "conflicting", "unavailable")
export type RecordState = typeof RecordState.Type

/** The result of checking a record, and what to do about it. */
export const CheckedRecord = Schema.Struct({
  ...DnsRecord.fields,
  state: RecordState,
  found: Schema.Array(Schema.String).annotations({
    description: "The records of that type at that name, at most ten."
  }),
  advice: Schema.NullOr(Schema.String).annotations({ description: "What to do; null where nothing is." })
})
export type CheckedRecord = typeof CheckedRecord.Type

interface Verdict {
  readonly state: RecordState
  readonly advice: string | null
}

const ok: Verdict = { state: "ok", advice: null }
const wrong = (advice: string): Verdict => ({ state: "wrong", advice })

const clipped = (records: ReadonlyArray<string>): ReadonlyArray<string> =>
  records.slice(0, 10).map((record) => (record.length > 600 ? `${record.slice(0, 600)}…` : record))

const publish = ({ name, type, value }: DnsRecord): string =>
  `Publish a ${type} record at ${name} with the value ${value}.`

/** The most frequent mistake is a repeated zone name, because many DNS consoles append the domain themselves. */
const missing = (record: DnsRecord): Verdict => ({
  state: "missing",
  advice: `${publish(record)} If your provider's console appends the domain by itself, leave it out of the name.`
})

const unavailable: Verdict = {
  state: "unavailable",
  advice: "The domain's name servers gave no answer (time-out or SERVFAIL). Verify again in some minutes."
}

const tagsOf = (record: string): ReadonlyMap<string, string> =>
  new Map(
    record.split(";").flatMap((part) => {
      const at = part.indexOf("=")
      return at < 1 ? [] : [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).replace(/\s+/g, "")] as const]
    })
  )

/** The key in a record. Consoles may split it into strings or add blanks. */
const keyOf = (record: string): string | undefined => tagsOf(record.replaceAll('"', "")).get("p")

const judgeDkim = (record: DnsRecord, found: ReadonlyArray<string>): Verdict => {
  const keys = found.filter((text) => keyOf(text) !== undefined)
  if (keys.length === 0)
    return found.length === 0 ? missing(record) : wrong(`There is no DKIM key in the record. ${publish(record)}`)
  if (keys.length > 1)
    return {
      state: "conflicting",
      advice: `There are ${keys.length} keys at ${record.name}: keep one. ${publish(record)}`
    }
  const tags = tagsOf((keys[0] ?? "").replaceAll('"', ""))
  if (tags.get("p") === "") return wrong(`The key is revoked: its p= is empty. ${publish(record)}`)
  if (tags.get("p") !== keyOf(record.value)) return wrong(`The key is another one, or was cut off. ${publish(record)}`)
  const wanted = tagsOf(record.value).get("k")
  if ((tags.get("k") ?? "rsa") !== wanted) return wrong(`The record must say k=${wanted}. ${publish(record)}`)
  return ok
}

const judgeSpf = (record: DnsRecord, found: ReadonlyArray<string>, platform: Platform, isOwnName: boolean) =>
  Effect.gen(function* () {
    const records = spfRecordsIn(found)
    const first = records[0]
    const include = spfInclude(platform)
    if (first === undefined) return missing(record)
    if (records.length > 1) {
      return {
        state: "conflicting",
        advice: `There are ${records.length} SPF records at ${record.name}, and receivers then take none of them: merge them into one that has ${include}.`
      } satisfies Verdict
    }
    if (!allowsMechanism(first, include)) {
      return wrong(
        isOwnName
          ? `Add ${include} to the SPF record that is there, before its last term; do not publish a second one.`
          : publish(record)
      )
    }
    const lookups = yield* countSpfLookups(first)
    return lookups > mostSpfLookups
      ? wrong(
          `The SPF record makes receivers look up more than ${mostSpfLookups} names, and they then take it for none: take out what you no longer send with, or replace includes by addresses.`
        )
      : ok
  })

const judgeDmarc = (record: DnsRecord, found: ReadonlyArray<string>): Verdict => {
  const records = found.filter((text) => /^v=DMARC1(?:\s*;|\s*$)/.test(text.trim()))
  if (records.length === 0) return missing(record)
  if (records.length > 1)
    return { state: "conflicting", advice: `There are ${records.length} DMARC records at ${record.name}: keep one.` }
  const policy = tagsOf(records[0] ?? "")
    .get("p")
    ?.toLowerCase()
  return policy === "none" || policy === "quarantine" || policy === "reject"
    ? ok
    : wrong("The DMARC record has no policy: it needs p=none, p=quarantine or p=reject.")
}

const judgeMx = (record: DnsRecord, found: ReadonlyArray<MxRecord>, platform: Platform): Verdict => {
  if (found.length === 0) return missing(record)
  const others = found.filter(({ host }) => host !== platform.mailHost.toLowerCase())
  if (others.length === found.length) return wrong(publish(record))
  return others.length > 0
    ? { state: "conflicting", advice: `Remove the other MX records at ${record.name}: bounces would go there.` }
    : ok
}

const textsOf = (answer: DnsAnswer<string>): ReadonlyArray<string> => (answer._tag === "Found" ? answer.records : [])

/** A name that no one publishes. If it has an answer, a wildcard answers for every name. */
const probeName = (name: string): string => `gw-probe-7f3a.${name.split(".").slice(1).join(".")}`

/**
 * Compares the published records with the expected ones. A DMARC policy of a parent domain counts, as it does for
 * receivers. A look-up of a name that no one publishes detects wildcards.
 */
export const verifyRecords = (
  records: ReadonlyArray<DnsRecord>,
  options: { readonly platform: Platform; readonly domain: string }
): Effect.Effect<ReadonlyArray<CheckedRecord>, never, Dns> => {
  const { domain, platform } = options
  const check = (record: DnsRecord): Effect.Effect<CheckedRecord, never, Dns> =>
    Effect.gen(function* () {
      const dns = yield* Dns
      if (record.type === "MX") {
        const answer = yield* dns.mx(record.name)
        const found = answer._tag === "Found" ? answer.records : []
        const verdict = answer._tag === "Unavailable" ? unavailable : judgeMx(record, found, platform)
        return { ...record, ...verdict, found: clipped(found.map(({ host, preference }) => `${preference} ${host}`)) }
      }
      const own = yield* dns.txt(record.name)
      const parent = domain.split(".").slice(1).join(".")
      const answer =
        record.purpose === "dmarc" && (own._tag === "NoRecords" || own._tag === "NoName") && parent.includes(".")
          ? yield* dns.txt(`_dmarc.${parent}`)
          : own
      if (own._tag === "Unavailable" || answer._tag === "Unavailable") return { ...record, ...unavailable, found: [] }
      const found = textsOf(answer)
      const verdict = yield* judged(record, found)
      const isWildcard =
        verdict.state === "wrong" &&
        found.length > 0 &&
        textsOf(yield* dns.txt(probeName(record.name))).join("\n") === found.join("\n")
      return {
        ...record,
        ...(isWildcard
          ? { state: "missing" as const, advice: `A wildcard record answers for ${record.name}. ${publish(record)}` }
          : verdict),
        found: clipped(found)
      }
    })

  const judged = (record: DnsRecord, found: ReadonlyArray<string>): Effect.Effect<Verdict, never, Dns> => {
    switch (record.purpose) {
      case "dkim_rsa":
      case "dkim_ed25519":
        return Effect.succeed(judgeDkim(record, found))
      case "spf":
        return judgeSpf(record, found, platform, true)
      case "return_path_spf":
        return judgeSpf(record, found, platform, false)
      case "dmarc":
        return Effect.succeed(judgeDmarc(record, found))
      case "inbound":
      case "return_path":
        return Effect.succeed(missing(record))
    }
  }

  return Effect.forEach(records, check, { concurrency: 4 })
}

/**
 * Whether mail may be sent from the domain, because it would pass DMARC. Ed25519 signatures are optional, because some
 * consoles cannot publish the key. The SPF record of the domain itself is also optional, because only the return path's
 * matters.
 */
export const isUsable = (records: ReadonlyArray<CheckedRecord>): boolean =>
  records.every(({ purpose, state }) => state === "ok" || purpose === "dkim_ed25519" || purpose === "spf")

/** Whether a failed check proves nothing about the records, because some could not be looked up. */
export const isInconclusive = (records: ReadonlyArray<CheckedRecord>): boolean =>
  !isUsable(records) &&
  records.every(
    ({ purpose, state }) =>
      (state !== "missing" && state !== "wrong" && state !== "conflicting") ||
      purpose === "dkim_ed25519" ||
      purpose === "spf"
  )
