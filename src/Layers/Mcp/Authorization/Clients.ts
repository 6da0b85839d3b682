import { timingSafeEqual } from "node:crypto"
import { Cache, Data, Duration, Effect, Either, Exit, Option } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
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

/** Nobody vouches for the id: a browser is never sent anywhere for it. */
export class ClientUnknown extends Data.TaggedError("ClientUnknown")<{
  readonly reason: "not_registered" | "document_unreachable" | "document_unusable"
}> {}

const registeredPrefix = "pgc_"
const purpose = "oauth client"
/** Bytes of what a registered client may say of itself: its id carries them, and stands in addresses. */
const largestRegistration = 2_000
const longestId = 4_000

const largestDocument = 16 * 1024
/** Documents of strangers that are fetched at a time, for anybody who opens a link. */
const fetchesAtATime = 8
const keptDocuments = 1_000

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const tooMany: Transient = transient("overloaded", "Too many programs are being looked up for the moment.", 5)

/**
 * The programs that may ask for tokens. One that registers itself gets an id that carries, signed, what it said: nothing
 * is stored of strangers. One whose id is an https address is looked up there.
 */
export const makeOAuthClients = Effect.gen(function* () {
  const http = yield* OutboundHttp
  const seal = yield* makeAccountSeal
  const places = yield* Effect.makeSemaphore(fetchesAtATime)

  const fetched = (clientId: string): Effect.Effect<OAuthClient, ClientUnknown | Transient> =>
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
          () => new ClientUnknown({ reason: "document_unreachable" })
        ),
        Effect.flatMap(({ body }) => clientOfDocument(clientId, parsed(Buffer.from(body).toString("utf8")))),
        Effect.mapError((fault) =>
          typeof fault === "string" ? new ClientUnknown({ reason: "document_unusable" }) : fault
        ),
        places.withPermitsIfAvailable(1),
        Effect.flatMap(
          Option.match({ onNone: (): Effect.Effect<OAuthClient, Transient> => tooMany, onSome: Effect.succeed })
        )
      )

  const documents = yield* Cache.makeWith({
    capacity: keptDocuments,
    lookup: fetched,
    timeToLive: Exit.match({
      onSuccess: () => Duration.minutes(5),
      onFailure: () => Duration.seconds(10)
    })
  })

  const registered = Effect.fnUntraced(function* (clientId: string) {
    const [payload = "", mac = ""] = clientId.slice(registeredPrefix.length).split(".")
    const expected = yield* seal.signature(purpose, payload)
    const given = Buffer.from(mac, "base64url")
    const metadata =
      given.length === expected.length && timingSafeEqual(given, expected)
        ? clientMetadata(parsed(Buffer.from(payload, "base64url").toString("utf8")))
        : Either.left("not_registered")
    if (Either.isLeft(metadata)) return yield* new ClientUnknown({ reason: "not_registered" })
    const { client_name, redirect_uris } = metadata.right
    return { id: clientId, name: client_name ?? "", redirectUris: redirect_uris, host: undefined }
  })

  return {
    find: (clientId: string): Effect.Effect<OAuthClient, ClientUnknown | Transient> => {
      if (clientId.length <= longestId && clientId.startsWith(registeredPrefix)) return registered(clientId)
      return documentUrl(clientId) === undefined
        ? Effect.fail(new ClientUnknown({ reason: "not_registered" }))
        : documents.get(clientId)
    },

    /** What a program says of itself becomes its id. */
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
