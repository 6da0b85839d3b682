import { timingSafeEqual } from "node:crypto"
import { Cache, Cause, Clock, Data, Duration, Effect, Either, Exit, Option } from "effect"
import type { Transient } from "../../../Errors.ts"
import { isKnownHost } from "../../../Services/Mcp/KnownClients.ts"
import {
  clientMetadata,
  clientOfDocument,
  documentUrl,
  type MetadataFault,
  type OAuthClient,
  shownName
} from "../../../Services/Mcp/OAuthClients.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { makeAccountSeal } from "../../Platform/Postgres/AccountSeal.ts"
import { makeLookUpShares } from "./LookUpShares.ts"

/** The client's id cannot be verified, so no browser is redirected for it. */
export class ClientUnknown extends Data.TaggedError("ClientUnknown")<{
  readonly reason: "not_registered" | "document_unreachable" | "document_gone" | "document_unusable"
}> {}

const registeredPrefix = "pgc_"
const purpose = "oauth client"
/** The most bytes of a client's registration. The client's id contains them, and is used in URLs. */
const largestRegistration = 2_000
const longestId = 4_000

const largestDocument = 16 * 1024
const storedDocuments = 1_000
const freshMinutes = 5
/** A cached document is used for this long while its host does not answer. */
const longestStale = Duration.toMillis("1 day")
const retrySeconds = 10

/** The limits of all look-ups together. The limits per host and per address usually apply first. */
const mostOfAll = { atATime: 64, inMinute: 2_000 }
/** Per domain, whose owner can make any number of hosts and ports. Programs at one hosting company share it. */
const mostOfDomain = { atATime: 16, inMinute: 480 }
/** Per host, so that a slow host only delays its own programs. */
const mostOfHost = { atATime: 4, inMinute: 120 }
/** Anyone can open links to programs, so look-ups are limited per client address. */
const mostOfAddress = { atATime: 4, inMinute: 30 }

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The part of a host's name that is registered: two labels, or three below endings such as `com.br`. */
const domainOf = (hostname: string): string => {
  const labels = hostname.split(".").filter((label) => label !== "")
  return labels.slice((labels.at(-2) ?? "").length <= 3 ? -3 : -2).join(".")
}

/**
 * The programs that may request tokens. A program that registers gets an id that contains its signed registration, so
 * nothing is stored about unknown programs. An id that is an https URL is fetched from that URL.
 */
export const makeOAuthClients = Effect.gen(function* () {
  const http = yield* OutboundHttp
  const seal = yield* makeAccountSeal
  const forAll = makeLookUpShares(mostOfAll)
  const forDomain = makeLookUpShares(mostOfDomain)
  const forHost = makeLookUpShares(mostOfHost)
  const forAddress = makeLookUpShares(mostOfAddress)
  /** The last good documents, least recently used first. */
  const stored = new Map<string, { readonly client: OAuthClient; readonly at: number }>()

  const store = (clientId: string, client: OAuthClient, at: number): void => {
    stored.delete(clientId)
    const [oldest] = stored.keys()
    if (stored.size >= storedDocuments && oldest !== undefined) stored.delete(oldest)
    stored.set(clientId, { client, at })
  }

  const fetched = (clientId: string): Effect.Effect<OAuthClient, ClientUnknown> =>
    http
      .request({
        method: "GET",
        url: clientId,
        headers: { accept: "application/json" },
        timeout: "5 seconds",
        maxResponseBytes: largestDocument
      })
      .pipe(
        Effect.mapError(() => new ClientUnknown({ reason: "document_unreachable" })),
        Effect.filterOrFail(
          ({ status }) => status === 200,
          ({ status }) =>
            new ClientUnknown({ reason: status === 404 || status === 410 ? "document_gone" : "document_unreachable" })
        ),
        Effect.flatMap(({ body }) => clientOfDocument(clientId, parsed(Buffer.from(body).toString("utf8")))),
        Effect.mapError((fault) =>
          typeof fault === "string" ? new ClientUnknown({ reason: "document_unusable" }) : fault
        ),
        // A response of the host replaces the document. A failed request does not.
        Effect.tapBoth({
          onSuccess: (client) => Effect.map(Clock.currentTimeMillis, (now) => store(clientId, client, now)),
          onFailure: ({ reason }) =>
            Effect.sync(() => void (reason === "document_unreachable" || stored.delete(clientId)))
        })
      )

  const documents = yield* Cache.makeWith({
    capacity: storedDocuments,
    lookup: (clientId: string) => {
      const { host, hostname } = new URL(clientId)
      const lookUp = fetched(clientId)
      // Known hosts are excluded from the common limit, so that an attacker's many slow hosts do not block them.
      return forHost(host, isKnownHost(host) ? lookUp : forDomain(domainOf(hostname), forAll("", lookUp)))
    },
    timeToLive: Exit.match({
      onSuccess: () => Duration.minutes(freshMinutes),
      // Reaching this gateway's limit says nothing about the program.
      onFailure: (cause) =>
        Option.exists(Cause.failureOption(cause), ({ _tag }) => _tag === "ClientUnknown")
          ? Duration.seconds(retrySeconds)
          : Duration.zero
    })
  })

  /** An outdated document is used once more, while it is fetched again for the next caller. */
  const document = Effect.fnUntraced(function* (clientId: string, address: string) {
    const fresh = yield* documents.getOptionComplete(clientId)
    if (Option.isSome(fresh)) return fresh.value
    const lookUp = forAddress(address, documents.get(clientId))
    const stale = stored.get(clientId)
    if (stale === undefined || (yield* Clock.currentTimeMillis) - stale.at > longestStale) return yield* lookUp
    // The request has a time limit, so the fiber ends by itself.
    yield* Effect.forkDaemon(Effect.ignore(lookUp))
    return stale.client
  })

  const registered = Effect.fnUntraced(function* (clientId: string) {
    const [payload = "", mac = ""] = clientId.slice(registeredPrefix.length).split(".")
    const expected = yield* seal.signature(purpose, payload)
    const signature = Buffer.from(mac, "base64url")
    const metadata =
      signature.length === expected.length && timingSafeEqual(signature, expected)
        ? clientMetadata(parsed(Buffer.from(payload, "base64url").toString("utf8")))
        : Either.left("not_registered")
    if (Either.isLeft(metadata)) return yield* new ClientUnknown({ reason: "not_registered" })
    const { client_name, redirect_uris } = metadata.right
    // Older ids contain the client's name before it was cleaned.
    const name = shownName(client_name, new URL(redirect_uris[0] ?? "").host)
    return { id: clientId, name, redirectUris: redirect_uris, host: undefined }
  })

  return {
    /** `address` is the client's address, by which look-ups are limited. */
    find: (clientId: string, address: string): Effect.Effect<OAuthClient, ClientUnknown | Transient> => {
      if (clientId.length <= longestId && clientId.startsWith(registeredPrefix)) return registered(clientId)
      return documentUrl(clientId) === undefined
        ? Effect.fail(new ClientUnknown({ reason: "not_registered" }))
        : document(clientId, address)
    },

    /** Registers a program. Its id contains the registration. */
    register: Effect.fnUntraced(function* (value: unknown) {
      const metadata = clientMetadata(value)
      if (Either.isLeft(metadata)) return Either.left(metadata.left)
      const { client_name, redirect_uris } = metadata.right
      const name = shownName(client_name, new URL(redirect_uris[0] ?? "").host)
      const text = JSON.stringify({ client_name: name, redirect_uris })
      if (Buffer.byteLength(text) > largestRegistration) return Either.left<MetadataFault>("invalid_client_metadata")
      const payload = Buffer.from(text).toString("base64url")
      const mac = (yield* seal.signature(purpose, payload)).toString("base64url")
      return Either.right({ id: `${registeredPrefix}${payload}.${mac}`, name, redirectUris: redirect_uris })
    })
  }
})

export type OAuthClients = Effect.Effect.Success<typeof makeOAuthClients>
