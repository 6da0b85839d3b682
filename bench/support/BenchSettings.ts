import { Config } from "effect"

export const positive = (name: string) =>
  Config.integer(name).pipe(
    Config.validate({ message: "Expected a whole number above 0", validation: (value) => value > 0 })
  )

/** What all benchmarks can be told by the environment; see README.md. */
export const benchSettings = Config.all({
  rounds: Config.withDefault(positive("BENCH_ROUNDS"), 3),
  /** Of one round of one call on one server. */
  seconds: Config.withDefault(positive("BENCH_SECONDS"), 5),
  /** How many leads the account under test has; each benchmark has its own number of them. */
  leads: Config.option(positive("BENCH_LEADS")),
  connections: Config.array(Config.integer(), "BENCH_CONNECTIONS").pipe(Config.withDefault([1, 50])),
  /** Part of the names of the calls that are measured. */
  only: Config.string("BENCH_ONLY").pipe(Config.withDefault("")),
  /** A file that gets each measurement as a line of JSON. */
  results: Config.option(Config.nonEmptyString("BENCH_RESULTS"))
})

export type BenchSettings = Config.Config.Success<typeof benchSettings>
