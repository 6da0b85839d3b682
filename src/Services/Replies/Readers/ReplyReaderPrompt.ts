import type { PromptText } from "../../Models/LanguageModel.ts"
import { loadPromptFile } from "../../Models/PromptFile.ts"
import { type Language, languageNames } from "../../Text/Language.ts"
import { delimited, delimiterRule } from "../../Text/PromptDelimiter.ts"

const file = loadPromptFile(new URL("./reply-reader.md", import.meta.url))

/** The model's prompt for classifying a reply. Text from outside is between delimiters. */
export const replyReaderPrompt = (
  reply: {
    readonly subject: string
    readonly text: string
    readonly earlier: string
    /** `YYYY-MM-DD`. */
    readonly today: string
    /** In the lead's time zone. */
    readonly standingMeeting: { readonly date: string; readonly time: string } | undefined
    readonly language: Language
  },
  word: string
): PromptText => ({
  system: file.section("system", { delimiter_rule: delimiterRule(word) }),
  user: file.section("task", {
    today: reply.today,
    language: languageNames[reply.language],
    standing_meeting:
      reply.standingMeeting === undefined
        ? "No meeting was agreed on."
        : `A meeting was agreed on for ${reply.standingMeeting.date} at ${reply.standingMeeting.time}, on the lead's clock.`,
    reply: [delimited(word, "lead_subject", reply.subject, 300), delimited(word, "lead_reply", reply.text, 6000)].join(
      "\n"
    ),
    earlier: delimited(word, "our_message", reply.earlier, 2000)
  })
})
