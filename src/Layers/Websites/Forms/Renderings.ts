import { randomBytes } from "node:crypto"
import { Clock, Effect } from "effect"
import { type FormToken, signToken } from "../../../Services/Websites/Forms/FormTokens.ts"
import type { PublishedSite } from "../../../Services/Websites/PublishedSites.ts"
import type { VisitSource } from "../../../Services/Websites/Traffic/VisitSource.ts"

/** One rendering of a form: a block of a page in a variant, for a signed-in visitor if there is one. */
export interface Rendering {
  readonly kind: FormToken["kind"]
  readonly blockId: string
  readonly pageId: string
  readonly variant: string
  readonly isEmbedded: boolean
  readonly source: VisitSource
}

/** The token of a new rendering. */
export const newToken = (site: PublishedSite, key: Uint8Array, rendering: Rendering): Effect.Effect<string> =>
  Effect.map(Clock.currentTimeMillis, (issuedAt) =>
    signToken(key, site, { ...rendering, issuedAt, nonce: randomBytes(12).toString("base64url") })
  )
