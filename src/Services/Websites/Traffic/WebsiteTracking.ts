import { Context, type Effect, Either, Schema } from "effect"
import { type NotFound, type Refused, refused, type Transient } from "../../../Errors.ts"
import type { Caller } from "../../Core/Calls/Caller.ts"
import type { Changes } from "../../Core/Changes.ts"
import { WebsiteId } from "../Ids.ts"
import type { SiteTracking } from "../PublishedSites.ts"

const id = (description: string) => Schema.NullOr(Schema.String).annotations({ description })

export const WebsiteTrackingView = Schema.Struct({
  website_id: WebsiteId,
  analytics_measurement_id: id("Of Google Analytics 4, as G-ABCDEF1234; null where there is none."),
  ads_conversion_id: id("Of Google Ads, as AW-123456789; null where there is none."),
  pixel_id: id("Of a Meta pixel, digits; null where there is none."),
  asks_for_consent: Schema.Boolean.annotations({
    description: "Whether visitors are asked: they are once there is an id, and nothing is loaded before they agree."
  })
})
export type WebsiteTrackingView = typeof WebsiteTrackingView.Type

type TrackingId = keyof SiteTracking

const forms: { readonly [K in TrackingId]: { readonly form: RegExp; readonly example: string } } = {
  analytics_measurement_id: { form: /^G-[A-Z0-9]{4,16}$/, example: "G-ABCDEF1234" },
  ads_conversion_id: { form: /^AW-\d{6,16}$/, example: "AW-123456789" },
  pixel_id: { form: /^\d{8,20}$/, example: "123456789012345" }
}

/** What the id is kept as: null for an empty one, which takes it away. Refused with `invalid_tracking_id`. */
export const checkedTrackingId = (kind: TrackingId, text: string): Either.Either<string | null, Refused> => {
  const value = text.trim().toUpperCase()
  if (value === "") return Either.right(null)
  const { example, form } = forms[kind]
  return form.test(value)
    ? Either.right(value)
    : Either.left(
        refused(
          "invalid_tracking_id",
          `${kind} does not have the form of such an id.`,
          `Send it as ${example}, or empty to take it away.`,
          { parameter: kind, example }
        )
      )
}

/** External services that measure a site. */
export class WebsiteTracking extends Context.Tag("WebsiteTracking")<
  WebsiteTracking,
  {
    readonly get: (websiteId: WebsiteId) => Effect.Effect<WebsiteTrackingView, NotFound | Transient, Caller>
    /** Ids that are not given stay; null takes one away. It holds on the next request of a visitor. */
    readonly set: (
      websiteId: WebsiteId,
      changes: Changes<SiteTracking>
    ) => Effect.Effect<WebsiteTrackingView, NotFound | Transient, Caller>
  }
>() {}
