import { type LookupAddress, Resolver } from "node:dns"
import type { LookupFunction } from "node:net"
import { FairSemaphore, type Tenant } from "../Fairness/FairSemaphore.ts"
import { readSystemNames, type SystemNames } from "./SystemNames.ts"

/** Options of a look-up: on whose behalf a name is resolved, and how. */
export interface NameQuestion {
  /** The account on whose behalf the name is resolved, or undefined for the platform itself. */
  readonly party?: Tenant
  /** True for a name that the operator configured. It may be short, and then gets the machine's search domains. */
  readonly isOperators?: boolean
}

/** Resolves a name to at least one address. Fails as `node:dns` does, with a `code`. */
export type ResolveName = (name: string, question?: NameQuestion) => Promise<ReadonlyArray<LookupAddress>>

export interface NameResolverOptions {
  /** Name servers to use instead of the machine's. */
  readonly servers?: ReadonlyArray<string>
  readonly systemNames?: () => Promise<SystemNames>
  /** The time limit of one name in milliseconds, including its time in the queue. */
  readonly timeout?: number
  /** Milliseconds to wait for the second address family once the first has answered. */
  readonly grace?: number
  /** Names that are resolved at a time, in all and per account. */
  readonly slots?: number
  readonly perAccount?: number
}

/** Milliseconds for which the machine's files and its list of name servers are cached. */
const age = 10_000

const failed = (code: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`The name was not resolved (${code})`), { code })

const absent = new Set(["ENOTFOUND", "ENODATA", "EBADNAME", "EFORMERR"])
const isAbsent = (error: NodeJS.ErrnoException): boolean => absent.has(error.code ?? "")

const localhost: ReadonlyArray<LookupAddress> = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 }
]

/** How many names are resolved at a time, per account and in all, and the time limit of each in milliseconds. */
export const lookUps = { perAccount: 16, slots: 256, timeout: 5_000 }

/**
 * Resolves names without `dns.lookup`, which uses one of the process's four threads per name. A few unresponsive name
 * servers would block those, and file access with them. Results are not cached.
 */
export const makeNameResolver = ({
  grace = 300,
  perAccount = lookUps.perAccount,
  servers,
  slots = lookUps.slots,
  systemNames = readSystemNames,
  timeout = lookUps.timeout
}: NameResolverOptions = {}): ResolveName => {
  const turns = new FairSemaphore({ slots, perAccount, waiting: 4000, waitingPerAccount: 500, longestWait: timeout })

  const makeState = () => {
    const addresses = servers ?? new Resolver().getServers()
    // The time-out of the first try, in milliseconds. The second try waits twice as long.
    const ofTry = Math.max(1, Math.floor(timeout / (3 * Math.max(1, addresses.length))))
    const resolver = new Resolver({ timeout: ofTry, tries: 2 })
    resolver.setServers(addresses)
    return { resolver, system: systemNames(), since: performance.now() }
  }
  let state: ReturnType<typeof makeState> | undefined
  const current = () => {
    if (state === undefined || performance.now() - state.since > age) state = makeState()
    return state
  }

  /** Queries both address families. Once one has answered, the other gets a short time. */
  const ask = (resolver: Resolver, name: string): Promise<ReadonlyArray<LookupAddress>> =>
    new Promise((resolve, reject) => {
      let waiting = 2
      let problem: NodeJS.ErrnoException | undefined
      const results: Array<LookupAddress> = []
      const answered = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<string>) => {
        waiting--
        // A real error of one family is reported rather than the other family's missing address.
        if (error !== null) problem = problem === undefined || isAbsent(problem) ? error : problem
        else {
          const more = addresses.map((address) => ({ address, family }))
          if (family === 4) results.unshift(...more)
          else results.push(...more)
        }
        if (waiting > 0 && results.length > 0) setTimeout(() => resolve([...results]), grace).unref()
        if (waiting > 0) return
        if (results.length > 0) resolve([...results])
        else reject(problem === undefined || isAbsent(problem) ? failed("ENOTFOUND") : problem)
      }
      resolver.resolve4(name, answered(4))
      resolver.resolve6(name, answered(6))
    })

  const resolveNow = async (name: string, isOperators: boolean): Promise<ReadonlyArray<LookupAddress>> => {
    const { resolver, system } = current()
    const { hosts, searched } = await system
    const plain = name.toLowerCase().replace(/\.$/, "")
    const localAddresses = hosts.get(plain)
    if (localAddresses !== undefined) return localAddresses
    // These names are never sent to a name server (RFC 6761).
    if (plain === "localhost" || plain.endsWith(".localhost")) return localhost
    const completed = isOperators && !name.endsWith(".") ? searched.map((domain) => `${plain}.${domain}`) : []
    const names = plain.includes(".") ? [plain, ...completed] : [...completed, plain]
    let last = failed("ENOTFOUND")
    for (const candidate of names) {
      try {
        return await ask(resolver, candidate)
      } catch (error) {
        last = error instanceof Error ? error : last
        if (!isAbsent(last)) throw last
      }
    }
    throw last
  }

  return (name, { isOperators = false, party } = {}) =>
    new Promise((resolve, reject) => {
      const last = performance.now() + timeout
      // At the time limit, the look-up leaves its place in the queue. A query that was sent times out soon after.
      const timer = setTimeout(() => {
        reject(failed("ETIMEOUT"))
        turns.leave(place)
      }, timeout)
      timer.unref()
      const end = (): void => {
        clearTimeout(timer)
        turns.leave(place)
      }
      const begin = async () => {
        // The turn of a name may come at the very moment of its time limit.
        if (performance.now() >= last) throw failed("ETIMEOUT")
        return resolveNow(name, isOperators)
      }
      const place = turns.enter(
        party,
        () => void begin().then(resolve, reject).finally(end),
        () => {
          clearTimeout(timer)
          reject(failed("EAI_AGAIN"))
        }
      )
    })
}

/** Resolves a name in the form that `node:net` expects. `check` may return an error that refuses the addresses. */
export const lookupBy =
  (
    resolve: ResolveName,
    question: NameQuestion,
    check: (addresses: ReadonlyArray<LookupAddress>) => Error | undefined = () => undefined
  ): LookupFunction =>
  (name, options, callback) => {
    resolve(name, question).then(
      (addresses) => {
        const [first] = addresses
        const refusal = first === undefined ? failed("ENOTFOUND") : check(addresses)
        if (refusal !== undefined) callback(refusal, "")
        else if (options.all === true) callback(null, [...addresses])
        else callback(null, first?.address ?? "", first?.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, "")
    )
  }
