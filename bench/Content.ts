import { NodeRuntime } from "@effect/platform-node"
import { Array, Console, Effect } from "effect"
import { besideRenders, besideSites, looks, type Neighbours, searches } from "./content/Beside.ts"
import { type ContentFigure, isKept } from "./content/Figure.ts"
import { madePictures, madeSites, madeVideos } from "./content/Made.ts"
import { countedHits, publishPage, servedPage } from "./content/SitePages.ts"
import { makeDatabase, startServer } from "./support/BenchDatabase.ts"
import { benchSettings } from "./support/BenchSettings.ts"
import { startGateway } from "./support/Gateway.ts"
import { startLoad } from "./support/Load.ts"
import { conditions, figure, table, writeResults } from "./support/Report.ts"
import { seedAccounts } from "./support/SampleLeads.ts"

/**
 * Media, searches, sites and their visitors, compared with the limit for each. `BENCH_ONLY` selects one part. See
 * README.md.
 */

const accounts = 20

const program = Effect.gen(function* () {
  const settings = yield* benchSettings
  const started = conditions()
  const wants = (part: string) => part.includes(settings.only)
  const contentFigures: globalThis.Array<ContentFigure> = []
  const measure = <E, R>(part: string, work: Effect.Effect<ReadonlyArray<ContentFigure>, E, R>) =>
    wants(part)
      ? Effect.map(work, (figures) => {
          contentFigures.push(...figures)
        })
      : Effect.void

  yield* measure("videos", madeVideos)
  yield* measure("pictures", madePictures)
  yield* measure("sites", madeSites)

  if (["page", "hits", "search", "render", "hundred", "screenshot"].some(wants)) {
    const database = yield* makeDatabase(yield* startServer, "content")
    const [neighbour, ...busy] = yield* seedAccounts(database.client, [
      { name: "Neighbour", leads: 1000 },
      ...Array.makeBy(accounts, (index) => ({ name: `Maker${index}`, leads: 1 }))
    ])
    if (neighbour === undefined) return yield* Effect.dieMessage("There are no accounts.")
    yield* publishPage(database)
    const gateway = yield* startGateway(database, { TRACE_SAMPLE_RATIO: "0", TRUSTED_PROXIES: "127.0.0.1" })
    const all: Neighbours = { gateway, busy, neighbour, load: yield* startLoad(), seconds: settings.seconds }
    const { port } = new URL(gateway.url)
    yield* measure("page", servedPage(gateway, settings))
    yield* measure("hits", countedHits(gateway, database, settings))
    yield* measure("search", searches(all))
    yield* measure("screenshot", looks(all, `http://padaria.sites.localhost:${port}/`))
    yield* measure("render", besideRenders(all))
    yield* measure("hundred", besideSites(all))
  }

  yield* writeResults(settings.results, contentFigures)
  yield* Console.log(
    `\n${started}\n\n${table(
      ["what", "found", "wanted", ""],
      contentFigures.map((one) => [
        one.what,
        `${figure(one.value)} ${one.unit}`.trim(),
        "most" in one.bound ? `≤ ${one.bound.most}` : `≥ ${one.bound.least}`,
        isKept(one) ? "kept" : "MISSED"
      ])
    )}`
  )
}).pipe(Effect.scoped)

NodeRuntime.runMain(program)
