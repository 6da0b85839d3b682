import { type LookupAddress, Resolver } from "node:dns"
import type { LookupFunction } from "node:net"
import { FairSemaphore, type Tenant } from "../Fairness/FairSemaphore.ts"
import { readSystemNames, type SystemNames } from "./SystemNames.ts"

/** On whose behalf a name is looked up, and how. */
export interface NameQuestion {
  /** An account, or the platform itself. */
  readonly party?: Tenant
  /** A name of the operator's: it may be short, and is then completed as the machine completes names. */
  readonly isOperators?: boolean
}

/** The addresses of a name, at least one; fails as `node:dns` does, with a `code`. */
export type ResolveName = (name: string, question?: NameQuestion) => Promise<ReadonlyArray<LookupAddress>>

export interface NameResolverOptions {
  /** Name servers, instead of those of the machine. */
  readonly servers?: ReadonlyArray<string>
  readonly systemNames?: () => Promise<SystemNames>
  /** For one name, from the question on, in milliseconds. */
  readonly timeout?: number
  /** How long the second family of addresses is waited for once the first is known, in milliseconds. */
  readonly grace?: number
  /** Names at a time, and how many of one account. */
  readonly slots?: number
  readonly perAccount?: number
}

/** How long the machine's files count as they were read, and its name servers too, in milliseconds. */
const age = 10_000

const failed = (code: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`The name was not resolved (${code})`), { code })

const absent = new Set(["ENOTFOUND", "ENODATA", "EBADNAME", "EFORMERR"])
const isAbsent = (error: NodeJS.ErrnoException): boolean => absent.has(error.code ?? "")

const localhost: ReadonlyArray<LookupAddress> = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 }
]

/** At a time, of one account and in all, and for how many milliseconds each. */
export const lookUps = { perAccount: 16, slots: 256, timeout: 5_000 }

/**
 * Looks names up without the threads that `dns.lookup` waits on: four of them are all that the process has, for files
 * too, so that a few names whose servers keep silent would stop everybody's. Nothing is kept from one question to the
 * next.
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
    // The second try waits for twice as long.
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

  /** Both families; once one is known the other is waited for a little. */
  const ask = (resolver: Resolver, name: string): Promise<ReadonlyArray<LookupAddress>> =>
    new Promise((resolve, reject) => {
      let waiting = 2
      let problem: NodeJS.ErrnoException | undefined
      const found: Array<LookupAddress> = []
      const answered = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<string>) => {
        waiting--
        // The trouble of one family is worth more than that the other has no address.
        if (error !== null) problem = problem === undefined || isAbsent(problem) ? error : problem
        else {
          const more = addresses.map((address) => ({ address, family }))
          if (family === 4) found.unshift(...more)
          else found.push(...more)
        }
        if (waiting > 0 && found.length > 0) setTimeout(() => resolve([...found]), grace).unref()
        if (waiting > 0) return
        if (found.length > 0) resolve([...found])
        else reject(problem === undefined || isAbsent(problem) ? failed("ENOTFOUND") : problem)
      }
      resolver.resolve4(name, answered(4))
      resolver.resolve6(name, answered(6))
    })

  const resolveNow = async (name: string, isOperators: boolean): Promise<ReadonlyArray<LookupAddress>> => {
    const { resolver, system } = current()
    const { hosts, searched } = await system
    const plain = name.toLowerCase().replace(/\.$/, "")
    const told = hosts.get(plain)
    if (told !== undefined) return told
    // No name server is to be asked for these (RFC 6761).
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
      // An abandoned question frees its place: its name server times out soon after.
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
        // Questions that waited as long as this one time out at the same moment.
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

/** The same in the form that `node:net` asks in. `check` may refuse what was found, with the error to fail with. */
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
