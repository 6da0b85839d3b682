import { randomUUID } from "node:crypto"
import { FileSystem, Path } from "@effect/platform"
import { Effect, Option } from "effect"
import { Accounts } from "../../Services/Accounts/Accounts.ts"
import { AccessTokens } from "../../Services/Accounts/Tokens/AccessTokens.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { Settings } from "../Platform/Settings.ts"

const ownerAccount = { name: "Owner", email: undefined, phone: undefined, plan: "paid" } as const

/**
 * Creates the first account and token in an empty database, so that a new gateway can be called. The token is stored in
 * `owner-token` in the data directory, readable only by its owner. It is printed once, and only to a terminal, because
 * other output ends up in logs.
 */
export const firstStart = Effect.gen(function* () {
  const accounts = yield* Accounts
  const tokens = yield* AccessTokens
  const unit = yield* UnitOfWork
  if (yield* accounts.exists) return

  const { token } = yield* unit.write(
    Effect.gen(function* () {
      const accountId = yield* accounts.create(ownerAccount)
      const caller = Caller.forTask(accountId, ownerAccount.plan, "first-start")
      return yield* Effect.provideService(tokens.generate({ label: "Owner", expiresAt: Option.none() }), Caller, caller)
    })
  )

  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { baseUrl, dataDir } = yield* Settings
  const file = path.join(dataDir, "owner-token")
  yield* fs.makeDirectory(dataDir, { recursive: true })
  // The token is written to a new file that replaces an existing one. Otherwise, a link with that name could lead the
  // token elsewhere.
  const draft = `${file}.${randomUUID()}`
  yield* fs.writeFileString(draft, `${token}\n`, { flag: "wx", mode: 0o600 })
  yield* fs.rename(draft, file)
  yield* Effect.sync(() =>
    process.stdout.write(
      `\nFirst start: made an account and an access token, kept in ${file}${
        process.stdout.isTTY ? ` and shown once:\n\n  ${token}` : ""
      }\n\n` + `Try it:\n\n  curl -H "Authorization: Bearer $(cat ${file})" ${baseUrl}/rest/v1/call/whoami\n\n`
    )
  )
})
