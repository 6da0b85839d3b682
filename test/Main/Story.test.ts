import { assert, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { fromMillis } from "../../src/Services/Core/Timestamp.ts"
import { CustomerFileView } from "../../src/Services/Files/CustomerFiles.ts"
import { LeadImportView } from "../../src/Services/LeadFiles/LeadImports.ts"
import { MeetingView } from "../../src/Services/Meetings/Meetings.ts"
import { AnsweredQuestion } from "../../src/Services/Outcomes/LeadQuestions.ts"
import { maximumTouches } from "../../src/Services/Outreach/Cadence.ts"
import { RescheduledLeads } from "../../src/Services/Outreach/LeadSchedule.ts"
import { AccountRules } from "../../src/Services/Prospecting/ProspectingSettings.ts"
import { answersPerDay } from "../../src/Services/Replies/ReplySituation.ts"
import { notAppliedField } from "../../src/Services/Writing/Instructions/NotApplied.ts"
import { letter, postfixReport } from "../Mail/sampleMails.ts"
import { isCluster } from "../support/isCluster.ts"
import {
  assertConversationAgrees,
  assertFeedAgrees,
  assertTrailAgrees,
  assertWebhooksAgree
} from "../support/story/StoryLaws.ts"
import type { SentMail } from "../support/story/StoryMail.ts"
import { readDeliveries, readFeed, readLead, readNotifications } from "../support/story/StoryRecords.ts"
import { type StoryWorld, storyWorld } from "../support/story/StoryWorld.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const ana = "ana@aurora.example"
const bruno = "bruno@brasa.example"
const carla = "carla@cais.example"
const davi = "davi@duna.example"
const elisa = "elisa@estrela.example"
const mallory = "mallory@maldade.example"
const robot = "atendimento@robo.example"
const parrot = "paulo@papagaio.example"
const people = [ana, bruno, carla, davi, elisa, mallory, robot, parrot]
const stranger = "news@stranger.example"

const csv = [
  "nome,e-mail,empresa",
  `Ana Alves,${ana},Clínica Aurora`,
  `Bruno Braga,${bruno},Brasa Grill`,
  `Carla Costa,${carla},Cais Náutica`,
  `Davi Dias,${davi},Duna Móveis`,
  `Elisa Esteves,${elisa},Estrela Eventos`,
  `"Mallory\r\nBcc: victim@evil.example\r\nX-Injected: yes\r\n\r\n<script>alert(1)</script>",${mallory},"<b>Maldade</b>\r\nCc: victim@evil.example"`,
  `Atendimento,${robot},Robô Serviços`,
  `Paulo Prado,${parrot},Papagaio Pinturas`
].join("\n")

const signature = 'Equipe Ondas <vendas@ondas.example>\n<script>alert("signature")</script>'

const ownersAnswer = "Sim, emitimos nota fiscal para MEI em todos os planos."

/** Of a machine that says so; the words alone would be a person's. */
const automatic = {
  subject: "Recebemos a sua mensagem",
  text: "Tenho interesse em ajudar. Como posso atender você?",
  headers: ["Auto-Submitted: auto-replied"]
}

/** What a hostile name, company and signature made of the mail. */
const assertHarmless = ({ envelope, header, html }: SentMail): void => {
  assert.deepStrictEqual(envelope.to, [mallory])
  for (const name of ["bcc", "cc", "x-injected"]) assert.deepStrictEqual(header(name), [])
  assert.lengthOf(header("to"), 1)
  const head = envelope.raw.slice(0, envelope.raw.indexOf("\n\r\n"))
  assert.notMatch(head, /^(?:bcc|cc|x-injected):/im)
  assert.notMatch(html, /<script|<b>/i)
  assert.include(html, "&lt;script&gt;alert(&quot;signature&quot;)&lt;/script&gt;")
}

/** The owner signs, and brings leads in a file; each gets a first mail. */
const begin = ({ gateway: { call }, leads, mail, rest }: StoryWorld) =>
  Effect.gen(function* () {
    yield* call("set_prospecting_rules", Schema.Struct({ ...AccountRules.fields, ...notAppliedField }), {
      email_signature: signature
    })
    const file = yield* call("upload_customer_file", CustomerFileView, { file_name: "leads.csv", text: csv })
    yield* call("import_leads", Schema.Struct({ ...LeadImportView.fields, ...notAppliedField }), {
      customer_file_id: file.customer_file_id
    })
    yield* rest
    assert.sameMembers(
      (yield* leads).map(({ email }) => email ?? ""),
      people
    )
    for (const person of people) assert.lengthOf(mail.sentTo(person), 1, person)
    assertHarmless(mail.lastTo(mallory))
  })

const firstAnswers = ({ mail, moveTo, profileOf, rest }: StoryWorld) =>
  Effect.gen(function* () {
    yield* moveTo("2026-03-03T13:20:00Z")
    yield* mail.answer(ana, { text: "Tenho interesse, sim. Pode me contar mais?" })
    yield* mail.answer(davi, { text: "Vocês emitem nota fiscal para MEI?" })
    yield* mail.answer(robot, automatic)
    yield* mail.answer(elisa, {
      subject: "Resposta automática: férias",
      text: "Estou de férias e volto em 16/03/2026. Em caso de urgência, ligue para a recepção.",
      headers: ["Auto-Submitted: auto-replied"]
    })
    const bounced = mail.lastTo(carla)
    yield* mail.report(
      carla,
      "Undelivered Mail Returned to Sender",
      postfixReport(
        { account: bounced.envelope.from, id: bounced.messageId, to: carla },
        { status: "5.1.1", diagnostic: `550 5.1.1 <${carla}>: Recipient address rejected: User unknown` }
      )
    )
    const to = mail.lastTo(ana).header("from")[0] ?? ""
    yield* mail.report(stranger, "Novidades", letter({ from: stranger, to, subject: "Novidades" }))
    yield* rest
    assert.strictEqual((yield* profileOf(ana)).status, "Interested")
    assert.strictEqual((yield* profileOf(davi)).status, "Confirmed")
    for (const person of [carla, elisa, robot]) assert.strictEqual((yield* profileOf(person)).status, "Cold", person)
    assert.strictEqual((yield* profileOf(carla)).emails[0]?.failure_reason, "hard_bounce")
  })

/** A program that only looks at the link unsubscribes nobody; one click does, and again changes nothing. */
const brunoUnsubscribes = ({ gateway, mail, profileOf }: StoryWorld) =>
  Effect.gen(function* () {
    const { header } = mail.lastTo(bruno)
    const link = /^<(.+)>$/.exec(header("list-unsubscribe")[0] ?? "")?.[1] ?? ""
    assert.include(link, `${gateway.baseUrl}/u/`)
    assert.deepStrictEqual(header("list-unsubscribe-post"), ["List-Unsubscribe=One-Click"])
    assert.strictEqual((yield* Effect.promise(() => fetch(link))).status, 200)
    assert.isNull((yield* profileOf(bruno)).unsubscribed_at)
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" })
    for (const _ of [1, 2]) {
      assert.strictEqual((yield* Effect.promise(() => fetch(link, { method: "POST", body }))).status, 200)
    }
    assert.isNotNull((yield* profileOf(bruno)).unsubscribed_at)
  })

/** The owner answers what only the owner knows, and repeats the call as after a lost connection. */
const ownerAnswersDavi = ({ gateway, idOf, mail, moveTo, rest }: StoryWorld) =>
  Effect.gen(function* () {
    const id = yield* idOf(davi)
    const question = (yield* readNotifications(gateway)).find(
      ({ data, kind }) => kind === "lead_question" && data["lead_id"] === id
    )
    assert.isDefined(question)
    const answer = {
      open_question_id: question?.data["open_question_id"],
      answer_text: ownersAnswer,
      request_id: "7f3f3c52-6a43-4d0b-9a55-0d5a3a1f6f10"
    }
    const answered = () => gateway.call("answer_lead_question", AnsweredQuestion, answer)
    assert.isFalse((yield* answered()).is_repeat)
    assert.isTrue((yield* answered()).is_repeat)
    yield* rest
    assert.isTrue((yield* answered()).is_repeat)
    yield* moveTo("2026-03-03T13:40:00Z")
    const told = mail.sentTo(davi).filter(({ text }) => text.includes(ownersAnswer))
    assert.lengthOf(told, 1)
    assert.include(told[0]?.header("references").join(" "), mail.sentTo(davi)[0]?.messageId ?? "-")
  })

const anaBooks = ({ gateway, idOf, mail, rest }: StoryWorld) =>
  Effect.gen(function* () {
    assert.lengthOf(mail.sentTo(ana), 2)
    yield* mail.answer(ana, { text: "Perfeito. Podemos conversar na quinta-feira às 15h?" })
    yield* rest
    const { meetings, profile } = yield* readLead(gateway, yield* idOf(ana))
    assert.deepStrictEqual(
      meetings.map(({ starts_at, status }) => [starts_at, status]),
      [["2026-03-05T18:00:00Z", "scheduled"]]
    )
    assert.strictEqual(profile.pipeline_state, "user_controlled")
    yield* gateway.call("confirm_lead_meeting", MeetingView, { meeting_id: meetings[0]?.meeting_id })
  })

const told = "Nossa conversa está marcada para quinta-feira, 5 de março às 15:00."

/**
 * Who unsubscribed or cannot be reached gets nothing although the schedule is moved; who can, does. Whoever booked is
 * told meanwhile that the meeting stands.
 */
const nobodyIsForced = ({ gateway, idOf, mail, moveTo, profileOf }: StoryWorld) =>
  Effect.gen(function* () {
    const { call, refusal } = gateway
    const counts = () => new Map(people.map((person) => [person, mail.sentTo(person).length]))
    const before = counts()
    const [brunosId, carlasId, mallorysId] = yield* Effect.all([idOf(bruno), idOf(carla), idOf(mallory)])
    const moved = yield* call("reschedule_lead_touch", RescheduledLeads, {
      lead_ids: [brunosId, carlasId, mallorysId].join(","),
      next_touch_date: "2026-03-03T13:45:00Z"
    })
    assert.deepStrictEqual(moved.skipped, [{ lead_id: brunosId, reason: "finished" }])
    assert.strictEqual(moved.updated_count, 2)
    yield* moveTo("2026-03-03T14:00:00Z")
    const after = counts()
    assert.deepStrictEqual(
      people.filter((person) => after.get(person) !== before.get(person)),
      [ana, mallory]
    )
    assert.lengthOf(mail.sentTo(ana), 3)
    assert.include(mail.lastTo(ana).text, told)
    assert.include(mail.lastTo(ana).header("references").join(" "), mail.sentTo(ana)[1]?.messageId ?? "-")
    // Nothing is open to her now: she is looked at again the next day.
    assert.match((yield* profileOf(carla)).next_touch_at ?? "", /^2026-03-04T/)

    const note = { subject: "Olá", body: "Tudo bem?" }
    assert.strictEqual(yield* refusal("recover_lead_to_pipeline", { lead_id: brunosId }), "lead_unsubscribed")
    assert.strictEqual(yield* refusal("send_message_to_lead", { lead_id: brunosId, ...note }), "lead_unsubscribed")
    assert.strictEqual(yield* refusal("send_message_to_lead", { lead_id: carlasId, ...note }), "email_suppressed")
    const injected = { subject: "Olá\r\nBcc: victim@evil.example", body: "Tudo bem?" }
    assert.strictEqual(
      yield* refusal("send_message_to_lead", { lead_id: yield* idOf(davi), ...injected }),
      "control_characters"
    )
  })

/** A machine that answers like a person is answered a few times; then the owner is to look at it. */
const parrotIsNotAnsweredForEver = ({ clock, mail, moveTo, profileOf, rest }: StoryWorld) =>
  Effect.gen(function* () {
    for (let round = 0; round <= answersPerDay.email; round++) {
      assert.lengthOf(mail.sentTo(parrot), 1 + round)
      yield* mail.answer(parrot, { text: "Tenho interesse, me conte mais." })
      yield* rest
      yield* moveTo(fromMillis(clock.now() + 12 * 60_000))
    }
    assert.lengthOf(mail.sentTo(parrot), 1 + answersPerDay.email)
    const { pipeline_state, review_reason } = yield* profileOf(parrot)
    assert.deepStrictEqual([pipeline_state, review_reason], ["pending_review", "answered_often"])
  })

/** The day before, in the conversation that booked the meeting. */
const anaIsReminded = ({ clock, mail, rest }: StoryWorld) =>
  Effect.gen(function* () {
    yield* clock.moveTo("2026-03-04T18:05:00Z")
    yield* Effect.sync(() => mail.sentTo(ana).length).pipe(
      Effect.repeat({ until: (count) => count > 3, schedule: Schedule.spaced("20 millis") }),
      Effect.timeout("60 seconds"),
      Effect.orDie
    )
    yield* rest
    assert.lengthOf(mail.sentTo(ana), 4)
    assert.include(mail.lastTo(ana).text, "lembrar da nossa conversa: quinta-feira, 5 de março às 15:00")
  })

/** Those who said nothing are written to until the cadence ends, Elisa not before she is back, and the others never. */
const weeksGoBy = ({ mail, moveTo, rest }: StoryWorld) =>
  Effect.gen(function* () {
    const silenced = [ana, bruno, carla, parrot]
    const before = silenced.map((person) => mail.sentTo(person).length)
    const pass = (dates: ReadonlyArray<string>) =>
      Effect.forEach(dates, (date) =>
        Effect.gen(function* () {
          yield* moveTo(`${date}T18:00:00Z`)
          if (mail.sentTo(robot).length === mail.answersOf(robot).length) return
          yield* mail.answer(robot, automatic)
          yield* rest
        })
      )
    yield* pass(["2026-03-06", "2026-03-11", "2026-03-16"])
    assert.lengthOf(mail.sentTo(elisa), 1)
    yield* pass(["2026-03-17"])
    assert.lengthOf(mail.sentTo(elisa), 2)
    yield* pass(["2026-03-25", "2026-03-30", "2026-04-01"])
    assert.deepStrictEqual(
      silenced.map((person) => mail.sentTo(person).length),
      before
    )
    assert.lengthOf(mail.sentTo(robot), maximumTouches)
    // The date that the owner set after the first message starts the cadence again.
    assert.lengthOf(mail.sentTo(mallory), 1 + maximumTouches)
    // Others follow, but the answer was given.
    assert.isAbove(mail.sentTo(davi).length, 2)
    assert.lengthOf(
      mail.sentTo(davi).filter(({ text }) => text.includes(ownersAnswer)),
      1
    )
  })

const everythingAgrees = ({ arrivals, gateway, idOf, mail, subscription }: StoryWorld) =>
  Effect.gen(function* () {
    const journal = mail.journal()
    const feed = yield* readFeed(gateway)
    const deliveries = yield* readDeliveries(gateway, subscription.subscription_id)
    assertWebhooksAgree(feed, arrivals, deliveries, subscription.signing_secret)

    const notifications = yield* readNotifications(gateway)
    for (const person of people) {
      const lead = yield* readLead(gateway, yield* idOf(person))
      assertConversationAgrees(lead, journal)
      assertTrailAgrees(lead)
      assertFeedAgrees(lead, journal, feed, notifications)
    }

    // What is about no lead.
    const typed = <T extends (typeof feed)[number]["type"]>(type: T) => feed.filter((event) => event.type === type)
    assert.deepStrictEqual(
      typed("email_received").flatMap(({ data }) =>
        "from_address" in data && data.lead_id === null ? [data.from_address] : []
      ),
      [stranger]
    )
    assert.lengthOf(typed("email_received"), journal.filter(({ direction }) => direction === "inbound").length)
    assert.deepInclude(typed("import_finished")[0]?.data, { status: "finished", created_count: people.length })
    const toOthers = journal.filter(({ direction, person }) => direction === "outbound" && !people.includes(person))
    // The owner's mail: who is interested, and that no way is left to the one whose address bounced.
    const unreachable = notifications.filter(({ kind }) => kind === "lead_unreachable")
    assert.lengthOf(unreachable, 1)
    assert.deepStrictEqual(
      toOthers.map(({ person }) => person),
      [...typed("lead_became_interested"), ...unreachable].map(() => gateway.ownerEmail)
    )
  })

// Its database is given another time by a function of its own, which nodes of a cluster do not have.
it.live.skipIf(isCluster)(
  "leads of a file are written to, answer and are answered, and all that tells of it agrees at the end",
  () =>
    Effect.gen(function* () {
      const world = yield* storyWorld
      yield* begin(world)
      yield* firstAnswers(world)
      yield* brunoUnsubscribes(world)
      yield* ownerAnswersDavi(world)
      yield* anaBooks(world)
      yield* nobodyIsForced(world)
      yield* parrotIsNotAnsweredForEver(world)
      yield* anaIsReminded(world)
      yield* weeksGoBy(world)
      yield* everythingAgrees(world)
    }).pipe(Effect.scoped, Effect.provide(TestDatabase)),
  300_000
)
