import { Clock, Context, Effect, Layer, Schema } from "effect"
import { fromMillis, Timestamp } from "../Timestamp.ts"

/** A model from the settings, and whether its provider still offers it. */
export const ProviderModel = Schema.Struct({
  service: Schema.String,
  model: Schema.String,
  status: Schema.Literal("unchecked", "available", "ending", "gone").annotations({
    description: "`ending`: its provider has announced when it will be shut down."
  }),
  shutdown_date: Schema.NullOr(Schema.String),
  checked_at: Schema.NullOr(Timestamp)
})
export type ProviderModel = typeof ProviderModel.Type

const dayMillis = 86_400_000

/** Whole days until a shutdown date. 0 from that day on. */
export const daysUntil = (date: string, now: number): number =>
  Math.max(0, Math.ceil((Date.parse(`${date}T00:00:00Z`) - now) / dayMillis))

/** A provider's information about a model. Undefined if the provider does not know the model. */
export type ModelAvailability =
  | { readonly status: "available" | "gone" }
  /** A date as `2027-01-14`. */
  | { readonly status: "ending"; readonly shutdownDate: string }
  | undefined

export interface WatchedModel {
  /** The service's name in the list of integrations, such as `language_model`. */
  readonly service: string
  readonly model: string
  /** Asks the provider. Never fails. If the provider is unavailable, the model's state is unknown. */
  readonly look: Effect.Effect<ModelAvailability>
}

/** Reports what calls show about a model. */
export interface ModelReport {
  readonly worked: Effect.Effect<void>
  readonly disappeared: Effect.Effect<void>
}

const noReport: ModelReport = { worked: Effect.void, disappeared: Effect.void }

/** The outside models that this process uses. Without a layer, nothing is recorded. */
export class ProviderModels extends Context.Reference<ProviderModels>()("ProviderModels", {
  defaultValue: (): {
    readonly watch: (model: WatchedModel) => Effect.Effect<ModelReport>
    /** Asks each provider about its models. */
    readonly check: Effect.Effect<void>
    readonly states: Effect.Effect<ReadonlyArray<ProviderModel>>
  } => ({
    watch: () => Effect.succeed(noReport),
    check: Effect.void,
    states: Effect.succeed([])
  })
}) {}

interface Entry extends WatchedModel {
  status: ProviderModel["status"]
  shutdownDate: string | undefined
  checkedAt: number | undefined
}

const checksAtATime = 4

const make = Effect.sync(() => {
  const entries = new Map<string, Entry>()

  const note = (entry: Entry, availability: NonNullable<ModelAvailability>) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      entry.status = availability.status
      entry.shutdownDate = availability.status === "ending" ? availability.shutdownDate : undefined
      entry.checkedAt = now
    })

  return {
    watch: (model: WatchedModel) =>
      Effect.sync((): ModelReport => {
        const key = `${model.service} ${model.model}`
        const entry = entries.get(key) ?? {
          ...model,
          status: "unchecked",
          shutdownDate: undefined,
          checkedAt: undefined
        }
        entries.set(key, entry)
        return {
          // A successful call does not cancel an announced shutdown.
          worked: Effect.suspend(() => (entry.status === "gone" ? note(entry, { status: "available" }) : Effect.void)),
          disappeared: Effect.suspend(() => note(entry, { status: "gone" }))
        }
      }),

    check: Effect.suspend(() =>
      Effect.forEach(
        [...entries.values()],
        (entry) =>
          Effect.flatMap(entry.look, (availability) =>
            availability === undefined ? Effect.void : note(entry, availability)
          ),
        { concurrency: checksAtATime, discard: true }
      )
    ),

    states: Effect.sync(() =>
      [...entries.values()].map(
        ({ checkedAt, model, service, shutdownDate, status }): ProviderModel => ({
          service,
          model,
          status,
          shutdown_date: shutdownDate ?? null,
          checked_at: checkedAt === undefined ? null : fromMillis(checkedAt)
        })
      )
    )
  }
})

/** Stored in the process's memory. */
export const ProviderModelsLive = Layer.effect(ProviderModels, make)
