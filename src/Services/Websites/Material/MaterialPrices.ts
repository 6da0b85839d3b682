import { bareItem, capitalised, itemsIn, titled, within, withoutEnd } from "./MaterialText.ts"

export interface PricedItem {
  readonly name: string
  readonly price: string
  readonly text: string
  readonly includes: ReadonlyArray<string>
}

const money =
  /(?:(?:a partir de|from|desde|starting at|por apenas|s[oó])\s)?(?:R\$|US\$|S\/|€|£|\$)\s?\d[\d.,]{0,14}\d?|(?:(?:a partir de|from|desde|starting at)\s)?\d[\d.,]{0,14}\s?(?:€|(?:reais|euros?|d[oó]lares|dollars|USD|EUR|pesos)\b)/i
const period =
  /^\s?(?:\/\s?(?:m[eê]s|mes|month|ano|year|año|dia|day|hora|hour|hrs?|h|mo|wk|week|semana|yr|pessoa|person|persona|pp|head|noite|night|noche|aula|kg|un|unidade|m²|m2|sess[aã]o|session)|(?:por|per|al|a) (?:m[eê]s|mes|month|ano|year|año|dia|day|hora|hour|pessoa|person|persona|noite|night|noche|aula|unidade|sess[aã]o|session))\b/i

export const priced = (text: string): PricedItem | undefined => {
  const found = money.exec(text)
  if (found === null) return undefined
  const after = text.slice(found.index + found[0].length)
  const per = period.exec(after)?.[0] ?? ""
  const before = bareItem(
    withoutEnd(text.slice(0, found.index), " (–—:-").replace(
      /\s(?:por|for|a|at|de|custa|costs?|cuesta|sai por|es)$/i,
      ""
    )
  )
  // "Free delivery over R$ 150" is a condition.
  if (/\b(?:acima|mais|over|above|more than|por encima|m[áa]s|superior(?:es)?)(?: de| a)?$/i.test(before))
    return undefined
  const rest = after.slice(per.length).replace(/^[\s).,:;–—-]+/, "")
  const [name = "", ...more] = before === "" ? [titled(rest).title] : before.split(/\s[–—-]\s|:\s/)
  if (name.length < 2 || name.length > 90) return undefined
  const told = [...more, ...(before === "" ? [titled(rest).text] : [rest])]
    .filter((part) => part.trim() !== "")
    .join(". ")
  const list = itemsIn(told)
  return {
    name: within(capitalised(name.replace(/^(?:o|a|os|as|the|el|la)\s/i, "")), 120),
    price: within(withoutEnd(`${found[0]}${per}`, ".,").trim(), 60),
    text: list.length > 1 ? "" : within(capitalised(bareItem(told)), 400),
    includes: list.length > 1 ? list.slice(0, 12).map((item) => within(capitalised(item), 200)) : []
  }
}
