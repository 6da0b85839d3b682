import { readFileSync } from "node:fs"
import { Effect, Stream } from "effect"
import { layer } from "../../../src/Layers/LeadFileReader.ts"
import { LeadFileReader } from "../../../src/Services/LeadFile.ts"

// Run by a test in a process of its own, the way the gateway runs: prints the leads of a file as JSON lines.
const [, , path = ""] = process.argv
const bytes = readFileSync(path)
const program = Effect.gen(function* () {
  const reader = yield* LeadFileReader
  yield* reader
    .read({ fileName: path, sizeBytes: bytes.length, bytes: Stream.make(bytes) })
    .pipe(Stream.runForEach((lead) => Effect.sync(() => process.stdout.write(`${JSON.stringify(lead)}\n`))))
})
await Effect.runPromise(Effect.provide(program, layer))
