import { Context, Effect, Layer, Option } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { Connections } from "../../Services/Connections/Connections.ts"
import {
  type Farewell,
  OAuth,
  type OAuthConnection,
  type OAuthProvider,
  SimulatedConsents
} from "../../Services/Connections/OAuth.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { Settings } from "../Platform/Settings.ts"
import { browserKey, makeOAuthConsents } from "./OAuthConsents.ts"
import { OAuthRegistry } from "./OAuthRegistry.ts"
import { makeOAuthTokens } from "./OAuthTokens.ts"
import { makeAuthorizationSandbox } from "./sandbox/AuthorizationSandbox.ts"
import { SimulatedCodes } from "./sandbox/AuthorizationSandboxCodes.ts"

/** The path of the simulated authorization server's pages. */
export const sandboxPath = "/sandbox/oauth"

const make = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const connections = yield* Connections
  const { baseUrl } = yield* Settings
  const tokens = yield* makeOAuthTokens
  const consents = yield* makeOAuthConsents(tokens)
  const authorization = yield* makeAuthorizationSandbox
  const providers = new Map<string, OAuthProvider>()
  const find = (service: string) => Option.fromNullable(providers.get(service))

  const disconnect = (provider: OAuthProvider) =>
    Effect.gen(function* () {
      const held = yield* tokens.stored(provider)
      const atService: Farewell =
        held === undefined
          ? "nothing_to_do"
          : (yield* consents.farewell(provider, held.tokens))
            ? "done"
            : "unconfirmed"
      const changed = yield* unit.write(Effect.zipLeft(connections.disconnect(provider.service), provider.disconnected))
      return { changed, atService }
    }).pipe(Effect.uninterruptible)

  const register = (given: OAuthProvider): OAuthConnection => {
    const provider = given.mode === "sandbox" ? authorization.simulated(given, `${baseUrl}${sandboxPath}`) : given
    providers.set(provider.service, provider)
    return {
      connectionUrl: consents.connectionUrl(provider),
      accessToken: tokens.accessToken(provider),
      reject: (accessToken) => tokens.reject(provider, accessToken),
      loseAccess: (reason) => tokens.loseAccess(provider, reason),
      disconnect: disconnect(provider)
    }
  }

  const notConsented = (service: string): Refused =>
    refused(`${service}_not_connected`, "The simulated service was not connected.", "Look at what its page says.")

  const consentInSandbox = Effect.fn("OAuth.consentInSandbox")(function* (
    service: string,
    holder: string,
    withheld: ReadonlyArray<string> = []
  ) {
    const provider = providers.get(service)
    if (provider?.mode !== "sandbox") return yield* notConsented(service)
    const { accountId, plan } = yield* Caller
    const browser = browserKey()
    const { authorizeUrl } = yield* consents.begin(provider, { accountId, plan, accountName: "" }, browser)
    const asked = new URL(authorizeUrl).searchParams
    const code = yield* authorization.giveCode(accountId, {
      service,
      holder,
      scopes: provider.scopes.filter((scope) => !withheld.includes(scope)),
      challenge: asked.get("code_challenge") ?? "",
      redirectUri: asked.get("redirect_uri") ?? ""
    })
    const callback = new URLSearchParams({ code, state: asked.get("state") ?? "" })
    const end = yield* consents.end(provider, callback, browser)
    if (end._tag !== "Connected") return yield* notConsented(service)
  })

  return Context.make(OAuth, { register: (provider) => Effect.sync(() => register(provider)), consentInSandbox }).pipe(
    Context.add(OAuthRegistry, {
      provider: find,
      openLink: consents.openLink,
      begin: consents.begin,
      end: consents.end
    }),
    Context.add(SimulatedConsents, authorization.consents),
    Context.add(SimulatedCodes, { give: authorization.giveCode })
  )
})

export const OAuthPostgres = Layer.effectContext(make)
