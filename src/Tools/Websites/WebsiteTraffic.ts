import { Effect } from "effect"
import { refused } from "../../Errors.ts"
import {
  checkedTrackingId,
  WebsiteTracking,
  WebsiteTrackingView
} from "../../Services/Websites/Traffic/WebsiteTracking.ts"
import { mostTrafficDays, WebsiteTraffic, WebsiteTrafficView } from "../../Services/Websites/Traffic/WebsiteTraffic.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"
import { websiteParam } from "./WebsiteParams.ts"

const getWebsiteTracking = Tool.make("get_website_tracking", {
  kind: "read",
  openWorld: false,
  description: "Answers the ids of the services that measure a site, and whether its visitors are asked for consent.",
  parameters: { website_id: websiteParam },
  returns: WebsiteTrackingView,
  errors: { NotFound: ["website_not_found"] },
  example: { website_id: 1 },
  run: Tool.via(WebsiteTracking, (tracking, { website_id }) => tracking.get(website_id))
})

const nothingToChange = refused(
  "nothing_to_change",
  "The call changes nothing.",
  "Send at least one of analytics_measurement_id, ads_conversion_id and pixel_id; an empty one takes it away."
)

const setWebsiteTracking = Tool.make("set_website_tracking", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Sets the ids of the services that measure a site; an empty one takes it away. Visitors are asked first: nothing of a service is loaded before they agree. It holds on the next request.",
  parameters: {
    website_id: websiteParam,
    analytics_measurement_id: Param.optional(Param.text("Of Google Analytics 4, as G-ABCDEF1234.", { maxLength: 40 })),
    ads_conversion_id: Param.optional(Param.text("Of Google Ads, as AW-123456789.", { maxLength: 40 })),
    pixel_id: Param.optional(Param.text("Of a Meta pixel, digits alone.", { maxLength: 40 }))
  },
  returns: WebsiteTrackingView,
  errors: { NotFound: ["website_not_found"], Refused: ["invalid_tracking_id", "nothing_to_change"] },
  example: { website_id: 1, analytics_measurement_id: "G-ABCDEF1234" },
  run: ({ ads_conversion_id, analytics_measurement_id, pixel_id, website_id }) =>
    Effect.gen(function* () {
      const tracking = yield* WebsiteTracking
      const given = { analytics_measurement_id, ads_conversion_id, pixel_id }
      if (Object.values(given).every((id) => id === undefined)) return yield* nothingToChange
      const checked = (kind: keyof typeof given) => {
        const id = given[kind]
        return id === undefined ? Effect.succeed(undefined) : checkedTrackingId(kind, id)
      }
      return yield* tracking.set(website_id, {
        analytics_measurement_id: yield* checked("analytics_measurement_id"),
        ads_conversion_id: yield* checked("ads_conversion_id"),
        pixel_id: yield* checked("pixel_id")
      })
    })
})

const getWebsiteTraffic = Tool.make("get_website_traffic", {
  kind: "read",
  replicaAllowed: true,
  openWorld: false,
  description:
    "Answers how much a site is visited: views, visitors, submissions and programs' hits by day in the account's zone, and the views by page, referrer, campaign and device. It is counted without cookies and without addresses; a view counts once a browser shows the page, and is in the figures some seconds later.",
  parameters: {
    website_id: websiteParam,
    days: Param.withDefault(
      Param.integer("The last days, today among them.", { minimum: 1, maximum: mostTrafficDays }),
      30
    )
  },
  returns: WebsiteTrafficView,
  errors: { NotFound: ["website_not_found"] },
  example: { website_id: 1, days: 7 },
  run: Tool.via(WebsiteTraffic, (traffic, { days, website_id }) => traffic.of(website_id, days))
})

export const websiteTrafficTools = [getWebsiteTracking, setWebsiteTracking, getWebsiteTraffic] as const
