import type { IncomingMessage } from "node:http"
import { Context, Effect, Layer } from "effect"
import type { Transient } from "../../../Errors.ts"
import { wallClock } from "../../../Services/Core/LocalTime.ts"
import { clientAddress, clientNetwork } from "../../Platform/Http/ClientAddress.ts"
import { Settings } from "../../Platform/Settings.ts"
import { type VisitorSalt, VisitorSalts, visitorHash } from "../Traffic/VisitorSalts.ts"
import { type Browser, isPrefetch, makeBrowsers } from "../Traffic/Visitors.ts"
import type { SiteRow } from "./PublishedSitesPostgres.ts"

/** A visitor of a site, identified only as far as the counts need. */
export interface SiteVisitor {
  /** The day in the account's time zone. */
  readonly day: string
  readonly network: string
  readonly hash: string
}

/** Distinguishes visitors for a day without storing who they are. */
export class SiteVisitors extends Context.Tag("SiteVisitors")<
  SiteVisitors,
  {
    readonly browserOf: (request: IncomingMessage) => Browser
    readonly isAhead: (request: IncomingMessage) => boolean
    readonly dayOf: (row: SiteRow) => string
    readonly of: (request: IncomingMessage, row: SiteRow) => Effect.Effect<SiteVisitor, Transient>
    /** Like `of`, but without waiting; undefined if the day's salt is not cached. */
    readonly known: (request: IncomingMessage, row: SiteRow) => SiteVisitor | undefined
    /** Returns the client's network, which is the same for its neighbours. Used for limits per minute. */
    readonly networkOf: (request: IncomingMessage) => string
  }
>() {}

const two = (value: number): string => String(value).padStart(2, "0")

const mostZones = 600

const make = Effect.gen(function* () {
  const { trustedProxies } = yield* Settings
  const salts = yield* VisitorSalts
  const clock = yield* Effect.clock
  const browserNamed = makeBrowsers()
  const days = new Map<string, { readonly minute: number; readonly day: string }>()

  // The day is cached per minute, because computing it takes longer than the rest of counting a view.
  const dayOf = ({ timeZone }: SiteRow): string => {
    const now = clock.unsafeCurrentTimeMillis()
    const minute = Math.floor(now / 60_000)
    const known = days.get(timeZone)
    if (known !== undefined && known.minute === minute) return known.day
    const { day, month, year } = wallClock(now, timeZone)
    const text = `${year}-${two(month)}-${two(day)}`
    if (days.size >= mostZones) days.clear()
    days.set(timeZone, { minute, day: text })
    return text
  }

  const visitor = (request: IncomingMessage, row: SiteRow, day: string, salt: VisitorSalt): SiteVisitor => {
    const address = clientAddress(request, trustedProxies)
    return {
      day,
      network: clientNetwork(address),
      hash: visitorHash(salt, row.websiteId, address, request.headers["user-agent"])
    }
  }

  return SiteVisitors.of({
    browserOf: (request) => browserNamed(request.headers["user-agent"]),
    isAhead: (request) => isPrefetch(request.headers),
    dayOf,
    of: (request, row) => {
      const day = dayOf(row)
      return Effect.map(salts.of(day), (salt) => visitor(request, row, day, salt))
    },
    known: (request, row) => {
      const day = dayOf(row)
      const salt = salts.known(day)
      return salt === undefined ? undefined : visitor(request, row, day, salt)
    },
    networkOf: (request) => clientNetwork(clientAddress(request, trustedProxies))
  })
})

export const SiteVisitorsLive = Layer.effect(SiteVisitors, make)
