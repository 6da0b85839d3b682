import { Effect, Layer, Option } from "effect"
import type { ServiceMode } from "../../Services/Core/Outside/IntegrationModes.ts"
import { SentFolderImap } from "./Imap/ImapSentFolder.ts"
import { inboundEndpoint } from "./Inbox/InboundEndpoint.ts"
import { MailInboxPostgres } from "./Inbox/MailInboxPostgres.ts"
import { MailSettings } from "./MailSettings.ts"
import { MailSuppressionPostgres } from "./MailSuppression.ts"
import { AccountNoticesPostgres } from "./Outbox/AccountNoticesPostgres.ts"
import { MailOutboxPostgres } from "./Outbox/MailOutboxPostgres.ts"
import { OwnerMailsPostgres } from "./Outbox/OwnerMails.ts"
import { MailSubscriptionsPostgres } from "./Pages/MailSubscriptions.ts"
import { stopMailsEndpoint } from "./Pages/StopMails.ts"
import { unsubscribeEndpoint } from "./Pages/UnsubscribeEndpoint.ts"
import { SmtpMail } from "./Smtp/SmtpMail.ts"
import { SandboxMail } from "./sandbox/MailSandbox.ts"
import { sandboxEndpoints } from "./sandbox/MailSandboxEndpoints.ts"

/** Whether mail is live or goes to the sandbox. */
export const mailMode: Effect.Effect<ServiceMode, never, MailSettings> = Effect.map(MailSettings, ({ smtp }) =>
  Option.isSome(smtp) ? "live" : "sandbox"
)

/** The transport for the configured mode. */
export const MailTransport = Layer.unwrapEffect(
  Effect.map(mailMode, (mode) => (mode === "live" ? SmtpMail.pipe(Layer.provide(SentFolderImap)) : SandboxMail))
)

/** The mail services that other rooms use. */
export const MailServices = Layer.mergeAll(
  MailOutboxPostgres,
  MailInboxPostgres,
  MailSubscriptionsPostgres,
  MailSuppressionPostgres,
  OwnerMailsPostgres.pipe(Layer.provideMerge(AccountNoticesPostgres))
).pipe(Layer.provideMerge(MailTransport))

/** All routes of the mail room. */
export const mailEndpoints = Effect.all([
  unsubscribeEndpoint,
  stopMailsEndpoint,
  inboundEndpoint,
  sandboxEndpoints
]).pipe(Effect.map(([unsubscribe, stop, inbound, sandbox]) => [unsubscribe, stop, inbound, ...sandbox]))
