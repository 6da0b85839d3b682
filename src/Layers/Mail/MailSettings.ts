import { createPrivateKey, type KeyObject } from "node:crypto"
import { Config, type ConfigError, Context, Effect, Either, Layer, Option, Redacted } from "effect"
import { parsedUrl } from "../../Services/Core/Outside/ParsedUrl.ts"
import { normaliseDomain } from "../../Services/Text/ContactDetails.ts"
import { checked, integerBetween, matching, secret, wrongSetting } from "../Platform/Environment.ts"

/** A mail server and how to sign in to it. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. Otherwise STARTTLS, if the server offers it. */
  readonly isSecure: boolean
  /** Refuses a server that offers no TLS. */
  readonly requireTls: boolean
  readonly user: string | undefined
  readonly password: Redacted.Redacted | undefined
}

export interface SmtpSettings extends MailServer {
  readonly connections: number
  /** True if the server stores every accepted message in the sent folder. Then a missing message was not sent. */
  readonly filesSent: boolean
}

export interface ImapSettings extends MailServer {
  readonly mailbox: string
  /** The folder of sent messages. If unset, it is found by its special use. */
  readonly sentMailbox: string | undefined
  /** True if messages from before the first reading of the mailbox are stored. They have no effects. */
  readonly isHistoryKept: boolean
}

export interface DkimSettings {
  readonly domain: string
  readonly selector: string
  readonly privateKey: Redacted.Redacted<KeyObject>
}

/** The OAuth app by which the gateway signs in to the operator's mailbox without a password. */
export interface MailOAuthSettings {
  readonly provider: "google" | "microsoft"
  readonly clientId: string
  /** Google requires one also for desktop apps. Microsoft's public clients have none. */
  readonly clientSecret: Redacted.Redacted | undefined
  /** The directory's id or domain at Microsoft, or `organizations`. */
  readonly tenant: string
}

export interface MailSettingsShape {
  /** The server for outgoing mail. None in the sandbox. */
  readonly smtp: Option.Option<SmtpSettings>
  readonly imap: Option.Option<ImapSettings>
  /** The OAuth client. None if servers use passwords. */
  readonly oauth: Option.Option<MailOAuthSettings>
  readonly dkim: Option.Option<DkimSettings>
  /** The signing secret of the inbound route. Without it, the route does not exist. */
  readonly inboundSecret: Option.Option<Redacted.Redacted>
  /** Names of the trusted receiving servers in `Authentication-Results`. Results of other servers are ignored. */
  readonly trustedReceivers: ReadonlyArray<string>
}

/** The mail settings from the environment. All of them are optional. */
export class MailSettings extends Context.Tag("MailSettings")<MailSettings, MailSettingsShape>() {}

const decoded = (text: string): string | undefined => {
  try {
    return text === "" ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

interface ServerUrl extends MailServer {
  /** The path after the host, without the slash. */
  readonly path: string | undefined
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || host.startsWith("127.")

const serverUrl = (
  name: string,
  scheme: "smtp" | "imap",
  ports: { readonly plain: number; readonly secure: number }
): Config.Config<Option.Option<ServerUrl>> =>
  Config.redacted(name).pipe(
    Config.mapOrFail((redacted) => {
      const text = Redacted.value(redacted)
      const shape = new RegExp(`^${scheme}s?://[^/\\s]+(?:/\\S*)?$`)
      const url = shape.test(text) ? parsedUrl(text) : undefined
      // The error must not repeat the URL, because it contains the password.
      if (url === undefined || url.hostname === "") {
        return Either.left(wrongSetting(name, `Expected ${scheme}s://user:password@host:port`))
      }
      const isSecure = url.protocol === `${scheme}s:`
      const password = decoded(url.password)
      return Either.right({
        host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
        port: url.port === "" ? (isSecure ? ports.secure : ports.plain) : Number(url.port),
        isSecure,
        // A password is never sent unencrypted.
        requireTls: url.username !== "" && !isLoopback(url.hostname),
        user: decoded(url.username),
        password: password === undefined ? undefined : Redacted.make(password),
        path: decoded(url.pathname.slice(1))
      })
    }),
    Config.option
  )

const smtp = Config.all({
  server: serverUrl("SMTP_URL", "smtp", { plain: 587, secure: 465 }),
  requireTls: Config.option(Config.boolean("SMTP_REQUIRE_TLS")),
  connections: Config.withDefault(integerBetween("SMTP_CONNECTIONS", 1, 50), 5),
  filesSent: Config.boolean("SMTP_FILES_SENT").pipe(Config.withDefault(false))
}).pipe(
  Config.map(({ connections, filesSent, requireTls, server }) =>
    Option.map(
      server,
      ({ path: _, ...server }): SmtpSettings => ({
        ...server,
        // A password is never sent unencrypted.
        requireTls: Option.getOrElse(requireTls, () => server.user !== undefined && !isLoopback(server.host)),
        connections,
        filesSent
      })
    )
  )
)

const imap = Config.all({
  server: serverUrl("IMAP_URL", "imap", { plain: 143, secure: 993 }),
  sentMailbox: Config.option(Config.nonEmptyString("IMAP_SENT_MAILBOX")),
  history: matching("IMAP_HISTORY", /^(?:skip|keep)$/, "skip or keep").pipe(Config.withDefault("skip"))
}).pipe(
  Config.map(({ history, sentMailbox, server }) =>
    Option.map(
      server,
      ({ path, ...server }): ImapSettings => ({
        ...server,
        mailbox: path ?? "INBOX",
        sentMailbox: Option.getOrUndefined(sentMailbox),
        isHistoryKept: history === "keep"
      })
    )
  )
)

const oauthConfig = Config.all({
  provider: Config.option(Config.literal("google", "microsoft")("MAIL_OAUTH_PROVIDER")),
  clientId: Config.option(Config.nonEmptyString("MAIL_OAUTH_CLIENT_ID")),
  clientSecret: secret("MAIL_OAUTH_CLIENT_SECRET"),
  tenant: matching("MAIL_OAUTH_TENANT", /^[A-Za-z0-9.-]{1,100}$/, "a directory's id or domain, or organizations").pipe(
    Config.withDefault("organizations")
  )
})

/** Reads the settings for sign-in by OAuth. The error says which setting is missing. */
export const loadMailOAuth: Effect.Effect<Option.Option<MailOAuthSettings>, ConfigError.ConfigError> = Effect.flatMap(
  oauthConfig,
  ({ clientId, clientSecret, provider, tenant }) => {
    if (Option.isNone(provider)) return Effect.succeedNone
    if (Option.isNone(clientId)) {
      return Effect.fail(wrongSetting("MAIL_OAUTH_CLIENT_ID", "Expected the client id of the app at the provider"))
    }
    return Effect.succeedSome({
      provider: provider.value,
      clientId: clientId.value,
      clientSecret: Option.getOrUndefined(clientSecret),
      tenant
    })
  }
)

const dkimConfig = Config.all({
  domain: Config.option(Config.nonEmptyString("DKIM_DOMAIN")),
  selector: Config.option(Config.nonEmptyString("DKIM_SELECTOR")),
  key: Config.option(Config.redacted("DKIM_PRIVATE_KEY"))
})

const signingKey = (pem: string): Either.Either<KeyObject, ConfigError.ConfigError> => {
  const invalidKey = wrongSetting("DKIM_PRIVATE_KEY", "Expected an RSA private key of at least 1024 bits, in PEM")
  try {
    // In environment variables, line breaks are often written as \n.
    const key = createPrivateKey(pem.replaceAll("\\n", "\n"))
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
    return key.asymmetricKeyType === "rsa" && bits >= 1024 ? Either.right(key) : Either.left(invalidKey)
  } catch {
    return Either.left(invalidKey)
  }
}

const dkim = Effect.gen(function* () {
  const { domain, key, selector } = yield* dkimConfig
  if (Option.isNone(domain) && Option.isNone(selector) && Option.isNone(key)) return Option.none<DkimSettings>()
  if (Option.isNone(domain) || Option.isNone(selector) || Option.isNone(key)) {
    return yield* Effect.fail(
      wrongSetting("DKIM_DOMAIN", "Give DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY, or none")
    )
  }
  const checkedDomain = normaliseDomain(domain.value)
  if (Either.isLeft(checkedDomain)) {
    return yield* Effect.fail(wrongSetting("DKIM_DOMAIN", "Expected a domain name such as company.com"))
  }
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(selector.value)) {
    return yield* Effect.fail(wrongSetting("DKIM_SELECTOR", "Expected letters, digits, dots and hyphens"))
  }
  const privateKey = yield* signingKey(Redacted.value(key.value))
  return Option.some({
    domain: checkedDomain.right,
    selector: selector.value,
    privateKey: Redacted.make(privateKey)
  })
})

const inboundSecret = Config.option(
  checked(
    "MAIL_INBOUND_SECRET",
    Config.redacted("MAIL_INBOUND_SECRET"),
    "at least 24 random characters",
    (secret) => Redacted.value(secret).length >= 24
  )
)

const receiverShape = /^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9_])?$/

const trustedReceivers = Config.nonEmptyString("MAIL_TRUSTED_RECEIVER").pipe(
  Config.map((text) => text.split(",").map((name) => name.trim().toLowerCase())),
  (names) =>
    checked(
      "MAIL_TRUSTED_RECEIVER",
      names,
      "the name that the receiving mail server gives itself in Authentication-Results, such as mx.company.com; several with commas",
      (all) => all.every((name) => receiverShape.test(name))
    ),
  Config.withDefault([])
)

/** Reads and checks the mail settings. An error names the setting and what is wrong, without its value. */
export const loadMailSettings = Effect.gen(function* () {
  const settings = {
    smtp: yield* smtp,
    imap: yield* imap,
    oauth: yield* loadMailOAuth,
    dkim: yield* dkim,
    inboundSecret: yield* inboundSecret,
    trustedReceivers: yield* trustedReceivers
  }
  if (Option.isSome(settings.imap) && Option.isNone(settings.smtp)) {
    return yield* Effect.fail(wrongSetting("IMAP_URL", "Mail is read only where it is sent: set SMTP_URL too"))
  }
  return settings
})

/** The loader of each part is separate, so that `gateway settings` reports the problems of all parts. */
export const mailSettingsLoaders = [smtp, imap, loadMailOAuth, dkim, inboundSecret, trustedReceivers, loadMailSettings]

export const MailSettingsLive = Layer.effect(MailSettings, loadMailSettings)
