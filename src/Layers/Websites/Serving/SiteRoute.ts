import { Context, Effect } from "effect"
import type { RequestRefused, Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { WebsiteId } from "../../../Services/Websites/Ids.ts"
import type { PublishedSite } from "../../../Services/Websites/PublishedSites.ts"
import type { RenderContext } from "../Design/RenderContext.ts"

/** A request to a site's own host. */
export interface SiteRequest {
  readonly site: PublishedSite
  readonly method: "GET" | "HEAD" | "POST"
  /** The path. It begins with a slash and is still percent-encoded. */
  readonly path: string
  readonly query: URLSearchParams
  /** Headers, with names in lower case. A repeated header is joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The client's network, an IPv4 /24 or an IPv6 /48, determined with `TRUSTED_PROXIES`. */
  readonly network: string
  /** A hash that identifies the visitor on this day and this site only. */
  readonly visitor: string
  /** Reads the body, at most 64 KiB. */
  readonly body: Effect.Effect<Uint8Array, RequestRefused | Transient>
}

export interface SiteAnswer {
  readonly status: number
  /** Headers in addition to those that every answer of a site has. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** A path on every site's host, in addition to pages and their assets. */
export interface SiteRoute {
  readonly matches: (path: string) => boolean
  readonly answer: (request: SiteRequest) => Effect.Effect<SiteAnswer, Transient>
}

/** Routes of other parts. The first one that matches answers. On a restricted site they need a valid session. */
export class SiteRoutes extends Context.Reference<SiteRoutes>()("SiteRoutes", {
  defaultValue: (): ReadonlyArray<SiteRoute> => []
}) {}

/** The data of one rendering that depends on the visitor. */
export type PageContext = Pick<RenderContext, "forms" | "records" | "visitor">

/** A page without forms and records, which is the same for all visitors. */
export const noContext: PageContext = { forms: () => undefined, records: () => [], visitor: undefined }

/** Fills the pages that have forms, records or visitors who sign in. */
export class SiteContexts extends Context.Reference<SiteContexts>()("SiteContexts", {
  defaultValue: (): {
    readonly of: (
      request: SiteRequest,
      pageId: string,
      /** The variant of the page that the visitor sees. */
      variant: string
    ) => Effect.Effect<PageContext, Transient>
  } => ({ of: () => Effect.succeed(noContext) })
}) {}

/** The submissions that a site's forms received. */
export class SiteSubmissions extends Context.Reference<SiteSubmissions>()("SiteSubmissions", {
  defaultValue: (): {
    /**
     * Returns the number of accepted submissions per day (`yyyy-mm-dd` in the zone) since `since`. Days without any are
     * left out.
     */
    readonly perDay: (
      accountId: AccountId,
      websiteId: WebsiteId,
      since: string,
      timeZone: string
    ) => Effect.Effect<ReadonlyMap<string, number>, Transient>
  } => ({ perDay: () => Effect.succeed(new Map()) })
}) {}

/** The page that a route answers with, perhaps with a form in the state after it was sent. */
export interface RenderedPage {
  readonly request: SiteRequest
  readonly pageId: string
  readonly variant: string
  readonly context: PageContext
  readonly status: number
  /** `embed`: without navigation and footer, for a frame on another site. */
  readonly mode: "served" | "embed"
  /** Headers in addition to those of a page. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Pages with everything but their forms and records, which the caller has. */
export class PageAnswers extends Context.Reference<PageAnswers>()("PageAnswers", {
  defaultValue: (): { readonly render: (page: RenderedPage) => Effect.Effect<SiteAnswer, Transient> } => ({
    render: ({ status }) => Effect.succeed({ status, headers: {}, body: "" })
  })
}) {}
