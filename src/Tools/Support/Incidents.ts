import { Effect, Schema } from "effect"
import {
  defaultPastIncidents,
  Incidents,
  IncidentView,
  maximumPastIncidents
} from "../../Services/Support/Incidents.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const listIncidents = Tool.make("list_incidents", {
  kind: "read",
  openWorld: false,
  description:
    "Lists outages, degradations and instabilities of the platform with their timeline: active ones first, then past ones, newest first. If calls or deliveries fail, look here before you look for a mistake of your own.",
  parameters: {
    scope: Param.withDefault(Param.oneOf(["active", "past", "all"], "Which incidents."), "all"),
    limit: Param.size("How many past incidents at most.", {
      default: defaultPastIncidents,
      maximum: maximumPastIncidents
    })
  },
  returns: Schema.Struct({ incidents: Schema.Array(IncidentView), limit: Schema.Int }),
  example: { scope: "all" },
  run: Effect.fnUntraced(function* ({ limit, scope }) {
    const incidents = yield* Incidents
    return { incidents: yield* incidents.list({ scope, pastLimit: limit }), limit }
  })
})

export const IncidentsGroup = Tool.group("Incidents", "The state of the platform.", [listIncidents])
