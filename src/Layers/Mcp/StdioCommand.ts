import { Command, Options } from "@effect/cli"
import { FileSystem, Path } from "@effect/platform"
import { Config, Effect, Option, Redacted } from "effect"
import { refused } from "../../Errors.ts"
import { isWellFormedToken } from "../../Services/Accounts/Tokens/AccessTokenFormat.ts"
import { loadSettings } from "../Platform/Settings.ts"
import { bridge } from "./StdioBridge.ts"

/** The token of the environment. */
export const tokenSetting = Config.option(Config.redacted("GATEWAY_TOKEN"))

const noToken = refused(
  "token_missing",
  "There is no access token.",
  "Set GATEWAY_TOKEN, or DATA_DIR to the folder of a gateway on this machine."
)

/**
 * The token from the environment, or the one that a local gateway gave its owner. Only a valid token is read from the
 * file, because another user may have replaced it by a link.
 */
const tokenOf = (dataDir: string) =>
  Effect.gen(function* () {
    const environmentToken = yield* tokenSetting
    if (Option.isSome(environmentToken)) return Redacted.value(environmentToken.value)
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const text = yield* Effect.mapError(fs.readFileString(path.join(dataDir, "owner-token")), () => noToken)
    return isWellFormedToken(text.trim()) ? text.trim() : yield* noToken
  })

/**
 * `gateway mcp`: the gateway's tools over standard input and output, for hosts that start their servers as programs.
 */
export const stdioCommand = Command.make(
  "mcp",
  {
    url: Options.text("url").pipe(
      Options.withDescription("Of a gateway's /mcp, with the toolset that is wanted; this machine's unless told."),
      Options.optional
    )
  },
  ({ url }) =>
    Effect.gen(function* () {
      const { baseUrl, dataDir } = yield* loadSettings
      const token = yield* tokenOf(dataDir)
      const address = Option.getOrElse(url, () => `${baseUrl}/mcp`)
      yield* Effect.promise(() => bridge({ url: address, token, input: process.stdin, output: process.stdout }))
    })
).pipe(
  Command.withDescription(
    "Speaks the Model Context Protocol over standard input and output, for hosts that start servers themselves; the gateway has to be running."
  )
)
