import { Resolver } from "node:dns/promises"
import { Effect, Predicate } from "effect"
import { Dns, type DnsAnswer, type MxRecord } from "../../Services/Outbound/Dns.ts"
import { answerOf, bareHost, noName, noRecords, unavailable } from "./DnsAnswers.ts"

/** Interprets a resolver's failure. */
const absenceOf = (cause: unknown): DnsAnswer<never> => {
  const code = Predicate.hasProperty(cause, "code") ? cause.code : undefined
  if (code === "ENOTFOUND") return noName
  return code === "ENODATA" ? noRecords : unavailable
}

/** Queries `servers`, by default those of the machine. `timeout` is for one of three tries, in milliseconds. */
export const makeLiveDns = (options: { readonly servers?: ReadonlyArray<string>; readonly timeout: number }) => {
  const lookUp = <A>(ask: (resolver: Resolver) => Promise<ReadonlyArray<A>>): Effect.Effect<DnsAnswer<A>> =>
    Effect.suspend(() => {
      // Each lookup has a resolver, because `cancel` ends all lookups of a resolver.
      const resolver = new Resolver({ timeout: options.timeout, tries: 3 })
      if (options.servers !== undefined) resolver.setServers(options.servers)
      return Effect.tryPromise({ try: () => ask(resolver), catch: absenceOf }).pipe(
        Effect.map(answerOf),
        Effect.catchAll((absence) => Effect.succeed<DnsAnswer<A>>(absence)),
        Effect.timeoutTo({
          duration: `${4 * options.timeout} millis`,
          onSuccess: (records) => records,
          onTimeout: (): DnsAnswer<A> => unavailable
        }),
        Effect.ensuring(Effect.sync(() => resolver.cancel()))
      )
    }).pipe(Effect.withSpan("Dns.look", { captureStackTrace: false }))

  return Dns.of({
    mode: "live",
    txt: (name) => lookUp(async (resolver) => (await resolver.resolveTxt(name)).map((parts) => parts.join(""))),
    mx: (name) =>
      lookUp<MxRecord>(async (resolver) =>
        (await resolver.resolveMx(name)).map(({ exchange, priority }) => ({
          host: bareHost(exchange),
          preference: priority
        }))
      ),
    addresses: (name) =>
      Effect.zipWith(
        lookUp((resolver) => resolver.resolve4(name)),
        lookUp((resolver) => resolver.resolve6(name)),
        (four, six) => {
          if (four._tag === "Found" || six._tag === "Found") {
            return answerOf([
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
