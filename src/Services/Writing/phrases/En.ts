import type { Phrasebook, SentenceParts } from "../Phrasebook.ts"

const who = ({ business, sender }: SentenceParts): string =>
  sender === undefined ? `This is the ${business} team.` : `This is ${sender} from ${business}.`

/** Who calls, as one says it on the telephone. */
const calling = ({ business, sender }: SentenceParts): string =>
  sender === undefined ? `I'm calling from ${business}.` : `this is ${sender}, calling from ${business}.`

const atTheirs = ({ company }: SentenceParts, otherwise: string): string =>
  company === undefined ? otherwise : `at ${company}`

const long = (minutes: number | undefined, otherwise: string): string =>
  minutes === undefined ? otherwise : `${minutes}-minute`

const quoted = (questions: ReadonlyArray<string>): string =>
  new Intl.ListFormat("en", { type: "conjunction" }).format(questions.map((question) => `"${question}"`))

export const english: Phrasebook = {
  greeting: ({ first, isFormal }) =>
    isFormal
      ? first === undefined
        ? "Dear Sir or Madam,"
        : `Dear ${first},`
      : first === undefined
        ? "Hello,"
        : `Hi ${first},`,
  chatGreeting: ({ first }) => (first === undefined ? "Hello!" : `Hi ${first}!`),
  firstSubjects: (parts) => [
    parts.company === undefined ? `An idea from ${parts.business}` : `An idea for ${parts.company}`,
    parts.company === undefined ? `${parts.business}: worth a conversation?` : `${parts.business} and ${parts.company}`,
    parts.first === undefined ? `Hello from ${parts.business}` : `${parts.first}, a quick question`
  ],
  laterSubjects: (parts) => [`Following up from ${parts.business}`, `${parts.business}: picking up our conversation`],
  introductions: (parts) => [
    `${who(parts)} I am getting in touch because I believe we can help ${parts.company === undefined ? "your company" : `the team at ${parts.company}`}.`,
    `${who(parts)} I would like to introduce myself and find out whether what we do could be useful ${atTheirs(parts, "to you")}.`,
    `I hope you are well. ${who(parts)} I wanted to reach out because we may be of use ${atTheirs(parts, "to your team")}.`
  ],
  shortIntroduction: who,
  referredBy: (name) => `${name} suggested that I contact you.`,
  capturedOn: (page) => `Thank you for leaving your contact on our page “${page}”.`,
  descriptionLabel: "What we do:",
  ownSentence: /^(?:we|we're|our|us)\b/i,
  relevance: (parts) => [
    `I would like to understand how you handle this today${parts.company === undefined ? "" : ` at ${parts.company}`}.`,
    `I imagine this is part of the daily work ${atTheirs(parts, "of your team")}, which is why I am writing.`,
    "If this is not your area, I would be grateful if you could tell me whom to talk to."
  ],
  asks: {
    talk: (minutes) => [
      `Could we have a ${long(minutes, "quick")} chat this week?`,
      "Would it make sense to talk? If so, which day suits you best?",
      `May I tell you more in a ${long(minutes, "short")} conversation?`
    ],
    meeting: (minutes) => [
      `Could we schedule a ${long(minutes, "short")} meeting? What day and time would suit you?`,
      `Would you have room for a ${long(minutes, "brief")} meeting in the coming days?`,
      `How about a ${long(minutes, "quick")} meeting, so that I can understand your situation?`
    ],
    demo: (minutes) => [
      `May I show you how it works in a ${long(minutes, "short")} demo? Which day would suit you?`,
      `How about a ${long(minutes, "brief")} demo, so that you can judge for yourself?`,
      `Would you have time for a ${long(minutes, "quick")} demo this week or next?`
    ],
    visit: () => [
      "Could we arrange a visit? Let me know which day suits you.",
      "How about meeting in person? Which day would be good for you?",
      "May I come by on a day that suits you?"
    ],
    proposal: () => [
      "May I prepare a proposal for you? I only need a few details of your situation.",
      "Would a tailored proposal be useful? Tell me a little about what you need.",
      "If you like, I can prepare a quote without any commitment. What should it cover?"
    ],
    trial: () => [
      "Would you like to try it? I can set up a trial for your team.",
      "How about a trial, so that you can judge for yourself?",
      "I can help you start a trial. Would that make sense?"
    ]
  },
  links: {
    website: (url) => `More about us: ${url}`,
    scheduling: (url) => `If you prefer, pick a time here: ${url}`,
    presentation: (url) => `I have prepared a presentation: ${url}`,
    file: (url) => `Here is some material on the subject: ${url}`
  },
  followUps: [
    () => [
      "I wanted to check whether you had a chance to see my previous message.",
      "I am coming back to my previous message, which may have got lost among many others."
    ],
    (parts) => [
      `Let me come back with the essentials about ${parts.business}, to make it easier to judge.`,
      `To be brief, here is in a few words why I wrote on behalf of ${parts.business}.`
    ],
    (parts) => [
      `Perhaps I am not talking to the right person. Who looks after this ${atTheirs(parts, "at your company")}?`,
      `This may be somebody else's area ${atTheirs(parts, "on your team")}. Could you tell me whom to talk to?`
    ],
    () => [
      "I can send you more information right here, so that you can read it whenever you like.",
      "If it helps, I will send a written summary, with no meeting needed."
    ],
    () => [
      "I imagine things are busy. Is there a better moment to pick this up?",
      "If now is not a good time, tell me when would be, and I will only write again then."
    ]
  ],
  followUpsAfterReply: [
    () => [
      "I am picking up our conversation. Have you had time to think about it?",
      "I wanted to follow up on what you wrote. Is there anything else that you would like to know?"
    ],
    (parts) => [
      `Let me sum up what matters most about ${parts.business}, to make it easier to decide.`,
      `To help you weigh it up, here is the essence of what ${parts.business} does.`
    ],
    (parts) => [
      `Is there anybody else ${atTheirs(parts, "at your company")} who should be part of this conversation?`,
      "Would it help if I also talked to somebody else on your side?"
    ],
    () => [
      "If a short summary in writing would help, I can send it right here.",
      "If it is easier for you, we can settle the open points in writing, with no meeting needed."
    ],
    () => [
      "I imagine things are busy. Is there a better moment to go on with our conversation?",
      "If now is not a good time to go on, tell me when would be, and I will only write again then."
    ]
  ],
  lastFollowUpAfterReply: (parts) => [
    "Thank you for our exchange so far. I do not want to insist, so this is my last message on the subject: whenever it makes sense, just reply here.",
    `I will leave our conversation here for now. If ${parts.business} becomes relevant to you again, just reply to this message.`
  ],
  lastFollowUp: (parts) => [
    "As I have not heard back, this is my last message on the subject. If it ever makes sense, I would be glad to talk: just reply here.",
    `I do not want to insist, so I will leave it here. If ${parts.business} becomes relevant to you, just reply to this message.`
  ],
  responses: {
    interested: () => [
      "Great to hear that you are interested! The next step is simple.",
      "I am glad that this is of interest. Let us take it from here."
    ],
    not_interested: () => [
      "Thank you for the honest answer. I respect your decision and will not insist.",
      "Thank you for getting back to me. I understand, and I am here if anything changes."
    ],
    wrong_person: (parts) => [
      `Thank you for letting me know, and sorry for the mix-up. Do you happen to know who looks after this ${atTheirs(parts, "at your company")}?`,
      "Thanks for telling me. If you could point me to the right person, I will contact them directly."
    ],
    gatekeeper: (parts) => [
      `Thank you for your help. In short: I am writing on behalf of ${parts.business} and would like to introduce what we do to whoever is in charge. What would be the best way?`,
      `I appreciate your help. This is about an introduction to ${parts.business}. What is the best way to reach the person in charge?`
    ],
    other: () => ["Thank you for your message!", "Thank you for your reply!"]
  },
  deliberation: () => [
    "Of course, take the time you need to talk it over. If anything comes up on your side, just write to me here.",
    "That makes sense, please talk it over first. If questions come up, I am glad to answer them here."
  ],
  awaitingWord: [
    "Of course, take your time. If any question comes up, just write to me here.",
    "That sounds good, I will wait to hear from you. If I can clarify anything, just let me know."
  ],
  details: ["Of course, here is what matters most:", "With pleasure, here are the details:"],
  detailsToCome: [
    "With pleasure! I will ask the team for the details and send them to you here.",
    "Of course! Let me ask the team for the details, and I will get back to you with them."
  ],
  detailsRelay: "You had asked for more details. Here they are:",
  softRefusals: {
    price: () =>
      "Thank you for being open about the price. I understand and will not insist; if things change, I am here.",
    timing: () =>
      "I understand that now is not the time. Thank you for telling me; should that change, just write to me.",
    has_supplier: () =>
      "It makes sense to keep what already works. Thank you for replying; if you ever want to compare, I am here."
  },
  thanksForReferral: (name) =>
    name === undefined
      ? "Thank you very much for the pointer! I will contact them."
      : `Thank you very much for the pointer! I will contact ${name}.`,
  askForContact: (name) =>
    name === undefined
      ? "Thank you very much for the recommendation! Would you have the person's e-mail or phone number?"
      : `Thank you very much for the recommendation! Would you have ${name}'s e-mail or phone number?`,
  knownAnswer: "Good question! Here is the answer:",
  knownAnswers: (isComplete) =>
    isComplete ? "Here are the answers to your questions:" : "Here is what I can answer right away:",
  unknownAnswer: [
    "Good question! Let me confirm this with the team and get back to you, so that I do not tell you anything inaccurate.",
    "Thank you for asking. I would rather check internally first and come back to you with the right information."
  ],
  unknownAnswers: (questions) =>
    questions.length === 0
      ? "I'll check the rest with the team and get back to you."
      : `As for ${quoted(questions)}, I'll check with the team and get back to you.`,
  timeWanted: (day) =>
    day === undefined
      ? ["Let's do that! Which day and time suit you?", "Great, let's talk! Please tell me a day and a time."]
      : [
          `Great, that day (${day}) is possible. What time suits you?`,
          `Perfect, let's talk that day: ${day}. What time would be good for you?`
        ],
  timeTaken: (when) => [
    `Thank you for the suggestion! Unfortunately that time (${when}) is taken on my side. Which other day and time would suit you?`,
    `Thanks for the proposal, but I cannot make that time (${when}). Could you suggest another day and time?`
  ],
  freeTimes: (times) => [
    `On my side these times are free: ${times}. Does one of them suit you?`,
    `I could make ${times}. Which one would be good for you?`
  ],
  meetingCalledOff: [
    "No problem, and thank you for letting me know: our conversation is cancelled. Which other day and time would suit you?",
    "Thank you for letting me know, I have cancelled our conversation. If you would like a new time, just name a day and an hour."
  ],
  comeBack: [
    "You had asked me to come back to you later, so here I am.",
    "As you asked, I am getting back in touch now."
  ],
  reEngagementAbout: (topic) => `I'm getting back in touch to pick up our conversation about ${topic}.`,
  reEngagement: (parts) => [
    `I am getting in touch again, since I wanted to pick up the conversation ${parts.company === undefined ? "with you" : `with you at ${parts.company}`}.`,
    "I am writing to you again, since I think it worth picking up the conversation."
  ],
  holdingLines: {
    answer: "Thank you for your message. I've passed it on to the team, and someone will answer you here.",
    person: "Of course. I've handed the conversation to the team: a person will answer you here.",
    call: "Of course. I've let the team know that you'd like a call. Someone will get in touch with you."
  },
  answerRelay: (question) => [
    `You had asked: "${question}". I now have the answer:`,
    `Coming back to your question ("${question}"), I have confirmed with the team:`
  ],
  answerRelayUnquoted: "About the question you asked: I now have the answer.",
  meetingBooked: (when) => `Our conversation is set for ${when}.`,
  meetingMoved: (when) => `Our conversation is now set for ${when}.`,
  meetingReminder: (when) => `A quick reminder of our conversation: ${when}.`,
  meetingCancelled: (when) => [
    `We have to cancel the conversation that was set for ${when}, and I apologise for the inconvenience.`,
    `Unfortunately our conversation on ${when} cannot take place. I am sorry about that.`
  ],
  meetingNoShow: (when) => [
    `We did not manage to meet on ${when}, and I imagine something came up.`,
    `I missed you in our conversation on ${when}. I hope everything is all right.`
  ],
  rescheduleOffer: "Could we reschedule? Let me know a day and a time that suit you.",
  meetingSubjects: {
    meeting_booked: (parts) => `Our conversation with ${parts.business} is set`,
    meeting_reminder: (parts) => `Reminder: conversation with ${parts.business}`,
    meeting_cancelled: (parts) => `Our conversation with ${parts.business}: a new time`,
    meeting_no_show: (parts) => `Shall we find a new time? ${parts.business}`
  },
  voice: {
    openingLine: (parts) =>
      parts.first === undefined
        ? `Hello, ${calling(parts)} Who am I speaking with?`
        : `Hello, ${calling(parts)} Am I speaking with ${parts.first}?`,
    goal: (parts, aim) =>
      `Talk to ${parts.first ?? "the person in charge"}${parts.company === undefined ? "" : ` at ${parts.company}`} on behalf of ${parts.business} and ${aim}.`,
    aims: {
      talk: "find out whether there is interest in a conversation",
      meeting: "agree on a day and time for a meeting",
      demo: "agree on a day and time for a demo",
      visit: "agree on a day for a visit",
      proposal: "find out what is needed to prepare a proposal",
      trial: "offer a trial"
    },
    askedForCall: "The person asked for this call. Thank them for it and answer what they want to know.",
    respect:
      "If the person asks not to be contacted again, thank them, end the call and record the wish. Do not make up prices, dates or terms.",
    context: (text) => `Background: ${text}`,
    link: (url) => `Page that may be mentioned: ${url}`
  }
}
