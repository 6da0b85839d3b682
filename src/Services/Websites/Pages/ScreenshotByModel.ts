import { Schema } from "effect"
import type { PromptText } from "../../Models/LanguageModel.ts"
import { loadPromptFile } from "../../Models/PromptFile.ts"
import { type Language, languageNames } from "../../Text/Language.ts"
import { delimited, delimiterRule } from "../../Text/PromptDelimiter.ts"
import type { PageView } from "./Browser.ts"

const file = loadPromptFile(new URL("./screenshot.md", import.meta.url))

export const SeenPage = Schema.Struct({ analysis: Schema.String.pipe(Schema.maxLength(6000)) })

/** The prompt: the picture, the question, and the document's text as material. */
export const screenshotPrompt = (
  word: string,
  { prompt, url, view }: { readonly prompt: string; readonly url: string; readonly view: PageView },
  picture: Uint8Array,
  language: Language
): PromptText => {
  const { facts, viewport, violations } = view
  const { actions, description, forms, headings, texts, title } = facts
  return {
    system: file.section("system", { language: languageNames[language], delimiter_rule: delimiterRule(word) }),
    user: file.section("task", {
      prompt: delimited(word, "question", prompt, 8000),
      url: delimited(word, "address", url, 2048),
      view: `${viewport.width}x${viewport.height}`,
      facts: delimited(
        word,
        "page",
        JSON.stringify({ title, description, headings, actions, forms, texts: texts.slice(0, 120) }),
        14_000
      ),
      findings: delimited(
        word,
        "findings",
        JSON.stringify({
          wider_by_pixels: facts.overflow,
          sticking_out: facts.wide,
          accessibility: violations ?? "unknown"
        }),
        6000
      )
    }),
    images: [{ mediaType: "image/jpeg", bytes: picture }]
  }
}
