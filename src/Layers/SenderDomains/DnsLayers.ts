import { Resolver } from "node:dns/promises"
import { SqlClient } from "@effect/sql/SqlClient"
import { Config, Effect, Layer, Option, Predicate } from "effect"
import { Dns, type DnsAnswer, type MxRecord } from "../../Services/Outbound/Dns.ts"
import { normaliseDomain } from "../../Services/Text/ContactDetails.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const noName = { _tag: "NoName" } as const
const noRecords = { _tag: "NoRecords" } as const
const unavailable = { _tag: "Unavailable" } as const

/** What a resolver's failure says of the name. */
const absenceOf = (cause: unknown): DnsAnswer<never> => {
  const code = Predicate.hasProperty(cause, "code") ? cause.code : undefined
  if (code === "ENOTFOUND") return noName
  return code === "ENODATA" ? noRecords : unavailable
}

const answer = <A>(records: ReadonlyArray<A>): DnsAnswer<A> =>
  records.length === 0 ? noRecords : { _tag: "Found", records }

const bare = (host: string): string => host.toLowerCase().replace(/\.$/, "")

/** Asks the servers given, or those of the machine. `timeout` is for one try of three, in milliseconds. */
export const makeLiveDns = (options: { readonly servers?: ReadonlyArray<string>; readonly timeout: number }) => {
  const look = <A>(ask: (resolver: Resolver) => Promise<ReadonlyArray<A>>): Effect.Effect<DnsAnswer<A>> =>
    Effect.suspend(() => {
      // One of its own for each question: what is cancelled ends no other's.
      const resolver = new Resolver({ timeout: options.timeout, tries: 3 })
      if (options.servers !== undefined) resolver.setServers(options.servers)
      return Effect.tryPromise({ try: () => ask(resolver), catch: absenceOf }).pipe(
        Effect.map(answer),
        Effect.catchAll((absence) => Effect.succeed<DnsAnswer<A>>(absence)),
        Effect.timeoutTo({
          duration: `${4 * options.timeout} millis`,
          onSuccess: (found) => found,
          onTimeout: (): DnsAnswer<A> => unavailable
        }),
        Effect.ensuring(Effect.sync(() => resolver.cancel()))
      )
    }).pipe(Effect.withSpan("Dns.look", { captureStackTrace: false }))

  return Dns.of({
    mode: "live",
    txt: (name) => look(async (resolver) => (await resolver.resolveTxt(name)).map((parts) => parts.join(""))),
    mx: (name) =>
      look<MxRecord>(async (resolver) =>
        (await resolver.resolveMx(name)).map(({ exchange, priority }) => ({
          host: bare(exchange),
          preference: priority
        }))
      ),
    addresses: (name) =>
      Effect.zipWith(
        look((resolver) => resolver.resolve4(name)),
        look((resolver) => resolver.resolve6(name)),
        (four, six) => {
          if (four._tag === "Found" || six._tag === "Found") {
            return answer([
              ...(four._tag === "Found" ? four.records : []),
              ...(six._tag === "Found" ? six.records : [])
            ])
          }
          return four._tag === "Unavailable" || six._tag === "Unavailable" ? unavailable : four
        },
        { concurrent: true }
      )
  })
}

const mxOf = (value: string): MxRecord => {
  const [preference = "0", host = ""] = value.trim().split(/\s+/)
  return { preference: Number.parseInt(preference, 10) || 0, host: bare(host) }
}

/** Answers from the zone that developers edit. */
export const SandboxDns = Layer.effect(
  Dns,
  Effect.map(SqlClient, (sql) => {
    const look = <A>(name: string, type: "TXT" | "MX" | "A", read: (value: string) => A) =>
      sql<{ readonly type: string; readonly values: ReadonlyArray<string> | null }>`
        select type, record_values as "values" from sandbox_dns_record where name = ${name}`.pipe(
        fromSql(),
        Effect.map((rows): DnsAnswer<A> => {
          if (rows.length === 0) return noName
          const row = rows.find((one) => one.type === type)
          if (row === undefined) return noRecords
          return row.values === null ? unavailable : answer(row.values.map(read))
        }),
        Effect.catchAll(() => Effect.succeed<DnsAnswer<A>>(unavailable))
      )
    return Dns.of({
      mode: "sandbox",
      txt: (name) => look(name, "TXT", (value) => value),
      mx: (name) => look(name, "MX", mxOf),
      addresses: (name) => look(name, "A", (value) => value)
    })
  })
)

const dnsMode = Config.literal("live", "sandbox")("DNS_MODE").pipe(Config.option)
const dnsServers = Config.array(Config.nonEmptyString(), "DNS_SERVERS").pipe(Config.option)
const smtpUrl = Config.option(Config.redacted("SMTP_URL"))

/** Names are really looked up where mail is really sent, unless `DNS_MODE` says otherwise. */
export const DnsConfigured = Layer.unwrapEffect(
  Effect.gen(function* () {
    const mode = yield* dnsMode
    const servers = Option.getOrUndefined(yield* dnsServers)
    const isLive =
      Option.getOrElse(mode, () => "sandbox") === "live" || (Option.isNone(mode) && Option.isSome(yield* smtpUrl))
    return isLive
      ? Layer.succeed(Dns, makeLiveDns({ timeout: 3000, ...(servers === undefined ? {} : { servers }) }))
      : SandboxDns
  })
)

/** A name as zones have it, which may begin labels with an underscore; undefined for any other text. */
export const zoneName = (text: string): string | undefined => {
  const name = bare(text.trim())
  const plain = name.replace(/(^|\.)_/g, "$1x")
  return normaliseDomain(plain)._tag === "Right" && name.length <= 253 ? name : undefined
}
