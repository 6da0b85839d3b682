import { Clock, Effect, Option } from "effect"
import type { CrmClient } from "../Calling/CrmAdapter.ts"
import type { CrmPlace } from "./LeadFacts.ts"
import type { CrmDirectory } from "./PushLead.ts"

const hourMillis = 3_600_000
/** Milliseconds for which a CRM's stages, owners and fields are cached. */
const freshMillis = 6 * hourMillis
/** The shorter time after a cached value turned out to be outdated. */
const shortenedMillis = hourMillis / 6
const mostEntries = 1000

interface CachedDirectory {
  readonly place: CrmPlace
  readonly until: number
  readonly shortenedUntil: number
  readonly directory: CrmDirectory
}

export interface DirectoryRequest {
  readonly pipelineId: string | undefined
  /** The candidates for the owner of new records. The first one with a user at the CRM is used. */
  readonly ownerEmails: ReadonlyArray<string>
}

/**
 * The user may lack the right to read custom fields, or the plan may not include them. The values then go into the
 * note.
 */
const ownFields = (client: CrmClient) =>
  Effect.catchIf(
    client.customFields,
    ({ kind }) => kind === "forbidden" || kind === "not_found",
    () => Effect.succeed([])
  )

/** The CRMs' stages, owners and fields, cached by this process. */
export const makeCrmDirectories = () => {
  const cache = new Map<string, CachedDirectory>()

  const read = Effect.fnUntraced(function* (client: CrmClient, { ownerEmails, pipelineId }: DirectoryRequest) {
    const pipelines = yield* client.pipelines
    let owner = Option.none<string>()
    for (const email of ownerEmails) {
      if (Option.isNone(owner)) owner = yield* client.ownerByEmail(email)
    }
    return {
      pipeline: pipelineId === undefined ? pipelines[0] : pipelines.find(({ id }) => id === pipelineId),
      ownerId: Option.getOrUndefined(owner),
      definitions: yield* ownFields(client)
    }
  })

  const get = Effect.fnUntraced(function* (place: CrmPlace, client: CrmClient, request: DirectoryRequest) {
    const key = JSON.stringify([place.accountId, place.crm, place.crmAccount, request])
    const now = yield* Clock.currentTimeMillis
    const cached = cache.get(key)
    if (cached !== undefined && cached.until > now) return cached.directory
    const directory: CrmDirectory = yield* read(client, request)
    if (cache.size > mostEntries) cache.clear()
    cache.set(key, { place, until: now + freshMillis, shortenedUntil: now + shortenedMillis, directory })
    return directory
  })

  /** A cached value was outdated, so the cache expires sooner and changes by people are seen soon. */
  const shorten = ({ accountId, crm }: CrmPlace, now: number): void => {
    for (const [key, cached] of cache) {
      if (cached.place.accountId !== accountId || cached.place.crm !== crm) continue
      if (cached.shortenedUntil <= now) cache.delete(key)
      else cache.set(key, { ...cached, until: Math.min(cached.until, cached.shortenedUntil) })
    }
  }

  return { get, shorten }
}
