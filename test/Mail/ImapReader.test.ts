import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Option } from "effect"
import { followMailbox, ImapTiming } from "../../src/Layers/Mail/ImapReader.ts"
import { SentFolder, SentFolderImap } from "../../src/Layers/Mail/ImapSentFolder.ts"
import { MailCursorsPostgres } from "../../src/Layers/Mail/MailCursors.ts"
import { MailSettings } from "../../src/Layers/Mail/MailSettings.ts"
import { MailInbox } from "../../src/Services/Mail/MailInbox.ts"
import { eventually } from "../Jobs/support.ts"
import { insertLead } from "../support/LeadServices.ts"
import { hasDovecot, localDovecot } from "../support/LocalDovecot.ts"
import { localHoodiecrow } from "../support/LocalMailbox.ts"
import { localSmtp, secret } from "../support/MailFixtures.ts"
import { sandboxMailServices } from "../support/MailServices.ts"
import { as, makeAccount } from "../support/TestAccount.ts"
import { letter } from "./sampleMails.ts"

const timing = {
  keepHold: Duration.millis(200),
  waitForHold: Duration.millis(200),
  longestIdle: Duration.minutes(4),
  firstRetry: Duration.millis(100)
}

const settingsFor = ({ port }: { readonly port: number }, password = "right") =>
  Layer.succeed(MailSettings, {
    ...localSmtp(1),
    imap: Option.some({
      host: "127.0.0.1",
      port,
      isSecure: false,
      requireTls: false,
      user: "gateway",
      password: secret(password),
      mailbox: "INBOX",
      sentMailbox: undefined
    })
  })

/** Starts a reader that works until the scope ends. */
const startReader = (server: { readonly port: number }) =>
  followMailbox.pipe(
    Effect.provide(MailCursorsPostgres),
    Effect.provide(settingsFor(server)),
    Effect.provideService(ImapTiming, timing)
  )

const account = Effect.gen(function* () {
  const sql = yield* SqlClient
  const caller = yield* makeAccount()
  const leadId = yield* as(caller)(insertLead())
  const rows = yield* sql<{ readonly handle: string; readonly email: string }>`
    select a.handle, l.email from account a join lead l using (account_id) where l.lead_id = ${leadId}`
  const texts = sql<{ readonly text: string }>`
    select body_text as text from email_message
    where account_id = ${caller.accountId} and direction = 'inbound' order by email_message_id`.pipe(
    Effect.map((found) => found.map(({ text }) => text)),
    Effect.orDie
  )
  const write = (text: string) => letter({ from: rows[0]?.email ?? "", to: `${rows[0]?.handle}@mail.example`, text })
  return { texts, write }
})

layer(sandboxMailServices(), { excludeTestServices: true })("a mailbox", (it) => {
  const test = hasDovecot ? it.scoped : it.scoped.skip

  it.scoped("of a server of another make is read as well", () =>
    Effect.gen(function* () {
      const server = yield* localHoodiecrow
      const { texts, write } = yield* account
      yield* server.append(write("before"))
      yield* startReader(server)
      yield* eventually(texts, (found) => found.length === 1)
      yield* server.append(write("enquanto espera: é já"))
      yield* eventually(texts, (found) => found.length === 2)
      assert.deepStrictEqual(yield* texts, ["before", "enquanto espera: é já"])
    })
  )

  test("is read from its beginning, then as messages come, and left as it was", () =>
    Effect.gen(function* () {
      const server = yield* localDovecot
      const { texts, write } = yield* account
      yield* server.append(write("before"))
      yield* server.append(letter({ from: "a@else.example", to: "nobody@else.example" }))
      yield* startReader(server)
      yield* eventually(texts, (found) => found.length === 1)
      yield* server.append(write("while idle"))
      yield* server.append(write("and again"))
      yield* eventually(texts, (found) => found.length === 3)
      assert.deepStrictEqual(yield* texts, ["before", "while idle", "and again"])
      for (const flags of yield* server.flags) assert.notInclude(flags, "\\Seen")
    }))

  test("is followed through the loss of the server, and nothing is read twice", () =>
    Effect.gen(function* () {
      const server = yield* localDovecot
      const { texts, write } = yield* account
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* startReader(server)
          yield* server.append(write("one"))
          yield* eventually(texts, (found) => found.length === 1)
          yield* server.stop
          yield* server.start
          yield* server.append(write("two"))
          yield* eventually(texts, (found) => found.length === 2)
        })
      )
      yield* server.append(write("three"))
      yield* startReader(server)
      yield* eventually(texts, (found) => found.length === 3)
      assert.deepStrictEqual(yield* texts, ["one", "two", "three"])
    }))

  test("is read by one gateway at a time, and by the next when that ends", () =>
    Effect.gen(function* () {
      const server = yield* localDovecot
      const { texts, write } = yield* account
      const received: Array<string> = []
      const readingAs = (name: string) =>
        Effect.flatMap(MailInbox, (inbox) =>
          startReader(server).pipe(
            Effect.provideService(MailInbox, {
              receive: (raw, options) => {
                received.push(name)
                return inbox.receive(raw, options)
              }
            })
          )
        )
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* readingAs("first")
          yield* server.append(write("one"))
          yield* eventually(texts, (found) => found.length === 1)
          yield* Effect.fork(readingAs("second"))
          yield* server.append(write("two"))
          yield* eventually(texts, (found) => found.length === 2)
        })
      )
      yield* readingAs("third")
      yield* server.append(write("three"))
      yield* eventually(texts, (found) => found.length === 3)
      assert.deepStrictEqual(received, ["first", "first", "third"])
    }))

  test("has the rest of its messages read although the gateway fails on one", () =>
    Effect.gen(function* () {
      const server = yield* localDovecot
      const { texts, write } = yield* account
      yield* server.append(write("poison"))
      yield* server.append(write("good"))
      let attempts = 0
      const inbox = yield* MailInbox
      yield* startReader(server).pipe(
        Effect.provideService(MailInbox, {
          receive: (raw, options) => {
            if (!Buffer.from(raw).includes("poison")) return inbox.receive(raw, options)
            attempts++
            return Effect.die(new Error("a bug"))
          }
        })
      )
      yield* eventually(texts, (found) => found.length === 1)
      assert.deepStrictEqual(yield* texts, ["good"])
      assert.strictEqual(attempts, 3)
    }))

  test("of sent messages tells what was sent", () =>
    Effect.gen(function* () {
      const server = yield* localDovecot
      yield* server.append(letter({ from: "a@mail.example", to: "b@lead.example", id: "<there@mail.example>" }), "Sent")
      const has = (messageId: string, password?: string) =>
        Effect.flatMap(SentFolder, (folder) => folder.has(messageId)).pipe(
          Effect.provide(SentFolderImap.pipe(Layer.provide(settingsFor(server, password))))
        )
      assert.deepStrictEqual(yield* has("<there@mail.example>"), Option.some(true))
      assert.deepStrictEqual(yield* has("<not-there@mail.example>"), Option.some(false))
      assert.deepInclude(yield* Effect.flip(has("<there@mail.example>", "wrong")), {
        _tag: "Transient",
        reason: "sent_mail_unavailable"
      })
    }))
})
