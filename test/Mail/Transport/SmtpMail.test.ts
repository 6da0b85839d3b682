import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Data, Deferred, Duration, Effect, Exit, Fiber, Layer, Option } from "effect"
import { SentFolder } from "../../../src/Layers/Mail/Imap/ImapSentFolder.ts"
import { MailSettings, type SmtpSettings } from "../../../src/Layers/Mail/MailSettings.ts"
import { SmtpChecks, SmtpMail, SmtpTiming } from "../../../src/Layers/Mail/Smtp/SmtpMail.ts"
import { AccountId } from "../../../src/Services/Accounts/Ids.ts"
import { OutsideHealth, OutsideHealthLive } from "../../../src/Services/Core/Outside/OutsideHealth.ts"
import { Mail, type OutgoingMail } from "../../../src/Services/Mail/Mail.ts"
import { eventually } from "../../Jobs/support.ts"
import { localSmtp, outgoing, secret } from "../../support/channels/MailFixtures.ts"
import { localSmtpServer, type SmtpBehaviour } from "../../support/providers/LocalSmtpServer.ts"

class NotAllowed extends Data.TaggedError("NotAllowed") {}

const account = AccountId.make(1)

const impatient = { connect: Duration.seconds(2), message: Duration.millis(600), idle: Duration.seconds(30) }
const patient = { connect: Duration.seconds(20), message: Duration.seconds(20), idle: Duration.seconds(30) }

const transport = (
  port: number,
  options: {
    readonly smtp?: Partial<SmtpSettings>
    readonly timing?: typeof patient
    readonly found?: Option.Option<boolean>
    readonly checks?: typeof SmtpChecks.Service
  } = {}
) =>
  Effect.map(
    Layer.build(
      SmtpMail.pipe(
        Layer.provide(
          Layer.mergeAll(
            Layer.succeed(MailSettings, localSmtp(port, options.smtp)),
            Layer.succeed(SentFolder, { has: () => Effect.succeed(options.found ?? Option.none()) }),
            Layer.succeed(SmtpTiming, options.timing ?? patient),
            Layer.succeed(SmtpChecks, options.checks ?? { first: Duration.hours(1), every: Duration.hours(1) })
          )
        )
      )
    ),
    (context) => {
      const mail = Layer.succeedContext(context)
      return {
        send: <E = never>(message: Partial<OutgoingMail> = {}, handOver: Effect.Effect<void, E> = Effect.void) =>
          Effect.provide(
            Effect.flatMap(Mail, (service) => service.send(account, outgoing(message), handOver)),
            mail
          ),
        wasSent: Effect.provide(
          Effect.flatMap(Mail, (service) => service.wasSent(account, "<1@mail.example>")),
          mail
        )
      }
    }
  )

const withServer = (behaviour: SmtpBehaviour, options: Parameters<typeof transport>[1] = {}) =>
  Effect.gen(function* () {
    const server = yield* localSmtpServer()
    server.behave(behaviour)
    return { server, ...(yield* transport(server.port, options)) }
  })

/** The state of the connection, as the transport reported it. */
const smtpState = Effect.flatMap(OutsideHealth, ({ states }) => Effect.map(states, (all) => all["mail.smtp"]))

describe("the health of a mail server", () => {
  it.scopedLive("shows that it is away, with since when, until a message goes through", () =>
    Effect.gen(function* () {
      const closed = yield* localSmtpServer()
      const closedPort = yield* Effect.scoped(Effect.map(localSmtpServer(), ({ port }) => port))
      const { send } = yield* transport(closedPort)
      assert.deepInclude(yield* smtpState, { status: "untried", since: null })
      yield* Effect.flip(send())
      const first = yield* smtpState
      assert.deepInclude(first, { status: "down", reason: "smtp_connection_failed", last_success_at: null })
      yield* Effect.flip(send())
      assert.strictEqual((yield* smtpState)?.since, first?.since)
      const back = yield* transport(closed.port)
      yield* back.send()
      assert.deepInclude(yield* smtpState, { status: "up", reason: null })
    }).pipe(Effect.provide(OutsideHealthLive))
  )

  it.scopedLive("is not in doubt because it refuses a recipient, or puts a message off", () =>
    Effect.gen(function* () {
      const { send, server } = yield* withServer({ onRecipient: () => "550 5.1.1 No such user" })
      yield* Effect.flip(send())
      assert.deepInclude(yield* smtpState, { status: "up" })
      server.behave({ onMessage: () => "451 4.7.1 Greylisted" })
      yield* Effect.flip(send())
      assert.deepInclude(yield* smtpState, { status: "up" })
    }).pipe(Effect.provide(OutsideHealthLive))
  )

  it.scopedLive("shows a wrong password before anything is sent", () =>
    Effect.gen(function* () {
      const server = yield* localSmtpServer()
      const smtp = { user: "me", password: secret("wrong") }
      yield* transport(server.port, { smtp, checks: { first: Duration.zero, every: Duration.hours(1) } })
      const state = yield* eventually(smtpState, (health) => health?.status === "down")
      assert.deepInclude(state, { reason: "smtp_sign_in_failed" })
      assert.lengthOf(server.messages, 0)
    }).pipe(Effect.provide(OutsideHealthLive))
  )
})

describe("a message to a mail server", () => {
  it.scopedLive("arrives as it was composed, dots and all, and the server's answer is kept", () =>
    Effect.gen(function* () {
      const { send, server } = yield* withServer({})
      const handedOver: Array<number> = []
      const accepted = yield* send(
        {},
        Effect.sync(() => void handedOver.push(server.messages.length))
      )
      assert.strictEqual(accepted.response, "250 2.0.0 Ok: queued as 4F1A")
      assert.deepStrictEqual(handedOver, [0])
      assert.lengthOf(server.messages, 1)
      assert.deepInclude(server.messages[0], { from: "acme+b1@mail.example", to: ["bia@lead.example"] })
      assert.include(server.messages[0]?.raw, "\r\n.\r\nfrom here")
    })
  )

  it.scopedLive("goes over a connection that is kept, and over a new one when that was closed", () =>
    Effect.gen(function* () {
      const { send, server } = yield* withServer({})
      yield* send()
      yield* send()
      assert.strictEqual(server.connections(), 1)
      server.dropIdle()
      yield* Effect.repeat(Effect.exit(send()), { until: Exit.isSuccess, times: 5 })
      assert.lengthOf(server.messages, 3)
      assert.isAtLeast(server.connections(), 2)
    })
  )

  it.scopedLive("is one of as many at a time as there are connections", () =>
    Effect.gen(function* () {
      let open = 0
      let most = 0
      const { send, server } = yield* withServer({
        onMessage: async () => {
          open++
          most = Math.max(most, open)
          await new Promise((resolve) => setImmediate(resolve))
          open--
          return undefined
        }
      })
      yield* Effect.all(
        Array.from({ length: 12 }, () => send()),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(server.messages, 12)
      assert.isAtMost(most, 2)
      assert.isAtMost(server.connections(), 2)
    })
  )

  it.scopedLive("signs in first, where there is a password", () =>
    Effect.gen(function* () {
      const { send, server } = yield* withServer({}, { smtp: { user: "me", password: secret("right") } })
      yield* send()
      assert.strictEqual(server.messages[0]?.user, "me")
      const wrong = yield* transport(server.port, { smtp: { user: "me", password: secret("wrong") } })
      const error = yield* Effect.flip(wrong.send())
      assert.deepInclude(error, { _tag: "MailNotSent", reason: "smtp_sign_in_failed" })
      assert.notInclude(JSON.stringify(error), "wrong")
    })
  )

  it.scopedLive("copies the owner, and is refused where only the copy would be taken", () =>
    Effect.gen(function* () {
      const { send, server } = yield* withServer({
        onRecipient: (address) => (address === "gone@lead.example" ? "550 5.1.1 No such user" : undefined)
      })
      const cc = { address: "owner@acme.example" }
      yield* send({ cc })
      assert.deepStrictEqual(server.messages[0]?.to, ["bia@lead.example", "owner@acme.example"])
      const error = yield* Effect.flip(send({ cc, to: { address: "gone@lead.example" } }))
      assert.deepInclude(error, { _tag: "MailRejected", refused: "recipient", isAddressDead: true })
      assert.lengthOf(server.messages, 1)
    })
  )
})

describe("a mail server that does not take a message", () => {
  const replies = [
    ["550 5.1.1 <bia@lead.example>: User unknown", { _tag: "MailRejected", refused: "recipient", isAddressDead: true }],
    ["550 5.7.1 Blocked by policy", { _tag: "MailRejected", refused: "recipient", isAddressDead: false }],
    ["550 Mailbox not found", { _tag: "MailRejected", refused: "recipient", isAddressDead: true }],
    [
      "550 Rejected: sender listed at rbl.example",
      { _tag: "MailRejected", refused: "recipient", isAddressDead: false }
    ],
    ["450 4.2.1 Greylisted, try again", { _tag: "MailNotSent", reason: "smtp_deferred" }],
    ["421 4.3.2 Shutting down", { _tag: "MailNotSent", reason: "smtp_deferred" }]
  ] as const
  for (const [reply, expected] of replies) {
    it.scopedLive(`refuses the recipient with ${reply}`, () =>
      Effect.gen(function* () {
        const { send } = yield* withServer({ onRecipient: () => reply })
        let wasHandedOver = false
        const error = yield* Effect.flip(
          send(
            {},
            Effect.sync(() => void (wasHandedOver = true))
          )
        )
        assert.deepInclude(error, { ...expected, response: reply })
        assert.isFalse(wasHandedOver)
      })
    )
  }

  it.scopedLive("refuses the message itself, for good or for now", () =>
    Effect.gen(function* () {
      const { send, server } = yield* withServer({ onMessage: () => "554 5.7.1 Spam message rejected" })
      assert.deepInclude(yield* Effect.flip(send()), {
        _tag: "MailRejected",
        refused: "message",
        isAddressDead: false,
        response: "554 5.7.1 Spam message rejected"
      })
      server.behave({ onMessage: () => "451 4.3.0 Queue is full" })
      assert.deepInclude(yield* Effect.flip(send()), { _tag: "MailNotSent", reason: "smtp_deferred" })
      server.behave({})
      yield* send()
      assert.lengthOf(server.messages, 1)
    })
  )

  it.scopedLive("does not let the account send, which is nothing that the message can help", () =>
    Effect.gen(function* () {
      const { send } = yield* withServer({ onSender: () => "550 5.7.1 Sender address not yours" })
      assert.deepInclude(yield* Effect.flip(send()), { _tag: "MailNotSent", reason: "sender_rejected" })
    })
  )

  it.scopedLive("is not there", () =>
    Effect.gen(function* () {
      const { send } = yield* transport(1)
      assert.deepInclude(yield* Effect.flip(send()), { _tag: "MailNotSent", reason: "smtp_connection_failed" })
    })
  )

  it.scopedLive("has no TLS although it must", () =>
    Effect.gen(function* () {
      const { send, server } = yield* withServer({}, { smtp: { requireTls: true } })
      assert.deepInclude(yield* Effect.flip(send()), { _tag: "MailNotSent" })
      assert.lengthOf(server.messages, 0)
    })
  )
})

describe("a mail server with TLS", () => {
  const certificate = (name: string) =>
    readFileSync(new URL(`../../support/certificates/${name}`, import.meta.url), "utf8")
  const withTls = {
    disabledCommands: [],
    cert: certificate("local-certificate.pem"),
    key: certificate("local-key.pem")
  }

  it.scopedLive("is talked to through it, and has to be who it says where a password is at stake", () =>
    Effect.gen(function* () {
      const server = yield* localSmtpServer(withTls)
      const { send } = yield* transport(server.port)
      yield* send()
      assert.isTrue(server.messages[0]?.isEncrypted)
      const strict = yield* transport(server.port, { smtp: { requireTls: true } })
      const error = yield* Effect.flip(strict.send())
      assert.deepInclude(error, { _tag: "MailNotSent", reason: "smtp_tls_failed" })
      assert.lengthOf(server.messages, 1)
    })
  )
})

describe("a connection that breaks", () => {
  it.scopedLive("before the message was handed over has sent nothing", () =>
    Effect.gen(function* () {
      const { send, server } = yield* withServer({ onData: ({ drop }) => drop() })
      const error = yield* Effect.flip(send({}, Effect.never))
      assert.deepInclude(error, { _tag: "MailNotSent" })
      assert.lengthOf(server.messages, 0)
    }).pipe(Effect.timeout("15 seconds"))
  )

  it.scopedLive("after it leaves open whether it was sent", () =>
    Effect.gen(function* () {
      const { send, server } = yield* withServer({ onMessage: () => "drop" })
      assert.deepInclude(yield* Effect.flip(send()), { _tag: "MailMaybeSent" })
      assert.lengthOf(server.messages, 1)
    })
  )

  it.scopedLive("because the server is silent for too long leaves it open too", () =>
    Effect.gen(function* () {
      const { send } = yield* withServer({ onMessage: () => new Promise(() => {}) }, { timing: impatient })
      assert.deepInclude(yield* Effect.flip(send()), { _tag: "MailMaybeSent", reason: "smtp_timed_out" })
    })
  )

  it.scopedLive("because the hand-over was refused has sent nothing", () =>
    Effect.gen(function* () {
      const { send, server } = yield* withServer({})
      assert.deepInclude(yield* Effect.flip(send({}, new NotAllowed())), { _tag: "NotAllowed" })
      yield* send()
      assert.lengthOf(server.messages, 1)
    })
  )

  it.scopedLive("is not what an interruption makes of one whose message was handed over", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      let answer = (): void => {}
      const { send } = yield* withServer({
        onMessage: () => {
          Deferred.unsafeDone(arrived, Effect.void)
          return new Promise((resolve) => {
            answer = () => resolve(undefined)
          })
        }
      })
      const outcome = yield* Deferred.make<string>()
      const fiber = yield* Effect.fork(
        Effect.uninterruptible(Effect.flatMap(send(), ({ response }) => Deferred.succeed(outcome, response)))
      )
      yield* Deferred.await(arrived)
      yield* Effect.fork(Fiber.interrupt(fiber))
      answer()
      assert.match(yield* Deferred.await(outcome), /^250/)
    })
  )
})

describe("a look for a sent message", () => {
  it.scopedLive("says no only where the server files all it takes", () =>
    Effect.gen(function* () {
      const cases = [
        [Option.some(true), false, Option.some(true)],
        [Option.some(false), false, Option.none()],
        [Option.some(false), true, Option.some(false)],
        [Option.none(), true, Option.none()]
      ] as const
      for (const [found, filesSent, expected] of cases) {
        const { wasSent } = yield* transport(1, { found, smtp: { filesSent } })
        assert.deepStrictEqual(yield* wasSent, expected)
      }
    })
  )
})
