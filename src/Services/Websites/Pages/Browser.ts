import { Context, type Effect, Schema } from "effect"
import { type Refused, refused, type Transient } from "../../../Errors.ts"
import type { AccountId } from "../../Accounts/Ids.ts"
import type { IntegrationMode } from "../../Core/Outside/IntegrationModes.ts"

export const browserUnavailable = refused(
  "browser_unavailable",
  "Pages cannot be looked at here: the machine has no Chromium that starts.",
  "Ask the operator to install chromium and chromium-sandbox; all other tools work."
)

const words = (longest: number) => Schema.String.pipe(Schema.maxLength(longest))
const list = <A, I>(item: Schema.Schema<A, I>, most: number) => Schema.Array(item).pipe(Schema.maxItems(most))

/**
 * The content of a page's document. It is read outside the reach of the page's own scripts, but its texts are
 * untrusted.
 */
export const PageFacts = Schema.Struct({
  title: words(300),
  description: words(600),
  language: words(35),
  headings: list(Schema.Struct({ level: Schema.Int, text: words(300), isInView: Schema.Boolean }), 60),
  /** Paragraphs, list items and the like, in their order. */
  texts: list(words(600), 200),
  /** Buttons, and links that look like them. */
  actions: list(Schema.Struct({ text: words(120), target: words(300), isInView: Schema.Boolean }), 60),
  links: Schema.Int,
  emails: list(words(254), 10),
  phones: list(words(40), 10),
  forms: list(
    Schema.Struct({ fields: list(Schema.Struct({ label: words(160), kind: words(20) }), 40), submit: words(120) }),
    10
  ),
  images: Schema.Int,
  imagesWithoutText: Schema.Int,
  hasViewportMeta: Schema.Boolean,
  /** Pixels by which it is wider than the view. */
  overflow: Schema.Int,
  /** Elements that are wider than the viewport, by tag and words. */
  wide: list(words(160), 8),
  /** Pixels of the whole document. */
  height: Schema.Int,
  /** The HTTP status of the answer. 0 if it is not known. */
  status: Schema.Int,
  textLength: Schema.Int
})
export type PageFacts = typeof PageFacts.Type

/** A rule of accessibility that the page breaks, as axe-core names it. */
export const Violation = Schema.Struct({
  rule: words(80),
  impact: Schema.Literal("minor", "moderate", "serious", "critical"),
  help: words(200),
  count: Schema.Int,
  /** Some of the places, as HTML. */
  places: list(words(240), 5)
})
export type Violation = typeof Violation.Type

export interface Viewport {
  readonly width: number
  readonly height: number
}

export interface LookRequest {
  /** An address on the web, or a document of the gateway's own that needs no other file. */
  readonly page: { readonly url: string } | { readonly html: string }
  /** Looked at one after the other. */
  readonly viewports: readonly [Viewport, ...ReadonlyArray<Viewport>]
  /** `view` is what one sees without scrolling. */
  readonly picture: "none" | "view" | "whole"
}

/** A page as seen in one viewport. */
export interface PageView {
  readonly viewport: Viewport
  readonly facts: PageFacts
  /** Undefined where the page could not be examined in time. */
  readonly violations: ReadonlyArray<Violation> | undefined
  /** PNG, as the browser encoded it; undefined where none was asked for. */
  readonly picture: Uint8Array | undefined
}

export interface Look {
  /** The address after redirects. */
  readonly url: string
  readonly views: ReadonlyArray<PageView>
}

/**
 * Looks at pages as a visitor's browser shows them. Only public addresses and sites of the gateway's own are reached, at
 * every step. Refused with `browser_unavailable`, `page_unreachable`, `page_not_shown`, and as OutboundHttp refuses.
 */
export class Browser extends Context.Tag("Browser")<
  Browser,
  {
    /** Never `sandbox`: there is a browser or there is none. */
    readonly mode: IntegrationMode
    readonly look: (accountId: AccountId, request: LookRequest) => Effect.Effect<Look, Refused | Transient>
  }
>() {}
