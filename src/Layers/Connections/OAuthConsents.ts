import { createHash, randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Option, Redacted, Schema } from "effect"
import * as oauth from "oauth4webapi"
import type { Transient } from "../../Errors.ts"
import { AccountId, type Plan } from "../../Services/Accounts/Ids.ts"
import { Connections } from "../../Services/Connections/Connections.ts"
import type { OAuthProvider } from "../../Services/Connections/OAuth.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { makeAccountSeal } from "../Platform/Postgres/AccountSeal.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import { Sealing } from "../Platform/Sealing.ts"
import { Settings } from "../Platform/Settings.ts"
import { clientOf, exchangeCode, revoke, serverOf, type Tokens } from "./OAuthExchange.ts"
import type { ConsentEnd, OpenedLink } from "./OAuthRegistry.ts"
import { type makeOAuthTokens, secretsOf } from "./OAuthTokens.ts"

const linkDays = 7
const stateMinutes = 10
/** The most unfinished consents of an account. Beyond that, the oldest is dropped. */
const mostStates = 20

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest()

const Link = Schema.parseJson(Schema.Struct({ account: AccountId, at: Schema.Number }))
const decodeLink = Schema.decodeUnknownOption(Link)
const linkOwner = (service: string) => `connection link ${service}`
const longestLink = 400
const keyShape = /^[A-Za-z0-9_-]{43}$/

/** A random key of 43 characters that fit into an address. */
export const browserKey = (): string => randomBytes(32).toString("base64url")
export const isKey = (text: string | undefined): text is string => text !== undefined && keyShape.test(text)

export const redirectUri = (baseUrl: string, service: string): string => `${baseUrl}/connect/${service}/callback`

const verifierOwner = (accountId: AccountId, service: string) => `oauth verifier ${accountId} ${service}`

const accountOf = Effect.fnUntraced(function* (sql: SqlClient, accountId: AccountId) {
  const [row] = yield* sql<{ readonly name: string; readonly plan: Plan }>`
    select name, plan from account where account_id = ${accountId}`.pipe(fromSql())
  return row === undefined
    ? Option.none<OpenedLink>()
    : Option.some({ accountId, accountName: row.name, plan: row.plan })
})

/** The links that let an account's owner connect a service. */
const makeConsentLinks = Effect.gen(function* () {
  const sql = yield* SqlClient
  const sealing = yield* Sealing
  const { baseUrl } = yield* Settings

  const connectionUrl = Effect.fnUntraced(function* ({ service }: OAuthProvider) {
    const { accountId } = yield* Caller
    const at = yield* Clock.currentTimeMillis
    const link = sealing.seal(Redacted.make(JSON.stringify({ account: accountId, at })), linkOwner(service))
    return `${baseUrl}/connect/${service}?link=${Buffer.from(link).toString("base64url")}`
  })

  const openLink = Effect.fnUntraced(function* ({ service }: OAuthProvider, link: string) {
    if (link.length > longestLink) return Option.none<OpenedLink>()
    const opened = sealing
      .open(Buffer.from(link, "base64url"), linkOwner(service))
      .pipe(Option.flatMap((text) => decodeLink(Redacted.value(text))))
    const oldest = (yield* Clock.currentTimeMillis) - linkDays * 86_400_000
    if (Option.isNone(opened) || opened.value.at < oldest) return Option.none<OpenedLink>()
    return yield* accountOf(sql, opened.value.account)
  })

  return { connectionUrl, openLink }
})

/** Stores unfinished consents. Each has a state, which the browser sends back. */
const makeConsentStates = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const sealing = yield* Sealing
  const seal = yield* makeAccountSeal
  const { baseUrl } = yield* Settings

  const begin = Effect.fnUntraced(function* (provider: OAuthProvider, { accountId }: OpenedLink, browser: string) {
    const state = yield* seal.addressKey(accountId)
    const verifier = oauth.generateRandomCodeVerifier()
    const challenge = yield* Effect.promise(() => oauth.calculatePKCECodeChallenge(verifier))
    const sealed = sealing.seal(Redacted.make(verifier), verifierOwner(accountId, provider.service))
    yield* unit.write(
      Effect.gen(function* () {
        yield* sql`
          delete from oauth_state where account_id = ${accountId} and (expires_at <= instant() or state_hash in (
            select state_hash from oauth_state where account_id = ${accountId}
            order by expires_at desc offset ${mostStates - 1}))`.pipe(fromSql())
        yield* sql`
          insert into oauth_state (account_id, state_hash, service, browser_hash, verifier, expires_at)
          values (${accountId}, ${hashOf(state)}, ${provider.service}, ${hashOf(browser)}, ${sealed},
            instant() + make_interval(mins => ${stateMinutes}))`.pipe(fromSql())
      })
    )
    const url = new URL(provider.authorizeUrl)
    for (const [name, value] of Object.entries({
      ...provider.parameters,
      response_type: "code",
      client_id: provider.client.id,
      redirect_uri: redirectUri(baseUrl, provider.service),
      scope: provider.scopes.join(" "),
      state,
      code_challenge: challenge,
      code_challenge_method: "S256"
    })) {
      url.searchParams.set(name, value)
    }
    return { authorizeUrl: url.href }
  })

  /** Consumes the state. It is valid once, for ten minutes, in the browser that started the consent. */
  const takeState = Effect.fnUntraced(function* (
    { service }: OAuthProvider,
    accountId: AccountId,
    state: string,
    browser: string
  ) {
    const isIt = sql`account_id = ${accountId} and state_hash = ${hashOf(state)} and service = ${service}
      and expires_at > instant()`
    const [row] = yield* sql<{ readonly verifier: Uint8Array }>`
      delete from oauth_state where ${isIt} and browser_hash = ${hashOf(browser)} returning verifier`.pipe(fromSql())
    if (row !== undefined) return sealing.open(row.verifier, verifierOwner(accountId, service))
    const others = yield* sql`select state_hash from oauth_state where ${isIt}`.pipe(fromSql())
    return others.length > 0 ? ("wrong_browser" as const) : Option.none<Redacted.Redacted>()
  })

  return { begin, takeState }
})

/** Revokes the grant at the service, if it responds in time. */
const farewell = Effect.fnUntraced(function* (provider: OAuthProvider, held: Tokens) {
  const left = yield* provider.leaving(held.accessToken).pipe(
    Effect.as(true),
    Effect.timeoutTo({ duration: "15 seconds", onTimeout: () => false, onSuccess: (isDone) => isDone }),
    Effect.catchAll(() => Effect.succeed(false))
  )
  return (yield* revoke(provider, held)) && left
})

const failed = ({ service }: OAuthProvider, code: string) =>
  Effect.logWarning("a service was not connected").pipe(
    Effect.annotateLogs({ service, code }),
    Effect.as<ConsentEnd>({ _tag: "Failed" })
  )

export const makeOAuthConsents = (tokens: Effect.Effect.Success<typeof makeOAuthTokens>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const connections = yield* Connections
    const seal = yield* makeAccountSeal
    const { baseUrl } = yield* Settings
    const { connectionUrl, openLink } = yield* makeConsentLinks
    const { begin, takeState } = yield* makeConsentStates

    /** Stores the granted tokens. A consent of another account at the service is revoked first. */
    const keep = Effect.fnUntraced(function* (provider: OAuthProvider, granted: Tokens) {
      const identity = yield* provider.identify(granted.accessToken)
      const held = yield* tokens.stored(provider)
      const before = Option.getOrUndefined(yield* connections.get(provider.service))
      const isOtherAccount = before !== undefined && before.identity !== identity.identity
      if (held !== undefined && isOtherAccount) yield* farewell(provider, held.tokens)
      const consent = { ...identity, isOtherAccount, scopes: granted.scopes }
      yield* unit.write(
        Effect.zipRight(
          connections.connect({
            service: provider.service,
            identity: identity.identity,
            settings: { ...identity.settings, label: identity.label },
            secrets: secretsOf(granted),
            isVerified: true,
            isSandbox: provider.mode === "sandbox"
          }),
          provider.connected(consent)
        )
      )
      const label = before?.settings["label"]
      return {
        _tag: "Connected",
        consent,
        before: isOtherAccount && typeof label === "string" ? label : undefined
      } satisfies ConsentEnd
    })

    const grant = Effect.fnUntraced(function* (
      provider: OAuthProvider,
      callback: URLSearchParams,
      verifier: Redacted.Redacted
    ) {
      const granted = yield* exchangeCode(provider, {
        callback,
        redirectUri: redirectUri(baseUrl, provider.service),
        verifier
      })
      const covers = provider.covers ?? ((scopes: ReadonlyArray<string>, scope: string) => scopes.includes(scope))
      const withheld = provider.requiredScopes.filter((scope) => !covers(granted.scopes, scope))
      if (withheld.length > 0) {
        yield* revoke(provider, granted)
        return { _tag: "ScopesWithheld", scopes: withheld } satisfies ConsentEnd
      }
      return yield* keep(provider, granted)
    })

    const end = Effect.fnUntraced(function* (
      provider: OAuthProvider,
      callback: URLSearchParams,
      browser: string | undefined
    ): Effect.fn.Return<ConsentEnd, Transient> {
      const state = callback.get("state") ?? ""
      if (!isKey(state)) return { _tag: "LinkSpent" }
      const sealed = yield* seal.accountOfAddressKey(state)
      const account = Option.isNone(sealed) ? Option.none<OpenedLink>() : yield* accountOf(sql, sealed.value)
      if (Option.isNone(account)) return { _tag: "LinkSpent" }
      const { accountId, plan } = account.value
      const taken = yield* takeState(provider, accountId, state, browser ?? "")
      if (taken === "wrong_browser") return { _tag: "WrongBrowser" }
      if (Option.isNone(taken)) return { _tag: "LinkSpent" }
      const checked = yield* Effect.try({
        try: () => oauth.validateAuthResponse(serverOf(provider), clientOf(provider), callback, state),
        catch: (error): ConsentEnd =>
          error instanceof oauth.AuthorizationResponseError && error.error === "access_denied"
            ? { _tag: "Declined" }
            : { _tag: "Failed" }
      }).pipe(Effect.either)
      if (checked._tag === "Left") return checked.left
      return yield* grant(provider, checked.right, taken.value).pipe(
        Effect.catchTags({
          ExchangeFailure: ({ code }) => failed(provider, code),
          Refused: ({ reason }) => failed(provider, reason)
        }),
        Effect.provideService(Caller, Caller.forTask(accountId, plan, "connect"))
      )
    })

    return { connectionUrl, openLink, begin, end, farewell, keep }
  })
