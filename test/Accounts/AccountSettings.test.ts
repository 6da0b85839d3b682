import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Either, Layer, Schema } from "effect"
import { AccountProfilePostgres } from "../../src/Layers/Accounts/AccountProfilePostgres.ts"
import { AccountSettingsPostgres } from "../../src/Layers/Accounts/AccountSettingsPostgres.ts"
import { AccountsPostgres } from "../../src/Layers/Accounts/AccountsPostgres.ts"
import { NotificationsPostgres } from "../../src/Layers/Events/NotificationsPostgres.ts"
import { ProspectingConfigPostgres } from "../../src/Layers/Prospecting/ProspectingConfigPostgres.ts"
import { AccountUsagePostgres } from "../../src/Layers/Reports/AccountUsagePostgres.ts"
import { SenderDomainsPostgres } from "../../src/Layers/SenderDomains/SenderDomainsPostgres.ts"
import { DnsSandbox } from "../../src/Layers/SenderDomains/sandbox/DnsSandbox.ts"
import {
  AccountSettings,
  EmailSettings,
  NotificationEmails,
  TaxInfo,
  TimeZoneSettings
} from "../../src/Services/Accounts/AccountSettings.ts"
import { Accounts } from "../../src/Services/Accounts/Accounts.ts"
import {
  confirmationToken,
  NotificationAddressId,
  ownConfirmationToken
} from "../../src/Services/Accounts/AddressConfirmation.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { TaskQueue } from "../../src/Services/Jobs/TaskQueue.ts"
import { AccountSettingsGroup } from "../../src/Tools/Accounts/AccountSettings.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { SealingOfTests } from "../support/SealingOfTests.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { TestSettings } from "../support/TestSettings.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([AccountSettingsGroup])

/** The tasks that were queued, in their order. */
const queued: Array<{ readonly name: string; readonly payload: unknown }> = []
const QueueOfTest = Layer.succeed(
  TaskQueue,
  TaskQueue.of({
    enqueue: (task, payload) => Effect.sync(() => void queued.push({ name: task.name, payload })),
    enqueueMany: (task, tasks) =>
      Effect.sync(() => void queued.push(...tasks.map(({ payload }) => ({ name: task.name, payload })))),
    remove: () => Effect.void
  })
)

const TestLayer = Layer.mergeAll(
  AccountSettingsPostgres,
  AccountsPostgres,
  AccountProfilePostgres,
  ProspectingConfigPostgres,
  AccountUsagePostgres,
  SenderDomainsPostgres.pipe(Layer.provide(DnsSandbox), Layer.provide(NotificationsPostgres))
).pipe(
  Layer.provide(Layer.merge(SealingOfTests, TestSettings)),
  Layer.provideMerge(QueueOfTest),
  Layer.provideMerge(TestDatabase)
)

const decode = <A, I, E, R>(schema: Schema.Schema<A, I>, answer: Effect.Effect<unknown, E, R>) =>
  Effect.map(Effect.orDie(answer), Schema.decodeUnknownSync(schema))

const reasonOf = <R>(call: Effect.Effect<unknown, { readonly _tag: string }, R>) =>
  Effect.map(Effect.flip(call), (error) => ("reason" in error ? String(error.reason) : error._tag))

layer(TestLayer, { excludeTestServices: true })("account settings", (it) => {
  const set = (tool: string, args: object = {}) => callTool(catalog, tool, args)
  const email = (args: object) =>
    Effect.map(answerOf(catalog, "update_email_settings", args), Schema.decodeUnknownSync(EmailSettings))
  const tax = (args: object) =>
    Effect.map(answerOf(catalog, "update_tax_info", args), Schema.decodeUnknownSync(TaxInfo))

  it.effect("a handle is stripped, and one of fifty accounts that ask for it at once gets it", () =>
    Effect.gen(function* () {
      const callers = yield* Effect.forEach(Array.from({ length: 50 }), () => makeAccount())
      const answers = yield* Effect.forEach(
        callers,
        (caller) => Effect.either(as(caller)(set("update_email_settings", { handle: "João da Silva" }))),
        { concurrency: "unbounded" }
      )
      const winners = answers.filter(Either.isRight)
      assert.strictEqual(winners.length, 1)
      assert.deepInclude(Schema.decodeUnknownSync(EmailSettings)(winners[0]?.right), { handle: "joaodasilva" })
      const reasons = new Set(
        answers.filter(Either.isLeft).map(({ left }) => ("reason" in left ? left.reason : left._tag))
      )
      assert.deepStrictEqual([...reasons], ["handle_taken"])
    })
  )

  it.effect(
    "a new account's handle is its own, whoever else opens one of the name; nobody's of late, and none reserved",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const accounts = yield* Accounts
        const open = (name: string) => accounts.create({ name, email: undefined, phone: undefined, plan: "free_trial" })
        const former = as(yield* makeAccount())
        yield* former(email({ handle: "fonteazul" }))
        yield* former(email({ handle: "fonte.verde" }))
        const opened = yield* Effect.forEach([...Array.from({ length: 12 }, () => "Fonte Azul"), "Support"], open, {
          concurrency: "unbounded"
        })
        const rows = yield* sql<{ readonly handle: string }>`
        select handle from account where account_id = any (${opened}::bigint[])`
        const handles = rows.map(({ handle }) => handle)
        assert.strictEqual(new Set(handles).size, 13)
        assert.notInclude(handles, "fonteazul")
        assert.notInclude(handles, "support")
        assert.include(handles, "fonteazul2")
        assert.include(handles, "support2")
      })
  )

  it.effect("a handle that was given up is kept back for 90 days from everybody but who had it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const first = as(yield* makeAccount())
      const second = as(yield* makeAccount())
      yield* first(email({ handle: "padaria.central" }))
      yield* first(email({ handle: "padaria.nova" }))
      assert.strictEqual(
        yield* reasonOf(second(set("update_email_settings", { handle: "padaria.central" }))),
        "handle_taken"
      )
      const back = yield* first(email({ handle: "padaria.central" }))
      assert.match(back.email_address, /^padaria\.central@/)
      yield* first(email({ handle: "padaria.norte" }))
      yield* sql`
        update former_handle set kept_until = shifted(kept_until, -interval '91 days') where handle = 'padaria.central'`
      assert.strictEqual((yield* second(email({ handle: "padaria.central" }))).handle, "padaria.central")
    })
  )

  it.effect("a handle given up and one taken at the same moment never go to two accounts", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 10; round++) {
        const owner = as(yield* makeAccount())
        const others = yield* Effect.forEach(Array.from({ length: 4 }), () => makeAccount())
        const handle = `corrida${round}`
        yield* owner(email({ handle }))
        const [, ...taken] = yield* Effect.all(
          [
            Effect.either(owner(set("update_email_settings", { handle: `${handle}b` }))),
            ...others.map((caller) => Effect.either(as(caller)(set("update_email_settings", { handle }))))
          ],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(taken.filter(Either.isRight).length, 0)
      }
    })
  )

  it.effect("notification addresses are normalised, unique and confirmed by their own link alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const update = (emails: string) =>
        Effect.map(
          me(answerOf(catalog, "update_notification_emails", { emails })),
          Schema.decodeUnknownSync(NotificationEmails)
        )
      queued.length = 0
      const first = yield* update(" Owner@Souza.example, vendas@souza.example,owner@souza.example ")
      assert.deepStrictEqual(first, {
        account_email: "owner@souza.example",
        account_email_is_confirmed: false,
        prospecting_email: null,
        emails: [
          { email: "owner@souza.example", is_confirmed: false },
          { email: "vendas@souza.example", is_confirmed: false }
        ]
      })
      assert.deepStrictEqual(
        queued.map(({ name }) => name),
        ["confirm_notification_address", "confirm_notification_address"]
      )

      const settings = yield* AccountSettings
      const [row] = yield* sql<{ readonly id: number; readonly key: Uint8Array }>`
        select n.notification_address_id as id, a.mail_key as key from notification_address n join account a using (account_id)
        where account_id = ${caller.accountId} and n.email = 'owner@souza.example'`
      const id = NotificationAddressId.make(row?.id ?? 0)
      const key = row?.key ?? new Uint8Array()
      assert.isFalse(yield* settings.confirmAddress("nonsense"))
      assert.isFalse(yield* settings.confirmAddress(confirmationToken(new Uint8Array(32), caller.accountId, id)))
      assert.isFalse(
        yield* settings.confirmAddress(
          confirmationToken(key, caller.accountId, NotificationAddressId.make(id + 1)).replace(
            /-\w+-/,
            `-${id.toString(36)}-`
          )
        )
      )
      assert.isTrue(yield* settings.confirmAddress(confirmationToken(key, caller.accountId, id)))

      // The same address stays confirmed and gets no second mail; one that comes back has to be confirmed again.
      queued.length = 0
      const second = yield* update("novo@souza.example,owner@souza.example")
      assert.deepStrictEqual(second.emails, [
        { email: "novo@souza.example", is_confirmed: false },
        { email: "owner@souza.example", is_confirmed: true }
      ])
      assert.strictEqual(queued.length, 1)
    })
  )

  it.effect("the account's own address is confirmed by its own link, and no other", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      queued.length = 0
      const decodeEmails = Schema.decodeUnknownSync(NotificationEmails)
      const set = decodeEmails(yield* me(answerOf(catalog, "set_personal_email", { email: "me@souza.example" })))
      assert.deepInclude(set, { account_email: "me@souza.example", account_email_is_confirmed: false })
      assert.deepStrictEqual(queued, [
        { name: "confirm_own_address", payload: { accountId: caller.accountId, address: "me@souza.example" } }
      ])
      const [row] = yield* sql<{ readonly key: Uint8Array }>`
        select mail_key as key from account where account_id = ${caller.accountId}`
      const key = row?.key ?? new Uint8Array()
      const settings = yield* AccountSettings
      assert.isFalse(yield* settings.confirmAddress(ownConfirmationToken(key, caller.accountId, "other@souza.example")))
      assert.isFalse(
        yield* settings.confirmAddress(ownConfirmationToken(new Uint8Array(32), caller.accountId, "me@souza.example"))
      )
      assert.isTrue(yield* settings.confirmAddress(ownConfirmationToken(key, caller.accountId, "me@souza.example")))
      const current = decodeEmails(yield* me(answerOf(catalog, "get_notification_emails", {})))
      assert.isTrue(current.account_email_is_confirmed)
    })
  )

  it.effect("addresses that are none, and lists that are too long, are refused whole", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const refused = (tool: string, args: object) => reasonOf(me(set(tool, args)))
      assert.strictEqual(
        yield* refused("update_notification_emails", { emails: "a@b.example, nonsense" }),
        "invalid_email"
      )
      assert.strictEqual(yield* refused("update_notification_emails", { emails: " , " }), "text_empty")
      const eleven = Array.from({ length: 11 }, (_, at) => `a${at}@b.example`).join(",")
      assert.strictEqual(yield* refused("update_notification_emails", { emails: eleven }), "too_many_items")
      assert.strictEqual(yield* refused("set_personal_email", { email: "x\r\nBcc: y@z.example" }), "control_characters")
      assert.strictEqual(yield* refused("update_user_name", { name: "Evil\u0007Name" }), "name_unsuitable")
      assert.strictEqual(yield* refused("update_email_settings", {}), "nothing_to_change")
      assert.strictEqual(yield* refused("update_preferences", { language_key: "klingon" }), "language_not_supported")
      assert.strictEqual(yield* refused("update_preferences", { language_key: "fr-FR" }), "language_not_supported")
      assert.strictEqual(yield* refused("update_tax_info", {}), "nothing_to_change")
      // What goes to the platform's own addresses would come in again, and be told of again.
      const own = Schema.decodeUnknownSync(EmailSettings)(yield* me(set("get_email_settings"))).email_address
      assert.strictEqual(yield* refused("set_personal_email", { email: own.toUpperCase() }), "platform_address")
      assert.strictEqual(
        yield* refused("update_notification_emails", { emails: `a@x.example, ${own}` }),
        "platform_address"
      )
      assert.strictEqual(yield* refused("set_timezone", { current_hour: 24 }), "out_of_range")
    })
  )

  it.effect("tax data changes part by part, is masked in answers and cannot be read in the database", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      const first = yield* me(
        tax({ tax_document: "12ABC34501DE35", tax_name: "Souza Ltda", municipality_code: 3_550_308, street: "Rua A" })
      )
      assert.deepInclude(first, { tax_document: "**.***.***/01DE-35", municipality: "São Paulo, SP", cep: null })
      const [one, other] = yield* Effect.all([me(tax({ cep: "01310100" })), me(tax({ number: "100" }))], {
        concurrency: "unbounded"
      })
      const last = yield* me(tax({ street: " " }))
      assert.deepInclude(last, { cep: "01310100", number: "100", street: null, tax_name: "Souza Ltda" })
      assert.strictEqual(one.tax_document, other.tax_document)
      const [row] = yield* sql<{ readonly sealed: Uint8Array }>`
        select sealed from tax_info where account_id = ${caller.accountId}`
      assert.notInclude(Buffer.from(row?.sealed ?? []).toString("latin1"), "12ABC345")
      const refused = (args: object) => reasonOf(me(set("update_tax_info", args)))
      assert.strictEqual(yield* refused({ municipality_code: 9_999_999 }), "municipality_unknown")
      assert.strictEqual(yield* refused({ tax_document: "52998224726" }), "invalid_tax_document")
      assert.strictEqual(yield* refused({ cep: "0131010" }), "invalid_cep")
    })
  )

  it.effect("a setting is seen where it is used", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const general = me(Effect.orDie(set("get_general_settings")))
      assert.deepInclude(yield* general, { voice_mode: "owner", autonomous_messages: true })
      yield* me(set("set_agent_phone_call_permission", { enabled: false }))
      assert.deepStrictEqual(yield* me(set("set_agent_phone_call_permission")), { enabled: false })
      assert.deepInclude(yield* general, { voice_mode: "off" })
      yield* me(set("set_personal_email", { email: "ME@souza.example" }))
      assert.deepInclude(yield* general, { account_email: "me@souza.example" })
      const zone = yield* decode(TimeZoneSettings, me(set("set_timezone", { current_hour: new Date().getUTCHours() })))
      assert.deepInclude(yield* general, { timezone_offset_utc_hours: zone.timezone_offset_utc_hours })
      yield* me(set("update_preferences", { language_key: "ES-ar", push_notifications: false }))
      assert.deepStrictEqual(yield* me(set("update_preferences", { show_on_website: false })), {
        language_key: "es-AR",
        push_notifications: false,
        show_on_website: false
      })
      const instructions = yield* me(set("set_email_notification_instructions", { instructions: " Invoices. " }))
      assert.deepInclude(instructions, { notification_instructions: "Invoices." })
      assert.deepInclude(yield* me(set("set_email_notification_instructions", { instructions: "" })), {
        notification_instructions: null
      })
    })
  )

  it.effect("a municipality is found by name, accents or not, in all states or in one", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const look = (args: object) =>
        Effect.map(
          me(answerOf(catalog, "lookup_municipality_code", args)),
          Schema.decodeUnknownSync(
            Schema.Struct({
              municipalities: Schema.Array(Schema.Struct({ municipality_code: Schema.Int, state: Schema.String })),
              total: Schema.Int
            })
          )
        )
      const everywhere = yield* look({ city_name: "BOM JESUS" })
      assert.isAbove(new Set(everywhere.municipalities.map(({ state }) => state)).size, 3)
      for (const state of ["sp", "São Paulo", "sao paulo"]) {
        assert.deepInclude((yield* look({ city_name: "sao paulo", state })).municipalities[0], {
          municipality_code: 3_550_308,
          state: "SP"
        })
      }
      assert.strictEqual((yield* look({ city_name: "sao paulo", state: "AC" })).total, 0)
      const unknown = yield* reasonOf(me(set("lookup_municipality_code", { city_name: "x", state: "Baviera" })))
      assert.strictEqual(unknown, "state_unknown")
    })
  )

  it.effect("of one account are not another's", () =>
    Effect.gen(function* () {
      const unit = yield* UnitOfWork
      const settings = yield* AccountSettings
      const me = as(yield* makeAccount())
      const other = as(yield* makeAccount())
      yield* me(unit.write(settings.setTaxInfo({ tax_name: "Mine" })))
      yield* me(unit.write(settings.setNotificationEmails(["mine@a.example"])))
      assert.strictEqual((yield* other(unit.write(settings.setTaxInfo({ street: "x" })))).tax_name, null)
      assert.deepStrictEqual((yield* other(settings.notificationEmails)).emails, [])
    })
  )
})
