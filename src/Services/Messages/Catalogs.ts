// Written by "npm run messages" from the folders next to this file.
import enAnswers from "./en/answers.json" with { type: "json" }
import enCalls from "./en/calls.json" with { type: "json" }
import enDocuments from "./en/documents.json" with { type: "json" }
import enMeetings from "./en/meetings.json" with { type: "json" }
import enOutreach from "./en/outreach.json" with { type: "json" }
import enReplies from "./en/replies.json" with { type: "json" }
import esAnswers from "./es/answers.json" with { type: "json" }
import esCalls from "./es/calls.json" with { type: "json" }
import esDocuments from "./es/documents.json" with { type: "json" }
import esMeetings from "./es/meetings.json" with { type: "json" }
import esOutreach from "./es/outreach.json" with { type: "json" }
import esReplies from "./es/replies.json" with { type: "json" }
import ptAnswers from "./pt-BR/answers.json" with { type: "json" }
import ptCalls from "./pt-BR/calls.json" with { type: "json" }
import ptDocuments from "./pt-BR/documents.json" with { type: "json" }
import ptMeetings from "./pt-BR/meetings.json" with { type: "json" }
import ptOutreach from "./pt-BR/outreach.json" with { type: "json" }
import ptReplies from "./pt-BR/replies.json" with { type: "json" }

export const catalogs = {
  "pt-BR": {
    answers: ptAnswers,
    calls: ptCalls,
    documents: ptDocuments,
    meetings: ptMeetings,
    outreach: ptOutreach,
    replies: ptReplies
  },
  en: {
    answers: enAnswers,
    calls: enCalls,
    documents: enDocuments,
    meetings: enMeetings,
    outreach: enOutreach,
    replies: enReplies
  },
  es: {
    answers: esAnswers,
    calls: esCalls,
    documents: esDocuments,
    meetings: esMeetings,
    outreach: esOutreach,
    replies: esReplies
  }
} as const
