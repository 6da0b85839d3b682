import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Args, Command } from "@effect/cli"
import type { SqlClient } from "@effect/sql/SqlClient"
import { Console, Deferred, Effect, Option } from "effect"
import { refused, transient } from "../../../Errors.ts"
import { StrangerMails } from "../../../Services/Mail/StrangerMails.ts"
import { OutboundHttp } from "../../../Services/Outbound/OutboundHttp.ts"
import { html } from "../../../Services/Text/Web/Html.ts"
import { OutboundHttpNode } from "../../Platform/Outbound/OutboundHttp.ts"
import { command, type RoomCommand } from "../../Platform/Room.ts"
import type { Sealing } from "../../Platform/Sealing.ts"
import { loadMailOAuth, type MailOAuthSettings } from "../MailSettings.ts"
import { makeMailTokenStore } from "./MailAccessPostgres.ts"
import { consentUrl, endpointsOf, type MailOAuthEndpoints, makeProof, makeTokenExchange } from "./MailConsent.ts"

const consentMinutes = 10

const declined = refused("consent_declined", "The consent was not given.", "Run the command again and accept it.")
const withoutRefresh = refused(
  "no_refresh_token",
  "The provider gave no lasting access.",
  "Check that the app may ask for offline access, and run the command again."
)

const page = (text: string) => html`<!doctype html><meta charset="utf-8"><title>Gateway</title><p>${text}</p>`.markup

/** Waits on a local port for the redirect of the provider's consent page. `opened` receives the address to open. */
const waitForCode = (
  endpoints: MailOAuthEndpoints,
  settings: MailOAuthSettings,
  opened: (url: string) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const proof = makeProof()
    const arrival = yield* Deferred.make<string | undefined>()
    const server = yield* Effect.acquireRelease(
      Effect.async<ReturnType<typeof createServer>>((resume) => {
        const listener = createServer((request, response) => {
          const query = new URL(request.url ?? "/", "http://localhost").searchParams
          const isOurs = query.get("state") === proof.state
          response.writeHead(isOurs ? 200 : 404, { "content-type": "text/html; charset=utf-8" })
          response.end(page(isOurs ? "You can close this window and return to the terminal." : "Nothing here."))
          if (isOurs) Deferred.unsafeDone(arrival, Effect.succeed(query.get("code") ?? undefined))
        })
        listener.listen(0, "127.0.0.1", () => resume(Effect.succeed(listener)))
      }),
      (listener) => Effect.sync(() => listener.close().closeAllConnections())
    )
    const { port } = server.address() as AddressInfo
    const redirectUri = `http://${endpoints.loopbackHost}:${port}/`
    yield* opened(consentUrl(endpoints, settings, proof, redirectUri))
    const code = yield* Deferred.await(arrival)
    if (code === undefined) return yield* declined
    return { code, redirectUri, verifier: proof.verifier }
  }).pipe(
    Effect.scoped,
    Effect.timeoutFail({
      duration: `${consentMinutes} minutes`,
      onTimeout: () => refused("consent_too_late", "No consent came in time.", "Run the command again.")
    })
  )

/** Asks the operator for consent in a browser, and stores the refresh token. */
export const authorizeMail = (
  settings: MailOAuthSettings,
  endpoints: MailOAuthEndpoints,
  opened: (url: string) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const http = yield* OutboundHttp
    const store = yield* makeMailTokenStore
    const { code, redirectUri, verifier } = yield* waitForCode(endpoints, settings, opened)
    const tokens = yield* makeTokenExchange(
      http,
      endpoints,
      settings
    )({ grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier }).pipe(
      Effect.mapError(({ reason }) =>
        transient("consent_not_exchanged", `The provider did not accept the consent (${reason}).`, 10)
      )
    )
    if (Option.isNone(tokens.refreshToken)) return yield* withoutRefresh
    yield* store.write(settings, tokens.refreshToken.value)
  })

const authorize = Command.make(
  "authorize",
  {
    provider: Args.choice(
      [
        ["google", "google" as const],
        ["microsoft", "microsoft" as const]
      ],
      { name: "provider" }
    )
  },
  ({ provider }) =>
    Effect.gen(function* () {
      const oauth = yield* Effect.orDie(loadMailOAuth)
      if (Option.isNone(oauth) || oauth.value.provider !== provider) {
        return yield* refused(
          "mail_oauth_not_set_up",
          `MAIL_OAUTH_PROVIDER is not ${provider}, or MAIL_OAUTH_CLIENT_ID is not set.`,
          "Set both as for the gateway, and run the command again."
        )
      }
      yield* authorizeMail(oauth.value, endpointsOf(oauth.value), (url) =>
        Console.log(`Open this address in a browser on this machine, and sign in to the mailbox:\n\n${url}\n`)
      )
      yield* Console.log("The gateway may use the mailbox now.")
    }).pipe(Effect.provide(OutboundHttpNode))
).pipe(Command.withDescription("Gives the gateway access to the operator's mailbox at Google or Microsoft."))

const allow = Command.make("allow", { address: Args.text({ name: "address" }) }, ({ address }) =>
  Effect.gen(function* () {
    const strangers = yield* StrangerMails
    const wasStopped = yield* strangers.allow(address)
    yield* Console.log(wasStopped ? "Accounts may write to the address again." : "No one has stopped mail to it.")
  })
).pipe(Command.withDescription("Takes back that the reader of an address stopped all mail of accounts."))

export const mailCommands: ReadonlyArray<RoomCommand<SqlClient | Sealing | StrangerMails>> = [
  command(
    "mail",
    Command.make("mail").pipe(Command.withDescription("E-mail."), Command.withSubcommands([allow, authorize]))
  )
]
