import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { judgeMail } from "../../src/Layers/Mail/Inbox/JudgeInboundMail.ts"
import { OwnerMails } from "../../src/Services/Events/OwnerNotices.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import { MailOutbox } from "../../src/Services/Mail/MailOutbox.ts"
import { AccountSettingsGroup } from "../../src/Tools/Accounts/AccountSettings.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { queueEmail } from "../support/channels/MailServices.ts"
import { insertLead } from "../support/leads/LeadServices.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"

type Holder = Effect.Effect.Success<ReturnType<typeof makeTokenHolder>>
interface Args {
  readonly [name: string]: string | number | boolean
}

const call = ({ token }: Holder, tool: string, args: object = {}) =>
  Effect.map(send(`/rest/v1/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args) }), ({ text }) => text)

/** Where a value shows: what a caller, a lead or the owner gets to see. */
const places = {
  whoami: (holder: Holder) => call(holder, "whoami"),
  "general settings": (holder: Holder) => call(holder, "get_general_settings"),
  "email settings": (holder: Holder) => call(holder, "get_email_settings"),
  "notification emails": (holder: Holder) => call(holder, "get_notification_emails"),
  members: (holder: Holder) => call(holder, "list_members"),
  usage: (holder: Holder) => call(holder, "get_account_usage"),
  "mail to a lead": (holder: Holder) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const outbox = yield* MailOutbox
      const me = as(holder.caller)
      const message = yield* me(queueEmail(yield* me(insertLead()), { from_address: "replaced@mail.example.com" }))
      yield* sql`
        update email_message m set from_address = a.handle || '@mail.example.com' from account a
        where a.account_id = m.account_id and m.account_id = ${message.accountId}
          and m.email_message_id = ${message.emailMessageId}`
      yield* outbox.deliver(message, { isLast: true })
      const rows = yield* sql<{ readonly raw: Uint8Array }>`
        select raw from sandbox_mail where account_id = ${message.accountId} order by sandbox_mail_id desc limit 1`
      return Buffer.from(rows[0]?.raw ?? []).toString()
    }),
  "notice to the owner": ({ caller: { accountId } }: Holder) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const owners = yield* OwnerMails
      yield* owners.send(accountId, "lead_became_interested", LeadId.make(1), { leadName: "Bia" })
      const rows = yield* sql<{ readonly shown: string }>`
        select to_address || ' ' || subject as shown from email_message
        where account_id = ${accountId} and lead_id is null order by email_message_id desc limit 1`
      return rows[0]?.shown ?? ""
    }),
  "inbound mail": (holder: Holder) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId } = holder.caller
      const rows = yield* sql<{ readonly id: number }>`
        insert into email_message (account_id, direction, status, message_id, from_address, to_address, subject, body_text)
        values (${accountId}, 'inbound', 'received', '<in@x.example>', 'a@x.example', 'b@y.example', 'Invoices', 'March')
        returning email_message_id as id`
      yield* judgeMail(accountId, rows[0]?.id ?? 0)
      return yield* call(holder, "list_pending_notifications")
    }),
  preferences: (holder: Holder) =>
    call(holder, "update_preferences", { language_key: holder.caller.plan === "paid" ? "pt-BR" : "en-US" }),
  "tax data": (holder: Holder) => call(holder, "update_tax_info", { neighborhood: "" }),
  "a simulated call to the owner": (holder: Holder) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`update account set phone = '+55 11 98765-4321' where account_id = ${holder.caller.accountId}`
      return yield* call(holder, "start_voice_simulation", { lead_name: "Bruno", company_name: "Clínica Horizonte" })
    }),
  "a call to the owner": (holder: Holder) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`update account set phone = '+55 11 98765-4321' where account_id = ${holder.caller.accountId}`
      return yield* call(holder, "place_goal_driven_call", { phone_number: "+5511987654321", goal: "Say good morning" })
    })
}
type Place = keyof typeof places

const shows = (tool: string, args: Args, expected: { readonly [P in Place]?: string }) =>
  Object.entries(expected).map(([place, text]) => ({
    tool,
    args,
    place,
    text,
    title: `${tool} ${JSON.stringify(args)}`
  }))

const cases = [
  ...shows(
    "update_email_settings",
    { handle: "Padaria São João" },
    {
      "email settings": '"handle":"padariasaojoao"',
      "mail to a lead": "<padariasaojoao@mail.example.com>"
    }
  ),
  ...shows(
    "update_email_settings",
    { display_name: "Vendas, da Souza" },
    {
      "email settings": '"display_name":"Vendas, da Souza"',
      "mail to a lead": 'From: "Vendas, da Souza" <'
    }
  ),
  ...shows("update_user_name", { name: "Helena" }, { whoami: '"name":"Helena"', members: '"name":"Helena"' }),
  ...[
    ["pt-BR", "demonstrou interesse"],
    ["en-US", "is interested"],
    ["es-AR", "mostró interés"]
  ].flatMap(([language_key = "", text = ""]) =>
    shows(
      "update_preferences",
      { language_key },
      { whoami: `"language":"${language_key}"`, "notice to the owner": text }
    )
  ),
  ...shows(
    "set_personal_email",
    { email: "New@Owner.example" },
    {
      whoami: '"email":"new@owner.example"',
      "general settings": '"account_email":"new@owner.example"',
      "notification emails": '"account_email":"new@owner.example"',
      // Notices follow once the address is confirmed.
      members: '"email":"new@owner.example"'
    }
  ),
  ...shows(
    "update_notification_emails",
    { emails: "first@team.example, second@team.example" },
    {
      whoami: '"email":"first@team.example"',
      "notification emails": '"email":"second@team.example","is_confirmed":false'
    }
  ),
  ...shows(
    "set_agent_phone_call_permission",
    { enabled: false },
    {
      "general settings": '"voice_mode":"off"',
      "a simulated call to the owner": '"reason":"agent_calls_not_allowed"',
      "a call to the owner": '"reason":"calls_to_account_off"'
    }
  ),
  ...shows(
    "set_agent_phone_call_permission",
    { enabled: true },
    {
      "general settings": '"voice_mode":"owner"',
      "a call to the owner": '"status":"queued"'
    }
  ),
  ...shows("update_preferences", { show_on_website: false }, { preferences: '"show_on_website":false' }),
  ...shows("update_preferences", { show_on_website: true }, { preferences: '"show_on_website":true' }),
  ...shows("update_preferences", { push_notifications: false }, { preferences: '"push_notifications":false' }),
  ...shows("update_preferences", { push_notifications: true }, { preferences: '"push_notifications":true' }),
  ...[
    [{ tax_name: "Souza Ltda" }, '"tax_name":"Souza Ltda"'] as const,
    [{ tax_document: "52998224725" }, '"tax_document":"***.***.'] as const,
    [{ tax_document: "12ABC34501DE35" }, '"tax_document":"**.***.***/01DE-35"'] as const,
    [{ street: "Rua A" }, '"street":"Rua A"'] as const,
    [{ number: "100 B" }, '"number":"100 B"'] as const,
    [{ cep: "01310100" }, '"cep":"01310100"'] as const,
    [{ municipality_code: 3_550_308 }, '"municipality":"São Paulo, SP"'] as const,
    [{ financial_email: "Caixa@Souza.example" }, '"financial_email":"caixa@souza.example"'] as const
  ].flatMap(([args, text]) => shows("update_tax_info", args, { "tax data": text })),
  ...shows(
    "set_email_notification_instructions",
    { instructions: "Only about invoices." },
    {
      "email settings": '"notification_instructions":"Only about invoices."',
      "inbound mail": "Invoices"
    }
  ),
  ...shows(
    "set_email_notification_instructions",
    { instructions: "Never about invoices." },
    {
      "inbound mail": '"total":0'
    }
  ),
  ...shows(
    "set_email_notification_instructions",
    { instructions: "" },
    {
      "email settings": '"notification_instructions":null',
      "inbound mail": "Invoices"
    }
  )
]

layer(testGateway(), { excludeTestServices: true })("a setting shows where it is used", (it) => {
  it.effect.each(cases)("$title in $place", ({ args, place, text, tool }) =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      // A handle that a case before this one took is free again.
      const sql = yield* SqlClient
      yield* sql`update account set handle = 'former' || account_id where account_id <> ${holder.caller.accountId}`
      yield* call(holder, tool, args)
      const look = Object.entries(places).find(([name]) => name === place)?.[1]
      if (look === undefined) return assert.fail(place)
      assert.include(yield* look(holder), text)
    })
  )

  it.effect("for each parameter of each tool of the group that stores something", () =>
    Effect.sync(() => {
      const shown = new Set(cases.flatMap(({ args, tool }) => Object.keys(args).map((name) => `${tool}.${name}`)))
      const stored = AllTools.entries
        .filter(({ group, tool }) => group === AccountSettingsGroup.name && tool.kind !== "read")
        .flatMap(({ tool }) => Object.keys(tool.parameters).map((name) => `${tool.name}.${name}`))
      assert.deepStrictEqual(
        stored.filter((name) => !shown.has(name)).toSorted(),
        // Blank, which clears, is what the tax data are looked at by; hours and domains have tests of their own.
        [
          "set_timezone.current_hour",
          "setup_custom_domain.action",
          "setup_custom_domain.email_address",
          "setup_email_subdomain.action",
          "setup_email_subdomain.subdomain",
          "update_tax_info.neighborhood"
        ]
      )
    })
  )

  it.effect("every hour of the clock, in the time zone of whoami and of the month", () =>
    Effect.gen(function* () {
      const holder = yield* makeTokenHolder()
      const utcHour = new Date(yield* Clock.currentTimeMillis).getUTCHours()
      for (let hour = 0; hour < 24; hour++) {
        yield* call(holder, "set_timezone", { current_hour: hour })
        const shown = /"timezone_offset_utc_hours":(-?\d+)/.exec(yield* places.whoami(holder))?.[1]
        const offset = Number(shown)
        assert.isTrue(offset >= -11 && offset <= 14 && (utcHour + offset + 24) % 24 === hour, `hour ${hour}: ${shown}`)
        assert.include(yield* places["general settings"](holder), `"timezone_offset_utc_hours":${offset}`)
        assert.match(yield* places.usage(holder), /"time_zone":"[^"]+"/)
      }
    })
  )
})
