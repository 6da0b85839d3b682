import { isAscii } from "node:buffer"
import * as fs from "node:fs/promises"
import { SourceMap, type SourceMapPayload } from "node:module"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { program } from "../../launch/program.js"
import { sourcePlace } from "../../launch/sourceLines.js"

const builtFiles = Effect.promise(async () => {
  const { main } = await program()
  const folder = path.dirname(fileURLToPath(main))
  // Without those that tests load.
  const names = (await fs.readdir(folder, { recursive: true })).filter((name) => /^(?!modules).*\.js$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name)
      return { file, name, size: (await fs.stat(`${file}.map`)).size }
    })
  )
  return files.sort((a, b) => a.size - b.size)
})

it.effect("the index of a build's maps leads to the places that the maps tell", () =>
  Effect.gen(function* () {
    let compared = 0
    for (const { file, name, size } of yield* builtFiles) {
      if (size > 100_000) break
      const text = yield* Effect.promise(() => fs.readFile(`${file}.map`, "utf8"))
      const map = new SourceMap(JSON.parse(text) as SourceMapPayload)
      const lines = (yield* Effect.promise(() => fs.readFile(file, "utf8"))).split("\n")
      for (const [line, text] of lines.entries()) {
        for (let column = 0; column < text.length; column += 17) {
          const entry = map.findEntry(line, column)
          const place = sourcePlace(file, line + 1, column + 1)
          // Lines of the bundler's own have no place of their own.
          if (place === undefined || !("originalSource" in entry)) continue
          compared++
          assert.deepStrictEqual(
            place,
            { source: entry.originalSource, line: entry.originalLine + 1, column: entry.originalColumn + 1 },
            `${name}:${line + 1}:${column + 1}`
          )
        }
      }
    }
    assert.isAbove(compared, 500)
  })
)

it.effect("the program is in ASCII, so that it is read as it is", () =>
  Effect.gen(function* () {
    const { main } = yield* Effect.promise(program)
    assert.isTrue(isAscii(yield* Effect.promise(() => fs.readFile(main))))
  })
)

it.effect("a place in the largest file of a build leads to its source", () =>
  Effect.gen(function* () {
    const largest = (yield* builtFiles).at(-1)
    assert.isDefined(largest)
    const text = yield* Effect.promise(() => fs.readFile(largest.file, "utf8"))
    const before = text.slice(0, text.search(/makeBodyBudget ?=/)).split("\n")
    const place = sourcePlace(largest.file, before.length, (before.at(-1)?.length ?? 0) + 1)
    assert.include(place?.source ?? "", "src/Layers/Platform/Http/Admission/BodyBudget.ts")
  })
)
