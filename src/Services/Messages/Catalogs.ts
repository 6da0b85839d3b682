// Written by "npm run messages" from the folders next to this file.
import enAccount_news from "./en/account_news.json" with { type: "json" }
import enAddress_confirmation from "./en/address_confirmation.json" with { type: "json" }
import enAnswers from "./en/answers.json" with { type: "json" }
import enCalls from "./en/calls.json" with { type: "json" }
import enDaily_report from "./en/daily_report.json" with { type: "json" }
import enDocuments from "./en/documents.json" with { type: "json" }
import enInstructions from "./en/instructions.json" with { type: "json" }
import enMail from "./en/mail.json" with { type: "json" }
import enMeetings from "./en/meetings.json" with { type: "json" }
import enNotices from "./en/notices.json" with { type: "json" }
import enOutreach from "./en/outreach.json" with { type: "json" }
import enReplies from "./en/replies.json" with { type: "json" }
import enSender_domains from "./en/sender_domains.json" with { type: "json" }
import enSuggestions from "./en/suggestions.json" with { type: "json" }
import esAccount_news from "./es/account_news.json" with { type: "json" }
import esAddress_confirmation from "./es/address_confirmation.json" with { type: "json" }
import esAnswers from "./es/answers.json" with { type: "json" }
import esCalls from "./es/calls.json" with { type: "json" }
import esDaily_report from "./es/daily_report.json" with { type: "json" }
import esDocuments from "./es/documents.json" with { type: "json" }
import esInstructions from "./es/instructions.json" with { type: "json" }
import esMail from "./es/mail.json" with { type: "json" }
import esMeetings from "./es/meetings.json" with { type: "json" }
import esNotices from "./es/notices.json" with { type: "json" }
import esOutreach from "./es/outreach.json" with { type: "json" }
import esReplies from "./es/replies.json" with { type: "json" }
import esSender_domains from "./es/sender_domains.json" with { type: "json" }
import esSuggestions from "./es/suggestions.json" with { type: "json" }
import ptAccount_news from "./pt-BR/account_news.json" with { type: "json" }
import ptAddress_confirmation from "./pt-BR/address_confirmation.json" with { type: "json" }
import ptAnswers from "./pt-BR/answers.json" with { type: "json" }
import ptCalls from "./pt-BR/calls.json" with { type: "json" }
import ptDaily_report from "./pt-BR/daily_report.json" with { type: "json" }
import ptDocuments from "./pt-BR/documents.json" with { type: "json" }
import ptInstructions from "./pt-BR/instructions.json" with { type: "json" }
import ptMail from "./pt-BR/mail.json" with { type: "json" }
import ptMeetings from "./pt-BR/meetings.json" with { type: "json" }
import ptNotices from "./pt-BR/notices.json" with { type: "json" }
import ptOutreach from "./pt-BR/outreach.json" with { type: "json" }
import ptReplies from "./pt-BR/replies.json" with { type: "json" }
import ptSender_domains from "./pt-BR/sender_domains.json" with { type: "json" }
import ptSuggestions from "./pt-BR/suggestions.json" with { type: "json" }

export const catalogs = {
  "pt-BR": {
    account_news: ptAccount_news,
    address_confirmation: ptAddress_confirmation,
    answers: ptAnswers,
    calls: ptCalls,
    daily_report: ptDaily_report,
    documents: ptDocuments,
    instructions: ptInstructions,
    mail: ptMail,
    meetings: ptMeetings,
    notices: ptNotices,
    outreach: ptOutreach,
    replies: ptReplies,
    sender_domains: ptSender_domains,
    suggestions: ptSuggestions
  },
  en: {
    account_news: enAccount_news,
    address_confirmation: enAddress_confirmation,
    answers: enAnswers,
    calls: enCalls,
    daily_report: enDaily_report,
    documents: enDocuments,
    instructions: enInstructions,
    mail: enMail,
    meetings: enMeetings,
    notices: enNotices,
    outreach: enOutreach,
    replies: enReplies,
    sender_domains: enSender_domains,
    suggestions: enSuggestions
  },
  es: {
    account_news: esAccount_news,
    address_confirmation: esAddress_confirmation,
    answers: esAnswers,
    calls: esCalls,
    daily_report: esDaily_report,
    documents: esDocuments,
    instructions: esInstructions,
    mail: esMail,
    meetings: esMeetings,
    notices: esNotices,
    outreach: esOutreach,
    replies: esReplies,
    sender_domains: esSender_domains,
    suggestions: esSuggestions
  }
} as const
