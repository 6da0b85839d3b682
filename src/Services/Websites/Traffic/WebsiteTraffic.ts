import { Context, type Effect, Schema } from "effect"
import type { NotFound, Transient } from "../../../Errors.ts"
import type { Caller } from "../../Core/Calls/Caller.ts"
import { WebsiteId } from "../Ids.ts"

export const mostTrafficDays = 365

/** How many names of each kind are listed. The rest is `(other)`. */
export const maximumListedNames = 20

const whole = Schema.Int
const Rate = Schema.NullOr(Schema.Number).annotations({ description: "0 to 1; null where there were no visitors." })

const Counted = Schema.Array(Schema.Struct({ name: Schema.String, views: whole }))

export const WebsiteTrafficView = Schema.Struct({
  website_id: WebsiteId,
  days: whole,
  time_zone: Schema.String.annotations({ description: "Of the account: days begin at its midnight." }),
  first_day: Schema.String,
  last_day: Schema.String.annotations({ description: "Today." }),
  views: whole.annotations({ description: "Pages that visitors' browsers showed." }),
  visitors: whole.annotations({
    description:
      "The sum of the days' visitors: nobody is recognised on another day. Exact up to 600 a day, then within about 2 %."
  }),
  bot_hits: whole.annotations({
    description: "Pages that programs asked for, or browsers ahead of a visit: in no other count."
  }),
  submissions: whole,
  conversion_rate: Rate.annotations({ description: "Submissions for each visitor, 0 to 1; null without visitors." }),
  by_day: Schema.Array(
    Schema.Struct({ day: Schema.String, views: whole, visitors: whole, bot_hits: whole, submissions: whole })
  ).annotations({ description: "Every day of the time asked for, the oldest first." }),
  pages: Counted,
  variants: Schema.Array(Schema.Struct({ page: Schema.String, variant: Schema.String, views: whole })).annotations({
    description: "Views of each opening, of pages that have several."
  }),
  referrers: Counted.annotations({ description: "Hosts that visitors came from; views without one are in none." }),
  utm_sources: Counted,
  utm_mediums: Counted,
  utm_campaigns: Counted,
  devices: Counted
})
export type WebsiteTrafficView = typeof WebsiteTrafficView.Type

/** How much a site is visited. */
export class WebsiteTraffic extends Context.Tag("WebsiteTraffic")<
  WebsiteTraffic,
  {
    /** The traffic of the last `days` days, including today. */
    readonly of: (websiteId: WebsiteId, days: number) => Effect.Effect<WebsiteTrafficView, NotFound | Transient, Caller>
  }
>() {}
