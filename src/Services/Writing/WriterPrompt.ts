import { say } from "../Messages/Messages.ts"
import type { PromptText } from "../Models/LanguageModel.ts"
import { loadPromptFile } from "../Models/PromptFile.ts"
import { objectionIn } from "../Replies/Objections.ts"
import { isDeferral, type ReplyReading, type WhyNotBooked } from "../Replies/ReplyReading.ts"
import { languageNames } from "../Text/Language.ts"
import { clip } from "../Text/PlainText.ts"
import { delimited, delimiterRule } from "../Text/PromptDelimiter.ts"
import { timeForLead } from "../Text/SpokenTime.ts"
import { isHonestQuestion } from "./Answers/HonestAnswers.ts"
import { knownAnswerTo, passageText, questionsIn } from "./Answers/KnownAnswers.ts"
import type { MessageProblem } from "./MessageCheck.ts"
import type { Opening } from "./Openings.ts"
import type { WritingBrief } from "./WritingBrief.ts"

const file = loadPromptFile(new URL("./writer.md", import.meta.url))
const nothing = "(nothing given)"
const longestOwnText = 6000
const longestFact = 1200
const longestQuestion = 600
const longestReply = 4000
const longestEarlier = 1500
const maximumEarlier = 10

const lines = (entries: ReadonlyArray<readonly [label: string, value: string | undefined]>): string => {
  const presentEntries = entries.filter(([, value]) => value !== undefined && value.trim() !== "")
  return presentEntries.length === 0
    ? nothing
    : presentEntries.map(([label, value]) => `${label}: ${clip(value ?? "", longestOwnText)}`).join("\n")
}

const listed = (entries: ReadonlyArray<string>): string =>
  entries.length === 0 ? nothing : entries.map((entry) => `- ${entry}`).join("\n")

/** Facts to quote. A file may contain anything, so it is marked as data like the lead's words. */
const fenced = (word: string, label: string, texts: ReadonlyArray<string>, maximum: number): string =>
  texts.length === 0
    ? nothing
    : texts
        .slice(0, maximum)
        .map((text) => delimited(word, label, text, longestFact + 400))
        .join("\n")

const problems: { readonly [W in WhyNotBooked]: string } = {
  taken: "that time is not free on our side: nothing is booked; ask for another",
  uncertain: "it is not certain that the lead wants that time: nothing is booked; ask whether to book it",
  no_exact_time: "no exact time is agreed on yet: ask for day and hour",
  day_open: "the day that the lead named can mean several dates: nothing is booked; ask which one",
  hour_open: "it is open whether the hour is in the morning or in the evening: nothing is booked; ask",
  past: "that time has passed: nothing is booked; ask for another",
  too_soon: "that time is too soon on our side: nothing is booked; ask for another",
  too_far: "that date is too far off: nothing is booked; ask for another",
  zone_unknown: "it is open which time zone the lead means: nothing is booked; ask",
  night: "that time is outside our working hours: nothing is booked; ask for another",
  day_off: "we are closed on that day: nothing is booked; ask for another"
}

/** What was decided about a time that the lead named, so that the answer agrees with it. */
const meetingText = (reading: ReplyReading): ReadonlyArray<string> => {
  const problem = reading.timeProblem === null ? [] : [problems[reading.timeProblem]]
  if (reading.meetingChange === "move") {
    return ["the lead wants our meeting at another time: until one is agreed on, the present time stays", ...problem]
  }
  if (reading.meetingChange === "cancel") {
    return ["our meeting with the lead is cancelled as it wished: say so, and ask for another time"]
  }
  if (reading.class !== "meeting_request") return []
  return problem.length > 0 ? problem : ["no time is agreed on yet: ask for day and hour"]
}

const readingText = (reading: ReplyReading): string =>
  [
    reading.class,
    ...meetingText(reading),
    ...(isDeferral(reading)
      ? ["the lead had asked to hear again later, and that is now: take the conversation up"]
      : []),
    ...(reading.refusalReason === null ? [] : [`reason: ${reading.refusalReason}`]),
    ...(reading.proposedMeeting === null
      ? []
      : [
          `proposed time: ${[reading.proposedMeeting.date, reading.proposedMeeting.time].filter((part) => part !== null).join(" ")}`
        ])
  ].join(", ")

/** Free times from the calendar. The message must repeat them and name no others. */
const freeTimesText = ({ clock, freeTimes = [], language }: WritingBrief): ReadonlyArray<string> =>
  freeTimes.length === 0
    ? []
    : [
        `Times that are free on our side, to be offered word for word, and no others: ${freeTimes
          .map((time) => timeForLead(time, clock, language))
          .join("; ")}`
      ]

const judgedQuestions = (brief: WritingBrief) =>
  questionsIn(brief).map((question, index) => ({ answer: knownAnswerTo(question, brief), number: index + 1, question }))

const answersText = (brief: WritingBrief, word: string): string => {
  // A question was written by another lead, so it is separated from the owner's answer and cannot pose as one.
  const all = brief.business.answers
    .slice(0, 30)
    .flatMap(({ answer, question: storedQuestion }) => [
      delimited(word, "question_of_a_lead", storedQuestion, 300),
      delimited(word, "approved_answer", answer, longestFact)
    ])
    .join("\n")
  const givenAnswers = judgedQuestions(brief).flatMap(({ answer, number }) =>
    answer === undefined ? [] : [delimited(word, `answer_${number}`, answer.text, longestFact)]
  )
  return [...givenAnswers, ...(all === "" ? [] : [all])].join("\n") || nothing
}

/** The model does not decide whether a question has an answer. If it has none, the owner is asked. */
const answerText = (brief: WritingBrief, word: string): ReadonlyArray<string> =>
  judgedQuestions(brief).map(({ answer, number, question }) => {
    const delimitedQuestion = delimited(word, `question_${number}`, question, longestQuestion)
    const acts = brief.kind._tag === "response" ? brief.kind.reading.acts : []
    if (isHonestQuestion(question, acts)) {
      return `${delimitedQuestion}\nThis question is about the conversation itself. Its true answer is in the block "answer_${number}": give it completely and exactly`
    }
    if (objectionIn(question, acts) !== undefined) {
      return answer === undefined
        ? `${delimitedQuestion}\nThis is an objection that only the team can answer: show that you understand it, and say that you will check with the team and come back`
        : `${delimitedQuestion}\nThis is an objection: show that you understand it, answer it once with what the block "answer_${number}" says, and do not press`
    }
    if (answer === undefined) {
      return `${delimitedQuestion}\nNobody has answered this question of the lead yet: say that you will check it with the team and come back to it`
    }
    return answer.source?.kind === "business_file"
      ? `${delimitedQuestion}\nA file of the owner answers this question (block "answer_${number}"): say what it says and no more`
      : `${delimitedQuestion}\nThe owner's answer to this question (block "answer_${number}") is to be given completely and exactly, in the language of the message`
  })

/** The documents for a lead that asks for some. */
const documentText = ({ documents }: WritingBrief): ReadonlyArray<string> =>
  documents === undefined
    ? []
    : [
        ...documents.documents.map(
          ({ purpose, url }) =>
            `The lead asked for a document. Give it this address, with one sentence on what it is${purpose === "presentation" ? " (a presentation made for the lead)" : ""}: ${url}`
        ),
        ...(documents.missing.length === 0
          ? []
          : [
              "The lead asked for a document that we do not have here. Say that you asked the team for it and that the lead will get it here"
            ])
      ]

/** How the first sentence begins, if the optimizer compares openings. */
const openingRules: { readonly [O in Opening]: string } = {
  offer: "Begin with what you can do for the company.",
  introduction: "Begin by introducing yourself, and ask whether it is useful to them.",
  greeting: "Begin with a friendly greeting before you say why you write."
}

type MeetingKind = Extract<WritingBrief["kind"], { readonly meeting: unknown }>

/** The time of the meeting, and the rest of its notice. */
const meetingDetail = (brief: WritingBrief, kind: MeetingKind): string => {
  const when = timeForLead(kind.meeting.startsAt, brief.clock, brief.language)
  if (kind._tag === "meeting_booked" && kind.isMoved === true) {
    return `${when} (it was moved there: the lead knows of another time)`
  }
  const reason =
    kind._tag === "meeting_cancelled" && kind.reason !== undefined ? `The reason: ${clip(kind.reason, 1000)}` : ""
  const offered = freeTimesText(brief).join(" ")
  return reason === "" && offered === "" ? when : `It was set for ${when}. ${reason} ${offered}`.trim()
}

/** The section that says why the lead is contacted. */
const kindText = (brief: WritingBrief, word: string): string => {
  const { kind } = brief
  const heading = `kind ${kind._tag}`
  switch (kind._tag) {
    case "first_contact":
      return file.section(heading, {
        detail: [
          ...(kind.referredBy === undefined
            ? []
            : ['The lead was recommended by the person in the block "referred_by"; say so.']),
          ...(kind.capturedOn === undefined
            ? []
            : [
                'The lead left its contact by itself, on the page named in the block "captured_on", and waits to hear from you: begin with thanks, and go into what it said there.'
              ]),
          ...(brief.opening === undefined ? [] : [openingRules[brief.opening]])
        ].join(" ")
      })
    case "follow_up":
      return file.section(heading, {
        number: `${kind.number}`,
        detail: kind.isLast
          ? "It is the last one: say kindly that you will not write again unless they answer, and ask nothing else."
          : ""
      })
    case "response":
      return file.section(heading, {
        detail: [
          `${[readingText(kind.reading), ...freeTimesText(brief)].join(". ")}.`,
          ...documentText(brief),
          ...answerText(brief, word)
        ].join("\n")
      })
    case "re_engagement":
      return file.section(heading, {
        detail: kind.ownerContext === undefined ? "" : `The owner says: ${clip(kind.ownerContext, longestOwnText)}`
      })
    case "answer_relay":
      return file.section(heading, { detail: clip(kind.answer, longestOwnText) })
    case "holding_line":
      return file.section(heading, {})
    case "meeting_booked":
    case "meeting_reminder":
    case "meeting_cancelled":
    case "meeting_no_show":
      return file.section(heading, { detail: meetingDetail(brief, kind) })
  }
}

const subjectRule = ({ threadSubject }: WritingBrief): string =>
  threadSubject === undefined
    ? "Give a subject of at most 60 characters, on one line, specific and without exaggeration."
    : "It continues a thread, so it has no subject of its own."

const channelText = (brief: WritingBrief): string => {
  switch (brief.channel) {
    case "email":
      return file.section("channel email", {
        closing: say(brief.language, "outreach.closing", { isFormal: false }),
        subject_rule: subjectRule(brief)
      })
    case "chatapp":
      return file.section("channel chatapp", {
        limit: brief.longest === undefined ? "" : ` It may have ${brief.longest} characters at the most.`
      })
    case "voice":
      return file.section("channel voice", { language: languageNames[brief.language] })
  }
}

const leadText = ({ kind, lead }: WritingBrief, word: string): string => {
  const profile = lines([
    ["name", lead.name],
    ["company", lead.company],
    ["job title", lead.jobTitle],
    ["industry", lead.industry],
    ["city", lead.city],
    ["state", lead.state],
    ["country", lead.country],
    ["website", lead.website],
    ["background", lead.background],
    ["left its contact by itself", lead.source]
  ])
  return [
    delimited(word, "lead_profile", profile, 6000),
    ...(kind._tag === "first_contact" && kind.referredBy !== undefined
      ? [delimited(word, "referred_by", kind.referredBy, 200)]
      : []),
    ...(kind._tag === "first_contact" && kind.capturedOn !== undefined
      ? [delimited(word, "captured_on", kind.capturedOn, 200)]
      : []),
    ...(kind._tag === "response" ? [delimited(word, "lead_reply", kind.text, longestReply)] : []),
    ...(kind._tag === "answer_relay" ? [delimited(word, "lead_question", kind.question, 1000)] : [])
  ].join("\n")
}

const conversationText = ({ conversation }: WritingBrief, word: string): string =>
  conversation.length === 0
    ? nothing
    : conversation
        .slice(-maximumEarlier)
        .map(({ at, channel, direction, text }) =>
          delimited(
            word,
            direction === "outbound" ? "our_message" : "lead_message",
            `${at} ${channel}\n${text}`,
            longestEarlier
          )
        )
        .join("\n")

const instructionText = ({ instructions }: WritingBrief): string =>
  lines([
    ["for this touch", instructions.nextTouch],
    ["must be in the message word for word", instructions.verbatim],
    ["goal", instructions.goal],
    ["strategy", instructions.strategy],
    ["for this channel", instructions.channel],
    ["in general", instructions.general]
  ])

/**
 * The prompt for writing a message. `word` is the delimiters' word, and `problems` are those of the previous attempt.
 * Text from the lead, files and databases is between the delimiters.
 */
export const writerPrompt = (
  brief: WritingBrief,
  word: string,
  problems: ReadonlyArray<MessageProblem> = []
): PromptText => {
  const language = languageNames[brief.language]
  return {
    system: file.section("system", {
      sender: brief.sender.name ?? "the team",
      business: brief.business.name,
      language,
      open: "{{",
      close: "}}",
      delimiter_rule: delimiterRule(word)
    }),
    user: file.section("task", {
      channel_rules: channelText(brief),
      kind: kindText(brief, word),
      business_facts: lines([
        ["name", brief.business.name],
        ["what it does", brief.business.description],
        ["website", brief.business.website],
        ["ideal customer", brief.business.idealCustomerProfile]
      ]),
      answers: answersText(brief, word),
      knowledge: fenced(
        word,
        "business_file",
        brief.business.knowledge.map((passage) => clip(passageText(passage), longestFact)),
        12
      ),
      instructions: instructionText(brief),
      links: listed(
        brief.links.map(
          ({ purpose, title, url }) => `${url} (${title === undefined ? purpose : `${purpose}: ${clip(title, 100)}`})`
        )
      ),
      lead: leadText(brief, word),
      conversation: conversationText(brief, word),
      language,
      corrections: problems.length === 0 ? "" : `\n\n${file.section("corrections", { problems: problems.join(", ") })}`
    })
  }
}
