import { clip, fold } from "../../../Text/PlainText.ts"
import { stemOf } from "../../../Text/WordStems.ts"
import { isUnsure, takesBackBefore } from "../Audience.ts"
import { tellsAddress } from "../MaterialContacts.ts"
import { isAsk, kindOf } from "../MaterialLabels.ts"
import { sentencesIn, withoutEnd } from "../MaterialText.ts"
import { agreesWithAccount, mayBeName } from "./NameChoice.ts"
import {
  appositionName,
  calledName,
  cleanName,
  companyForm,
  companyWord,
  firstCharacters,
  hasTrade,
  isPlaced,
  isTrade,
  lineOfCapitals,
  type NameReader,
  nameAfter,
  nameBefore,
  nameBehindTrade,
  nameIs,
  nameOfMaker,
  nameOfOurs,
  nameOfSite,
  nameOfTrade,
  openingName,
  personal,
  quotedBehindTrade,
  quotedFor,
  runJoint,
  runWord,
  sentenceName,
  services,
  siteNamed,
  smallName,
  speakersName,
  startsWithArticle,
  subjectName,
  tradesAs,
  weAre,
  widened,
  wordCount
} from "./NameReaders.ts"

/** The name of a business, chosen among what a description may call it by the evidence for each. */

const segmentSeam = /[.!?:;,]{1,3}\s|[.!?]{1,3}$|\n|\s[—–-]\s|\s\(/g
/** Words of sentences, and of who is spoken to. */
const saying =
  /(?:amos|emos|imos)$|^(?:tu|tus|su|sus|seus?|suas?|your|the|you|tem|tiene|tengo|has|have|sou|soy|is|em|en|in|at|com|con|with|para|for)$/i
const partsOfDates: ReadonlySet<string> = new Set(
  "mon tue tues wed thu thurs fri sat sun monday tuesday wednesday thursday friday saturday sunday jan january feb february march april june july august sept september oct october nov november dec december lunes martes jueves viernes segunda quarta quinta sexta".split(
    " "
  )
)

const isOfDate = (name: string): boolean => name.split(/\s+/).some((word) => partsOfDates.has(fold(word)))

interface LoneName {
  readonly name: string
  /** Whether it begins its sentence. */
  readonly isFirst: boolean
  /** Whether another name is right behind it that is no place: "Maria Silva, Aurora Driving". */
  readonly isFollowed: boolean
}

/** Whether a part of a sentence is capitals alone, and neither a date nor words to who is spoken to. */
const isLoneName = (name: string): boolean => {
  const words = name.split(/\s+/)
  return (
    wordCount(name) > 1 &&
    words.length <= 7 &&
    /^\p{Lu}/u.test(name) &&
    words.every((word, at) => runWord.test(word) || runJoint.test(word) || (at > 0 && /^\d{1,4}$/.test(word))) &&
    !isOfDate(name) &&
    !words.some((word) => saying.test(word)) &&
    !personal.test(name) &&
    !startsWithArticle.test(words[0] ?? "") &&
    kindOf(words[0] ?? "") === undefined &&
    !tellsAddress(name) &&
    kindOf(name) === undefined &&
    !isAsk(name)
  )
}

/** The parts of a description that are a name alone. */
const loneNames = (description: string): ReadonlyArray<LoneName> => {
  const text = clip(description, firstCharacters)
  const names: Array<LoneName> = []
  let from = 0
  /** Where the last name and the mark behind it end. */
  let end = -1
  let isFirst = true
  for (const match of [...text.matchAll(segmentSeam), undefined]) {
    const name = text.slice(from, match?.index ?? text.length).trim()
    // Who said the words of a client.
    if (isLoneName(name) && !/["”»]\s{0,3}[—–-]?\s{0,3}$/.test(text.slice(0, from))) {
      const before = names.at(-1)
      if (before !== undefined && end === from && !/\s\p{Lu}{2}$|\sSt$/u.test(name))
        names[names.length - 1] = { ...before, isFollowed: true }
      names.push({ name: widened(name, description), isFirst, isFollowed: false })
      end = match === undefined ? text.length : match.index + match[0].length
    }
    isFirst = match === undefined || !/[,;:]/.test(match[0])
    from = match === undefined ? text.length : match.index + match[0].length
  }
  return names
}

/**
 * What shows that a phrase is the name of the business, from the surest on. `called`: the owner says so. `account`: a mail address
 * or an account is called like it. `own`: a sentence begins with it alone, and it has a word of its trade. `trade`: it has one elsewhere. `head`: the description begins with it.
 * `speaker`: the owner gives a name, and no business has another. `guess`: nothing but its place.
 */
const ranks = ["guess", "speaker", "head", "trade", "own", "account", "called"] as const
type Evidence = (typeof ranks)[number]

interface Candidate {
  readonly name: string
  readonly evidence: Evidence
}

const byEvidence: ReadonlyArray<readonly [Evidence, NameReader]> = [
  ["called", nameAfter(nameIs)],
  ["called", nameAfter(siteNamed)],
  ["called", calledName],
  ["called", nameAfter(tradesAs)],
  ["called", nameBefore],
  ["called", quotedBehindTrade],
  ["trade", nameAfter(weAre)],
  ["trade", nameOfTrade],
  ["trade", (description) => quotedFor(clip(description, 200))],
  ["trade", nameOfSite],
  ["speaker", speakersName],
  ["trade", nameOfOurs],
  ["trade", smallName],
  ["trade", appositionName],
  ["head", openingName],
  ["head", lineOfCapitals],
  ["head", subjectName],
  ["guess", sentenceName],
  ["trade", nameBehindTrade],
  ["trade", nameOfMaker]
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
    /^[\p{Lu}-]{2,6}$/u.test(name) ||
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
    !saysTrade(name) &&
    !sharesWord(name, description) &&
    !agreesWithAccount(name, description)
  )
}

/** True if the name was cut off, or if its sentence expresses doubt or is withdrawn. */
export const isNameInDoubt = (description: string, name: string): boolean =>
  isCut(description, name) ||
  // "Aurora is the name... or rather Alba": the owner is still thinking.
  /^[^.!?\n]{0,60}\.{3}/.test(description.slice(description.indexOf(name) + name.length)) ||
  isLoneSentence(description, name) ||
  sentencesIn(description.replaceAll("\n", ". ")).some(
    (sentence, at, all) => sentence.includes(name) && (isUnsure(sentence) || takesBackBefore(all[at + 1] ?? ""))
  )

/** Whether a name says itself that it is one. */
const saysTrade = (name: string): boolean => hasTrade(name) || name.includes("&") || companyWord.test(name)

/** Whether the description has a word of the name too: "scaffolding for rent. ANDAMIOS DEL CARIBE". */
const sharesWord = (name: string, description: string): boolean => {
  const words = new Set(description.match(/(?<![\p{L}’'&-])\p{Ll}{5,}/gu)?.map((word) => stemOf(fold(word))))
  return name.split(/\s+/).some((word) => word.length > 4 && words.has(stemOf(fold(word))))
}

const candidatesIn = (description: string): ReadonlyArray<Candidate> => {
  const read = byEvidence.flatMap(([evidence, reader]): ReadonlyArray<Candidate> => {
    const raw = reader(description)
    if (raw === undefined || services.test(raw.trim())) return []
    const name = widened(cleanName(raw), description)
    const form = companyForm.exec(description.slice(description.indexOf(name) + name.length))?.[0]
    return name === "" ? [] : [{ name: form === undefined ? name : `${name}${form}`, evidence }]
  })
  const lone = loneNames(description)
  const head = lone.find(({ isFirst }) => isFirst)
  const alone = lone.map((each): Candidate => {
    const { isFirst, name } = each
    if (saysTrade(name)) return { name, evidence: isFirst ? "own" : "trade" }
    return {
      name,
      evidence: (each === head && !each.isFollowed) || (isFirst && sharesWord(name, description)) ? "head" : "guess"
    }
  })
  return [...read, ...alone]
    .filter(({ evidence, name }) => {
      const before = description.slice(0, description.indexOf(name))
      return (
        evidence === "called" || (!isOfDate(name) && (evidence === "trade" || evidence === "own" || !isPlaced(before)))
      )
    })
    .map((each) => (agreesWithAccount(each.name, description) ? { ...each, evidence: "account" as const } : each))
}

const rankOf = ({ evidence }: Candidate): number => ranks.indexOf(evidence)

const isSameName = (one: string, other: string): boolean => {
  const [left, right] = [fold(one), fold(other)]
  return left.includes(right) || right.includes(left)
}

export interface NameRead {
  readonly name: string
  /** True if the name is beyond doubt. */
  readonly isSure: boolean
}

/** The business's name in a description, the one with the surest evidence. Undefined if there is none. */
export const nameRead = (description: string): NameRead | undefined => {
  const possible = candidatesIn(description).filter(({ name }) => mayBeName(name, description))
  const whole = possible.filter(({ name }) => !isDoubtful(name))
  const sorted = (whole.length > 0 ? whole : possible).toSorted((one, other) => rankOf(other) - rankOf(one))
  const [first] = sorted
  if (first === undefined) return undefined
  // "Maria's" is a part of "Maria's Bakery".
  const longer = sorted.find(({ evidence, name }) => evidence !== "guess" && name.startsWith(first.name))
  const name = longer?.name ?? first.name
  // A name that the description begins with, or that its reader found too, is surer than one of the same kind further below.
  const isHead = sorted.some((other) => other.evidence === "head" && other.name === first.name)
  const isRivalled =
    !isHead && sorted.some((other) => rankOf(other) === rankOf(first) && !isSameName(other.name, first.name))
  const isSure =
    whole.length > 0 &&
    first.evidence !== "guess" &&
    (!isRivalled || first.evidence === "called" || first.evidence === "account") &&
    !isNameInDoubt(description, name)
  return { name, isSure }
}

export const nameIn = (description: string): string | undefined => nameRead(description)?.name
