import { Effect, Metric } from "effect"

/** Counts events of this process by one label, for `/metrics`. */
export interface Counter<Label extends string> {
  readonly count: (label: Label) => Effect.Effect<void>
  /** Starts every known label at 0, so that the first event counts as an increase. */
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
