import { Readable } from "node:stream"
import {
  Cause,
  Context,
  Deferred,
  Duration,
  Effect,
  Exit,
  Layer,
  Option,
  Pool,
  Redacted,
  Schedule,
  type Scope
} from "effect"
import type { NodemailerError } from "nodemailer"
import SMTPConnection from "nodemailer/lib/smtp-connection"
import XOAuth2 from "nodemailer/lib/xoauth2"
import { OutsideHealth } from "../../../Services/Core/Outside/OutsideHealth.ts"
import { Mail, type MailFailure, MailMaybeSent, MailNotSent, type OutgoingMail } from "../../../Services/Mail/Mail.ts"
import { storedResponse } from "../../../Services/Mail/MailRefusals.ts"
import { MailAccess } from "../Access/MailAccess.ts"
import { SentFolder } from "../Imap/ImapSentFolder.ts"
import { MailSettings, type SmtpSettings } from "../MailSettings.ts"
import { composeMail, mailSigner } from "./ComposedMail.ts"
import { failureOf, refusalOf } from "./SmtpReplies.ts"

/** Time limits. Tests use shorter ones. */
export class SmtpTiming extends Context.Reference<SmtpTiming>()("SmtpTiming", {
  defaultValue: () => ({
    connect: Duration.seconds(20),
    /** The time limit from the envelope to the server's answer. */
    message: Duration.seconds(110),
    /** A connection that was unused for this long is closed. */
    idle: Duration.seconds(30)
  })
}) {}

/** The times at which the server's availability is checked. */
export class SmtpChecks extends Context.Reference<SmtpChecks>()("SmtpChecks", {
  defaultValue: () => ({
    first: Duration.seconds(15),
    /** The time without a message after which the server is checked again. */
    every: Duration.minutes(15)
  })
}) {}

type Timing = typeof SmtpTiming.Service

interface Session {
  readonly connection: SMTPConnection
  isBroken: boolean
}

/** Imitates the library's error for a failed sign-in. */
const noToken: NodemailerError = Object.assign(new Error("no access token"), { code: "EAUTH" })

const notSent = (error: NodemailerError): MailFailure => failureOf(error, false)

/** Connects and signs in. */
export const openSession = (settings: SmtpSettings, timing: Timing): Effect.Effect<Session, MailFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const session = yield* Effect.acquireRelease(
      Effect.sync((): Session => {
        const connection = new SMTPConnection({
          host: settings.host,
          port: settings.port,
          secure: settings.isSecure,
          requireTLS: settings.requireTls,
          connectionTimeout: Duration.toMillis(timing.connect),
          greetingTimeout: Duration.toMillis(timing.connect),
          dnsTimeout: Duration.toMillis(timing.connect),
          socketTimeout: Duration.toMillis(timing.message),
          // If unencrypted mail is allowed, an unverified certificate is still better than none.
          tls: { minVersion: "TLSv1.2", rejectUnauthorized: settings.isSecure || settings.requireTls },
          logger: false
        })
        const session = { connection, isBroken: false }
        connection.on("error", () => {
          session.isBroken = true
        })
        connection.once("end", () => {
          session.isBroken = true
        })
        return session
      }),
      ({ connection, isBroken }) => Effect.sync(() => (isBroken ? connection.close() : connection.quit()))
    )
    const { connection } = session
    yield* Effect.async<void, MailFailure>((resume) => {
      connection.once("error", (error: NodemailerError) => resume(Effect.fail(notSent(error))))
      connection.connect((error) =>
        resume(error === undefined || error === null ? Effect.void : Effect.fail(notSent(error)))
      )
    }).pipe(Effect.onError(() => Effect.sync(() => breakOff(session))))
    const { password, user } = settings
    if (user === undefined) return session
    if (password !== undefined) {
      yield* signIn(session, { credentials: { user, pass: Redacted.value(password) } })
      return session
    }
    const access = yield* MailAccess
    const token = yield* access.accessToken.pipe(
      Effect.mapError(() => notSent(noToken)),
      Effect.onError(() => Effect.sync(() => breakOff(session)))
    )
    if (Option.isSome(token)) {
      const oauth2 = new XOAuth2({ user, accessToken: Redacted.value(token.value) })
      yield* Effect.tapError(signIn(session, { oauth2 }), () => access.reject(token.value))
    }
    return session
  })

const signIn = (session: Session, auth: Parameters<SMTPConnection["login"]>[0]): Effect.Effect<void, MailFailure> =>
  Effect.async<void, MailFailure>((resume) => {
    session.connection.once("error", (error: NodemailerError) => resume(Effect.fail(notSent(error))))
    session.connection.login(auth, (error) => resume(error === null ? Effect.void : Effect.fail(notSent(error))))
  }).pipe(Effect.onError(() => Effect.sync(() => breakOff(session))))

const breakOff = (session: Session): void => {
  session.isBroken = true
  session.connection.close()
}

/** Returns the reason if the server or the connection is at fault. Undefined if the server only refused a message. */
const connectionTrouble = (failure: unknown): string | undefined =>
  (failure instanceof MailNotSent || failure instanceof MailMaybeSent) &&
  failure.reason.startsWith("smtp_") &&
  failure.reason !== "smtp_deferred"
    ? failure.reason
    : undefined

const timedOut: NodemailerError = Object.assign(new Error("timed out"), { code: "ETIMEDOUT" })

/**
 * Sends a message over an open session. The server gets the message only after it has accepted the envelope and
 * `handOver` has succeeded. From then on, only the time limit ends the wait for its answer.
 */
const transmit = <E>(
  session: Session,
  mail: OutgoingMail,
  raw: Buffer,
  handOver: Effect.Effect<void, E>,
  timing: Timing
): Effect.Effect<{ readonly response: string }, MailFailure | E> =>
  Effect.scoped(
    Effect.uninterruptible(
      Effect.gen(function* () {
        const { connection } = session
        const envelopeAccepted = yield* Deferred.make<void>()
        const ended = yield* Deferred.make<{ readonly response: string }, NodemailerError>()
        const message = new Readable({ read: () => Deferred.unsafeDone(envelopeAccepted, Effect.void) })
        const recipients = [mail.to.address, ...(mail.cc === undefined ? [] : [mail.cc.address])]
        connection.send({ from: mail.envelopeFrom, to: recipients, size: raw.length }, message, (error, info) =>
          Deferred.unsafeDone(ended, error === null || error === undefined ? Effect.succeed(info) : Effect.fail(error))
        )
        yield* Effect.forkScoped(Effect.interruptible(Effect.delay(Deferred.fail(ended, timedOut), timing.message)))

        // Interruptible here, because the caller's region may be uninterruptible.
        yield* Effect.interruptible(
          Effect.raceFirst(Deferred.await(envelopeAccepted), Effect.asVoid(Deferred.await(ended)))
        ).pipe(Effect.mapError(notSent))
        const refusal = refusalOf(connection, mail.to.address)
        if (refusal !== undefined) return yield* Effect.fail(notSent(refusal))
        yield* handOver
        message.push(raw)
        message.push(null)
        const { response } = yield* Effect.mapError(Deferred.await(ended), (error) => failureOf(error, true))
        return { response: storedResponse(response) }
      })
    )
  ).pipe(Effect.onError(() => Effect.sync(() => breakOff(session))))

const make = Effect.gen(function* () {
  const { dkim, smtp } = yield* MailSettings
  const sentFolder = yield* SentFolder
  const timing = yield* SmtpTiming
  const settings = yield* Effect.orDieWith(smtp, () => new Error("Mail is live only with SMTP_URL."))
  const sign = mailSigner(dkim)
  const { watch } = yield* OutsideHealth
  const connection = yield* watch("mail.smtp")
  let usedAt = -Infinity
  const noted = <A, E, R>(effect: Effect.Effect<A, MailFailure | E, R>) =>
    Effect.onExit(effect, (exit) =>
      Effect.suspend(() => {
        usedAt = performance.now()
        if (Exit.isSuccess(exit)) return connection.worked
        const reason = Option.flatMapNullable(Cause.failureOption(exit.cause), connectionTrouble)
        return Option.match(reason, { onNone: () => Effect.void, onSome: connection.failed })
      })
    )
  const pool = yield* Pool.makeWithTTL({
    acquire: noted(openSession(settings, timing)),
    min: 0,
    max: settings.connections,
    timeToLive: timing.idle,
    timeToLiveStrategy: "usage"
  })

  /** An open session that the server has not closed in the meantime. */
  const takeSession: Effect.Effect<Session, MailFailure, Scope.Scope> = Effect.flatMap(Pool.get(pool), (session) =>
    session.isBroken
      ? Effect.zipRight(
          pool.invalidate(session),
          Effect.suspend(() => takeSession)
        )
      : Effect.succeed(session)
  )

  // Checks the server before the first message, to find a wrong password, and after idle times, to find that it went
  // down.
  const checks = yield* SmtpChecks
  const check = Effect.suspend(() =>
    performance.now() - usedAt < Duration.toMillis(checks.every)
      ? Effect.void
      : Effect.scoped(Effect.timeout(noted(openSession(settings, timing)), timing.message))
  ).pipe(Effect.ignore)
  yield* Effect.forkScoped(Effect.delay(Effect.repeat(check, Schedule.spaced(checks.every)), checks.first))

  return Mail.of({
    mode: "live",
    concurrency: settings.connections,
    settleTime: Duration.sum(timing.message, timing.connect),

    send: (_accountId, mail, handOver) =>
      Effect.gen(function* () {
        const raw = yield* Effect.flatMap(composeMail(mail), (composed) => sign(composed, mail.signing))
        const session = yield* Effect.interruptible(
          Effect.timeoutFail(takeSession, {
            duration: timing.message,
            onTimeout: () => new MailNotSent({ reason: "smtp_timed_out" })
          })
        )
        return yield* noted(transmit(session, mail, raw, handOver, timing)).pipe(
          Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : pool.invalidate(session)))
        )
      }).pipe(Effect.scoped, Effect.withSpan("Mail.send", { captureStackTrace: false })),

    wasSent: (_accountId, messageId) =>
      Effect.map(sentFolder.has(messageId), (isInFolder) =>
        Option.flatMap(isInFolder, (isThere) => (isThere || settings.filesSent ? Option.some(isThere) : Option.none()))
      ).pipe(Effect.withSpan("Mail.wasSent", { captureStackTrace: false }))
  })
})

/** Mail through the SMTP server of the settings. */
export const SmtpMail = Layer.scoped(Mail, make)
