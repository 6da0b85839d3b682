import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { dropExpiredRows } from "../../../src/Layers/Websites/Forms/Expiry.ts"
import { UnitOfWork } from "../../../src/Services/Core/Calls/UnitOfWork.ts"
import { LeadId } from "../../../src/Services/Leads/Ids.ts"
import { Leads } from "../../../src/Services/Leads/Leads.ts"
import { mostRecordsOfSite, SiteRecords } from "../../../src/Services/Websites/Forms/SiteRecords.ts"
import type { PublishedSite } from "../../../src/Services/Websites/PublishedSites.ts"
import { claimTouches, composeAll } from "../../Outreach/support/touches.ts"
import { insertCampaign, insertLead } from "../../support/leads/LeadServices.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import {
  ago,
  contactFields,
  field,
  filled,
  form,
  hiddenIn,
  inputsOf,
  opened,
  published,
  sent,
  siteWith,
  tokenOf,
  VisitServices,
  visit
} from "../Traffic/visits.ts"

const ana = { nome: "Ana Souza", email: "ana@client.example", telefone: "(11) 91234-5678", empresa: "Padaria Lua" }

const rowsOf = <A extends object>(site: PublishedSite, table: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<A>`select * from ${sql(table)} where account_id = ${site.accountId} order by 2`
  ).pipe(Effect.orDie)

interface RecordRow {
  readonly outcome: string
  readonly lead_id: number | null
  readonly collection: string
  readonly visitor_email: string | null
  readonly filled: Readonly<Record<string, string>>
  readonly consent_text: string
  readonly consent_version: string
  readonly marketing_text: string | null
  readonly was_confirmed: boolean
}
const recordsOf = (site: PublishedSite) => rowsOf<RecordRow>(site, "site_record")
const leadsOf = (site: PublishedSite) =>
  rowsOf<{ readonly lead_id: number; readonly status: string; readonly email: string | null; readonly name: string }>(
    site,
    "lead"
  )
const eventsOf = (site: PublishedSite) =>
  Effect.map(rowsOf<{ readonly event_type: string }>(site, "account_event"), (rows) =>
    rows.map(({ event_type }) => event_type)
  )
const profileOf = (leadId: number) => Effect.flatMap(Leads, (leads) => leads.get(LeadId.make(leadId)))
const inUnit = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.flatMap(UnitOfWork, (unit) => unit.write(effect))

layer(VisitServices, { excludeTestServices: true })("a capture page's form", (it) => {
  it.effect("makes an interested lead of who sends it, with where it came from", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      yield* me(insertCampaign("Cafés"))
      const site = yield* me(published(siteWith({ campaign: "cafés" })))
      const answer = yield* filled(
        site,
        { ...ana, mensagem: "Quero um orçamento.", _marketing: "yes" },
        { path: "/?utm_source=ads&utm_campaign=inverno", headers: { referer: "https://search.example/r?q=segredo" } }
      )
      assert.deepInclude(answer, { status: 303 })
      assert.strictEqual(answer.headers["Location"], "/?sent=contato#contato")
      const [lead] = yield* leadsOf(site)
      const profile = yield* me(profileOf(lead?.lead_id ?? 0))
      assert.deepInclude(profile, {
        name: "Ana Souza",
        email: "ana@client.example",
        phone: "+5511912345678",
        company: "Padaria Lua",
        status: "Interested",
        pipeline_state: "in_pipeline",
        campaign: "Cafés"
      })
      assert.isNotNull(profile.next_touch_at)
      assert.deepInclude(profile.source, {
        website_id: site.websiteId,
        page: "Café da manhã",
        url: `https://${site.name}.sites.example/`,
        variant: "a",
        utm_source: "ads",
        utm_campaign: "inverno",
        referrer: "search.example/r",
        said: "Como podemos ajudar: Quero um orçamento.",
        marketing_consent: true,
        capture_count: 1
      })
      const [record] = yield* recordsOf(site)
      assert.deepInclude(record, {
        outcome: "created",
        lead_id: lead?.lead_id ?? 0,
        was_confirmed: false,
        consent_version: "2026-11-22"
      })
      assert.isNotEmpty(record?.consent_text)
      assert.isNotNull(record?.marketing_text)
      assert.deepStrictEqual(yield* eventsOf(site), ["lead_confirmed", "lead_became_interested"])
      const news = yield* rowsOf<{ readonly kind: string; readonly message: string }>(site, "notification")
      assert.deepStrictEqual(
        news.map(({ kind }) => kind),
        ["lead_became_interested"]
      )
      assert.include(news[0]?.message, "Quero um orçamento.")
      const context = yield* opened(site, { path: "/?sent=contato" })
      assert.isTrue(context.forms("contato")?.sent)
    })
  )

  it.effect("shows errors beside the fields with all that was typed, and takes it when it is corrected", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const site = yield* me(published())
      const _token = yield* tokenOf(site, { path: "/?utm_source=ads" })
      const wrong = yield* visit(site, {
        path: "/_/form/contato",
        body: { _token, nome: `Ana "<b>" & Cia`, email: "ana at client", mensagem: "Olá\n<script>alert(1)</script>" }
      })
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.body, "Escreva um endereço de e-mail")
      assert.include(wrong.body, "Precisamos da sua autorização")
      assert.include(wrong.body, "Olá\n&lt;script&gt;")
      assert.notInclude(wrong.body, "<script>alert")
      assert.lengthOf(yield* recordsOf(site), 0)
      const again = inputsOf(wrong.body)
      assert.deepInclude(again, { nome: `Ana "<b>" & Cia`, email: "ana at client" })
      // The new rendering is a second old: whoever corrects a form is quick, and is asked at the most.
      const corrected = yield* visit(site, {
        path: "/_/form/contato",
        body: { ...again, _consent: "yes", email: "ana@client.example" }
      })
      assert.strictEqual(corrected.status, 200)
      const confirmed = yield* visit(site, { path: "/_/confirm", body: inputsOf(corrected.body) })
      assert.strictEqual(confirmed.status, 303)
      const [lead] = yield* leadsOf(site)
      assert.strictEqual((yield* me(profileOf(lead?.lead_id ?? 0))).source?.utm_source, "ads")
    })
  )

  it.effect("is stored once, however often the same comes at once", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const site = yield* me(published())
      const _token = yield* tokenOf(site)
      const answers = yield* Effect.forEach(Array.from({ length: 100 }), () => sent(site, { _token, ...ana }), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([303]))
      assert.lengthOf(yield* recordsOf(site), 1)
      assert.lengthOf(yield* leadsOf(site), 1)
      assert.lengthOf(yield* eventsOf(site), 2)
      // The same rendering with something else in it, as after the browser's way back: nothing of it is lost.
      const other = yield* sent(site, { _token, ...ana, mensagem: "E mais uma coisa." })
      assert.include(other.body, "E mais uma coisa.")
      assert.strictEqual((yield* visit(site, { path: "/_/confirm", body: inputsOf(other.body) })).status, 303)
      assert.lengthOf(yield* recordsOf(site), 2)
      assert.lengthOf(yield* leadsOf(site), 1)
    })
  )

  it.effect("makes one lead of two people's hurry with the same contact", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const site = yield* me(published())
      const tokens = yield* Effect.forEach(Array.from({ length: 3 }), () => tokenOf(site))
      const answers = yield* Effect.forEach(
        tokens,
        (_token, index) => sent(site, { _token, ...ana, mensagem: `${index}` }, { network: `10.0.${index}.0/24` }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [303, 303, 303]
      )
      assert.lengthOf(yield* leadsOf(site), 1)
      assert.lengthOf(yield* recordsOf(site), 3)
      assert.lengthOf(yield* eventsOf(site), 2)
    })
  )

  it.effect("asks once where it is doubtful, and drops nothing in silence", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const site = yield* me(published())
      const foreign = yield* tokenOf(yield* me(published()))
      const fresh = Effect.map(opened(site), ({ forms }) => forms("contato")?.token ?? "")
      const good = yield* tokenOf(site)
      const doubtful: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
        ["no token", {}],
        ["a forged one", { _token: `${good.slice(0, -4)}AAAA` }],
        ["another site's", { _token: foreign }],
        ["an expired one", { _token: yield* tokenOf(site, {}, "contato", 13 * 3_600_000) }],
        ["sent at once", { _token: yield* fresh }],
        ["the trap", { _token: good, _website_url: "https://spam.example" }]
      ]
      for (const [index, [name, token]] of doubtful.entries()) {
        const values = { nome: `Ana ${index}`, email: `ana${index}@client.example`, mensagem: "Duas\nlinhas" }
        const asked = yield* sent(site, { ...values, ...token }, { network: `10.1.${index}.0/24` })
        assert.strictEqual(asked.status, 200, name)
        assert.include(asked.body, "Falta só confirmar", name)
        assert.lengthOf(yield* recordsOf(site), index, name)
        const confirmed = yield* visit(site, {
          path: "/_/confirm",
          body: inputsOf(asked.body),
          network: `10.1.${index}.0/24`
        })
        assert.strictEqual(confirmed.status, 303, name)
        const records = yield* recordsOf(site)
        assert.deepInclude(records[index], { was_confirmed: true, outcome: "created" }, name)
        assert.deepInclude(records[index]?.filled, { mensagem: "Duas\nlinhas" }, name)
      }
    }).pipe(ago(0))
  )

  it.effect("keeps floods of a network away, and tells each what to do", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const site = yield* me(published())
      const flood = (index: number, network = "203.0.113.0/24") =>
        filled(site, { nome: "Bot", email: `bot${index}@spam.example` }, { network })
      const answers = yield* Effect.forEach(Array.from({ length: 64 }), (_, index) => flood(index))
      const statuses = answers.map(({ status }) => status)
      assert.deepStrictEqual(
        statuses.slice(0, 10),
        Array.from({ length: 10 }, () => 303)
      )
      assert.deepStrictEqual(new Set(statuses.slice(10, 60)), new Set([200]))
      assert.deepStrictEqual(statuses.slice(60), [429, 429, 429, 429])
      assert.isDefined(answers[60]?.headers["Retry-After"])
      assert.include(answers[60]?.body, "bot60@spam.example")
      assert.lengthOf(yield* leadsOf(site), 10)
      // Others are served all the while.
      assert.strictEqual((yield* flood(100, "192.0.2.0/24")).status, 303)
      const counts = yield* rowsOf<{ readonly place: string }>(site, "site_form_count")
      for (const { place } of counts) assert.match(place, /^[0-9a-f]{32}$/)
      const sql = yield* SqlClient
      yield* sql`update site_form_count set expires_at = instant() - interval '1 second' where account_id = ${site.accountId}`
      yield* sql`update site_form_use set expires_at = instant() - interval '1 second' where account_id = ${site.accountId}`
      yield* dropExpiredRows
      assert.lengthOf(yield* rowsOf(site, "site_form_count"), 0)
      assert.lengthOf(yield* rowsOf(site, "site_form_use"), 0)
    })
  )

  it.effect("fills in what is missing of a known lead, and doubles nobody", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const site = yield* me(published())
      const known = yield* me(insertLead({ name: "Ana S.", email: ana.email, company: "Outra" }))
      const owner = yield* me(insertLead({ name: "Rui", email: null, phone: "+5511988887777" }))
      yield* filled(site, { ...ana, telefone: "+55 11 98888-7777" })
      const profile = yield* me(profileOf(known))
      assert.deepInclude(profile, { name: "Ana S.", company: "Outra", phone: null, status: "Interested" })
      assert.deepInclude(profile.source, { capture_count: 1 })
      assert.strictEqual((yield* me(profileOf(owner))).phone, "+5511988887777")
      yield* filled(site, ana)
      assert.deepInclude(yield* me(profileOf(known)), { phone: "+5511912345678" })
      assert.strictEqual((yield* me(profileOf(known))).source?.capture_count, 2)
      assert.lengthOf(yield* leadsOf(site), 2)
      assert.deepStrictEqual(yield* eventsOf(site), ["lead_confirmed", "lead_became_interested"])
      assert.deepStrictEqual(
        (yield* recordsOf(site)).map(({ outcome }) => outcome),
        ["known", "known"]
      )
    })
  )

  it.effect("leaves alone who is unsubscribed, blacklisted, erased or closed, behind the same thanks", () =>
    Effect.gen(function* () {
      const caller = yield* makeAccount()
      const me = as(caller)
      const sql = yield* SqlClient
      const site = yield* me(published())
      const leads = yield* Leads
      const gone = yield* me(insertLead({ email: "gone@client.example" }))
      yield* me(inUnit(leads.transition(gone, "unsubscribe")))
      const erased = yield* me(insertLead({ email: "erased@client.example", name: "Zoe Erased" }))
      yield* me(inUnit(leads.erase(erased, undefined)))
      yield* sql`
        insert into blacklist_entry (account_id, kind, value, reason)
        values (${caller.accountId}, 'email', 'blocked@client.example', 'Competitor')`
      const closed = yield* me(insertLead({ email: "closed@client.example", status: "Closed" }))
      const answers = yield* Effect.forEach(["gone", "erased", "blocked", "closed"], (name) =>
        filled(site, { nome: `Zoe ${name}`, email: `${name}@client.example`, mensagem: "Oi" })
      )
      assert.deepStrictEqual(
        answers.map(({ headers, status }) => [status, headers["Location"]]),
        Array.from({ length: 4 }, () => [303, "/?sent=contato#contato"])
      )
      const records = yield* recordsOf(site)
      assert.deepStrictEqual(
        records.map(({ lead_id, outcome }) => [outcome, lead_id]),
        [
          ["unsubscribed", gone],
          ["erased", null],
          ["blacklisted", null],
          ["known", closed]
        ]
      )
      assert.deepStrictEqual(records[1]?.filled, {})
      assert.isNull(records[1]?.visitor_email)
      assert.deepInclude(yield* me(profileOf(gone)), { status: "Cold", pipeline_state: "finished", source: null })
      assert.strictEqual((yield* me(profileOf(closed))).status, "Closed")
      assert.lengthOf(yield* leadsOf(site), 2)
      assert.lengthOf(yield* eventsOf(site), 0)
    })
  )

  it.effect("leaves nothing half done where the work breaks off, and takes the same again", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const sql = yield* SqlClient
      const site = yield* me(published())
      const _token = yield* tokenOf(site)
      // The last statement of all fails, as if the process had died before it.
      yield* sql`alter table account_event add constraint broken_off check (account_id <> ${sql.literal(String(site.accountId))}) not valid`
      const broken = yield* Effect.exit(sent(site, { _token, ...ana }))
      yield* sql`alter table account_event drop constraint broken_off`
      assert.strictEqual(broken._tag, "Failure")
      for (const table of ["lead", "site_record", "site_form_use", "site_form_count", "notification", "lead_capture"]) {
        assert.lengthOf(yield* rowsOf(site, table), 0, table)
      }
      assert.strictEqual((yield* sent(site, { _token, ...ana })).status, 303)
      assert.lengthOf(yield* leadsOf(site), 1)
      assert.lengthOf(yield* eventsOf(site), 2)
    })
  )

  it.effect("is what the first message to the lead begins with", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const site = yield* me(published())
      yield* filled(site, { ...ana, mensagem: "Quero um orçamento." })
      yield* claimTouches
      yield* composeAll
      const mails = yield* rowsOf<{ readonly body_text: string; readonly lead_id: number | null }>(
        site,
        "email_message"
      )
      const written = mails.filter(({ lead_id }) => lead_id !== null)
      assert.lengthOf(written, 1)
      assert.include(written[0]?.body_text, "Agradeço por deixar o seu contato na nossa página “Café da manhã”.")
    })
  )

  it.effect("takes no other kinds of bodies, and no form that is not there", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const site = yield* me(published())
      const headers = { "content-type": "application/json" }
      assert.strictEqual((yield* visit(site, { path: "/_/form/contato", headers, body: "{}" })).status, 415)
      const gone = yield* sent(site, { mensagem: "Que não <b>se perde" }, {}, "outro")
      assert.strictEqual(gone.status, 410)
      assert.include(gone.body, "Que não &lt;b&gt;se perde")
      assert.strictEqual((yield* visit(site, { path: "/_/form/contato" })).headers["Location"], "/")
      const polluted = yield* sent(site, {
        ...ana,
        __proto__: "x",
        constructor: "y",
        toString: "z",
        _token: yield* tokenOf(site)
      })
      assert.strictEqual(polluted.status, 303)
      assert.sameMembers(Object.keys((yield* recordsOf(site))[0]?.filled ?? {}), Object.keys(ana))
    })
  )

  it.effect("stands in a frame of another site, where it works the same", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const site = yield* me(published())
      const plain = yield* me(published(siteWith(), "Website"))
      assert.strictEqual((yield* visit(plain, { path: "/embed" })).status, 404)
      const page = yield* visit(site, { path: "/embed?utm_source=blog" }).pipe(ago(60_000))
      assert.strictEqual(page.status, 200)
      const _token = hiddenIn(page.body, "_token")
      const answer = yield* sent(site, { ...ana, _token }, { headers: { origin: "https://blog.example" } })
      assert.strictEqual(answer.headers["Location"], "/embed?sent=contato")
      assert.include((yield* visit(site, { path: "/embed?sent=contato" })).body, "Obrigado!")
      assert.strictEqual((yield* leadsOf(site)).length, 1)
      // What asks again has to be seen in the frame too.
      const doubtful = yield* sent(site, { ...ana, mensagem: "x", _token })
      assert.include(doubtful.headers["Content-Security-Policy"], "frame-ancestors *")
      assert.isUndefined(doubtful.headers["X-Frame-Options"])
      const unframed = yield* sent(site, { ...ana, mensagem: "y" })
      assert.include(unframed.headers["Content-Security-Policy"], "frame-ancestors 'none'")
    })
  )
})

const people = {
  id: "inscritos",
  label: "Inscritos",
  fields: [...contactFields, field("constructor", "text", "Construtora", false)],
  is_public: true
}
const collecting = (more = {}) =>
  siteWith({ collections: [people], ...more }, [
    form({ collection: "inscritos", fields: people.fields }),
    { _tag: "Records", id: "lista", title: "Lista", text: "", collection: "inscritos", shows: "public" },
    { _tag: "Records", id: "meus", title: "Meus", text: "", collection: "inscritos", shows: "own" }
  ])

layer(VisitServices, { excludeTestServices: true })("a site's collections", (it) => {
  it.effect("store what forms send, and show no contacts in public", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const site = yield* me(published(collecting(), "Website"))
      yield* filled(site, { ...ana, mensagem: "Oi" })
      assert.deepInclude((yield* recordsOf(site))[0], { outcome: "stored", collection: "inscritos", lead_id: null })
      assert.lengthOf(yield* leadsOf(site), 0)
      const context = yield* opened(site)
      const rows = context.records("lista")
      assert.lengthOf(rows, 1)
      assert.sameMembers(Object.keys(rows[0] ?? {}), ["nome", "empresa", "mensagem"])
      assert.isUndefined(rows[0]?.["constructor"])
      assert.lengthOf(context.records("meus"), 0)
      const hidden = yield* me(published(collecting({ collections: [{ ...people, is_public: false }] }), "Website"))
      yield* filled(hidden, ana)
      assert.lengthOf((yield* opened(hidden)).records("lista"), 0)
    })
  )

  it.effect("are seen by who signs in with a mailed code, its own alone", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const site = yield* me(published(collecting({ name: "Padaria\r\nBcc: todos@x.example" }), "Website"))
      // A lead of the account's can sign in as well.
      yield* me(insertLead({ email: ana.email }))
      yield* filled(site, ana)
      yield* filled(site, { ...ana, email: "rui@client.example", nome: "Rui" })
      const _token = yield* tokenOf(site, {}, "meus")
      const asked = yield* visit(site, { path: "/_/session", body: { _token, email: " ANA@client.example" } })
      assert.strictEqual(asked.status, 200)
      const [mail] = yield* rowsOf<{
        readonly to_address: string
        readonly subject: string
        readonly body_text: string
      }>(site, "email_message")
      assert.strictEqual(mail?.to_address, ana.email)
      assert.notMatch(mail?.subject ?? "", /[\r\n]/)
      const code = /(\d{4} \d{4})/.exec(mail?.body_text ?? "")?.[1] ?? ""
      const stored = yield* rowsOf<{ readonly code_digest: string }>(site, "site_sign_in")
      assert.notInclude(JSON.stringify(stored), code.replace(" ", ""))
      const inputs = inputsOf(asked.body)
      assert.strictEqual(
        (yield* visit(site, { path: "/_/session", body: { ...inputs, code: "00000000" } })).status,
        422
      )
      const entered = yield* visit(site, { path: "/_/session", body: { ...inputs, code } })
      assert.strictEqual(entered.status, 303)
      const cookie = entered.headers["Set-Cookie"] ?? ""
      assert.match(cookie, /^__Host-visitor=[\w-]{43}; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/)
      const headers = { cookie: `a=b; ${cookie.split(";")[0]}` }
      const mine = yield* opened(site, { headers })
      assert.deepStrictEqual(
        mine.records("meus").map((record) => record["nome"]),
        ["Ana Souza"]
      )
      assert.strictEqual(mine.records("meus")[0]?.["email"], ana.email)
      assert.strictEqual(mine.visitor, "an…@client.example")
      // Not twice, and not on another site.
      assert.strictEqual((yield* visit(site, { path: "/_/session", body: { ...inputs, code } })).status, 422)
      const other = yield* me(published(collecting(), "Website"))
      assert.isUndefined((yield* opened(other, { headers })).visitor)
      yield* visit(site, { path: "/_/session", headers, body: { leave: "yes" } })
      assert.isUndefined((yield* opened(site, { headers })).visitor)
    })
  )

  it.effect("bound the attempts at a code and the mails to an address", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const site = yield* me(published(collecting(), "Website"))
      const ask = Effect.flatMap(tokenOf(site, {}, "meus"), (_token) =>
        visit(site, { path: "/_/session", body: { _token, email: "eva@client.example" } })
      )
      const inputs = inputsOf((yield* ask).body)
      const [mail] = yield* rowsOf<{ readonly body_text: string }>(site, "email_message")
      const code = /(\d{4} \d{4})/.exec(mail?.body_text ?? "")?.[1] ?? ""
      const wrong = (index: number) => visit(site, { path: "/_/session", body: { ...inputs, code: `1${index}` } })
      yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7], wrong, { concurrency: "unbounded" })
      assert.strictEqual((yield* visit(site, { path: "/_/session", body: { ...inputs, code } })).status, 422)
      for (let count = 1; count < 5; count++) yield* ask
      const tooMany = yield* ask
      assert.include(tooMany.body, "Recebemos muitos envios")
      assert.lengthOf(yield* rowsOf(site, "email_message"), 5)
    })
  )

  it.effect("hold their quota under a crowd, tell the owner once, and keep what was typed", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const sql = yield* SqlClient
      const site = yield* me(published(collecting(), "Website"))
      yield* sql`
        insert into site_record_count (account_id, website_id, records)
        values (${site.accountId}, ${site.websiteId}, ${mostRecordsOfSite - 2})`
      const answers = yield* Effect.forEach(
        Array.from({ length: 6 }),
        (_, index) =>
          filled(site, { nome: "Eva", email: `eva${index}@client.example` }, { network: `10.2.${index}.0/24` }),
        { concurrency: "unbounded" }
      )
      const statuses = answers.map(({ status }) => status)
      assert.lengthOf(
        statuses.filter((status) => status === 303),
        2
      )
      assert.lengthOf(
        statuses.filter((status) => status === 503),
        4
      )
      assert.include(answers.find(({ status }) => status === 503)?.body, "@client.example")
      const news = yield* rowsOf<{ readonly kind: string }>(site, "notification")
      assert.deepStrictEqual(news.map(({ kind }) => kind).sort(), [
        "website_form_sent",
        "website_form_sent",
        "website_storage_full"
      ])
    })
  )

  it.effect("are listed, exported without formulas and deleted by their account alone", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const stranger = as(yield* makeAccount())
      const records = yield* SiteRecords
      const site = yield* me(published(collecting(), "Website"))
      yield* filled(site, { ...ana, nome: "=HYPERLINK(1)", mensagem: 'a,b\n"c";@x', constructor: "+1+1" })
      const [collection] = yield* me(records.collections(site.websiteId))
      assert.deepInclude(collection, { collection: "inscritos", label: "Inscritos", isPublic: true, count: 1 })
      const csv = yield* me(records.csv(site.websiteId, "inscritos"))
      assert.include(csv, "'=HYPERLINK(1)")
      assert.include(csv, `"a,b\n""c"";'@x"`)
      assert.include(csv, "'+1+1")
      assert.include(csv, "+5511912345678")
      const [record] = yield* me(records.list(site.websiteId, "inscritos"))
      if (record === undefined) throw new Error("There is no record.")
      assert.strictEqual((yield* Effect.flip(stranger(records.collections(site.websiteId))))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(stranger(records.list(site.websiteId, "inscritos"))))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(stranger(records.csv(site.websiteId, "inscritos"))))._tag, "NotFound")
      assert.strictEqual(
        (yield* Effect.flip(stranger(records.remove(site.websiteId, record.siteRecordId))))._tag,
        "NotFound"
      )
      yield* me(records.remove(site.websiteId, record.siteRecordId))
      assert.lengthOf(yield* recordsOf(site), 0)
      assert.deepInclude((yield* rowsOf<{ readonly records: number }>(site, "site_record_count"))[0], { records: 0 })
    })
  )

  it.effect("forget a person who is erased", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const site = yield* me(published(collecting(), "Website"))
      const lead = yield* me(insertLead({ name: ana.nome, email: ana.email }))
      yield* filled(site, { ...ana, mensagem: "Aqui é a Ana Souza" })
      yield* me(inUnit(Effect.flatMap(Leads, (leads) => leads.erase(lead, undefined))))
      const [record] = yield* recordsOf(site)
      assert.isNull(record?.visitor_email)
      assert.notMatch(JSON.stringify(record), /ana@client|Ana Souza/)
    })
  )
})
