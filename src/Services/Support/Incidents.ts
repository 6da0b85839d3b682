import { Context, type Effect, Schema } from "effect"
import type { NotFound, Refused, Transient } from "../../Errors.ts"
import { Timestamp } from "../Core/Timestamp.ts"
import { IncidentId, IncidentImpact, IncidentStatus } from "./Ids.ts"

export const IncidentUpdateView = Schema.Struct({
  status: IncidentStatus,
  message: Schema.String,
  created_at: Timestamp
})
export type IncidentUpdateView = typeof IncidentUpdateView.Type

export const IncidentView = Schema.Struct({
  incident_id: IncidentId,
  title: Schema.String,
  impact: IncidentImpact,
  status: IncidentStatus,
  is_active: Schema.Boolean,
  components: Schema.Array(Schema.String).annotations({
    description: "The parts of the platform it is about, for example mail or webhooks."
  }),
  is_automatic: Schema.Boolean.annotations({
    description: "Opened by the platform itself, which watches its services."
  }),
  started_at: Timestamp,
  resolved_at: Schema.NullOr(Timestamp),
  updates: Schema.Array(IncidentUpdateView).annotations({ description: "Oldest first." })
})
export type IncidentView = typeof IncidentView.Type

/** Past incidents that a list answers when it is not told, and at most. */
export const defaultPastIncidents = 10
export const mostPastIncidents = 50
/** Updates of one incident. */
export const mostUpdates = 200

/** What the platform noticed of one of its services, for the incident that it opens by itself. */
export interface ServiceTrouble {
  /** Names the trouble: there is one open incident of it at a time. */
  readonly key: string
  readonly component: string
  readonly impact: IncidentImpact
  readonly title: string
  readonly message: string
}

/** Outages and the like, the same for all accounts. */
export class Incidents extends Context.Tag("Incidents")<
  Incidents,
  {
    /** Active ones first, newest first; of past ones the last `pastLimit`. */
    readonly list: (options: {
      readonly scope: "active" | "past" | "all"
      readonly pastLimit: number
    }) => Effect.Effect<ReadonlyArray<IncidentView>, Transient>
    readonly open: (incident: {
      readonly title: string
      readonly impact: IncidentImpact
      readonly components: ReadonlyArray<string>
      readonly message: string
    }) => Effect.Effect<IncidentView, Refused | Transient>
    /** Adds to the timeline; `resolved` ends the incident, and anything else opens a resolved one again. */
    readonly update: (
      id: IncidentId,
      update: { readonly status: IncidentStatus; readonly message: string }
    ) => Effect.Effect<IncidentView, NotFound | Refused | Transient>
    /** Says more exactly what it is about; what is left out stays. */
    readonly revise: (
      id: IncidentId,
      changes: {
        readonly title: string | undefined
        readonly impact: IncidentImpact | undefined
        readonly components: ReadonlyArray<string> | undefined
      }
    ) => Effect.Effect<IncidentView, NotFound | Refused | Transient>
    /** Opens the incident of a trouble unless it is open; true where it was opened now. */
    readonly report: (trouble: ServiceTrouble) => Effect.Effect<boolean, Transient>
    /** The keys of the troubles whose incidents are open. */
    readonly openTroubles: Effect.Effect<ReadonlySet<string>, Transient>
    /** Ends the incident that `report` opened; true where there was one. */
    readonly recover: (key: string, message: string) => Effect.Effect<boolean, Transient>
  }
>() {}
