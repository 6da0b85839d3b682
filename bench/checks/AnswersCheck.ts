import { setTimeout } from "node:timers/promises"
import { Schema } from "effect"
import { type BusinessLine, checkedQuestions, isRight } from "../../training/AnswerExamples.ts"
import { makeCall } from "./GatewayCalls.ts"

/**
 * Asks questions about businesses with given knowledge, in simulations of a running gateway, and checks the answers.
 * `TOKEN=… npm run check:answers -- pt|en|es [BUSINESSES]` replaces the account's business, files and answers by each
 * business in turn. A line of a file is a business, or a question with regular expressions that its answer must (`has`)
 * and must not (`not`) match. `unknown` marks a question without an answer in the knowledge.
 */

const [language = "pt", only] = process.argv.slice(2)
const token = process.env["TOKEN"]
if (token === undefined) throw new Error("Set TOKEN to the token of an account.")

const countries: { readonly [language: string]: string } = { pt: "BR", en: "US", es: "ES" }

const Files = Schema.Struct({
  business_files: Schema.Array(Schema.Struct({ business_file_id: Schema.Int, status: Schema.String }))
})
const Faq = Schema.Struct({ faq: Schema.Array(Schema.Struct({ open_question_id: Schema.Int })) })
const Simulation = Schema.Struct({
  simulationLeadId: Schema.Int,
  transcript: Schema.Array(Schema.Struct({ author: Schema.String, body: Schema.String })),
  effects: Schema.Array(Schema.Struct({ kind: Schema.String, detail: Schema.NullOr(Schema.String) }))
})

const call = makeCall(() => token)

const filesNow = () => call("list_business_files", {}, Files)

const teach = async ({ faq, files, name, profile }: BusinessLine): Promise<void> => {
  for (const { business_file_id } of (await filesNow()).business_files) {
    await call("remove_business_file", { business_file_id }, Schema.Unknown)
  }
  for (const { open_question_id } of (await call("list_business_faq", {}, Faq)).faq) {
    await call("remove_business_faq", { open_question_id }, Schema.Unknown)
  }
  await call("set_business", { business_name: name, business_description: profile }, Schema.Unknown)
  await call("update_email_settings", { display_name: "Ana Lima" }, Schema.Unknown)
  for (const { text, title } of files) await call("register_business_file", { title, text }, Schema.Unknown)
  for (const [question_text, answer_text] of faq) {
    await call("answer_lead_question", { question_text, answer_text, reusable: true }, Schema.Unknown)
  }
  while ((await filesNow()).business_files.some(({ status }) => status === "queued" || status === "running")) {
    await setTimeout(100)
  }
}

/** Whether the owner was asked or got the lead, whatever the message says. */
const goesToOwner = ({ effects }: typeof Simulation.Type): boolean =>
  effects.some(({ kind }) => kind === "owner_asked" || kind === "sent_for_review")

const ask = async (question: string) => {
  const first = await call(
    "run_prospecting_simulation",
    { channel: "email", lead_name: "Rui Costa", country: countries[language] ?? "BR" },
    Simulation
  )
  const simulation = await call(
    "run_prospecting_simulation",
    { channel: "email", simulation_lead_id: first.simulationLeadId, lead_message: question },
    Simulation
  )
  const last = simulation.transcript.at(-1)
  return { text: last?.author === "agent" ? last.body : "", isAsked: goesToOwner(simulation) }
}

const { businesses, questions } = checkedQuestions(language)
const totals = { answered: 0, open: 0, wrong: 0, unknownOpen: 0, unknownAnswered: 0 }

for (const business of businesses) {
  if (only !== undefined && !only.split(",").includes(business.business)) continue
  await teach(business)
  for (const question of questions) {
    if (question.business !== business.business) continue
    const { isAsked, text } = await ask(question.question)
    const verdict = question.unknown
      ? isAsked
        ? "unknownOpen"
        : "unknownAnswered"
      : isRight(text, question)
        ? "answered"
        : isAsked
          ? "open"
          : "wrong"
    totals[verdict]++
    if (verdict === "wrong" || verdict === "unknownAnswered") {
      console.log(`${question.id} ${verdict}: ${question.question}\n    ${text.replace(/\s+/g, " ")}`)
    }
  }
}
console.log(
  `answered ${totals.answered}, asked of the owner ${totals.open}, wrong or lost ${totals.wrong}; ` +
    `of what is not known ${totals.unknownOpen} asked of the owner, ${totals.unknownAnswered} not`
)
