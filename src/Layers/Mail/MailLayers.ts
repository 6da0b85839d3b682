import { Effect, Layer, Option } from "effect"
import type { ServiceMode } from "../../Services/Core/IntegrationModes.ts"
import { AccountNoticesPostgres } from "./AccountNoticesPostgres.ts"
import { SentFolderImap } from "./ImapSentFolder.ts"
import { inboundEndpoint } from "./InboundEndpoint.ts"
import { MailInboxPostgres } from "./MailInboxPostgres.ts"
import { MailOutboxPostgres } from "./MailOutboxPostgres.ts"
import { MailSettings } from "./MailSettings.ts"
import { MailSubscriptionsPostgres } from "./MailSubscriptions.ts"
import { MailSuppressionPostgres } from "./MailSuppression.ts"
import { NamedRecipientsPostgres } from "./NamedRecipientsPostgres.ts"
import { OwnerMailsPostgres } from "./OwnerMails.ts"
import { sandboxEndpoints } from "./SandboxEndpoints.ts"
import { SandboxMail } from "./SandboxMail.ts"
import { SmtpMail } from "./SmtpMail.ts"
import { unsubscribeEndpoint } from "./UnsubscribeEndpoint.ts"

/** How mail is sent, as the settings have it. */
export const mailMode: Effect.Effect<ServiceMode, never, MailSettings> = Effect.map(MailSettings, ({ smtp }) =>
  Option.isSome(smtp) ? "live" : "sandbox"
)

/** The transport of the mode. */
export const MailTransport = Layer.unwrapEffect(
  Effect.map(mailMode, (mode) => (mode === "live" ? SmtpMail.pipe(Layer.provide(SentFolderImap)) : SandboxMail))
)

/** Everything that others use of mail: transport, outbox, inbox, subscriptions. */
export const MailServices = Layer.mergeAll(
  MailOutboxPostgres,
  MailInboxPostgres,
  MailSubscriptionsPostgres,
  MailSuppressionPostgres,
  NamedRecipientsPostgres,
  OwnerMailsPostgres.pipe(Layer.provideMerge(AccountNoticesPostgres))
).pipe(Layer.provideMerge(MailTransport))

/** All routes of mail. */
export const mailEndpoints = Effect.all([unsubscribeEndpoint, inboundEndpoint, sandboxEndpoints]).pipe(
  Effect.map(([unsubscribe, inbound, sandbox]) => [unsubscribe, inbound, ...sandbox])
)
