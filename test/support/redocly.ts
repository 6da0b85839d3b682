import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import { Effect, Schema } from "effect"

const Report = Schema.parseJson(
  Schema.Struct({
    totals: Schema.Struct({ errors: Schema.Int, warnings: Schema.Int }),
    problems: Schema.Array(
      Schema.Struct({
        ruleId: Schema.String,
        severity: Schema.String,
        message: Schema.String,
        location: Schema.Array(Schema.Struct({ pointer: Schema.optional(Schema.String) }))
      })
    )
  })
)

const Failed = Schema.Struct({ stdout: Schema.String })

const binary = path.resolve("node_modules/.bin/redocly")

/** The findings of the linter's recommended rules for an OpenAPI document, one line each. */
export const problemsOf = (document: object): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const directory = await fs.mkdtemp(path.join(os.tmpdir(), "openapi-"))
    try {
      const file = path.join(directory, "openapi.json")
      await fs.writeFile(file, JSON.stringify(document))
      // The command fails if there are findings, but prints them.
      const { stdout } = await promisify(execFile)(
        binary,
        ["lint", file, "--extends=recommended", "--format=json", "--max-problems=1000"],
        {
          cwd: directory,
          maxBuffer: 64 * 1024 * 1024,
          env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
        }
      ).catch((error: unknown) => Schema.decodeUnknownSync(Failed)(error))
      const { problems } = Schema.decodeUnknownSync(Report)(stdout)
      return problems.map(
        ({ location, message, ruleId, severity }) => `${severity} ${ruleId} ${location[0]?.pointer ?? ""} ${message}`
      )
    } finally {
      await fs.rm(directory, { recursive: true, force: true })
    }
  })
