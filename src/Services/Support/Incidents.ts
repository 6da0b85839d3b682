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

/** How many past incidents a list contains by default, and at most. */
export const defaultPastIncidents = 10
export const maximumPastIncidents = 50
/** The most updates of one incident. */
export const maximumUpdates = 200

/** A problem that the platform noticed in one of its services, for the incident that it opens. */
export interface ServiceTrouble {
  /** Identifies the problem. It has at most one open incident. */
  readonly key: string
  readonly component: string
  readonly impact: IncidentImpact
  readonly title: string
  readonly message: string
}

/** Incidents of the platform, the same for all accounts. */
export class Incidents extends Context.Tag("Incidents")<
  Incidents,
  {
    /** Active ones first, newest first, then the latest `pastLimit` past ones. */
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
    /** Adds to the timeline. `resolved` ends the incident, and any other status reopens it. */
    readonly update: (
      id: IncidentId,
      update: { readonly status: IncidentStatus; readonly message: string }
    ) => Effect.Effect<IncidentView, NotFound | Refused | Transient>
    /** Corrects the incident's description. Missing fields stay unchanged. */
    readonly revise: (
      id: IncidentId,
      changes: {
        readonly title: string | undefined
        readonly impact: IncidentImpact | undefined
        readonly components: ReadonlyArray<string> | undefined
      }
    ) => Effect.Effect<IncidentView, NotFound | Refused | Transient>
    /** Opens the incident of a problem, unless it is open. Returns whether it was opened. */
    readonly report: (trouble: ServiceTrouble) => Effect.Effect<boolean, Transient>
    /** The keys of problems with open incidents. */
    readonly openTroubles: Effect.Effect<ReadonlySet<string>, Transient>
    /** Ends the incident that `report` opened. Returns whether there was one. */
    readonly recover: (key: string, message: string) => Effect.Effect<boolean, Transient>
  }
>() {}
