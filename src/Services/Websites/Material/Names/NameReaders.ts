import { clip, fold } from "../../../Text/PlainText.ts"
import { isForMaker } from "../Audience.ts"
import { briefWordsOf, canMean } from "../BriefWords.ts"
import { isAsk, kindOf } from "../MaterialLabels.ts"
import { sentencesIn, within, withoutEnd, withoutJoining } from "../MaterialText.ts"
import { isTrade as isSectorWord } from "../Sectors.ts"

/** The ways in which a description may name its business. */

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
export const weAre =
  /(?:^|[.!]\s|\n|\sand\s)(?:(?:[Oo]i|[Oo]lá|[Hh]i|[Hh]ello|[Hh]ola)[,!.]?\s)?(?:[Nn]ós somos|[Ss]omos|[Ww]e['’]re|[Ww]e are|[Aa]qui é|[Tt]his is|(?:[Ii]|[Ww]e) (?:run|own)|[Tt]enho|[Tt]engo)\s(?:the |a |o |os |as |la |el |los |las )?(?=[A-ZÀ-Ý])/u
/** "O nome é Raízes", "our name is …". */
export const nameIs =
  /(?<!\b(?:[Mm]eu|[Mm]y|[Mm]i|[Ss]eu|[Yy]our|[Ss]u)\s)\b(?:[Nn]ome(?: d[aeo]s? \p{Ll}+)?|[Nn]ame(?: of (?:the|our) \p{Ll}+)?|[Nn]ombre(?: de(?:l| la)? \p{Ll}+)?|[Bb]usiness|[Bb]rand|[Mm]arca|[Nn]eg[óo]cio|[Ee]mpresa)(?:\s(?:é|is|es)|:)?\s[“"«]?(?=[A-ZÀ-Ý])/u
/** "I trade as Fern & Fondant", "el nombre comercial es BlancoPuro", "me dicen Don Chucho". */
export const tradesAs =
  /\b(?:trad(?:e|ing) as|(?:nome|nombre) comercial es?|known as|me dicen|conocid[oa] como|conhecid[oa] como)\s[“"«]?(?=[A-ZÀ-Ý])/iu
/** "Second Chance Maths is the name": the capitals before it in its sentence. */
const isTheName = /\s(?:is the name|é o nome|es el nombre)(?!\p{L})/u
const longestName = 60
export const nameBefore: NameReader = (description) => {
  const at = description.search(isTheName)
  if (at < 0) return undefined
  const before = description.slice(Math.max(0, at - longestName), at)
  const words = before
    .slice(Math.max(before.lastIndexOf(". "), before.lastIndexOf("\n"), -1) + 1)
    .trim()
    .split(/\s+/)
  return words.every((word) => runWord.test(word) || runJoint.test(word)) ? words.join(" ") : undefined
}
export const companyWord = /(?:^|\s)(?:LLC|PLLC|Inc|Ltd|Ltda|S\.?A|S\.?L|LLP|Hnos|Bros)\.?$|'s\s\p{Lu}/u

/** Names of services that a site has, and no names of businesses. */
export const services = /^(?:whatsapp|instagram|facebook|google|maps|linkedin|youtube|tiktok|pix|seo|faq|cta)\b/i

/** "A page for the course “Sheets that work”". */
const quotedName = /["“«]([A-ZÀ-Ý][^"“«”»\n]{2,60})["”»]/u
export const quotedFor = (opening: string): string | undefined => {
  const match = quotedName.exec(opening)
  const before = opening.slice(0, match?.index ?? 0)
  const at = before.search(/\b(?:para|for)\s/)
  return match !== null && at >= 0 && !/[\p{Lu}.,:;\n]/u.test(before.slice(at)) ? match[1] : undefined
}

export const companyForm = /^,\s(?:LLC|Inc|Ltd|Ltda|S\.A|LLP|S\.L)\b\.?/

/** The first word of a name that a joining word parts from the others: "Sol do" Cerrado. */
const cutBefore = /(?:^|[^\p{L}])(\p{Lu}[\p{L}'’-]+\s(?:d[aeo]s?|del|of|&|e|y|and)\s)$/u
const cutBehind = /(?:^|\s)(?:Hnos|Hermanos de|St|Dr|Dra|Bros)$/

/** "My name is Maria Silva and I'd like …". */
const speaking = /\s(?:and|e|y)\s(?:I|Eu|Yo)(?!\p{L}).*$/u
const nameMarks = " ,.;:–—-"
/** "Cedar Lane Chiropractic in Boise": where it is belongs to no name. */
const inPlace = /\sin\s\p{Lu}[\p{L}'’-]+$/u
export const widened = (name: string, description: string): string => {
  const at = description.indexOf(name)
  const before = description.slice(Math.max(0, at - 40), Math.max(0, at))
  const begin = cutBefore.exec(before)?.[1] ?? ""
  const isOrder = begin === "" || briefWordsOf(begin).some((word) => canMean(word, "thing", "chat", "make", "wish"))
  const run = cutBehind.test(name) ? (nameRun.exec(description.slice(at))?.[0].trim() ?? "") : ""
  const whole = run.startsWith(name) ? withoutEnd(run, nameMarks) : name
  return isOrder ? whole : `${begin}${whole}`
}

export const cleanName = (raw: string): string =>
  within(
    withoutEnd(
      withoutJoining(
        withoutEnd(raw.replace(/^[“"«]|[”"»]$/g, "").replace(speaking, ""), nameMarks).replace(inPlace, "")
      ),
      nameMarks
    ),
    80
  )

const ours =
  /\b(?:minha|meu|nossa|nosso|my|our|mi|nuestra|nuestro)\s(?:\p{Ll}+\s){0,3}?[\p{Ll}-]+,\s(?:o |a |the |el |la )?(?=[A-ZÀ-Ý])/u
/** Whether a word says what kind of business it is. */
export const isTrade = (word: string): boolean => isSectorWord(word) || canMean(fold(word), "trade")

export const runWord = /^[A-ZÀ-Ý][\p{L}\d'’&.-]*$/u
export const runJoint = /^(?:d[aeo]s?|del|e|y|and|&|of|la|el)$/

/**
 * The name that a description opens with ("Taquería El Comal, en …", "Clínica veterinária Bicho Bem, …"): its first words
 * up to a comma, colon or stop, where at least two begin with capitals or the last ones do.
 */
export const openingName: NameReader = (description) => {
  const [first = "", ...others] = sentencesIn(clip(description, 400))
  const named = (sentence: string): string | undefined => {
    const name = beginningName(sentence)
    return name !== undefined && hasTrade(sentence.slice(0, sentence.indexOf(name) + name.length)) ? name : undefined
  }
  // Behind the order to make a site, a sentence must say the trade with the name.
  return beginningName(description) ?? (isForMaker(first) ? others.slice(0, 1).map(named)[0] : undefined)
}

/** "Soy plomero en Puebla" says where it is, and "tia Rosângela" is a part of a name, unless its trade is before it. */
const isCutBy = (before: string, last: ReadonlyArray<string>): boolean =>
  isPlaced(`${before} `) || (last.length === 1 && !isTrade(before))

const beginningName = (description: string): string | undefined => {
  const opening = /^[^,:;(\n–—]{2,80}?(?=[,:;(\n–—]|\.\s|\.$|$)/u.exec(description.trim())?.[0].trim() ?? ""
  if (isAsk(opening) || isForMaker(opening) || /\b(?:I|Eu|Yo)\b/.test(opening)) return undefined
  const words = opening.split(/\s/)
  const isName = (word: string): boolean => runWord.test(word)
  const isPart = (word: string): boolean => isName(word) || runJoint.test(word) || /^\d{1,4}$/.test(word)
  const end = isName(words[0] ?? "") ? words.findIndex((word) => !isPart(word)) : 0
  const first = end < 0 ? words : words.slice(0, end)
  if (first.filter(isName).length >= 2) return cleanName(first.join(" "))
  let start = Math.max(1, words.findLastIndex((word) => !isPart(word)) + 1)
  while (start < words.length && !isName(words[start] ?? "")) start++
  const last = words.slice(start)
  if (isCutBy(words[start - 1] ?? "", last)) return undefined
  return start > 1 && last.length > 0 && last.length < 6 ? cleanName(last.join(" ")) : undefined
}

/** One way in which a description names the business. */
export type NameReader = (description: string) => string | undefined

/** The name behind the end of a match. */
const nameBehind = (description: string, match: RegExpExecArray): string | undefined =>
  nameRun.exec(description.slice(match.index + match[0].length))?.[0]

/** "Website: Maple & Main Florist", "Site – Casa Luz". */
export const siteNamed =
  /^(?:[Ww]eb\s?)?(?:[Ss]ite|[Pp][áa]gina|[Ll]anding(?: page)?|[Pp]age|[Ss]itio)\s?[:–—-]\s{1,2}(?=[A-ZÀ-Ý])/u

/** 'Peluquería canina "La Bañera de Lola"': a name between quotation marks right behind its trade. */
export const quotedBehindTrade: NameReader = (description) => {
  const match = quotedName.exec(clip(description, firstCharacters))
  const before = description
    .slice(0, match?.index ?? 0)
    .trimEnd()
    .split(/\s+/)
    .slice(-2)
  return match !== null && before.some(isTrade) ? match[1] : undefined
}

export const calledName: NameReader = (description) => {
  const match = called.exec(description)
  return match === null ? undefined : (nameRun.exec(match[1] ?? "")?.[0] ?? match[1] ?? "")
}

export const nameOfSite: NameReader = (description) => {
  const match = siteFor.exec(description)
  if (match === null) return undefined
  const rest = description.slice(match.index + match[0].length)
  const run = /^[“"«]([^”"»\n]{2,60})[”"»]/.exec(rest)?.[1] ?? nameRun.exec(rest)?.[0]
  if (run === undefined || run.trim().length <= 1) return undefined
  // "A site for an HR consultancy", "para consultoria de RH": short for a thing, and no name.
  const isShort = /^[A-Z]{1,4}$/.test(run.trim()) && /\s(?:de|of)\s$/.test(match[0])
  // "A site for my boat charter out of Falmouth": where it is.
  const isOutOf = match[0].endsWith("out of ")
  return isShort || isOutOf ? undefined : run
}

export const speakersName: NameReader = (description) => {
  const match = introduced.exec(description)
  const run = match === null ? undefined : nameBehind(description, match)?.trim()
  return run?.includes(" ") === true ? run : undefined
}

export const nameOfOurs: NameReader = (description) => {
  const match = ours.exec(description)
  const run = match === null ? undefined : nameBehind(description, match)
  return run !== undefined && run.trim().length > 2 ? run : undefined
}

export const startsWithArticle =
  /^(?:O|A|Os|As|The|El|La|Los|Las|Um|Uma|We|Nós|Our|Nossa|Nosso|It|This|Este|Esta|Nuestra|Nuestro)\s?$/

export const subjectName: NameReader = (description) => {
  const subject = isCalled.exec(description.trim())?.[1]
  if (subject === undefined || startsWithArticle.test(subject) || isAsk(subject)) return undefined
  return subject.replace(/^(?:O|A|The|El|La)\s/, "")
}

const capital = /^[A-ZÀ-Ý]/
/** Short words do not show that two names belong to the same business. */
const isShort = (word: string): boolean => word.length < 4

export const firstCharacters = 1200

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

export const wordCount = (run: string): number => run.split(/\s+/).filter((word) => capital.test(word)).length
export const hasTrade = (run: string): boolean => run.split(/\s+/).some((word) => isTrade(word))

/** "I have a guest house in Paraty, Pousada Maré Mansa": a name behind a comma that says the trade of the clause before it once more. */
export const appositionName: NameReader = (description) =>
  runsIn(description, /,\s(?:o |a |the |el |la )?(?=[A-ZÀ-Ý])/g).find(({ before, run }) => {
    const wordsBefore = new Set(fold(before).split(/[^a-z0-9]+/))
    const words = fold(run).split(/[^a-z0-9]+/)
    return (
      wordCount(run) > 1 &&
      (words.some((word) => !isShort(word) && wordsBefore.has(word) && isTrade(word)) ||
        hasTrade(run) ||
        run.includes("&"))
    )
  })?.run

/** "For the schools Santo Agostinho and Magnum": whom it serves. */
const isOneTrade = (word: string): boolean => isTrade(word) && !word.endsWith("s")

/** "Site for the office Ferraz & Kuhn": a name behind its trade, which a preposition brings. */
export const nameOfTrade: NameReader = (description) =>
  runsIn(
    description,
    /\s(?:do|da|de|del|para o|para a|pro|pra|for the|for our|of the)\s\p{Ll}{4,}\s(?=[A-ZÀ-Ý])/gu
  ).find(({ lead, run }) => wordCount(run) > 1 && isOneTrade(lead.trim().split(" ").at(-1) ?? ""))?.run

/** "Of the restaurant Casa Melita": a name right behind its trade. */
export const nameBehindTrade: NameReader = (description) =>
  runsIn(description, /(?<=\p{Ll}\s)(?=[A-ZÀ-Ý])/gu)
    .filter(({ before, run }) => {
      const [last = "", previous = ""] = before.trimEnd().split(/\s+/).toReversed()
      // "Estúdio Leve", "Cantina do Porto": a trade with a capital belongs to the name, which begins before it.
      const isInside = /^\p{Lu}/u.test(last) || (/^d[aeo]s?$/.test(last) && /^\p{Lu}/u.test(previous))
      return (
        !isInside &&
        wordCount(run) > 0 &&
        run.length > 3 &&
        (isOneTrade(last) || (isTrade(previous) && !isShort(last)) || (wordCount(run) > 1 && hasTrade(run))) &&
        !/^(?:em|en|in|de|do|da|for|para)$/.test(last)
      )
    })
    .map(({ run }) => run)[0]

/** A sentence that begins with a name: two words with capitals at least, and a mark or a place behind them. */
export const sentenceName: NameReader = (description) =>
  runsIn(description, /(?:^|[.!?]\s|\n|\()(?=[A-ZÀ-Ý])/g).find(
    ({ behind, run }) =>
      wordCount(run) > 1 &&
      !isAsk(run) &&
      !startsWithArticle.test(run) &&
      kindOf(run) === undefined &&
      !personal.test(run) &&
      (/^(?:,\s|\s?[(—–:]|\s[-—–]\s|\)|\.\s|\n)/.test(behind) || (hasTrade(run) && /^(?:\s\d|\.?$)/.test(behind)))
  )?.run
export const personal =
  /^(?:I|We|My|Our|Eu|Meu|Minha|Mi|Nuestr[oa]|Dr|Dra|Sr|Sra|Mr|Mrs|Ms|Prof|Lic|Chef|Owner|Director)\b/

/** "by Oakfield Accountants", "at Vine & Anchor": a name that has its trade or joins two names. */
export const nameOfMaker: NameReader = (description) =>
  runsIn(description, /\s(?:by|from|at|da|do|de|del|para o|para a|pra)\s(?=[A-ZÀ-Ý])/g).find(
    ({ run }) => wordCount(run) > 1 && (run.includes("&") || hasTrade(run))
  )?.run

/** Signs that part the name of a profile from what it is: "HOLA & HELLO 🇪🇸 escola de idiomas". */
const profileSigns = /\s?(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\uFE0F|[|•·✨])+\s?/gu

/** Capitals alone at the beginning of a line near the top. */
export const lineOfCapitals: NameReader = (description) =>
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
export const nameAfter =
  (pattern: RegExp): NameReader =>
  (description) => {
    const match = pattern.exec(description)
    return match === null ? undefined : nameBehind(description, match)
  }

/** Words that a name behind them is not of: its place, or what is in a list. */
export const isPlaced = (before: string): boolean =>
  /(?:^|\s)(?:em|en|in|at|no|na|near|nr|around|desde)\s$/.test(before)
