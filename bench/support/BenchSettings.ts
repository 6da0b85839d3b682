import { Config } from "effect"

export const positive = (name: string) =>
  Config.integer(name).pipe(
    Config.validate({ message: "Expected a whole number above 0", validation: (value) => value > 0 })
  )

/** Settings of all benchmarks from the environment; see README.md. */
export const benchSettings = Config.all({
  rounds: Config.withDefault(positive("BENCH_ROUNDS"), 3),
  /** Seconds of one round of one call on one server. */
  seconds: Config.withDefault(positive("BENCH_SECONDS"), 5),
  /** The number of leads of the tested account. Each benchmark has a different default. */
  leads: Config.option(positive("BENCH_LEADS")),
  connections: Config.array(Config.integer(), "BENCH_CONNECTIONS").pipe(Config.withDefault([1, 50])),
  /** Only calls whose name contains this text are measured. */
  only: Config.string("BENCH_ONLY").pipe(Config.withDefault("")),
  /** A file to which each measurement is added as a line of JSON. */
  results: Config.option(Config.nonEmptyString("BENCH_RESULTS"))
})

export type BenchSettings = Config.Config.Success<typeof benchSettings>
