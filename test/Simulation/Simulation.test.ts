import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Either, Schema } from "effect"
import { AuditTrail } from "../../src/Services/Accounts/AuditTrail.ts"
import { Calendar, primaryCalendar } from "../../src/Services/Calendar/Calendar.ts"
import { OAuth } from "../../src/Services/Connections/OAuth.ts"
import { Caller } from "../../src/Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { fromMillis, Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { Meetings } from "../../src/Services/Meetings/Meetings.ts"
import { industryOf } from "../../src/Services/Simulation/SimulatedTurn.ts"
import { SimulationView } from "../../src/Services/Simulation/Simulation.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import { ProspectingSimulationGroup } from "../../src/Tools/Simulation/ProspectingSimulation.ts"
import { onMonday, TestEngine } from "../Outreach/support/touches.ts"
import { insertCampaign, insertLead } from "../support/leads/LeadServices.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"

const catalog = Catalog.make([ProspectingSimulationGroup])

const withAccount = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(makeAccount(), (caller) => as(caller)(test)).pipe(Effect.withClock(onMonday))

const run = (args: object) =>
  Effect.flatMap(answerOf(catalog, "run_prospecting_simulation", args), Schema.decodeUnknown(SimulationView))

const refusalOf = (args: object) =>
  Effect.map(Effect.flip(callTool(catalog, "run_prospecting_simulation", args)), (error) =>
    "reason" in error ? error.reason : error._tag
  )

const faq = (question: string, answer: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly id: number }>`
      insert into lead_answer (account_id, question_text, answer_text, is_reusable)
      values (${accountId}, ${question}, ${answer}, true) returning answer_id as id`
    return rows[0]?.id ?? 0
  })

const ana = { channel: "email", lead_name: "Ana Lima", company_name: "Clínica Sorriso" }

/** All rows of every table, except the simulation's own and the logs, which record every call. */
const everything = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
      and c.relname not in ('simulation_lead', 'simulation_message', 'simulation_effect')
      and c.relname !~ '^(audit_(entry|head|checkpoint)|request_entry|call_usage)(_|$)'
    order by 1`
  const contents = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql.unsafe<{ readonly count: number; readonly digest: string | null }>(
        `select count(*) as count, md5(string_agg(t::text, '|' order by t::text)) as digest from ${name} t`
      ),
      (rows) => [name, rows[0]] as const
    )
  )
  return new Map(contents)
})

layer(TestEngine, { excludeTestServices: true })("prospecting simulation", (it) => {
  it.effect("starts with the agent's first message, answers the lead's, and shows both in one transcript", () =>
    withAccount(
      Effect.gen(function* () {
        const answerId = yield* faq("Quanto custa o plano básico?", "O plano básico custa R$ 199 por mês.")
        const first = yield* run(ana)
        assert.deepInclude(first, { finished: false, mode: "sandbox", campaign: null, agent_silent_reason: null })
        assert.deepInclude(first.lead, { lead_name: "Ana Lima", status: "Cold", pipeline_state: "in_pipeline" })
        assert.deepStrictEqual(
          first.transcript.map(({ author, channel, message_type }) => [author, channel, message_type]),
          [["agent", "email", "first_contact"]]
        )
        assert.include(first.transcript[0]?.body, "Ana")
        const id = first.simulationLeadId
        const firstTurn = yield* run({
          channel: "chatapp",
          simulation_lead_id: id,
          lead_message: "Oi! Quanto custa o plano básico?"
        })
        const [, question, answer] = firstTurn.transcript
        assert.deepInclude(question, { author: "lead", channel: "chatapp" })
        assert.strictEqual(question?.reading?.question, "Quanto custa o plano básico?")
        assert.deepInclude(answer, { author: "agent", channel: "chatapp", message_type: "response" })
        assert.include(answer?.body, "R$ 199")
        assert.deepStrictEqual(answer?.rests_on, [
          { kind: "faq", answer_id: answerId, score: null, is_used: true, why: "answers_the_question" }
        ])
        assert.strictEqual(firstTurn.lead.status, "Confirmed")
        assert.deepInclude(
          firstTurn.effects.map(({ detail, kind }) => [kind, detail]),
          ["event_raised", "lead_confirmed"]
        )
        // Inspecting runs nothing, on any channel.
        assert.deepStrictEqual(yield* run({ channel: "email", simulation_lead_id: id }), firstTurn)
        assert.deepStrictEqual(yield* run({ channel: "email", simulation_lead_id: id, lead_message: "  " }), firstTurn)
      })
    )
  )

  it.effect("a question that nothing covers is the owner's, and the agent promises to come back", () =>
    withAccount(
      Effect.gen(function* () {
        const unanswered = yield* run({ ...ana, lead_message: "Vocês emitem nota fiscal eletrônica para o Chile?" })
        assert.deepStrictEqual(
          unanswered.transcript.map(({ author }) => author),
          ["agent", "lead", "agent"]
        )
        assert.deepStrictEqual(
          unanswered.effects.filter(({ kind }) => kind === "owner_asked").map(({ detail }) => detail),
          ["Vocês emitem nota fiscal eletrônica para o Chile?"]
        )
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        assert.deepStrictEqual(yield* sql`select from open_question where account_id = ${accountId}`, [])
      })
    )
  )

  it.effect("a lead that opens: with its own words, or with some that are made up", () =>
    withAccount(
      Effect.gen(function* () {
        const openedByLead = yield* run({ ...ana, lead_starts: true, lead_message: "Quero uma demonstração" })
        assert.deepStrictEqual(
          openedByLead.transcript.map(({ author, body }) => [author, author === "lead" ? body : ""]),
          [
            ["lead", "Quero uma demonstração"],
            ["agent", ""]
          ]
        )
        const chatSimulation = yield* run({ ...ana, channel: "chatapp", lead_starts: true })
        assert.deepStrictEqual(
          chatSimulation.transcript.map(({ author, channel }) => [author, channel]),
          [
            ["lead", "chatapp"],
            ["agent", "chatapp"]
          ]
        )
        assert.include(chatSimulation.transcript[0]?.body, "Clínica Sorriso")
      })
    )
  )

  it.effect(
    "follows the lead's wish: a booking hands it over, an unsubscription ends it, and nobody writes after it",
    () =>
      withAccount(
        Effect.gen(function* () {
          const booked = yield* run({ ...ana, lead_message: "Podemos falar na quinta-feira, dia 5 de março, às 15h?" })
          assert.strictEqual(booked.lead.pipeline_state, "user_controlled")
          assert.strictEqual(booked.lead.meeting?.starts_at, "2026-03-05T18:00:00Z")
          assert.include(booked.transcript.at(-1)?.body, "5 de março")
          const left = yield* run({ ...ana, lead_message: "Por favor, remova meu e-mail da lista" })
          assert.deepInclude(left.lead, { pipeline_state: "finished", is_unsubscribed: true })
          assert.deepStrictEqual([left.transcript.at(-1)?.author, left.agent_silent_reason], ["lead", "lead_finished"])
          const silent = yield* run({
            channel: "email",
            simulation_lead_id: left.simulationLeadId,
            lead_message: "E quanto custa?"
          })
          assert.strictEqual(silent.transcript.at(-1)?.author, "lead")
        })
      )
  )

  it.effect("a time at which the account has a meeting is not given away", () =>
    Effect.flatMap(makeAccount(), (caller) =>
      as(caller)(
        Effect.gen(function* () {
          const unit = yield* UnitOfWork
          const meetings = yield* Meetings
          const leadId = yield* insertLead()
          const inTenDays = (yield* Clock.currentTimeMillis) + 10 * 86_400_000
          const weekday = new Date(inTenDays).getUTCDay()
          // Nothing is booked on a weekend.
          const day = new Date(inTenDays + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0) * 86_400_000)
          const startsAt = Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), 18)
          yield* unit.write(
            meetings.book({
              leadId,
              startsAt: fromMillis(startsAt),
              endsAt: fromMillis(startsAt + 1_800_000),
              title: "Taken",
              bookedThrough: "conversation"
            })
          )
          const proposal = `Podemos falar no dia ${day.getUTCDate()}/${day.getUTCMonth() + 1} às`
          const conflicting = yield* run({ ...ana, lead_message: `${proposal} 15h?` })
          assert.isNull(conflicting.lead.meeting)
          assert.strictEqual(conflicting.lead.pipeline_state, "in_pipeline")
          assert.strictEqual(conflicting.transcript.at(-1)?.author, "agent")
          const free = yield* run({ ...ana, lead_message: `${proposal} 17h?` })
          assert.strictEqual(free.lead.meeting?.starts_at, fromMillis(startsAt + 7_200_000))
        })
      )
    )
  )

  it.effect("a time at which the account's calendar is busy is not given away, and free ones are proposed", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const oauth = yield* OAuth
        const calendar = yield* Calendar
        const { accountId } = yield* Caller
        yield* oauth.consentInSandbox("calendar", `owner${accountId}@calendar.example`)
        yield* sql`insert into calendar_mirror (account_id, synced_at) values (${accountId}, instant())
          on conflict (account_id) do update set synced_at = instant()`
        yield* calendar.create({
          calendarId: primaryCalendar,
          summary: "Dentist",
          startsAt: Timestamp.make("2026-03-05T18:00:00Z"),
          endsAt: Timestamp.make("2026-03-05T19:00:00Z"),
          attendees: []
        })
        const busy = yield* run({ ...ana, lead_message: "Podemos falar na quinta-feira, dia 5 de março, às 15h?" })
        assert.isNull(busy.lead.meeting)
        const free = yield* run({ ...ana, lead_message: "Podemos falar na quinta-feira, dia 5 de março, às 17h?" })
        assert.strictEqual(free.lead.meeting?.starts_at, "2026-03-05T20:00:00Z")
        assert.include(free.transcript.at(-1)?.body, "O link para entrar está no convite.")
        const asking = yield* run({ ...ana, lead_message: "Podemos conversar na semana que vem?" })
        const days = [...(asking.transcript.at(-1)?.body ?? "").matchAll(/feira, (\d+) de março/g)]
        assert.lengthOf(days, 3)
        assert.isTrue(days.every(([, day]) => Number(day) >= 9 && Number(day) <= 13))
      })
    )
  )

  it.effect("files are sent, what is missing is the owner's, and the numbers of a company count", () =>
    withAccount(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* sql`
          insert into prospecting_file (account_id, title, description, is_description_generated, url)
          values (${accountId}, 'Catálogo 2026', '', false, 'https://client.example/catalogo.pdf')`
        const asking = yield* run({ ...ana, lead_message: "Pode me mandar o catálogo?" })
        assert.include(asking.transcript.at(-1)?.body, "https://client.example/catalogo.pdf")
        const missing = yield* run({ ...ana, lead_message: "Me manda o contrato, por favor." })
        assert.include(missing.transcript.at(-1)?.body, "Já pedi à equipe")
        const askedOf = missing.effects.flatMap(({ detail, kind }) => (kind === "owner_asked" ? [detail] : []))
        assert.lengthOf(askedOf, 1)
        assert.include(askedOf[0], "Me manda o contrato")
        // A number of the public register is where the lead comes from, and a code counts by its name.
        const origin = yield* run({
          ...ana,
          cnpj: "12345678000195",
          cnae: "8630-5/04",
          lead_message: "Onde vocês conseguiram o meu contato?"
        })
        assert.include(origin.transcript.at(-1)?.body, "cadastro público de empresas")
        assert.strictEqual(industryOf({ cnae: "8630-5/04" }), "Atividade odontológica")
      })
    )
  )

  it.effect("uses the campaign's settings, and the owner's criteria send to review as in prospecting", () =>
    withAccount(
      Effect.gen(function* () {
        yield* insertCampaign("North", {
          business_name: "Norte Energia",
          human_review_criteria: "contrato",
          goal: "marcar uma demonstração"
        })
        const northSimulation = yield* run({ ...ana, campaign: "north" })
        assert.strictEqual(northSimulation.campaign, "North")
        assert.include(JSON.stringify(northSimulation.transcript), "Norte Energia")
        const flagged = yield* run({
          channel: "email",
          simulation_lead_id: northSimulation.simulationLeadId,
          lead_message: "Antes de tudo preciso ver o contrato."
        })
        assert.strictEqual(flagged.lead.pipeline_state, "pending_review")
        assert.deepInclude(
          flagged.effects.map(({ detail, kind }) => [kind, detail]),
          ["sent_for_review", "Atende a um critério de revisão humana: contrato"]
        )
        assert.deepInclude(
          flagged.effects.map(({ detail, kind }) => [kind, detail]),
          ["judged", "Pelas regras: A resposta tem as palavras do critério."]
        )
        assert.deepInclude(
          flagged.effects.map(({ detail, kind }) => [kind, detail]),
          ["pipeline_changed", "in_pipeline → pending_review"]
        )
      })
    )
  )

  it.effect("finish needs the id, runs no turn, and is final", () =>
    withAccount(
      Effect.gen(function* () {
        assert.strictEqual(yield* refusalOf({ ...ana, finish: true }), "simulation_lead_id_required")
        const started = yield* run(ana)
        const simulation = { channel: "email", simulation_lead_id: started.simulationLeadId }
        const ended = yield* run({ ...simulation, finish: true, lead_message: "Mais uma" })
        assert.isTrue(ended.finished)
        assert.deepStrictEqual(ended.transcript, started.transcript)
        assert.deepStrictEqual(yield* run({ ...simulation, finish: true }), ended)
        assert.strictEqual(yield* refusalOf({ ...simulation, lead_message: "Oi" }), "simulation_finished")
      })
    )
  )

  it.effect("what does not fit is refused by name, and another account's simulation does not exist", () =>
    withAccount(
      Effect.gen(function* () {
        const { simulationLeadId } = yield* run(ana)
        const simulation = { channel: "email", simulation_lead_id: simulationLeadId }
        assert.strictEqual(yield* refusalOf({ ...simulation, campaign: "North" }), "only_at_start")
        assert.strictEqual(yield* refusalOf({ ...simulation, lead_name: "Eva" }), "only_at_start")
        assert.strictEqual(yield* refusalOf({ ...simulation, lead_starts: true }), "only_at_start")
        assert.strictEqual(
          yield* refusalOf({ ...ana, channel: "chatapp", last_email_subject: "Oi" }),
          "subject_is_of_email"
        )
        assert.strictEqual(yield* refusalOf({ ...ana, campaign: "nowhere" }), "campaign_not_found")
        assert.strictEqual(
          yield* refusalOf({ channel: "email", simulation_lead_id: 999_999 }),
          "simulation_lead_not_found"
        )
        const stranger = yield* makeAccount()
        assert.strictEqual(yield* as(stranger)(refusalOf(simulation)), "simulation_lead_not_found")
        const sql = yield* SqlClient
        const { accountId } = yield* Caller
        yield* sql`update business_profile set business_name = null where account_id = ${accountId}`
        assert.strictEqual(yield* refusalOf(ana), "identity_missing")
      })
    )
  )

  it.effect("two turns at once: one is kept, and the other is to be repeated", () =>
    withAccount(
      Effect.gen(function* () {
        const { simulationLeadId } = yield* run(ana)
        const turn = { channel: "email", simulation_lead_id: simulationLeadId, lead_message: "Como funciona?" }
        const ends = yield* Effect.all(
          [1, 2, 3].map(() => Effect.either(callTool(catalog, "run_prospecting_simulation", turn))),
          { concurrency: "unbounded" }
        )
        const succeededCount = ends.filter(Either.isRight).length
        const { transcript } = yield* run({ channel: "email", simulation_lead_id: simulationLeadId })
        assert.strictEqual(transcript.filter(({ author }) => author === "lead").length, succeededCount)
        assert.deepStrictEqual(
          transcript.map(({ sequence }) => sequence),
          transcript.map((_, index) => index + 1)
        )
        for (const end of ends) {
          if (Either.isLeft(end)) assert.deepInclude(end.left, { _tag: "Transient", reason: "simulation_in_turn" })
        }
      })
    )
  )

  it.effect(
    "changes no row of any table but its own: no lead, message, call, event, notification, counter or task",
    () =>
      withAccount(
        Effect.gen(function* () {
          yield* faq("Quanto custa?", "Custa R$ 199 por mês.")
          const leadId = yield* insertLead({ name: "Ana Lima", company: "Clínica Sorriso" })
          assert.isAbove(leadId, 0)
          const before = yield* everything
          assert.isAbove(before.size, 60)
          const turns = [
            "Quanto custa?",
            "Vocês entregam em Marte?",
            "Fale com o Pedro, pedro@sorriso.example, ele decide isso",
            "Podemos falar na quinta-feira, dia 5 de março, às 15h?",
            "Preciso cancelar nossa reunião de quinta",
            "Estou de férias até 20 de março",
            "Tenho interesse, mande uma proposta",
            "Não tenho interesse, está caro",
            "Me tire da sua lista"
          ]
          for (const channel of ["email", "chatapp"]) {
            const { simulationLeadId } = yield* run({ ...ana, channel })
            for (const lead_message of turns)
              yield* run({ channel, simulation_lead_id: simulationLeadId, lead_message })
            for (const lead_message of turns) yield* run({ ...ana, channel, lead_starts: true, lead_message })
            yield* run({ channel, simulation_lead_id: simulationLeadId, finish: true })
          }
          const after = yield* everything
          assert.deepStrictEqual(
            [...after].filter(([name, rows]) => JSON.stringify(rows) !== JSON.stringify(before.get(name))),
            []
          )
          // Of the recorded calls, none is another tool's.
          const trail = yield* AuditTrail
          yield* trail.flush
          const sql = yield* SqlClient
          const { accountId } = yield* Caller
          assert.deepStrictEqual(
            yield* sql`select tool, outcome, count(*) as calls from audit_entry where account_id = ${accountId}
              group by tool, outcome`,
            [{ tool: "run_prospecting_simulation", outcome: "Success", calls: 2 * (2 + 2 * turns.length) }]
          )
        })
      )
  )
})
