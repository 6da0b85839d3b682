import { say } from "../Messages/Messages.ts"
import { asksForCall } from "../Replies/Times/CallWish.ts"
import type { Draft } from "./Draft.ts"
import { linkFor, type Material, oneLine } from "./Material.ts"
import { isIn } from "./OneLanguage.ts"

/** The first words of a call, and the instructions for its caller. */
export const callScript = ({ brief, language, pitch, wishes, words }: Material): Draft => {
  const { ownersLanguage = language } = brief
  const aim = say(language, `calls.aims.${wishes.ask}`)
  const instructionLines = [brief.instructions.goal, brief.instructions.nextTouch, brief.instructions.channel]
    .map((text) => oneLine(text ?? "", 600))
    .filter((text) => text !== "" && !/[{}[\]<>]/.test(text) && isIn(text, language, ownersLanguage))
  const link = linkFor(brief, ["scheduling", "website"])
  return {
    openingLine: oneLine(say(language, "calls.opening_line", { ...words, dayPart: brief.dayPart }), 300),
    body: [
      say(language, "calls.goal", { ...words, aim }),
      ...(brief.kind._tag === "response" && asksForCall(brief.kind.reading)
        ? [say(language, "calls.asked_for_call")]
        : []),
      ...(pitch === undefined ? [] : [pitch]),
      ...instructionLines.map((text) => say(language, "calls.context", { text })),
      ...(brief.instructions.verbatim === undefined ? [] : [brief.instructions.verbatim.trim()]),
      ...(link === undefined ? [] : [say(language, "calls.link", { url: link.url })]),
      say(language, "calls.respect")
    ].join("\n")
  }
}
