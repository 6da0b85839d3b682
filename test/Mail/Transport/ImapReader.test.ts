import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Option } from "effect"
import { followMailbox, ImapTiming } from "../../../src/Layers/Mail/Imap/ImapReader.ts"
import { SentFolder, SentFolderImap } from "../../../src/Layers/Mail/Imap/ImapSentFolder.ts"
import { MailCursors, MailCursorsPostgres } from "../../../src/Layers/Mail/Imap/MailCursors.ts"
import { MailSettings } from "../../../src/Layers/Mail/MailSettings.ts"
import { OutsideHealth, OutsideHealthLive } from "../../../src/Services/Core/Outside/OutsideHealth.ts"
import { MailInbox } from "../../../src/Services/Mail/MailInbox.ts"
import { eventually } from "../../Jobs/support.ts"
import { localSmtp, secret } from "../../support/channels/MailFixtures.ts"
import { sandboxMailServices } from "../../support/channels/MailServices.ts"
import { insertLead } from "../../support/leads/LeadServices.ts"
import { hasDovecot, localDovecot } from "../../support/providers/LocalDovecot.ts"
import { localHoodiecrow, localMailbox } from "../../support/providers/LocalMailbox.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import { openedMailbox } from "../openedMailbox.ts"
import { letter } from "../sampleMails.ts"

const timing = {
  keepHold: Duration.millis(200),
  waitForHold: Duration.millis(200),
  longestIdle: Duration.minutes(4),
  firstRetry: Duration.millis(100)
}

const settingsFor = ({ port }: { readonly port: number }, password = "right", isHistoryKept = false) =>
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
      sentMailbox: undefined,
      isHistoryKept
    })
  })

/** Starts a reader that runs until the scope ends, and waits until it has opened the mailbox. */
const startReader = (server: { readonly port: number }, isHistoryKept = false) =>
  followMailbox.pipe(
    Effect.provide(MailCursorsPostgres),
    Effect.provide(settingsFor(server, "right", isHistoryKept)),
    Effect.provideService(ImapTiming, timing),
    Effect.zipLeft(openedMailbox(server))
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
    Effect.map((rows) => rows.map(({ text }) => text)),
    Effect.orDie
  )
  const write = (text: string) => letter({ from: rows[0]?.email ?? "", to: `${rows[0]?.handle}@mail.example`, text })
  return { caller, texts, write }
})

layer(sandboxMailServices(), { excludeTestServices: true })("a mailbox", (it) => {
  const test = hasDovecot ? it.scoped : it.scoped.skip

  it.scoped("of a server of another make is read as well", () =>
    Effect.gen(function* () {
      const server = yield* localHoodiecrow
      const { texts, write } = yield* account
      yield* server.append(write("before"))
      yield* startReader(server)
      yield* server.append(write("enquanto espera: é já"))
      yield* eventually(texts, (mails) => mails.length === 1)
      yield* server.append(write("e depois"))
      yield* eventually(texts, (mails) => mails.length === 2)
      assert.deepStrictEqual(yield* texts, ["enquanto espera: é já", "e depois"])
    })
  )

  it.scoped("that cannot be read is seen in the gateway's health, with since when, until it is read again", () =>
    Effect.gen(function* () {
      const state = Effect.flatMap(OutsideHealth, ({ states }) => Effect.map(states, (all) => all["mail.imap"]))
      const server = yield* Effect.scoped(
        Effect.gen(function* () {
          const open = yield* localHoodiecrow
          yield* Effect.scoped(
            Effect.zipRight(
              startReader(open),
              eventually(state, (health) => health?.status === "up")
            )
          )
          return open
        })
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Effect.provideService(
            Effect.provide(followMailbox, Layer.merge(MailCursorsPostgres, settingsFor(server))),
            ImapTiming,
            timing
          )
          const down = yield* eventually(state, (health) => health?.status === "down")
          assert.deepInclude(down, { reason: "ECONNREFUSED" })
          assert.isNotNull(down?.since)
          assert.isNotNull(down?.last_success_at)
        })
      )
      const back = yield* localHoodiecrow
      yield* startReader(back)
      assert.deepInclude(yield* eventually(state, (health) => health?.status === "up"), { reason: null })
    }).pipe(Effect.provide(OutsideHealthLive))
  )

  it.scoped("that was in use before is read from the present on, and nothing of its history is news", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const server = yield* localMailbox
      const { caller, texts, write } = yield* account
      yield* server.append(write("Pare de me enviar e-mails"))
      yield* server.append(write("Tenho interesse"))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* startReader(server)
          yield* server.append(write("news"))
          yield* eventually(texts, (mails) => mails.length === 1)
        })
      )
      yield* server.append(write("while it was down"))
      yield* startReader(server)
      yield* eventually(texts, (mails) => mails.length === 2)
      assert.deepStrictEqual(yield* texts, ["news", "while it was down"])
      const events = yield* sql`select from account_event where account_id = ${caller.accountId}`
      assert.lengthOf(events, 4)
    })
  )

  it.scoped("has its history kept where the operator wants it: as mail of its time that changes nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const server = yield* localMailbox
      const { caller, texts, write } = yield* account
      const state = sql<{ readonly jobs: number }>`
        with queued as materialized (
          select count(*) as number from graphile_worker._private_jobs job
          where job.payload::jsonb ->> 'accountId' = ${`${caller.accountId}`}
        )
        select (select json_agg(l) from lead l where l.account_id = a.account_id) as leads,
          (select count(*) from account_event e where e.account_id = a.account_id) as events,
          (select number from queued) as jobs
        from account a where a.account_id = ${caller.accountId}`
      const before = yield* state
      const old = ["Pare de me enviar e-mails", "Tenho interesse", "Quinta às 15h?"]
      for (const text of old) yield* server.append(write(text))
      yield* startReader(server, true)
      yield* eventually(texts, (mails) => mails.length === old.length)
      assert.sameMembers([...(yield* texts)], old)
      assert.deepStrictEqual(yield* state, before)
      const strange = yield* sql`
        select from email_message where account_id = ${caller.accountId}
          and (lead_id is null or status <> 'received' or classification is not null or occurred_at is null)`
      assert.lengthOf(strange, 0)
      yield* server.append(write("news"))
      yield* eventually(state, ([now]) => (now?.jobs ?? 0) > (before[0]?.jobs ?? 0))
    })
  )

  it.effect("that its server made anew has what came since read again, and not its history", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const cursors = yield* MailCursors
      const mailbox = "gateway@renewed.example/INBOX"
      const open = (uidValidity: bigint, uidNext: number, isHistoryKept = false) =>
        cursors.open(mailbox, { uidValidity, uidNext, isHistoryKept })
      yield* cursors.take(mailbox, "reader")
      const first = yield* open(7n, 101)
      const [opened] = yield* sql<{ readonly at: number }>`
        select extract(epoch from opened_at)::float8 * 1000 as at from mail_mailbox where mailbox = ${mailbox}`
      const at = opened?.at ?? 0
      assert.deepStrictEqual(
        [first.lastUid, first.isHistory(100, at + 1), first.isHistory(101, at - 9e9)],
        [100, true, false]
      )
      yield* cursors.move(mailbox, "reader", 7n, 120)
      assert.strictEqual((yield* open(7n, 130)).lastUid, 120)
      const renewed = yield* open(8n, 12)
      assert.deepStrictEqual(
        [renewed.lastUid, renewed.isHistory(3, at - 1000), renewed.isHistory(3, at + 1000)],
        [0, true, false]
      )
      assert.isTrue((yield* open(8n, 12)).isHistory(3, at - 1000))
    }).pipe(Effect.provide(MailCursorsPostgres))
  )

  test("is read as messages come, and left as it was", () =>
    Effect.gen(function* () {
      const server = yield* localDovecot
      const { texts, write } = yield* account
      yield* startReader(server)
      yield* server.append(write("first"))
      yield* server.append(letter({ from: "a@else.example", to: "nobody@else.example" }))
      yield* eventually(texts, (mails) => mails.length === 1)
      yield* server.append(write("while idle"))
      yield* server.append(write("and again"))
      yield* eventually(texts, (mails) => mails.length === 3)
      assert.deepStrictEqual(yield* texts, ["first", "while idle", "and again"])
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
          yield* eventually(texts, (mails) => mails.length === 1)
          yield* server.stop
          yield* server.start
          yield* server.append(write("two"))
          yield* eventually(texts, (mails) => mails.length === 2)
        })
      )
      yield* server.append(write("three"))
      yield* startReader(server)
      yield* eventually(texts, (mails) => mails.length === 3)
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
          yield* eventually(texts, (mails) => mails.length === 1)
          yield* Effect.fork(readingAs("second"))
          yield* server.append(write("two"))
          yield* eventually(texts, (mails) => mails.length === 2)
        })
      )
      yield* readingAs("third")
      yield* server.append(write("three"))
      yield* eventually(texts, (mails) => mails.length === 3)
      assert.deepStrictEqual(received, ["first", "first", "third"])
    }))

  test("has the rest of its messages read although the gateway fails on one", () =>
    Effect.gen(function* () {
      const server = yield* localDovecot
      const { texts, write } = yield* account
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
      yield* server.append(write("poison"))
      yield* server.append(write("good"))
      yield* eventually(texts, (mails) => mails.length === 1)
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
