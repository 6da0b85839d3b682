import { Effect, Option, type Scope } from "effect"
import type { Transient } from "../../Errors.ts"
import { testKeyOf } from "../../Services/Accounts/AccessTokenFormat.ts"
import { testKeyOfSession } from "../../Services/Console/SessionKey.ts"
import { firstTokenEnded, noTestAccount, TestSessions } from "../../Services/Console/TestSessions.ts"
import { type ServedTestAccount, TestAccounts } from "../../Services/TestAccounts/TestAccounts.ts"
import type { TestGateway } from "./TestGateway.ts"

type Open = (account: ServedTestAccount) => Effect.Effect<TestGateway, Transient, Scope.Scope>

/** Sessions and tokens of test accounts, for requests that come to the gateway of live accounts. */
export const makeTestSessions = (open: Open) =>
  Effect.map(TestAccounts, (accounts) => {
    const using = <A, E>(account: ServedTestAccount, use: (gateway: TestGateway) => Effect.Effect<A, E>) =>
      Effect.scoped(Effect.flatMap(open(account), use))

    const served = (key: string | undefined) => (key === undefined ? Effect.succeedNone : accounts.servedByKey(key))

    return TestSessions.of({
      signIn: (token, use) =>
        Effect.flatMap(
          served(testKeyOf(token)),
          Option.match({
            onNone: () => Effect.fail(noTestAccount),
            onSome: (account) => using(account, (gateway) => gateway.signIn(token, use))
          })
        ),
      open: (id, use) =>
        Effect.flatMap(accounts.served(id), (account) => using(account, (gateway) => gateway.openSession(use))).pipe(
          // The live session is valid: it is the test account that no longer has this token.
          Effect.catchTag("Unauthorized", () => firstTokenEnded)
        ),
      close: (sessionKey) =>
        Effect.flatMap(
          served(testKeyOfSession(sessionKey)),
          Option.match({
            onNone: () => Effect.void,
            onSome: (account) => using(account, (gateway) => gateway.closeSession(sessionKey))
          })
        ),
      revokeSecret: (token) =>
        Effect.flatMap(
          served(testKeyOf(token)),
          Option.match({
            onNone: () => Effect.succeed(false),
            onSome: (account) => using(account, (gateway) => gateway.revokeSecret(token))
          })
        )
    })
  })
