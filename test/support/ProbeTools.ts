import { Effect, Layer, Schema } from "effect"
import { AccountId } from "../../src/Services/Accounts/Ids.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import * as Param from "../../src/Tools/Core/Param.ts"
import * as Tool from "../../src/Tools/Core/Tool.ts"

const Scalar = Schema.Union(Schema.String, Schema.Number, Schema.Boolean)

/** A probe's answer: the value that its handler received, or `null` if there was none. */
export const Echo = Schema.Struct({ value: Schema.Union(Schema.Null, Scalar, Schema.Array(Scalar)) })

const isEchoed = Schema.is(Echo.fields.value)

const echo = (value: unknown): typeof Echo.Type => ({
  value: isEchoed(value) ? value : null
})

const probe = <A>(name: string, value: Param.Param<A>, example: string | number | boolean) =>
  Tool.make(name, {
    kind: "read",
    openWorld: false,
    description: "Answers the value it was called with, as its handler received it.",
    parameters: { value },
    returns: Echo,
    example: { value: example },
    run: (args) => Effect.succeed(echo(args.value))
  })

const ProbeId = Schema.Int.pipe(Schema.brand("ProbeId"))
const colors = ["red", "green"] as const
const value = "The value to answer."

const probes = [
  probe("probe_text", Param.text(value), "a"),
  probe("probe_short_text", Param.text(value, { minLength: 1, maxLength: 10 }), "a"),
  probe("probe_optional_text", Param.optional(Param.text(value)), "a"),
  probe("probe_integer", Param.integer(value), 1),
  probe("probe_month", Param.integer(value, { minimum: 1, maximum: 12 }), 1),
  probe("probe_page", Param.withDefault(Param.integer(value, { minimum: 0 }), 0), 1),
  probe("probe_optional_integer", Param.optional(Param.integer(value)), 1),
  probe("probe_cursor", Param.cursor(value), 1),
  probe("probe_id", Param.id(ProbeId, value), 1),
  probe("probe_number", Param.number(value), 1.5),
  probe("probe_score", Param.number(value, { minimum: 0, maximum: 1 }), 0.5),
  probe("probe_boolean", Param.boolean(value), true),
  probe("probe_optional_boolean", Param.optional(Param.boolean(value)), true),
  probe("probe_color", Param.oneOf(colors, value), "red"),
  probe("probe_sort", Param.oneOfOrElse(["created", "name"], "created", value), "name"),
  probe("probe_colors", Param.listOf(colors, value), "red"),
  probe("probe_words", Param.words(value), "a,b"),
  probe("probe_ids", Param.ids(ProbeId, value), "1,2"),
  probe("probe_instant", Param.instant(value), "2026-03-01"),
  probe("probe_until", Param.inclusiveUpperBound(value), "2026-03-01"),
  probe("probe_date", Param.date(value), "2026-03-01"),
  probe("probe_size", Param.size(value, { default: 20, maximum: 100 }), 50)
]

const probeNothing = Tool.make("probe_nothing", {
  kind: "read",
  openWorld: false,
  description: "Takes nothing and answers so.",
  parameters: {},
  returns: Echo,
  example: {},
  run: () => Effect.succeed({ value: null })
})

const probeWrite = Tool.make("probe_write", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description: "Stands for a tool that changes something.",
  parameters: { value: Param.text(value) },
  returns: Echo,
  requiresPaidPlan: true,
  example: { value: "a" },
  run: (args) => Effect.succeed(echo(args.value))
})

/** One tool for each type of parameter, which is called `value`. They need no database. */
export const ProbeTools = Catalog.make([
  Tool.group("Probes", "Tools that answer what they received.", [...probes, probeNothing, probeWrite])
])

/** A unit of work without a database. */
export const NoUnitOfWork = Layer.succeed(UnitOfWork, {
  read: (effect) => effect,
  readLagging: (effect) => effect,
  write: (effect) => effect,
  acrossAccounts: (effect) => effect,
  perAccount: (items) => [items],
  isCluster: () => false
})

/** A caller on the free trial. */
export const ProbeCaller = Layer.succeed(Caller, Caller.forTask(AccountId.make(1), "free_trial", "probe"))
