import { Effect, Option, Redacted } from "effect"
import { type CheckResult, failed, passed, skipped, warning } from "../../Services/Core/Outside/CheckResult.ts"
import type { MailFailure } from "../../Services/Mail/Mail.ts"
import type { Check } from "../Platform/Operators/Check.ts"
import { command, type ImapFailed, imapSession } from "./Imap/ImapSession.ts"
import { type ImapSettings, loadMailSettings, type MailServer, type SmtpSettings } from "./MailSettings.ts"
import { openSession, SmtpTiming } from "./Smtp/SmtpMail.ts"

const place = ({ host, port }: MailServer): string => `${host}:${port}`

/** Consent is stored in the database and its tokens can be used once, so only the gateway that runs uses them. */
const signsInByOAuth = ({ password, user }: MailServer): boolean => user !== undefined && password === undefined

const oauthResult = (server: MailServer): CheckResult =>
  passed(
    `${place(server)} answers. It signs in by OAuth: /health/ready of the running gateway shows whether that works.`
  )

const smtpFixes: { readonly [reason: string]: string } = {
  smtp_sign_in_failed: "Check the user and the password in SMTP_URL. Many providers require a password for apps.",
  smtp_host_not_found: "Check the host in SMTP_URL and the machine's name servers.",
  smtp_tls_failed: "Use a server with a valid certificate, or smtps:// with port 465.",
  smtp_timed_out: "Check the port in SMTP_URL and the firewall. Many networks block port 25.",
  smtp_connection_failed: "Check the host and port in SMTP_URL and the firewall."
}

const smtpProblem = (server: SmtpSettings, failure: MailFailure): CheckResult => {
  const reason = "reason" in failure ? failure.reason : "smtp_refused"
  return failed(
    `${place(server)} cannot be used (${reason}).`,
    smtpFixes[reason] ?? "Check SMTP_URL with the provider of the mail server."
  )
}

/** Connects and signs in to the outgoing mail server. No message is sent. */
export const checkSmtp = (settings: SmtpSettings): Effect.Effect<CheckResult> =>
  Effect.gen(function* () {
    yield* openSession(settings, yield* SmtpTiming)
    if (signsInByOAuth(settings)) return oauthResult(settings)
    const { user } = settings
    return user === undefined
      ? passed(`${place(settings)} answers, and SMTP_URL has no user.`)
      : passed(`${place(settings)} accepts the sign-in.`)
  }).pipe(
    Effect.scoped,
    Effect.catchAll((failure) => Effect.succeed(smtpProblem(settings, failure)))
  )

const imapProblem = (server: ImapSettings, { reason }: ImapFailed): CheckResult =>
  failed(
    `${place(server)} cannot be used (${reason}).`,
    /auth/i.test(reason)
      ? "Check the user and the password in IMAP_URL, and that the mailbox allows IMAP."
      : "Check the host, the port and the mailbox in IMAP_URL, and the firewall."
  )

/** Signs in to the mailbox and opens it for reading only. */
export const checkImap = (settings: ImapSettings): Effect.Effect<CheckResult> =>
  signsInByOAuth(settings)
    ? Effect.succeed(skipped("It signs in by OAuth: /health/ready of the running gateway shows whether that works."))
    : Effect.gen(function* () {
        const client = yield* imapSession(settings)
        yield* command(() => client.mailboxOpen(settings.mailbox, { readOnly: true }))
        return passed(`${place(settings)} opens ${settings.mailbox}.`)
      }).pipe(
        Effect.scoped,
        Effect.catchAll((failure) => Effect.succeed(imapProblem(settings, failure)))
      )

const smtpCheck = Effect.flatMap(loadMailSettings, ({ smtp }) =>
  Option.match(smtp, {
    onNone: () => Effect.succeed(skipped("SMTP_URL is not set: mail stays in the sandbox.")),
    onSome: checkSmtp
  })
)

const imapCheck = Effect.flatMap(loadMailSettings, ({ imap, inboundSecret, smtp }) =>
  Option.match(imap, {
    onSome: checkImap,
    onNone: () =>
      Effect.succeed(
        Option.isNone(smtp)
          ? skipped("IMAP_URL is not set.")
          : Option.isSome(inboundSecret)
            ? passed("Mail arrives by the inbound route, since IMAP_URL is not set.")
            : warning(
                "Mail is sent, but no mailbox is read: replies and bounces are never seen.",
                "Set IMAP_URL, or MAIL_INBOUND_SECRET for the inbound route."
              )
      )
  })
)

const oauthCheck = Effect.map(loadMailSettings, ({ oauth }) =>
  Option.match(oauth, {
    onNone: () => skipped("MAIL_OAUTH_PROVIDER is not set: the servers use passwords."),
    onSome: ({ clientSecret, provider }) =>
      provider === "google" && (clientSecret === undefined || Redacted.value(clientSecret) === "")
        ? warning("Google gives a secret to each app, and none is set.", "Set MAIL_OAUTH_CLIENT_SECRET.")
        : passed("The app is set. Run gateway mail authorize once to grant consent.")
  })
)

export const mailChecks: ReadonlyArray<Check> = [
  { name: "mail.smtp", run: smtpCheck },
  { name: "mail.imap", run: imapCheck },
  { name: "mail.oauth", run: oauthCheck }
]
