import type { Language } from "../../../Text/Language.ts"
import { clip, fold } from "../../../Text/PlainText.ts"
import { isAsk, ofSites } from "../MaterialLabels.ts"
import { bareItem, capitalised, sentencesIn } from "../MaterialText.ts"
import { isTrade } from "./NameReaders.ts"

/** What kind of business a description is of, by the words around its name. */

export const described = /(?:[,—–(]|\sé|\sis|\ses|\s-)\s?(?:uma?|an?|una?|the|o|a|el|la)\s([^.;\n(]{4,160})/
const forA =
  /\b(?:para|for|de|of)\s(?:(?:a minha|o meu|minha|meu|nossa|nosso|my|our|mi|nuestra|nuestro|uma?|an?|una?)\s)?(\p{Ll}[^.;:\n(]{4,160})/u

// "To capture leads of": what the page is after is not what it is of.
const capturing =
  /^(?:(?:captar|capturar|gerar|atrair|conseguir|obter|capture|collect|get|generate|attract|generar|atraer|obtener|conseguir)\s)(?:mais |more |más |novos |new |nuevos )?(?:leads?|interessad[oa]s|contatos|clientes|inscri[çc][õo]es|interesados|contactos|inscripciones|customers|clients|sign-?ups|contacts)(?:\s(?:interessad[oa]s|interesados|interested))?\s(?:de|para|em|por|of|for|in|en)\s(?:(?:uma?|an?|una?|o|a|the|el|la|our|nosso|nossa)\s)?/i

// "For clinics to book a demo": what is booked is what it is of.
const asking =
  /\s(?:pedirem|solicitarem|agendarem|marcarem|baixarem|reservarem|to (?:request|book|ask for|download|get)|pidan|soliciten|agenden|reserven|descarguen)\s(?:(?:uma?|an?|una?|o|a|the|el|la|seu|sua|their|su)\s)?/
const askedFor = (text: string): string => {
  const match = asking.exec(text)
  return match === null || match.index > 60 ? text : text.slice(match.index + match[0].length)
}

/** "A site for my car wash": of the car wash. */
const ofSite =
  /^(?:uma? |an? |una? )?(?:site|website|p[áa]gina|sitio|landing page)\s(?:para|pro|pra|for)\s(?:(?:a |o )?(?:meu|minha|nosso|nossa|my|our|mi|nuestr[oa])\s)?/i
const ofSections =
  /^(?:fotos?|photos?|contat|contact|galeria|gallery|mapa|map|formul|form|depoimentos|testimon|blog|pre[çc]os|prices|card[áa]pio|menu)/i

/** What it is, without how the site is to be: cut where the owner's wishes begin. */
const shortAbout = (whole: string): string => {
  const text = askedFor(whole.replace(ofSite, "").replace(capturing, ""))
  if (/^(?:captar|capturar|capture|collect)\b/i.test(text)) return ""
  const cut = text.search(
    /,?\s(?:com (?:se[cç]|p[aá]gina|formul|card|foto|galeria|contato|bot)|with (?:a |an |sections|pages|photos|contact|menu|form)|con (?:secc|p[aá]gina|formul|fotos|galer|contacto)|mostrando|showing|where|onde|donde|que (?:mostre|muestre|tenha|tenga)|para (?:captar|capturar|divulgar|mostrar)|to (?:show|capture|collect|present)|queremos|we want|we need)\b/i
  )
  const cutText = (cut > 3 ? text.slice(0, cut) : text).trim()
  const clauses = cutText.split(/,\s/)
  let about = clauses[0] ?? ""
  for (const clause of clauses.slice(1)) {
    if (`${about}, ${clause}`.length > 90 || ofSections.test(clause)) break
    about = `${about}, ${clause}`
  }
  const bare = bareItem(about).replace(/\s(?:e|and|y|com|with|con|em|in|en|de|of)$/, "")
  return bare.length < 4 || bare.length > 120 || ofSites.test(fold(bare)) ? "" : capitalised(bare)
}

const placed = { "pt-BR": "em", en: "in", es: "en" } as const satisfies { readonly [L in Language]: string }

const streetWords: ReadonlySet<string> = new Set("av avda ave blvd calle rua c pol cra r".split(" "))

/** ", Boulder, Colorado" or ", em Recife", and nothing else. */
const placeIn = (clause: string): string | undefined => {
  const words = clause
    .replace(/^,\s(?:(?:em|in|en)\s)?/, "")
    .trim()
    .split(/\s+/)
  return clause.startsWith(", ") &&
    words.length <= 6 &&
    !streetWords.has(fold(words[0] ?? "").replace(".", "")) &&
    words.every((word) => /^(?:\p{Lu}[\p{L}'’.-]*,?|d[aeo]s?|del|la|el|of)$/u.test(word)) &&
    /^\p{Lu}/u.test(words[0] ?? "")
    ? words.join(" ")
    : undefined
}

/** "Laboratório Exato", "Riverbend School": the word of the name that says what it is. */
const tradeIn = (name: string): string | undefined => {
  const words = name.split(" ")
  const [first = ""] = words
  const last = words.at(-1) ?? ""
  return words.length < 2 ? undefined : isTrade(first) ? first : isTrade(last) ? last : undefined
}

/** "For the bakery called Aurora": the words before the name. */
const aboutBeforeName = (before: string): string => {
  const words = before
    .slice(-80)
    .replace(/[“”"«»]/g, " ")
    .trim()
    .split(/\s+/)
  const from = words.findLastIndex((word) => /^(?:para|for|of|da|do|de)$/.test(word))
  const about = words
    .slice(from + 1)
    .filter((word) => !/^(?:a|o|the|el|la|chamad[oa]|called|named|llamad[oa])$/.test(word))
  const [first = ""] = about
  return from < 0 || !/^\p{Ll}/u.test(first) || /^(?:minha|meu|nossa|nosso|my|our|mi|nuestr[oa])$/.test(first)
    ? ""
    : shortAbout(about.join(" "))
}

/** The clause behind the name, if it says what the business is. */
const aboutBehindName = (clause: string): string | undefined => {
  const match = described.exec(clause)
  if (match !== null && match.index < 4) return shortAbout(match[1] ?? "")
  const bare = /^,\s([\p{Ll}\d][^.;\n]{4,160})/u.exec(clause)?.[1]
  const isPlace = /^(?:em|en|in|at|no|na|nos|nas|d[aeo]s?|del|of|by|com|con|with|por)\s/.test(bare ?? "")
  return bare === undefined || isPlace || isAsk(bare) ? undefined : shortAbout(bare)
}

const aboutNamed = (description: string, name: string, language: Language): string => {
  const at = name === "" ? -1 : description.indexOf(name)
  if (at < 0) return ""
  const rest = description.slice(at + name.length).replace(/^(?:[”"»]|\.(?=,))/, "")
  // A point in a number ends no clause.
  const end = rest.search(/\.(?!\d)|[;\n]/)
  const clause = end < 0 ? rest : rest.slice(0, end)
  const behind = aboutBehindName(clause)
  if (behind !== undefined) return behind
  // "Clínica veterinária Bicho Bem": the words before the name, if the description begins with them.
  const opening = /^\p{Lu}[\p{L}\s]{6,60}$/u.exec(
    description
      .slice(0, at)
      .replace(/[“”"«»]/g, "")
      .trim()
  )?.[0]
  const place = placeIn(clause)
  const location = place === undefined ? "" : ` ${placed[language]} ${place}`
  if (opening !== undefined && !isAsk(opening) && !/^(?:somos|we|nós|nos|aqui|this|tenho|tengo|i)\b/i.test(opening))
    return shortAbout(`${opening}${location}`)
  const trade = at === 0 && place !== undefined ? tradeIn(name) : undefined
  if (trade !== undefined) return shortAbout(`${trade}${location}`)
  return aboutBeforeName(description.slice(0, at))
}

/** What kind of business it is, such as "Law firm in Boston". Empty if the description does not say. */
export const aboutIn = (description: string, name: string, language: Language): string => {
  const namedKind = aboutNamed(description, name, language)
  if (namedKind !== "") return namedKind
  const [first = ""] = sentencesIn(clip(description, 200).split("\n")[0] ?? "")
  // The first sentence says what a site is for. Later ones have other subjects.
  const purpose = forA.exec(name === "" ? description : first)?.[1] ?? ""
  if (name !== "") return purpose.includes(name) || !isAsk(first) ? "" : shortAbout(purpose)
  // A description that is no order to who makes the site says what it is by itself.
  if (first.length >= 12 && first.length <= 90 && /\s/.test(first) && !/[:?!]/.test(first) && !isAsk(first))
    return shortAbout(first)
  return shortAbout(purpose)
}
