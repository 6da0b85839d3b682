import type { PromptText } from "../LanguageModel.ts"
import { fence, fenceRule } from "../language/Fence.ts"
import type { Language } from "../language/Language.ts"
import { loadPromptFile } from "./PromptFile.ts"
import { languageNames } from "./WriterPrompt.ts"

const file = loadPromptFile("reply-reader.md")

/** What the model is told to class a reply. All that came from outside stands inside the fence. */
export const replyReaderPrompt = (
  reply: {
    readonly subject: string
    readonly text: string
    readonly earlier: string
    /** `YYYY-MM-DD`. */
    readonly today: string
    readonly language: Language
  },
  word: string
): PromptText => ({
  system: file.section("system", { fence_rule: fenceRule(word) }),
  user: file.section("task", {
    today: reply.today,
    language: languageNames[reply.language],
    reply: [fence(word, "lead_subject", reply.subject, 300), fence(word, "lead_reply", reply.text, 6000)].join("\n"),
    earlier: fence(word, "our_message", reply.earlier, 2000)
  })
})
