import { Effect, Metric } from "effect"

/** What happened since the process began, by one label; shown by `/metrics`. */
export interface Counter<Label extends string> {
  readonly count: (label: Label) => Effect.Effect<void>
  /** Has every known label shown from the beginning, so that the first one counts as an increase. */
  readonly begin: Effect.Effect<void>
}

/** `name` ends in `_total`. */
export const makeCounter = <const Label extends string>(options: {
  readonly name: `gateway_${string}_total`
  readonly help: string
  readonly label: string
  readonly known: ReadonlyArray<Label>
}): Counter<Label> => {
  const counter = Metric.counter(options.name, { description: options.help, incremental: true })
  const add = (label: Label, amount: number) => Metric.incrementBy(Metric.tagged(counter, options.label, label), amount)
  return {
    count: (label) => add(label, 1),
    begin: Effect.forEach(options.known, (label) => add(label, 0), { discard: true })
  }
}
