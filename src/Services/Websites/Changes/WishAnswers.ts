import { fold } from "../../Text/PlainText.ts"
import { isDoubtful } from "../Material/MaterialNames.ts"
import { withoutEnd } from "../Material/MaterialText.ts"
import type { ChangeDesk } from "./ChangeDesk.ts"
import { settingName } from "./WishNames.ts"
import { change, type Outcome } from "./WishOutcome.ts"
import { wordsOf } from "./WishTokens.ts"
import { actsOf } from "./WishWords.ts"

const asItIs =
  /^(?:(?:pode |pode-se )?(?:publi(?:que|ca|car|quem))(?: o site)?(?: assim| desse jeito| como est[aá])(?: mesmo)?|publish (?:it|the site)?\s?(?:as (?:it )?is|like this|anyway)|publ[ií]quel[oa] as[ií]|public[aá](?:lo)? as[ií]|publicar as[ií])$/i

const weAre =
  /^(?:somos|nós somos|a gente é|we are|we're|we’re|nosotros somos|chamamos|nos chamamos|nos llamamos|é|es|it's|it is)\s(?:a |o |the |la |el |los |las )?(?=[\p{Lu}\d])/iu

/** Bare answers to what the owner was asked: "Câmbio Certo", "Somos a Câmbio Certo", "Publish it as it is". */
export const answering = (text: string, desk: ChangeDesk): Outcome | undefined => {
  const { notes, site } = desk
  const open = site.questions ?? []
  const plain = withoutEnd(text.trim(), ".!")
  if (open.includes("foreign") && asItIs.test(plain)) return change(notes.published, [], { answers: ["foreign"] })
  if (!open.includes("name")) return undefined
  const name = plain
    .replace(weAre, "")
    .replace(/^[“"«']|[”"»']$/g, "")
    .trim()
  const words = wordsOf(name)
  const isBare = words.length > 0 && words.length <= 6 && /^[\p{Lu}\d]/u.test(name) && !/[:;,?!\n@]|\d{4}/.test(name)
  const capitals = name.split(/\s+/).filter((word) => /^[\p{Lu}\d&]/u.test(word)).length
  if (!isBare || isDoubtful(name) || capitals * 2 < words.length) return undefined
  if (plain === name && actsOf(fold(name.split(/\s/)[0] ?? "")).length > 0) return undefined
  return settingName(desk, name)
}
