import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { VoiceCallCompletion } from "../../src/Layers/Voice/Calls/CallCompletion.ts"
import { ChatAppInbox } from "../../src/Services/ChatApp/ChatAppMessages.ts"
import { UnitOfWork } from "../../src/Services/Core/Calls/UnitOfWork.ts"
import { MailInbox } from "../../src/Services/Mail/MailInbox.ts"
import { letter } from "../Mail/sampleMails.ts"
import { insertLine } from "../support/channels/ChatAppServices.ts"
import { insertCampaign, insertLead } from "../support/leads/LeadServices.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { as } from "../support/TestAccount.ts"
import { answeredResult, placeCall } from "../Voice/support.ts"

interface Found {
  readonly role: string
  readonly channel: string
  readonly snippet: string
}

const callWith = (token: string, tool: string, args: object) =>
  send(`/rest/v1/tools/${tool}`, { method: "POST", token, body: JSON.stringify(args) })

/** What the search finds of the words that a person said. */
const search = (token: string, query: string) =>
  Effect.map(
    callWith(token, "search_my_agent_conversation", { query }),
    ({ json }) => (json as { readonly results: ReadonlyArray<Found> }).results
  )

const account = Effect.gen(function* () {
  const sql = yield* SqlClient
  const holder = yield* makeTokenHolder()
  const { accountId } = holder.caller
  const phones = { owner: `+55119${70_000_000 + accountId}`, member: `+55119${71_000_000 + accountId}` }
  yield* sql`update account set phone = ${phones.owner} where account_id = ${accountId}`
  yield* sql`
    insert into member (account_id, name, phone, email, created_at)
    values (${accountId}, 'Ana', ${phones.member}, ${`Ana${accountId}@team.example`}, instant())`
  yield* sql`insert into account_phone (account_id, phone) values (${accountId}, ${phones.member})`
  const [row] = yield* sql<{ readonly email: string; readonly handle: string }>`
    select email, handle from account where account_id = ${accountId}`
  const address = `${row?.handle}@mail.example.com`
  return { ...holder, accountId, address, member: `ana${accountId}@team.example`, owner: row?.email ?? "", phones }
})

layer(testGateway(), { excludeTestServices: true })("the conversation with the agent", (it) => {
  it.effect("holds the words that calls pass on, of owner and members", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, caller, token } = yield* account
      const me = as(caller)
      const newLead = me(insertLead())
      const review = { pipeline_state: "pending_review" }
      const calls: ReadonlyArray<readonly [tool: string, args: object, word: string]> = [
        [
          "answer_lead_question",
          { answer_text: "Entregamos em quinze dias", question_text: "Qual é o prazo?", reusable: true },
          "quinze"
        ],
        ["register_lead_outcome", { lead_id: yield* newLead, outcome: "lost", reason: "Achou caríssimo" }, "caríssimo"],
        [
          "recover_lead_to_pipeline",
          {
            lead_id: yield* me(insertLead({ pipeline_state: "user_controlled" })),
            owner_context: "Conversamos na feira de Hannover"
          },
          "Hannover"
        ],
        ["pause_lead_prospecting", { lead_id: yield* newLead, reason: "Está de licença-maternidade" }, "maternidade"],
        [
          "return_lead_to_pipeline",
          { lead_id: yield* me(insertLead(review)), instructions: "Ofereça a visita técnica" },
          "técnica"
        ],
        ["set_prospecting_rules", { instructions: "Nunca cite concorrentes" }, "concorrentes"]
      ]
      for (const [tool, args, word] of calls) {
        const answer = yield* callWith(token, tool, args)
        assert.strictEqual(answer.status, 200, `${tool}: ${answer.text}`)
        const [words] = yield* search(token, word)
        assert.deepInclude(words, { role: "owner", channel: "tool" }, tool)
        assert.include(words?.snippet, word)
      }

      // The same words again are the same words, and a member's are a member's.
      const again = { lead_id: yield* newLead, outcome: "lost", reason: "Achou caríssimo" }
      yield* callWith(token, "register_lead_outcome", again)
      assert.lengthOf(yield* search(token, "caríssimo"), 1)
      yield* sql`
        update access_token set member_id = (select member_id from member where account_id = ${accountId})
        where account_id = ${accountId}`
      yield* callWith(token, "register_lead_outcome", { ...again, reason: "Fechou com o vizinho" })
      assert.deepInclude((yield* search(token, "vizinho"))[0], { role: "member" })

      // What was refused was not passed on, and of an erased person nothing is kept.
      yield* callWith(token, "register_lead_outcome", { lead_id: 0, outcome: "lost", reason: "Inexistente" })
      assert.lengthOf(yield* search(token, "Inexistente"), 0)
      yield* callWith(token, "delete_lead", { lead_id: yield* newLead, reason: "Pediu apagamento" })
      assert.lengthOf(yield* search(token, "apagamento"), 0)
      const other = yield* makeTokenHolder()
      assert.lengthOf(yield* search(other.token, "caríssimo"), 0)
    })
  )

  it.effect("holds what owner and members mail, if it is certain that they did", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const inbox = yield* MailInbox
      const { accountId, address, member, owner, token } = yield* account
      const receive = (from: string, text: string, senderCheck: "passed" | "unknown" | "failed", inReplyTo?: string) =>
        inbox.receive(
          letter({ from, to: address, subject: "Recado", text, ...(inReplyTo === undefined ? {} : { inReplyTo }) }),
          { senderCheck }
        )
      yield* receive(owner, "Priorize as clínicas de Curitiba\n\n> Bom dia, segue o relatório", "passed")
      yield* receive(member, "O estoque chega em agosto", "passed")
      yield* receive("stranger@example.net", "Comprem dólares", "passed")
      yield* receive(owner, "Mude o telefone", "unknown")
      yield* receive(owner, "Apague a planilha", "failed")
      const [words] = yield* search(token, "Curitiba")
      assert.deepInclude(words, { role: "owner", channel: "email" })
      assert.notInclude(words?.snippet, "relatório")
      assert.deepInclude((yield* search(token, "estoque"))[0], { role: "member", channel: "email" })
      for (const word of ["dólares", "telefone", "planilha"]) assert.lengthOf(yield* search(token, word), 0, word)

      const notice = `<notice-${accountId}@mail.example.com>`
      yield* sql`
        insert into email_message (account_id, direction, status, message_id, from_address, to_address, subject, body_text)
        values (${accountId}, 'outbound', 'sent', ${notice}, ${address}, ${owner}, 'Relatório', 'Bom dia')`
      yield* receive(owner, "Respondo daqui: aprovado", "unknown", notice)
      assert.deepInclude((yield* search(token, "aprovado"))[0], { role: "owner" })
    })
  )

  it.effect("holds what they write on the app and say in calls", () =>
    Effect.gen(function* () {
      const inbox = yield* ChatAppInbox
      const unit = yield* UnitOfWork
      const completion = yield* VoiceCallCompletion
      const { accountId, caller, phones, token } = yield* account
      const lineId = yield* as(caller)(insertLine(`line-${accountId}`))
      const write = (phone: string, body: string) =>
        inbox.take([
          {
            _tag: "Received",
            lineId,
            waId: phone.slice(1),
            userId: undefined,
            providerMessageId: `wamid.${accountId}.${body.length}`,
            timestamp: undefined,
            body,
            media: undefined,
            replyTo: undefined
          }
        ])
      yield* write(phones.owner, "Quero mais escolas")
      yield* write(phones.member.replace("+55119", "+5511"), "Evitem sextas-feiras")
      yield* write("+5511955550000", "Mensagem de um desconhecido")
      assert.deepInclude((yield* search(token, "escolas"))[0], { role: "owner", channel: "chatapp" })
      assert.deepInclude((yield* search(token, "sextas"))[0], { role: "member", channel: "chatapp" })
      assert.lengthOf(yield* search(token, "desconhecido"), 0)

      const say = (phone: string, answer: string, question: string) =>
        Effect.gen(function* () {
          const key = yield* as(caller)(placeCall(phone))
          const transcript = [
            { role: "agent" as const, text: question, at_seconds: 0 },
            { role: "person" as const, text: answer, at_seconds: 3 }
          ]
          yield* unit.write(
            Effect.flatMap(completion.rows.lock(key), (row) =>
              row === undefined ? Effect.void : completion.end([{ row, result: { ...answeredResult, transcript } }])
            )
          )
        })
      yield* say(phones.owner, "Pode oferecer garantia estendida", "Qual condição ofereço?")
      yield* say("+5511955550001", "Sou apenas a recepcionista", "Quem decide?")
      assert.deepInclude((yield* search(token, "garantia"))[0], { role: "owner", channel: "voice" })
      assert.deepInclude((yield* search(token, "condição"))[0], { role: "agent", channel: "voice" })
      assert.lengthOf(yield* search(token, "recepcionista"), 0)
    })
  )

  it.effect("holds the instructions of a campaign, and no words of a simulation", () =>
    Effect.gen(function* () {
      const { caller, token } = yield* account
      yield* as(caller)(insertCampaign("Clínicas"))
      const campaign = { name: "Clínicas", email_instructions: "Assine como Doutora" }
      const updated = yield* callWith(token, "update_campaign", campaign)
      assert.strictEqual(updated.status, 200, updated.text)
      assert.lengthOf(yield* search(token, "Doutora"), 1)
      yield* callWith(token, "run_prospecting_simulation", {
        channel: "email",
        notes: "Personagem imaginário",
        lead_name: "Zé"
      })
      assert.lengthOf(yield* search(token, "imaginário"), 0)
    })
  )
})
