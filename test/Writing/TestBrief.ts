import { Timestamp } from "../../src/Services/Core/Timestamp.ts"
import { LeadId } from "../../src/Services/Leads/Ids.ts"
import type { ReplyReading } from "../../src/Services/Replies/ReplyReading.ts"
import type { Language } from "../../src/Services/Text/Language.ts"
import type { LeadClock } from "../../src/Services/Text/SpokenTime.ts"
import type {
  AnswerableClass,
  MeetingTime,
  TouchKind,
  WritingBrief,
  WritingChannel
} from "../../src/Services/Writing/WritingBrief.ts"

export const languages: ReadonlyArray<Language> = ["pt-BR", "en", "es"]
export const channels: ReadonlyArray<WritingChannel> = ["email", "chatapp", "voice"]

const descriptions: { readonly [L in Language]: string } = {
  "pt-BR": "Ajudamos clínicas a reduzir a conta de energia com painéis solares. Temos 12 anos de mercado.",
  en: "We help clinics cut their energy bills with solar panels. We have been around for 12 years.",
  es: "Ayudamos a clínicas a reducir la factura de energía con paneles solares. Tenemos 12 años en el mercado."
}

/** The clock of a lead that lives where its account does. */
export const brazilian: LeadClock = {
  zone: "America/Sao_Paulo",
  hostZone: "America/Sao_Paulo",
  isCertain: true,
  hasSeveral: false,
  country: "BR"
}

/** A brief with everything that most messages need. */
export const brief = (more: Partial<WritingBrief> = {}): WritingBrief => {
  const language = more.language ?? "pt-BR"
  return {
    channel: "email",
    language,
    kind: { _tag: "first_contact" },
    lead: { leadId: LeadId.make(7), name: "ANA CLARA SOUZA", company: "CLÍNICA SORRISO LTDA", city: "Recife" },
    business: {
      name: "Solaris",
      description: descriptions[language],
      website: "https://solaris.example.com",
      answers: [{ question: "Vocês atendem em Recife?", answer: "Sim, atendemos toda a região do Recife." }],
      knowledge: []
    },
    sender: { name: "João Lima" },
    instructions: { goal: "Agendar uma reunião de 20 minutos" },
    links: [
      { purpose: "website", url: "https://solaris.example.com" },
      { purpose: "scheduling", url: "https://agenda.example.com/solaris" }
    ],
    clock: brazilian,
    conversation: [],
    ...more
  }
}

export const reading = (
  replyClass: AnswerableClass,
  more: Partial<ReplyReading> = {}
): ReplyReading & { readonly class: AnswerableClass } => ({
  confidence: 0.9,
  language: "pt-BR",
  refusalReason: null,
  question: null,
  questions: [],
  returnDate: null,
  contact: null,
  proposedMeeting: null,
  timeProblem: null,
  meetingChange: null,
  acts: [],
  decidedBy: "rules",
  ...more,
  class: replyClass
})

export const meeting: MeetingTime = {
  startsAt: Timestamp.make("2025-03-13T18:00:00Z"),
  joinUrl: "https://meet.example.com/abc"
}

const response = (replyClass: AnswerableClass, more: Partial<ReplyReading> = {}): TouchKind => ({
  _tag: "response",
  reading: reading(replyClass, more),
  text: "Quanto custa?"
})

/** One of every kind of touch and answer, with a first follow-up only. */
export const kinds: ReadonlyArray<TouchKind> = [
  { _tag: "first_contact" },
  { _tag: "first_contact", referredBy: "Dr. Paulo Reis" },
  { _tag: "follow_up", number: 1, isLast: false },
  { _tag: "follow_up", number: 6, isLast: true },
  response("interested"),
  response("not_interested", { refusalReason: "price" }),
  response("not_interested", { refusalReason: "other" }),
  response("question", { question: "Quanto custa?" }),
  response("wrong_person"),
  response("referral", { contact: { name: "Ana Lima", email: null, phone: null } }),
  response("gatekeeper"),
  response("meeting_request", { proposedMeeting: { date: "2025-03-13", time: "15:00", text: "quinta as 15h" } }),
  response("meeting_request"),
  response("meeting_request", { proposedMeeting: { date: "2025-03-13", time: null, text: "quinta" } }),
  response("other", { meetingChange: "cancel" }),
  response("not_interested", { refusalReason: "timing", returnDate: "2025-04-01" }),
  response("not_interested", { refusalReason: "timing" }),
  response("referral", { contact: { name: "Ana Lima", email: "ana@lima.example", phone: null } }),
  response("other"),
  { _tag: "re_engagement" },
  { _tag: "answer_relay", question: "Qual é o prazo?", answer: "15 dias." },
  { _tag: "holding_line", awaits: "answer" },
  { _tag: "holding_line", awaits: "person" },
  { _tag: "holding_line", awaits: "call" },
  { _tag: "meeting_booked", meeting },
  { _tag: "meeting_reminder", meeting },
  { _tag: "meeting_cancelled", meeting },
  { _tag: "meeting_no_show", meeting }
]
