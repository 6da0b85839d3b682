import type { Language } from "../../Text/Language.ts"
import { clip, fold } from "../../Text/PlainText.ts"
import { isForMaker, isUnsure, takesBackBefore } from "./Audience.ts"
import { briefWordsOf, canMean } from "./BriefWords.ts"
import { isAsk, kindOf, ofSites } from "./MaterialLabels.ts"
import { bareItem, capitalised, sentencesIn, within, withoutEnd, withoutJoining } from "./MaterialText.ts"
import { agreesWithAccount, chosenName } from "./NameChoice.ts"
import { isTrade as isSectorWord } from "./Sectors.ts"

export const described = /(?:[,—–(]|\sé|\sis|\ses|\s-)\s?(?:uma?|an?|una?|the|o|a|el|la)\s([^.;\n(]{4,160})/
const forA =
  /\b(?:para|for|de|of)\s(?:(?:a minha|o meu|minha|meu|nossa|nosso|my|our|mi|nuestra|nuestro|uma?|an?|una?)\s)?(\p{Ll}[^.;:\n(]{4,160})/u
const properName =
  "(?:(?:[A-ZÀ-Ý]|Dr|Dra|Lic|Sr|Sra|Mr|Mrs|Ms|Prof|Profa|Eng|St|Hnos)\\.(?=\\s[A-ZÀ-Ý])|[A-ZÀ-Ý0-9][\\p{L}\\d'’&-]{0,30}(?![.,/]?\\d))(?:[ ](?:d[aeo]s?|del|de la|e|y|and|&|of|the|la|el|in)(?=\\s)){0,2}"
const nameRun = new RegExp(`^(?:${properName}[ ]?){1,6}`, "u")
const called =
  /\b(?:chamad[oa]s?|denominad[oa]|called|named|llamad[oa]|cujo nome é|de nome|se chama|chama-se|chama|se llama)\s[“"«]?([^”"».,;:\n]{2,60})/i
const siteFor =
  /(?:[Ss]ite|[Pp][áa]gina|[Ll]anding|[Ww]ebsite|[Pp]age|[Ss]itio|[Ww]eb|[Ll]oja virtual|[Pp]ort[áa]l|[Pp]ort(?:f[óo]|afo)lio|[Cc]aptura)\b[^.:\n]{0,60}?\s(?:para|for|do|da|dos|das|de|del|of)\s(?:(?:a minha|o meu|minha|meu|nossa|nosso|my|our|mi|nuestra|nuestro) (?:(?:empresa|loja|neg[óo]cio|cl[íi]nica|company|business|shop|studio|firm|tienda|est[úu]dio|restaurante?) )?|(?:o|a|os|as|the|el|la|los|las|empresa|company) )?(?=[A-ZÀ-Ý“"«])/u
const isCalled =
  /^([A-ZÀ-Ý][^.,;:\n]{1,50}?)\s(?:é|is|es|são|are|son|oferece|offers|ofrece|fica|atende|wants|needs|precisa|quer|quiere|necesita)\s/u

/** "I'm Nora Lindqvist": who speaks of herself. */
const introduced =
  /\b(?:I'm|I am|[Mm]y name is|[Ee]u sou|[Mm]e chamo|[Mm]eu nome é|[Ss]oy|[Mm]e llamo|[Mm]i nombre es)\s(?:a |o |la |el )?(?=[A-ZÀ-Ý])/u
/** "We're Lumen Bookkeeping", "Somos a Clínica Sorriso Leve", "I run Bean There". */
const weAre =
  /(?:^|[.!]\s|\n|\sand\s)(?:(?:[Oo]i|[Oo]lá|[Hh]i|[Hh]ello|[Hh]ola)[,!.]?\s)?(?:[Nn]ós somos|[Ss]omos|[Ww]e['’]re|[Ww]e are|[Aa]qui é|[Tt]his is|[Ii] (?:run|own)|[Tt]enho|[Tt]engo)\s(?:the |a |o |os |as |la |el |los |las )?(?=[A-ZÀ-Ý])/u
/** "O nome é Raízes", "our name is …". */
const nameIs =
  /\b(?:[Nn]ome(?: d[aeo]s? \p{Ll}+)?|[Nn]ame(?: of (?:the|our) \p{Ll}+)?|[Nn]ombre(?: de(?:l| la)? \p{Ll}+)?|[Bb]usiness|[Bb]rand|[Mm]arca|[Nn]eg[óo]cio|[Ee]mpresa)(?:\s(?:é|is|es)|:)?\s[“"«]?(?=[A-ZÀ-Ý])/u
/** Names of services that a site has, and no names of businesses. */
const services = /^(?:whatsapp|instagram|facebook|google|maps|linkedin|youtube|tiktok|pix|seo|faq|cta)\b/i

/** "A page for the course “Sheets that work”". */
const quotedName = /["“«]([A-ZÀ-Ý][^"“«”»\n]{2,60})["”»]/u
const quotedFor = (opening: string): string | undefined => {
  const found = quotedName.exec(opening)
  const before = opening.slice(0, found?.index ?? 0)
  const at = before.search(/\b(?:para|for)\s/)
  return found !== null && at >= 0 && !/[\p{Lu}.,:;\n]/u.test(before.slice(at)) ? found[1] : undefined
}

const companyForm = /^,\s(?:LLC|Inc|Ltd|Ltda|S\.A|LLP|S\.L)\b\.?/

/** The first word of a name that a joining word parts from the others: "Sol do" Cerrado. */
const cutBefore = /(?:^|[^\p{L}])(\p{Lu}[\p{L}'’-]+\s(?:d[aeo]s?|del|of|&|e|y|and)\s)$/u
const cutBehind = /(?:^|\s)(?:Hnos|Hermanos de|St|Dr|Dra|Bros)$/

const nameMarks = " ,.;:–—-"
/** "Cedar Lane Chiropractic in Boise": where it is belongs to no name. */
const inPlace = /\sin\s\p{Lu}[\p{L}'’-]+$/u
const widened = (name: string, description: string): string => {
  const at = description.indexOf(name)
  const before = description.slice(Math.max(0, at - 40), Math.max(0, at))
  const begin = cutBefore.exec(before)?.[1] ?? ""
  const isOrder = begin === "" || briefWordsOf(begin).some((word) => canMean(word, "thing", "chat", "make", "wish"))
  const run = cutBehind.test(name) ? (nameRun.exec(description.slice(at))?.[0].trim() ?? "") : ""
  const whole = run.startsWith(name) ? withoutEnd(run, nameMarks) : name
  return isOrder ? whole : `${begin}${whole}`
}

const cleanName = (raw: string): string =>
  within(
    withoutEnd(
      withoutJoining(withoutEnd(raw.replace(/^[“"«]|[”"»]$/g, ""), nameMarks).replace(inPlace, "")),
      nameMarks
    ),
    80
  )

const ours =
  /\b(?:minha|meu|nossa|nosso|my|our|mi|nuestra|nuestro)\s(?:\p{Ll}+\s){0,3}?[\p{Ll}-]+,\s(?:o |a |the |el |la )?(?=[A-ZÀ-Ý])/u
/** Whether a word says what kind of business it is. */
export const isTrade = (word: string): boolean => isSectorWord(word) || canMean(fold(word), "trade")

const runWord = /^[A-ZÀ-Ý][\p{L}\d'’&.-]*$/u
const runJoint = /^(?:d[aeo]s?|del|e|y|and|&|of|la|el)$/

/**
 * The name that a description opens with ("Taquería El Comal, en …", "Clínica veterinária Bicho Bem, …"): its first words
 * up to a comma, colon or stop, where at least two begin with capitals or the last ones do.
 */
const openingName: NameReader = (description) => {
  const [first = "", ...others] = sentencesIn(clip(description, 400))
  const named = (sentence: string): string | undefined => {
    const name = beginningName(sentence)
    return name !== undefined && hasTrade(sentence.slice(0, sentence.indexOf(name) + name.length)) ? name : undefined
  }
  // Behind the order to make a site, a sentence must say the trade with the name.
  return beginningName(description) ?? (isForMaker(first) ? others.slice(0, 1).map(named)[0] : undefined)
}

const beginningName = (description: string): string | undefined => {
  const opening = /^[^,:;(\n–—]{2,80}?(?=[,:;(\n–—]|\.\s|\.$|$)/u.exec(description.trim())?.[0].trim() ?? ""
  if (isAsk(opening) || isForMaker(opening) || /\b(?:I|Eu|Yo)\b/.test(opening)) return undefined
  const words = opening.split(/\s/)
  const isName = (word: string): boolean => runWord.test(word)
  const isPart = (word: string): boolean => isName(word) || runJoint.test(word)
  const end = isName(words[0] ?? "") ? words.findIndex((word) => !isPart(word)) : 0
  const first = end < 0 ? words : words.slice(0, end)
  if (first.filter(isName).length >= 2) return cleanName(first.join(" "))
  let start = Math.max(1, words.findLastIndex((word) => !isPart(word)) + 1)
  while (start < words.length && !isName(words[start] ?? "")) start++
  const last = words.slice(start)
  return start > 1 && last.length > 0 && last.length < 6 ? cleanName(last.join(" ")) : undefined
}

/** One way in which a description names the business. */
type NameReader = (description: string) => string | undefined

/** The name behind the end of a match. */
const nameBehind = (description: string, match: RegExpExecArray): string | undefined =>
  nameRun.exec(description.slice(match.index + match[0].length))?.[0]

/** "Website: Maple & Main Florist", "Site – Casa Luz". */
const siteNamed =
  /^(?:[Ww]eb\s?)?(?:[Ss]ite|[Pp][áa]gina|[Ll]anding(?: page)?|[Pp]age|[Ss]itio)\s?[:–—-]\s{1,2}(?=[A-ZÀ-Ý])/u

/** 'Peluquería canina "La Bañera de Lola"': a name between quotation marks right behind its trade. */
const quotedBehindTrade: NameReader = (description) => {
  const match = quotedName.exec(clip(description, firstCharacters))
  const before = description
    .slice(0, match?.index ?? 0)
    .trimEnd()
    .split(/\s+/)
    .slice(-2)
  return match !== null && before.some(isTrade) ? match[1] : undefined
}

const calledName: NameReader = (description) => {
  const match = called.exec(description)
  return match === null ? undefined : (nameRun.exec(match[1] ?? "")?.[0] ?? match[1] ?? "")
}

const nameOfSite: NameReader = (description) => {
  const match = siteFor.exec(description)
  if (match === null) return undefined
  const rest = description.slice(match.index + match[0].length)
  const run = /^[“"«]([^”"»\n]{2,60})[”"»]/.exec(rest)?.[1] ?? nameRun.exec(rest)?.[0]
  if (run === undefined || run.trim().length <= 1) return undefined
  // "A site for an HR consultancy", "para consultoria de RH": short for a thing, and no name.
  const isShort = /^[A-Z]{1,4}$/.test(run.trim()) && /\s(?:de|of)\s$/.test(match[0])
  return isShort ? undefined : run
}

const speakersName: NameReader = (description) => {
  const match = introduced.exec(description)
  const run = match === null ? undefined : nameBehind(description, match)?.trim()
  return run?.includes(" ") === true ? run : undefined
}

const nameOfOurs: NameReader = (description) => {
  const match = ours.exec(description)
  const run = match === null ? undefined : nameBehind(description, match)
  return run !== undefined && run.trim().length > 2 ? run : undefined
}

const startsWithArticle =
  /^(?:O|A|Os|As|The|El|La|Los|Las|Um|Uma|We|Nós|Our|Nossa|Nosso|It|This|Este|Esta|Nuestra|Nuestro)\s?$/

const subjectName: NameReader = (description) => {
  const subject = isCalled.exec(description.trim())?.[1]
  if (subject === undefined || startsWithArticle.test(subject) || isAsk(subject)) return undefined
  return subject.replace(/^(?:O|A|The|El|La)\s/, "")
}

const capital = /^[A-ZÀ-Ý]/
/** Short words do not show that two names belong to the same business. */
const isShort = (word: string): boolean => word.length < 4

const firstCharacters = 1200

/** The runs of capitalised words that stand behind a mark or a word, with what is before and behind them. */
const runsIn = (
  description: string,
  lead: RegExp
): ReadonlyArray<{ readonly run: string; readonly lead: string; readonly before: string; readonly behind: string }> =>
  [...clip(description, firstCharacters).matchAll(lead)].flatMap((match) => {
    const at = match.index + match[0].length
    const run = withoutJoining(nameRun.exec(description.slice(at))?.[0] ?? "")
    if (run === "" || !capital.test(run)) return []
    const sentence = description.slice(0, match.index)
    const from = Math.max(sentence.lastIndexOf(". "), sentence.lastIndexOf("\n"), 0)
    // Who said the words of a client, and where that person works.
    if (/["”»]\s{0,3}[—–-]/.test(sentence.slice(from))) return []
    return [
      {
        run,
        lead: match[0],
        before: sentence.slice(from),
        behind: description.slice(description.indexOf(run, at) + run.length)
      }
    ]
  })

const wordCount = (run: string): number => run.split(/\s+/).filter((word) => capital.test(word)).length
const hasTrade = (run: string): boolean => run.split(/\s+/).some((word) => isTrade(word))

/** "I have a guest house in Paraty, Pousada Maré Mansa": a name behind a comma that says the trade of the clause before it once more. */
const appositionName: NameReader = (description) =>
  runsIn(description, /,\s(?:o |a |the |el |la )?(?=[A-ZÀ-Ý])/g).find(({ before, run }) => {
    const wordsBefore = new Set(fold(before).split(/[^a-z0-9]+/))
    const words = fold(run).split(/[^a-z0-9]+/)
    return (
      wordCount(run) > 1 &&
      (words.some((word) => !isShort(word) && wordsBefore.has(word)) || hasTrade(run) || run.includes("&"))
    )
  })?.run

/** "Site for the office Ferraz & Kuhn": a name behind its trade, which a preposition brings. */
const nameOfTrade: NameReader = (description) =>
  runsIn(
    description,
    /\s(?:do|da|de|del|para o|para a|pro|pra|for the|for our|of the)\s\p{Ll}{4,}\s(?=[A-ZÀ-Ý])/gu
  ).find(({ lead, run }) => wordCount(run) > 1 && isTrade(lead.trim().split(" ").at(-1) ?? ""))?.run

/** "Of the restaurant Casa Melita": a name right behind its trade. */
const nameBehindTrade: NameReader = (description) =>
  runsIn(description, /(?<=\p{Ll}\s)(?=[A-ZÀ-Ý])/gu)
    .filter(({ before, run }) => {
      const [last = "", previous = ""] = before.trimEnd().split(/\s+/).toReversed()
      // "Estúdio Leve", "Cantina do Porto": a trade with a capital belongs to the name, which begins before it.
      const isInside = /^\p{Lu}/u.test(last) || (/^d[aeo]s?$/.test(last) && /^\p{Lu}/u.test(previous))
      return (
        !isInside &&
        wordCount(run) > 0 &&
        run.length > 3 &&
        (isTrade(last) || (isTrade(previous) && !isShort(last)) || (wordCount(run) > 1 && hasTrade(run))) &&
        !/^(?:em|en|in|de|do|da|for|para)$/.test(last)
      )
    })
    .map(({ run }) => run)[0]

/** A sentence that begins with a name: two words with capitals at least, and a mark or a place behind them. */
const sentenceName: NameReader = (description) =>
  runsIn(description, /(?:^|[.!?]\s|\n|\()(?=[A-ZÀ-Ý])/g).find(
    ({ behind, run }) =>
      wordCount(run) > 1 &&
      !isAsk(run) &&
      !startsWithArticle.test(run) &&
      kindOf(run) === undefined &&
      !personal.test(run) &&
      (/^(?:,\s|\s?[(—–:]|\s[-—–]\s|\)|\.\s|\n)/.test(behind) || (hasTrade(run) && /^(?:\s\d|\.?$)/.test(behind)))
  )?.run
const personal = /^(?:I|We|My|Our|Eu|Meu|Minha|Mi|Nuestr[oa]|Dr|Dra|Sr|Sra|Mr|Mrs|Ms|Prof|Lic)\b/

/** "by Oakfield Accountants", "at Vine & Anchor": a name that has its trade or joins two names. */
const nameOfMaker: NameReader = (description) =>
  runsIn(description, /\s(?:by|from|at|da|do|de|del|en|em|no|na|para o|para a|pra)\s(?=[A-ZÀ-Ý])/g).find(
    ({ run }) => wordCount(run) > 1 && (run.includes("&") || hasTrade(run))
  )?.run

/** Signs that part the name of a profile from what it is: "HOLA & HELLO 🇪🇸 escola de idiomas". */
const profileSigns = /\s?(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\uFE0F|[|•·✨])+\s?/gu

/** Capitals alone at the beginning of a line near the top. */
const lineOfCapitals: NameReader = (description) =>
  clip(description, firstCharacters)
    .split("\n")
    .slice(0, 8)
    .flatMap((line) =>
      line
        .split(profileSigns)
        .filter((part) => part.trim() !== "")
        .slice(0, 1)
    )
    .map((line) => line.trim())
    .find(
      (line) =>
        line.length <= 60 &&
        line.split(" ").length > 1 &&
        !/[\d\p{Ll}:.*>]/u.test(line) &&
        /\p{Lu}{3}/u.test(line) &&
        kindOf(line) === undefined
    )

/** "Somos migajón, panadería de masa madre": a name without a capital, and its trade behind it. */
export const smallName: NameReader = (description) => {
  const match = /\b(?:somos|we are|we're)\s(\p{Ll}{3,24}),\s(?:(?:uma?|una?|an?|the|la|el)\s)?(\p{Ll}+)/u.exec(
    clip(description, 300)
  )
  const [, name = "", trade = ""] = match ?? []
  return name !== "" && isTrade(trade) && !isTrade(name) ? name : undefined
}

/** The name behind the words that the pattern finds. */
const nameAfter =
  (pattern: RegExp): NameReader =>
  (description) => {
    const match = pattern.exec(description)
    return match === null ? undefined : nameBehind(description, match)
  }

/** Ways to name a business that leave no doubt. */
const nameReaders: ReadonlyArray<NameReader> = [
  nameAfter(nameIs),
  nameAfter(siteNamed),
  calledName,
  quotedBehindTrade,
  nameAfter(weAre),
  nameOfTrade,
  (description) => quotedFor(clip(description, 200)),
  nameOfSite,
  speakersName,
  nameOfOurs,
  smallName,
  appositionName,
  openingName,
  lineOfCapitals,
  subjectName,
  sentenceName,
  nameBehindTrade,
  nameOfMaker
]

/** Shorter ones may be short for anything: "TV". */
const shortestSure = 3

/** Whether a name could as well be the beginning of a sentence, or a word for what the business does. */
export const isDoubtful = (name: string): boolean => {
  const words = name.split(/\s+/)
  return (
    words.length > 7 ||
    name.length < shortestSure ||
    // "FREE", "NOVO": a word for emphasis.
    /^\p{Lu}{2,6}$/u.test(name) ||
    isAsk(name) ||
    !/\p{Lu}/u.test(name) ||
    (words.length === 1 && isTrade(name)) ||
    /^(?:we|our|nós|nosso|nossa|somos|this|i'm|welcome|bem-vind|bienvenid)\b/i.test(name)
  )
}

/** "Doce da nair": a name that continues with a word that has no capital was cut. */
const isCut = (description: string, name: string): boolean =>
  /^\s(?:d[aeo]s?|del|of|&)\s\p{Ll}/u.test(description.slice(description.indexOf(name) + name.length))

/** A sentence that is a name alone, and not the first, may name a place: "São José dos Campos." */
const isLoneSentence = (description: string, name: string): boolean => {
  const [, ...others] = sentencesIn(description.replaceAll("\n", ". "))
  return (
    description.split(name).length === 2 &&
    others.some((sentence) => withoutEnd(sentence, ".!") === name) &&
    !hasTrade(name) &&
    !name.includes("&") &&
    !agreesWithAccount(name, description)
  )
}

/** True if the name was cut off, or if its sentence expresses doubt or is withdrawn. */
export const isNameInDoubt = (description: string, name: string): boolean =>
  isCut(description, name) ||
  isLoneSentence(description, name) ||
  sentencesIn(description.replaceAll("\n", ". ")).some(
    (sentence, at, all) => sentence.includes(name) && (isUnsure(sentence) || takesBackBefore(all[at + 1] ?? ""))
  )

/** The business's name in a description. Undefined if there is none. */
export const nameIn = (description: string): string | undefined => {
  const candidates = nameReaders.flatMap((read) => {
    const raw = read(description)
    if (raw === undefined || services.test(raw.trim())) return []
    const name = widened(cleanName(raw), description)
    const form = companyForm.exec(description.slice(description.indexOf(name) + name.length))?.[0]
    return name === "" ? [] : [form === undefined ? name : `${name}${form}`]
  })
  const first = chosenName(candidates, description)
  if (first === undefined || !isDoubtful(first)) return first
  const surer = candidates.filter((name) => !isDoubtful(name) && (hasTrade(name) || name.includes("&")))
  return chosenName(surer, description) ?? first
}

// "To capture leads of": what the page is after is not what it is of.
const capturing =
  /^(?:(?:captar|capturar|gerar|atrair|conseguir|obter|capture|collect|get|generate|attract|generar|atraer|obtener|conseguir)\s)(?:mais |more |más |novos |new |nuevos )?(?:leads?|interessad[oa]s|contatos|clientes|inscri[çc][õo]es|interesados|contactos|inscripciones|customers|clients|sign-?ups|contacts)(?:\s(?:interessad[oa]s|interesados|interested))?\s(?:de|para|em|por|of|for|in|en)\s(?:(?:uma?|an?|una?|o|a|the|el|la|our|nosso|nossa)\s)?/i

// "For clinics to book a demo": what is booked is what it is of.
const asking =
  /\s(?:pedirem|solicitarem|agendarem|marcarem|baixarem|reservarem|to (?:request|book|ask for|download|get)|pidan|soliciten|agenden|reserven|descarguen)\s(?:(?:uma?|an?|una?|o|a|the|el|la|seu|sua|their|su)\s)?/
const askedFor = (text: string): string => {
  const found = asking.exec(text)
  return found === null || found.index > 60 ? text : text.slice(found.index + found[0].length)
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
  const kept = (cut > 3 ? text.slice(0, cut) : text).trim()
  const clauses = kept.split(/,\s/)
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
  const end = rest.search(/[.;\n]/)
  const clause = end < 0 ? rest : rest.slice(0, end)
  const behind = aboutBehindName(clause)
  if (behind !== undefined) return behind
  // "Clínica veterinária Bicho Bem": the words before the name, if the description begins with them.
  const opening = /^\p{Lu}[\p{L}\s]{6,60}$/u.exec(description.slice(0, at).trim())?.[0]
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
  const known = aboutNamed(description, name, language)
  if (known !== "") return known
  const [first = ""] = sentencesIn(clip(description, 200).split("\n")[0] ?? "")
  // The first sentence says what a site is for. Later ones have other subjects.
  const asked = forA.exec(name === "" ? description : first)?.[1] ?? ""
  if (name !== "") return asked.includes(name) || !isAsk(first) ? "" : shortAbout(asked)
  // A description that is no order to who makes the site says what it is by itself.
  if (first.length >= 12 && first.length <= 90 && /\s/.test(first) && !/[:?!]/.test(first) && !isAsk(first))
    return shortAbout(first)
  return shortAbout(asked)
}
