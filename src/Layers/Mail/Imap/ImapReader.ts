import { Cause, Clock, Context, Duration, Effect, Option, Queue, Random, Schedule } from "effect"
import type { ImapFlow } from "imapflow"
import { OutsideHealth } from "../../../Services/Core/Outside/OutsideHealth.ts"
import { describeCause } from "../../../Services/Core/SafeCause.ts"
import { fromMillis } from "../../../Services/Core/Timestamp.ts"
import { MailInbox, maximumMailBytes } from "../../../Services/Mail/MailInbox.ts"
import { type ImapSettings, MailSettings } from "../MailSettings.ts"
import { command, ImapFailed, imapSession } from "./ImapSession.ts"
import { type MailboxPosition, MailCursors } from "./MailCursors.ts"

/** Time limits. Tests use shorter ones. */
export class ImapTiming extends Context.Reference<ImapTiming>()("ImapTiming", {
  defaultValue: () => ({
    /** The interval at which a reader renews its lease on the mailbox. The lease lasts a minute. */
    keepHold: Duration.seconds(20),
    /** The interval at which other readers check whether the mailbox is free. */
    waitForHold: Duration.seconds(15),
    /** The mailbox is checked at least this often, also without a notice from the server. */
    longestIdle: Duration.minutes(4),
    firstRetry: Duration.seconds(1)
  })
}) {}

/** A message that the gateway fails to process this often is skipped. It stays in the mailbox. */
const attemptsPerMessage = 3

/**
 * Whether the gateway caused the failure and not the connection: another process reads the mailbox, or a message cannot
 * be processed.
 */
const isOurs = ({ reason }: ImapFailed): boolean => reason === "held_by_another" || reason === "message_failed"

/** The mailbox's name in the database. It contains no password. */
const nameOf = ({ host, mailbox, port, user }: ImapSettings): string => `${user ?? ""}@${host}:${port}/${mailbox}`

const make = (settings: ImapSettings) =>
  Effect.gen(function* () {
    const inbox = yield* MailInbox
    const cursors = yield* MailCursors
    const { firstRetry, keepHold, longestIdle, waitForHold } = yield* ImapTiming
    const mailbox = nameOf(settings)
    const reader = `${process.pid}-${yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)}`
    const failures = new Map<number, number>()
    const { watch } = yield* OutsideHealth
    const connection = yield* watch("mail.imap")

    const receive = (client: ImapFlow, uidValidity: bigint, uid: number, { isHistory }: MailboxPosition) =>
      Effect.gen(function* () {
        // The source is read up to one byte over the limit, which shows that a message is too long.
        const source = { start: 0, maxLength: maximumMailBytes + 1 }
        const message = yield* command(() =>
          client.fetchOne(uid, { uid: true, internalDate: true, source }, { uid: true })
        )
        const alongside = cursors.move(mailbox, reader, uidValidity, uid)
        // The message may have been deleted after it was listed.
        if (message === false || message.source === undefined) return yield* alongside
        const arrivedAt = new Date(message.internalDate ?? Number.NaN).getTime()
        const isOld = isHistory(uid, arrivedAt)
        if (isOld && !settings.isHistoryKept) return yield* alongside
        const arrived = Number.isNaN(arrivedAt) ? yield* Clock.currentTimeMillis : arrivedAt
        const history = isOld ? { arrivedAt: fromMillis(arrived) } : {}
        yield* inbox.receive(message.source, { alongside, ...history }).pipe(
          Effect.catchAllDefect((defect) =>
            Effect.gen(function* () {
              const attempts = (failures.get(uid) ?? 0) + 1
              failures.set(uid, attempts)
              const isLast = attempts >= attemptsPerMessage
              yield* Effect.logError(
                isLast ? "a message in the mailbox was passed over" : "a message was not taken in"
              ).pipe(Effect.annotateLogs({ uid, attempts, cause: describeCause(Cause.die(defect)) }))
              return yield* isLast ? alongside : Effect.fail(new ImapFailed({ reason: "message_failed" }))
            })
          )
        )
        failures.delete(uid)
      })

    /** Reads new messages, then waits for more, while the connection lasts. */
    const follow = Effect.scoped(
      Effect.gen(function* () {
        const client = yield* imapSession(settings)
        const arrivals = yield* Queue.sliding<"mail" | "closed">(1)
        client.on("exists", () => Queue.unsafeOffer(arrivals, "mail"))
        client.on("close", () => Queue.unsafeOffer(arrivals, "closed"))
        // Opened read-only, so that messages stay unread for a person.
        const { uidNext, uidValidity } = yield* command(() => client.mailboxOpen(settings.mailbox, { readOnly: true }))
        const idle = Effect.zipRight(
          command(() => client.idle()),
          Effect.never
        )
        while (true) {
          const { isHistoryKept } = settings
          const place = yield* cursors.open(mailbox, { uidValidity, uidNext, isHistoryKept })
          const last = place.lastUid
          const matchingUids = yield* command(() => client.search({ uid: `${last + 1}:*` }, { uid: true }))
          yield* connection.worked
          // An IMAP range `n:*` always contains the newest message, even if its UID is lower than `n`.
          const uids = (matchingUids === false ? [] : matchingUids)
            .filter((uid) => uid > last)
            .sort((one, other) => one - other)
          for (const uid of uids) yield* receive(client, uidValidity, uid, place)
          const signal = yield* Effect.timeoutOption(Effect.raceFirst(Queue.take(arrivals), idle), longestIdle)
          if (Option.contains(signal, "closed")) return yield* new ImapFailed({ reason: "closed" })
        }
      })
    )

    const followWithLease = Effect.acquireUseRelease(
      cursors.take(mailbox, reader),
      (isHeld) =>
        isHeld
          ? Effect.raceFirst(
              follow,
              cursors
                .take(mailbox, reader)
                .pipe(
                  Effect.repeat({ while: (isStillHeld) => isStillHeld, schedule: Schedule.spaced(keepHold) }),
                  Effect.zipRight(Effect.fail(new ImapFailed({ reason: "held_by_another" })))
                )
            )
          : Effect.sleep(waitForHold),
      () => Effect.ignore(cursors.release(mailbox, reader))
    )

    const patience = Schedule.exponential(firstRetry).pipe(
      Schedule.union(Schedule.spaced("1 minute")),
      Schedule.jittered,
      Schedule.resetAfter("2 minutes")
    )
    yield* followWithLease.pipe(
      Effect.tapError((error) =>
        Effect.zipRight(
          Effect.logWarning("mail is not read for the moment").pipe(Effect.annotateLogs({ reason: error.reason })),
          error instanceof ImapFailed && !isOurs(error) ? connection.failed(error.reason) : Effect.void
        )
      ),
      Effect.retry(patience),
      Effect.forever,
      Effect.forkScoped
    )
  })

/** Reads the mailbox of the settings, if there is one, while its scope is open. */
export const followMailbox = Effect.flatMap(MailSettings, ({ imap }) =>
  Option.match(imap, { onNone: () => Effect.void, onSome: make })
)
