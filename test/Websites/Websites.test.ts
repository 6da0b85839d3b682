import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Ref, Stream } from "effect"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { CustomerFiles } from "../../src/Services/Files/CustomerFiles.ts"
import { CustomerFileId } from "../../src/Services/Files/Ids.ts"
import { BusinessFiles } from "../../src/Services/Knowledge/BusinessFiles.ts"
import { MailOutbox } from "../../src/Services/Mail/MailOutbox.ts"
import { WebsiteCodeId } from "../../src/Services/Websites/Ids.ts"
import { PublishedSites } from "../../src/Services/Websites/PublishedSites.ts"
import { Websites } from "../../src/Services/Websites/Websites.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import {
  asked,
  catalog,
  change,
  DeskServices,
  made,
  reasonOf,
  register,
  researched,
  unzipped,
  WebsitesOnWeb,
  websiteOf,
  work
} from "./support/desk.ts"

const own = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.flatMap(makeAccount(), (caller) => as(caller)(test))
const answered = (name: string, args: object) =>
  Effect.map(answerOf(catalog, name, args), (answer) => answer as { readonly [name: string]: unknown })
const listOf = (name: string, key: string, args: object) =>
  Effect.map(answered(name, args), (answer) => answer[key] as ReadonlyArray<{ readonly [name: string]: unknown }>)
const byName = (name: string) => Effect.flatMap(PublishedSites, (sites) => sites.byName(name))

/** What was told beside that the site is for another business than the account's. */
const withoutOther = (changes: ReadonlyArray<string>, name: string): ReadonlyArray<string> => {
  const isTold = (change: string) => change.startsWith(`O site é de ${name}: `)
  assert.lengthOf(changes.filter(isTold), 1)
  return changes.filter((change) => !isTold(change))
}

layer(DeskServices, { excludeTestServices: true })("websites", (it) => {
  it.effect("are written in the background from what the account knows, and published", () =>
    own(
      Effect.gen(function* () {
        const begun = yield* register({ description: "Padaria com entrega", restricted: true })
        const queued = yield* websiteOf(begun.website_id)
        assert.deepInclude(queued, {
          status: "queued",
          is_published: false,
          published_website_code_id: null,
          mode: null,
          language: "pt-br",
          restricted: true
        })
        // Nothing names the business, so its address is made of no word that could be wrong.
        assert.match(queued.subdomain, /^site-/)
        assert.deepInclude(yield* answered("get_website_code", { website_code_id: begun.website_code_id }), {
          html: null,
          pages: null,
          status: "queued"
        })
        assert.deepEqual(yield* listOf("list_website_code", "website_codes", { website_id: begun.website_id }), [])
        assert.strictEqual((yield* byName(queued.subdomain))._tag, "Absent")
        yield* work(begun)
        const done = yield* websiteOf(begun.website_id)
        assert.deepInclude(done, {
          status: "finished",
          progress: 100,
          is_published: true,
          published_website_code_id: WebsiteCodeId.make(begun.website_code_id),
          mode: "sandbox",
          title: "Padaria Aurora"
        })
        assert.deepInclude(done.last_change, { kind: "generation", changes: ["Site escrito."] })
        assert.strictEqual((yield* byName(queued.subdomain))._tag, "Published")
        const code = yield* answered("get_website_code", { website_code_id: begun.website_code_id })
        const pages = code["pages"] as ReadonlyArray<{ readonly path: string; readonly html: string }>
        assert.deepEqual(
          pages.map(({ path }) => path),
          ["/", "/sobre"]
        )
        assert.strictEqual(code["html"], pages[0]?.html)
        assert.include(pages[0]?.html ?? "", "Padaria com entrega")
        assert.match(pages[0]?.html ?? "", /\/_\/picture\/[\w-]+\.webp/)
        // Once more, as after a crash behind its end.
        yield* work(begun, 2)
        assert.deepEqual(yield* websiteOf(begun.website_id), done)
        const { material } =
          (yield* Ref.get(asked)).findLast((one) => one.material.description === "Padaria com entrega") ?? {}
        assert.isTrue(material?.facts.some(({ source, text }) => source === "business" && text.startsWith("Business")))
      })
    )
  )

  it.effect("are refused where what is asked for cannot be", () =>
    own(
      Effect.gen(function* () {
        const site = yield* made()
        const website_id = site.website_id
        const text = { description: "x", language: "pt-br" }
        const cases: ReadonlyArray<readonly [string, object, string]> = [
          ["register_website", { ...text, language: "pt" }, "language_invalid"],
          ["register_website", { ...text, language: "pt_BR" }, "language_invalid"],
          ["register_website", { ...text, language: "fr-FR" }, "language_needs_model"],
          ["register_website", { ...text, description: " \n" }, "text_empty"],
          ["register_website", { ...text, description: "x".repeat(8001) }, "text_too_long"],
          ["register_website", { ...text, application_type: "Shop" }, "value_not_accepted"],
          ["register_website", { ...text, copy_from_website_id: 999_999 }, "website_not_found"],
          ["change_website", { website_id, prompt: "" }, "text_empty"],
          ["change_website", { website_id, prompt: "x".repeat(8001) }, "text_too_long"],
          ["change_website", { website_id: 999_999, prompt: "x" }, "website_not_found"],
          ["cancel_website_change", { website_id }, "nothing_to_cancel"],
          ["set_website_settings", { website_id }, "nothing_to_change"],
          ["set_website_settings", { website_id, title: "x".repeat(61) }, "text_too_long"],
          ["set_website_settings", { website_id, title: "  " }, "text_empty"],
          ["set_website_settings", { website_id, language_key: "deutsch" }, "language_invalid"],
          ["create_website_snapshot", { website_id, snapshot_description: " " }, "text_empty"],
          ["change_website_subdomain", { website_id, new_subdomain: "ab" }, "name_not_accepted"],
          ["change_website_subdomain", { website_id, new_subdomain: "a".repeat(64) }, "name_not_accepted"],
          ["change_website_subdomain", { website_id, new_subdomain: "xn--mnchen-3ya" }, "name_not_accepted"],
          ["change_website_subdomain", { website_id, new_subdomain: "-padaria" }, "name_not_accepted"],
          ["change_website_subdomain", { website_id, new_subdomain: "padaría" }, "name_not_accepted"],
          ["change_website_subdomain", { website_id, new_subdomain: "a.b.c" }, "name_not_accepted"],
          ["change_website_subdomain", { website_id, new_subdomain: "WWW" }, "name_reserved"],
          ["export_website_code", { website_id, email_address: "nobody" }, "invalid_email"],
          ["restore_website_snapshot", { website_code_id: 999_999 }, "website_code_not_found"],
          ["get_website_code", { website_code_id: 999_999 }, "website_code_not_found"]
        ]
        for (const [name, args, reason] of cases) {
          assert.strictEqual(yield* reasonOf(name, args), reason, `${name} ${JSON.stringify(args)}`)
        }
      })
    )
  )

  it.effect("are changed one at a time; cancelling leaves what is published", () =>
    own(
      Effect.gen(function* () {
        const { website_id } = yield* made()
        const before = yield* websiteOf(website_id)
        const first = yield* change(website_id, "Um slogan novo", { data_storage_required: true })
        assert.deepInclude(yield* websiteOf(website_id), {
          status: "queued",
          is_published: true,
          published_website_code_id: before.published_website_code_id,
          data_storage_required: false
        })
        assert.strictEqual(yield* reasonOf("change_website", { website_id, prompt: "x" }), "change_in_progress")
        assert.strictEqual(
          yield* reasonOf("restore_website_snapshot", { website_code_id: before.published_website_code_id ?? 0 }),
          "change_in_progress"
        )
        assert.strictEqual((yield* answered("cancel_website_change", { website_id }))["status"], "cancelled")
        yield* work(first)
        const cancelled = yield* websiteOf(website_id)
        assert.deepInclude(cancelled, {
          status: "cancelled",
          is_published: true,
          published_website_code_id: before.published_website_code_id
        })
        assert.strictEqual(
          yield* reasonOf("restore_website_snapshot", { website_code_id: first.website_code_id }),
          "code_not_finished"
        )
        assert.strictEqual(yield* reasonOf("cancel_website_change", { website_id }), "nothing_to_cancel")
        yield* work(yield* change(website_id, "Guarde contatos", { data_storage_required: true }))
        assert.deepInclude(yield* websiteOf(website_id), { data_storage_required: true, status: "finished" })
        yield* work(yield* change(website_id, "Outra coisa"))
        const changed = yield* websiteOf(website_id)
        assert.isTrue(changed.data_storage_required)
        assert.deepEqual(changed.last_change.changes, ["Mudado: Outra coisa"])
        const codes = yield* listOf("list_website_code", "website_codes", { website_id })
        assert.deepEqual(
          codes.map(({ is_published, prompt }) => [prompt, is_published]),
          [
            ["Outra coisa", true],
            ["Guarde contatos", false],
            ["Padaria de bairro com café da manhã", false]
          ]
        )
      })
    )
  )

  it.effect("have exactly one change begun by many at once", () =>
    own(
      Effect.gen(function* () {
        const { website_id } = yield* made()
        const ends = yield* Effect.forEach(
          Array.from({ length: 8 }),
          (_, index) => Effect.either(callTool(catalog, "change_website", { website_id, prompt: `Nr ${index}` })),
          { concurrency: 8 }
        )
        assert.strictEqual(ends.filter(({ _tag }) => _tag === "Right").length, 1)
      })
    )
  )

  it.effect("start anew, from a copy, and after a failed first writing", () =>
    own(
      Effect.gen(function* () {
        const { website_id } = yield* made({ description: "Padaria original" })
        yield* Ref.set(asked, [])
        yield* work(yield* change(website_id, "Tudo diferente", { ignore_existing_code: true }))
        const copy = yield* made({ description: "Uma filial", copy_from_website_id: website_id })
        const failed = yield* made({ description: "There is nothing to write here" })
        assert.deepInclude(yield* websiteOf(failed.website_id), {
          status: "failed",
          failure_reason: "nothing_to_write",
          failure_detail: "There is nothing to write.",
          is_published: false
        })
        assert.strictEqual(
          yield* reasonOf("register_website", {
            description: "x",
            language: "pt-br",
            copy_from_website_id: failed.website_id
          }),
          "nothing_published"
        )
        assert.strictEqual(
          yield* reasonOf("create_website_snapshot", { website_id: failed.website_id, snapshot_description: "x" }),
          "nothing_published"
        )
        const acts = (yield* Ref.get(asked)).map(({ act, material }) => [act, material.description])
        assert.deepEqual(acts, [
          ["write", "Padaria original\n\nTudo diferente"],
          ["change", "Uma filial"],
          ["write", "There is nothing to write here"]
        ])
        assert.strictEqual((yield* websiteOf(copy.website_id)).status, "finished")
      })
    )
  )

  it.effect("are kept as snapshots and restored, which can be undone", () =>
    own(
      Effect.gen(function* () {
        const { website_code_id: first, website_id } = yield* made()
        const kept = yield* answered("create_website_snapshot", { website_id, snapshot_description: "Antes" })
        yield* work(yield* change(website_id, "Natal"))
        const changed = yield* websiteOf(website_id)
        const restored = yield* answered("restore_website_snapshot", { website_code_id: kept["website_code_id"] })
        assert.deepInclude(restored["last_change"] as object, { kind: "restoration" })
        // The same once more changes nothing.
        assert.deepEqual(
          yield* answered("restore_website_snapshot", { website_code_id: kept["website_code_id"] }),
          restored
        )
        const undone = yield* answered("restore_website_snapshot", {
          website_code_id: changed.published_website_code_id
        })
        const html = (id: unknown) =>
          Effect.map(answered("get_website_code", { website_code_id: id }), (code) => code["html"])
        assert.strictEqual(
          yield* html(undone["published_website_code_id"]),
          yield* html(changed.published_website_code_id)
        )
        assert.strictEqual(yield* html(restored["published_website_code_id"]), yield* html(first))
        assert.notStrictEqual(yield* html(first), yield* html(changed.published_website_code_id))
        const snapshots = yield* listOf("list_website_snapshots", "snapshots", { website_id })
        assert.deepEqual(
          snapshots.map(({ snapshot_description, website_code_id }) => [snapshot_description, website_code_id]),
          [["Antes", kept["website_code_id"]]]
        )
        assert.lengthOf(yield* listOf("list_website_code", "website_codes", { website_id }), 4)
      })
    )
  )

  it.effect("have names that fifty at once get once, and that are kept back when given up", () =>
    Effect.gen(function* () {
      const callers = yield* Effect.forEach(Array.from({ length: 50 }), () => makeAccount(), { concurrency: 10 })
      const sites = yield* Effect.forEach(
        callers,
        (caller) => Effect.map(as(caller)(register()), ({ website_id }) => ({ caller, website_id })),
        { concurrency: 50 }
      )
      const names = yield* Effect.forEach(sites, ({ caller, website_id }) => as(caller)(websiteOf(website_id)))
      assert.strictEqual(new Set(names.map(({ subdomain }) => subdomain)).size, 50)
      const wish = (site: (typeof sites)[number], new_subdomain: string) =>
        as(site.caller)(
          Effect.either(callTool(catalog, "change_website_subdomain", { website_id: site.website_id, new_subdomain }))
        )
      const ends = yield* Effect.forEach(sites, (site) => wish(site, "Aurora-Wanted"), { concurrency: 50 })
      const winners = sites.filter((_, index) => ends[index]?._tag === "Right")
      assert.lengthOf(winners, 1)
      const [winner, other] = [winners[0], sites.find((site) => site !== winners[0])]
      if (winner === undefined || other === undefined) return assert.fail("nobody has the name")
      yield* as(winner.caller)(Effect.void)
      assert.strictEqual((yield* wish(winner, "aurora-later"))._tag, "Right")
      assert.strictEqual((yield* wish(other, "aurora-wanted"))._tag, "Left")
      const sql = yield* SqlClient
      yield* sql`update website_name set given_up_at = given_up_at - interval '91 days' where name = 'aurora-wanted'`
      assert.strictEqual((yield* wish(other, "aurora-wanted"))._tag, "Right")
      // One's own comes back at once.
      const before = (yield* as(winner.caller)(websiteOf(winner.website_id))).subdomain
      assert.strictEqual((yield* wish(winner, "aurora-third"))._tag, "Right")
      assert.strictEqual((yield* wish(winner, before))._tag, "Right")
    })
  )

  it.effect("lead from a given-up name to the new one, and are gone once archived", () =>
    own(
      Effect.gen(function* () {
        const { website_id } = yield* made()
        const { subdomain } = yield* websiteOf(website_id)
        yield* answered("change_website_subdomain", { website_id, new_subdomain: `${subdomain}-novo` })
        assert.deepEqual(yield* byName(subdomain), { _tag: "Moved", name: `${subdomain}-novo` })
        const running = yield* change(website_id, "Ainda isso")
        const last = yield* answered("archive_website", { website_id })
        assert.deepInclude(last, { website_id, subdomain: `${subdomain}-novo` })
        assert.strictEqual((yield* byName(subdomain))._tag, "Absent")
        assert.strictEqual((yield* byName(`${subdomain}-novo`))._tag, "Absent")
        yield* work(running)
        for (const [name, args] of [
          ["get_website", {}],
          ["archive_website", {}],
          ["get_website_settings", {}],
          ["list_website_code", {}],
          ["list_website_snapshots", {}],
          ["change_website", { prompt: "x" }],
          ["cancel_website_change", {}],
          ["set_website_settings", { title: "x" }],
          ["change_website_subdomain", { new_subdomain: "padaria-nova" }],
          ["create_website_snapshot", { snapshot_description: "x" }],
          ["export_website_code", { email_address: "a@example.com" }]
        ] as const) {
          assert.strictEqual(yield* reasonOf(name, { website_id, ...args }), "website_not_found", name)
        }
        assert.strictEqual(
          yield* reasonOf("get_website_code", { website_code_id: running.website_code_id }),
          "website_code_not_found"
        )
        assert.deepEqual(yield* listOf("list_websites", "websites", {}), [])
      })
    )
  )

  it.effect(
    "have the title that is set in their header, the browser's title and the card, until a change renames them",
    () =>
      own(
        Effect.gen(function* () {
          const { website_id } = yield* made()
          const htmlOf = Effect.gen(function* () {
            const { published_website_code_id } = yield* websiteOf(website_id)
            const code = yield* answered("get_website_code", { website_code_id: published_website_code_id })
            return String(code["html"])
          })
          yield* answered("set_website_settings", { website_id, title: "Padaria do Sol" })
          const html = yield* htmlOf
          assert.match(html, /<title>Padaria do Sol/)
          assert.match(html, /<a class="mark"[^>]*>Padaria do Sol</)
          const entries = yield* answered("list_website_code", { website_id })
          yield* answered("set_website_settings", { website_id, title: "Padaria do Sol" })
          assert.deepEqual(yield* answered("list_website_code", { website_id }), entries)
        })
      )
  )

  it.effect("show their access code while they are restricted, another one each time", () =>
    own(
      Effect.gen(function* () {
        const { website_id } = yield* made()
        const set = (args: object) => answered("set_website_settings", { website_id, ...args })
        assert.deepInclude(yield* answered("get_website_settings", { website_id }), {
          restricted: false,
          access_code: null,
          title: "Padaria Aurora",
          guidelines: ""
        })
        const first = yield* set({ restricted: true, title: "  Minha\n padaria ", language_key: "EN-us" })
        assert.deepInclude(first, { title: "Minha padaria", language_key: "en-us", restricted: true })
        assert.match(String(first["access_code"]), /^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/)
        assert.deepEqual(yield* set({ restricted: true }), first)
        assert.strictEqual((yield* set({ restricted: false }))["access_code"], null)
        assert.notStrictEqual((yield* set({ restricted: true }))["access_code"], first["access_code"])
        const sql = yield* SqlClient
        const [row] = yield* sql<{ readonly text: string }>`
          select encode(access_code, 'escape') as text from website where website_id = ${website_id}`
        assert.notInclude(row?.text ?? "", String(first["access_code"]))
        // A title that the owner chose stays.
        yield* work(yield* change(website_id, "Mais uma vez", { ignore_existing_code: true }))
        assert.strictEqual((yield* websiteOf(website_id)).title, "Minha padaria")
      })
    )
  )

  it.effect("of one account are unknown to another", () =>
    Effect.gen(function* () {
      const site = yield* own(made())
      yield* own(
        Effect.gen(function* () {
          const { website_code_id, website_id } = site
          assert.strictEqual(yield* reasonOf("get_website", { website_id }), "website_not_found")
          assert.strictEqual(yield* reasonOf("archive_website", { website_id }), "website_not_found")
          assert.strictEqual(yield* reasonOf("get_website_code", { website_code_id }), "website_code_not_found")
          assert.strictEqual(
            yield* reasonOf("register_website", {
              description: "x",
              language: "pt-br",
              copy_from_website_id: website_id
            }),
            "website_not_found"
          )
        })
      )
    })
  )

  it.effect("search for a business first, and keep in the sandbox nothing as from the web", () =>
    own(
      Effect.gen(function* () {
        const site = yield* made({ business_or_brand_name: "Clínica Sorriso Vivo" })
        const done = yield* websiteOf(site.website_id)
        assert.strictEqual(done.subdomain, "clinica-sorriso-vivo")
        assert.strictEqual(done.title, "Clínica Sorriso Vivo")
        assert.deepEqual(withoutOther(done.last_change.changes, "Clínica Sorriso Vivo"), [
          "A web não foi pesquisada: em sandbox, só o que a conta já sabe.",
          "Site escrito."
        ])
        const files = yield* BusinessFiles
        assert.deepEqual(yield* files.list, [])
      })
    )
  )

  it.effect("are finished once, wherever the process dies meanwhile", () =>
    own(
      Effect.gen(function* () {
        const websites = yield* Websites
        const { accountId } = yield* Caller
        const sql = yield* SqlClient
        const begun = yield* register({ business_or_brand_name: "Padaria Lua", description: "Padaria que cai" })
        yield* Ref.set(asked, [])
        yield* Ref.set(researched, 0)
        /** The job until it is this far. */
        const runTo = (last: number) =>
          Effect.exit(
            websites.run({
              accountId,
              jobId: begun.job_id,
              subjectId: begun.website_id,
              attempt: 1,
              setProgress: (percent) => (percent >= last ? Effect.dieMessage("killed") : Effect.void),
              checkpoint: Effect.void
            })
          )
        for (const last of [20, 20, 50, 50, 95]) {
          assert.strictEqual((yield* runTo(last))._tag, "Failure")
          assert.isNull((yield* websiteOf(begun.website_id)).published_website_code_id)
        }
        // Two processes that hold the job at once publish it once.
        yield* Effect.all([runTo(101), runTo(101), runTo(101)], { concurrency: 3 })
        const done = yield* websiteOf(begun.website_id)
        assert.deepInclude(done, {
          is_published: true,
          published_website_code_id: WebsiteCodeId.make(begun.website_code_id)
        })
        assert.deepEqual(withoutOther(done.last_change.changes, "Padaria Lua"), [
          "A pesquisa na web trouxe 1 informação, guardada com a fonte no conhecimento do negócio.",
          "Site escrito."
        ])
        assert.strictEqual(yield* Ref.get(researched), 1)
        assert.lengthOf(yield* Ref.get(asked), 1)
        const facts = (yield* Ref.get(asked))[0]?.material.facts.filter(({ source }) => source === "web")
        assert.deepEqual(facts, [
          { source: "web", text: "A Padaria Lua abriu em 1987 na Rua Augusta.", url: "https://jornal.example/lua" }
        ])
        const files = yield* BusinessFiles
        const kept = yield* files.list
        assert.deepEqual(
          kept.map(({ source, title }) => [source, title]),
          [["web", "Web: Padaria Lua"]]
        )
        const [orders] = yield* sql<{ readonly pictures: number }>`
          select count(*) as pictures from website_picture where account_id = ${accountId}`
        assert.strictEqual(orders?.pictures, 1)
      })
    ).pipe(Effect.provide(WebsitesOnWeb))
  )

  it.effect("are mailed as one file, and linked as a file of files", () =>
    own(
      Effect.gen(function* () {
        const { website_id } = yield* made({ description: "Padaria que se exporta" })
        const sent = yield* answered("export_website_code", { website_id, email_address: " Ana@Partner.example " })
        assert.deepInclude(sent, { website_id, sent_to: "ana@partner.example" })
        const files = yield* CustomerFiles
        const bytesOf = (id: unknown) =>
          Effect.map(Stream.runCollect(files.read(CustomerFileId.make(Number(id)))), (parts) =>
            Buffer.concat([...parts])
          )
        const whole = (yield* bytesOf(sent["html_file_id"])).toString("utf8")
        assert.include(whole, "Padaria que se exporta")
        assert.include(whole, "Nossa história")
        assert.include(whole, 'src="data:image/webp;base64,')
        assert.notMatch(whole, /(?:src|href)="(?:https?:)?\/\//)
        const zip = yield* unzipped(yield* bytesOf(sent["zip_file_id"]))
        const [picture = ""] = [...zip.keys()].filter((name) => name.startsWith("pictures/"))
        assert.deepEqual([...zip.keys()].sort(), ["index.html", picture, "sobre.html"])
        assert.include(zip.get("index.html")?.toString("utf8") ?? "", 'href="sobre.html"')
        assert.include(zip.get("index.html")?.toString("utf8") ?? "", `src="${picture}"`)
        const sql = yield* SqlClient
        const [mail, ...more] = yield* sql<{
          readonly id: number
          readonly subject: string
          readonly body_text: string
        }>`
          select email_message_id as id, subject, body_text from email_message where to_address = 'ana@partner.example'`
        assert.deepEqual(more, [])
        assert.strictEqual(mail?.subject, "Código do site Padaria Aurora")
        assert.include(mail?.body_text ?? "", String(sent["zip_url"]))
        const outbox = yield* MailOutbox
        const { accountId } = yield* Caller
        yield* outbox.deliver({ accountId, emailMessageId: mail?.id ?? 0 }, { isLast: true })
        const [delivered] = yield* sql<{ readonly raw: Buffer }>`
          select raw from sandbox_mail where account_id = ${accountId} and direction = 'outbound'`
        const raw = delivered?.raw.toString("latin1") ?? ""
        assert.match(raw, /Content-Type: text\/html; name=site-\d+(?:-\d+)?\.html/)
        assert.match(raw, /Content-Disposition: attachment; filename=site-\d+(?:-\d+)?\.html/)
      })
    )
  )

  it.effect("are at most twenty in writing, and a hundred in all", () =>
    own(
      Effect.gen(function* () {
        const sites = yield* Effect.forEach(Array.from({ length: 20 }), () => register())
        assert.strictEqual(
          yield* reasonOf("register_website", { description: "x", language: "pt-br" }),
          "too_many_generations"
        )
        const [first] = sites
        if (first !== undefined) yield* answered("cancel_website_change", { website_id: first.website_id })
        yield* register()
        const sql = yield* SqlClient
        yield* sql`
          insert into website (account_id, application_type, description, title, language)
          select account_id, application_type, description, title, language from website, generate_series(1, 79)
          where website_id = ${first?.website_id ?? 0}`
        assert.strictEqual(
          yield* reasonOf("register_website", { description: "x", language: "pt-br" }),
          "too_many_websites"
        )
      })
    )
  )
})
