import { Effect, Option, type Scope } from "effect"
import type { Transient } from "../../Errors.ts"
import { testKeyOf } from "../../Services/Accounts/Tokens/AccessTokenFormat.ts"
import { testKeyOfSession } from "../../Services/Console/SessionKey.ts"
import { firstTokenEnded, noTestAccount, TestSessions } from "../../Services/Console/TestSessions.ts"
import { type ServedTestAccount, TestAccounts } from "../../Services/TestAccounts/TestAccounts.ts"
import type { TestGateway } from "./TestGateway.ts"

type Open = (account: ServedTestAccount) => Effect.Effect<TestGateway, Transient, Scope.Scope>

/** Sessions and tokens of test accounts, for requests to the gateway for live accounts. */
export const makeTestSessions = (open: Open) =>
  Effect.map(TestAccounts, (accounts) => {
    const using = <A, E>(account: ServedTestAccount, use: (gateway: TestGateway) => Effect.Effect<A, E>) =>
      Effect.scoped(Effect.flatMap(open(account), use))

    /** Uses the gateway of the test account with this key, if there is one. */
    const usingKey = <A, E, O, OE>(
      key: string | undefined,
      otherwise: Effect.Effect<O, OE>,
      use: (gateway: TestGateway) => Effect.Effect<A, E>
    ) =>
      Effect.flatMap(
        key === undefined ? Effect.succeedNone : accounts.servedByKey(key),
        Option.match({
          onNone: (): Effect.Effect<A | O, E | OE | Transient> => otherwise,
          onSome: (account) => using(account, use)
        })
      )

    return TestSessions.of({
      signIn: (token, use) =>
        usingKey(testKeyOf(token), Effect.fail(noTestAccount), (gateway) => gateway.signIn(token, use)),
      open: (id, use) =>
        Effect.flatMap(accounts.served(id), (account) => using(account, (gateway) => gateway.openSession(use))).pipe(
          // The live session is valid, but the test account no longer has this token.
          Effect.catchTag("Unauthorized", () => firstTokenEnded)
        ),
      close: (sessionKey) =>
        usingKey(testKeyOfSession(sessionKey), Effect.void, (gateway) => gateway.closeSession(sessionKey)),
      revokeSecret: (token) =>
        usingKey(testKeyOf(token), Effect.succeed(false), (gateway) => gateway.revokeSecret(token))
    })
  })
