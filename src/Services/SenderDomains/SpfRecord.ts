import { Effect } from "effect"
import { Dns } from "../Outbound/Dns.ts"

/** RFC 7208, section 4.6.4: a record that needs more look-ups is a permanent error, and receivers ignore it. */
export const mostSpfLookups = 10

const isSpf = (record: string): boolean => /^v=spf1(?: |$)/i.test(record.trim())

export const spfRecordsIn = (records: ReadonlyArray<string>): ReadonlyArray<string> => records.filter(isSpf)

const termsOf = (record: string): ReadonlyArray<string> =>
  record
    .trim()
    .split(/\s+/)
    .slice(1, 500)
    .map((term) => term.toLowerCase().replace(/\.$/, ""))

/** Whether the record contains the mechanism with a qualifier other than `-`, which would forbid it. */
export const allowsMechanism = (record: string, mechanism: string): boolean =>
  termsOf(record).some((term) => term === mechanism || term === `+${mechanism}` || term === `?${mechanism}`)

/** Names whose records a receiver also looks up. Each `a`, `mx`, `ptr` and `exists` costs one more look-up. */
const lookupsOf = (record: string): { readonly names: ReadonlyArray<string>; readonly others: number } => {
  const terms = termsOf(record).map((term) => term.replace(/^[+?~-]/, ""))
  const names = terms.flatMap((term) => {
    const [, name] = /^(?:include:|redirect=)([^\s%]+)$/.exec(term) ?? []
    return name === undefined ? [] : [name]
  })
  return { names, others: terms.filter((term) => /^(?:a|mx|ptr|exists)(?:$|[:/])/.test(term)).length }
}

/**
 * Counts the look-ups that a receiver makes for a record, including its includes. Stops counting above the limit. A
 * name that cannot be looked up now counts as one.
 */
export const countSpfLookups = (record: string): Effect.Effect<number, never, Dns> =>
  Effect.gen(function* () {
    const dns = yield* Dns
    const seen = new Set<string>()
    const waiting = [record]
    let count = 0
    while (count <= mostSpfLookups) {
      const next = waiting.shift()
      if (next === undefined) break
      const { names, others } = lookupsOf(next)
      count += names.length + others
      for (const name of names) {
        if (seen.has(name) || seen.size > mostSpfLookups) continue
        seen.add(name)
        const answer = yield* dns.txt(name)
        if (answer._tag === "Found") waiting.push(...spfRecordsIn(answer.records).slice(0, 1))
      }
    }
    return count
  })
