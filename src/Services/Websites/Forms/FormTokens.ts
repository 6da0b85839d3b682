import { createHmac, timingSafeEqual } from "node:crypto"
import { Either, Schema } from "effect"
import type { AccountId } from "../../Accounts/Ids.ts"
import type { WebsiteId } from "../Ids.ts"
import { SiteKey } from "../Site.ts"
import { VisitSource } from "../Traffic/VisitSource.ts"

/** A form that is older than this must be confirmed before it is accepted. */
export const tokenLifetimeMillis = 12 * 60 * 60_000
/** A form that is sent sooner than this was filled in by a program. */
export const leastFillingMillis = 2_000

/** The data of a form's token, which identifies one rendering. */
export const FormToken = Schema.Struct({
  /** `confirmation` is the page that asks whether the form should be sent. */
  kind: Schema.Literal("form", "confirmation"),
  issuedAt: Schema.Int,
  /** Identifies a rendering. Only one submission is accepted per rendering. */
  nonce: Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9_-]{16}$/)),
  blockId: SiteKey,
  pageId: SiteKey,
  variant: SiteKey,
  isEmbedded: Schema.Boolean,
  source: VisitSource
})
export type FormToken = typeof FormToken.Type

/** The site that a token is valid for. */
export interface TokenOwner {
  readonly accountId: AccountId
  readonly websiteId: WebsiteId
}

const longestToken = 4096

/** A tuple, because it is shorter than an object. */
const Packed = Schema.parseJson(
  Schema.Tuple(
    Schema.Literal("f", "c"),
    Schema.Int,
    FormToken.fields.nonce,
    SiteKey,
    SiteKey,
    SiteKey,
    Schema.Literal(0, 1),
    Schema.Array(Schema.NullOr(Schema.String)).pipe(Schema.itemsCount(6))
  )
)
const pack = Schema.encodeSync(Packed)
const unpack = Schema.decodeUnknownEither(Packed)
const decodeSource = Schema.decodeUnknownEither(VisitSource)

const signature = (key: Uint8Array, { accountId, websiteId }: TokenOwner, packed: string): Buffer =>
  createHmac("sha256", key).update(`site-form:${accountId}:${websiteId}:${packed}`).digest().subarray(0, 16)

/** Signs a token for a page. `key` is the account's own secret. */
export const signToken = (key: Uint8Array, owner: TokenOwner, token: FormToken): string => {
  const { utm_campaign, utm_content, utm_medium, utm_source, utm_term, referrer } = token.source
  const packed = Buffer.from(
    pack([
      token.kind === "form" ? "f" : "c",
      token.issuedAt,
      token.nonce,
      token.blockId,
      token.pageId,
      token.variant,
      token.isEmbedded ? 1 : 0,
      [utm_source, utm_medium, utm_campaign, utm_term, utm_content, referrer]
    ])
  ).toString("base64url")
  return `${packed}.${signature(key, owner, packed).toString("base64url")}`
}

/** Verifies and reads a token. Undefined unless the gateway signed it for this site. */
export const readToken = (key: Uint8Array, owner: TokenOwner, token: string): FormToken | undefined => {
  if (token.length > longestToken) return undefined
  const [packed, given, ...more] = token.split(".")
  if (packed === undefined || given === undefined || more.length > 0) return undefined
  const right = signature(key, owner, packed)
  const presented = Buffer.from(given, "base64url")
  if (presented.length !== right.length || !timingSafeEqual(presented, right)) return undefined
  const read = unpack(Buffer.from(packed, "base64url").toString("utf8"))
  if (Either.isLeft(read)) return undefined
  const [kind, issuedAt, nonce, blockId, pageId, variant, embedded, tags] = read.right
  const [
    utm_source = null,
    utm_medium = null,
    utm_campaign = null,
    utm_term = null,
    utm_content = null,
    referrer = null
  ] = tags
  const source = decodeSource({ utm_source, utm_medium, utm_campaign, utm_term, utm_content, referrer })
  if (Either.isLeft(source)) return undefined
  return {
    kind: kind === "f" ? "form" : "confirmation",
    issuedAt,
    nonce,
    blockId,
    pageId,
    variant,
    isEmbedded: embedded === 1,
    source: source.right
  }
}

/** Whether a token is too young, valid or expired. */
export const ageOf = ({ issuedAt }: FormToken, now: number): "early" | "fresh" | "expired" => {
  const age = now - issuedAt
  return age < leastFillingMillis ? "early" : age > tokenLifetimeMillis ? "expired" : "fresh"
}

/** A keyed digest of a text. It cannot be computed without the account's secret. */
export const digestOf = (key: Uint8Array, purpose: string, text: string): string =>
  createHmac("sha256", key).update(`site-${purpose}:${text}`).digest().subarray(0, 16).toString("hex")
