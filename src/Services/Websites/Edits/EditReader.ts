import { detectLanguage, type Language, languageOf } from "../../Text/Language.ts"
import type { UndoneWish, WishReport } from "../../Text/WishReport.ts"
import { within } from "../Material/MaterialText.ts"
import type { OpenQuestion, Site } from "../Site.ts"
import { questionTexts, stillOpen, stillUnclear } from "../Writing/OpenQuestions.ts"
import type { SiteMaterial } from "../Writing/SiteWriter.ts"
import type { EditDesk } from "./EditDesk.ts"
import type { UntouchedPart } from "./EditGuards.ts"
import { editNotes } from "./EditNotes.ts"
import { verified } from "./EditVerify.ts"
import { answeringFields } from "./FieldAnswers.ts"
import { conditionalDates } from "./Reading/ConditionalDates.ts"
import { clauseOf, type Inherited, nothingInherited } from "./Reading/EditClause.ts"
import { framed } from "./Reading/EditFrames.ts"
import { isComplaint, leftBy, mayLimit, type Segment, segmentsOf, startsClause } from "./Reading/EditSegments.ts"
import { partsOf, type Sentence, sentencesOf } from "./Reading/EditSentences.ts"
import { has, isWord, type Token, wordsOf } from "./Reading/EditTokens.ts"
import { hasRole } from "./Reading/EditWords.ts"
import { says } from "./SiteTexts.ts"
import { thingsOf } from "./SiteThings.ts"

export interface ChangedSite {
  readonly site: Site
  readonly notes: ReadonlyArray<string>
  readonly report: WishReport
}

/** A wish that was understood. It is carried out after the whole prompt has been read. */
interface Plan {
  readonly segment: Segment
  readonly sentence: number
  /** Times in the sentence that may limit when the change applies. */
  readonly dates: ReadonlyArray<string>
}

/** The result of reading a prompt, before anything is changed. */
interface Reading {
  readonly plans: ReadonlyArray<Plan>
  readonly guards: ReadonlyArray<UntouchedPart>
  readonly notDone: ReadonlyArray<UndoneWish>
}

interface Setting {
  readonly material: SiteMaterial
  readonly notes: EditDesk["notes"]
  readonly language: Language
  readonly prompt: string
}

/** "No" is "in the" in Portuguese and a negation in English and Spanish. */
const withDenials = (tokens: ReadonlyArray<Token>, language: Language): ReadonlyArray<Token> =>
  language === "pt-BR" ? tokens : tokens.map((token) => (token.word === "no" ? { ...token, word: "not" } : token))

const requests: ReadonlySet<string> = new Set(
  "can could would will pode podem poderia poderiam da consegue puede pueden puedes podrias podria podrian podeis podes may".split(
    " "
  )
)

/** True for a sentence that asks a question. Its statements about the site are not orders. */
const isQuestion = ({ text, tokens }: Sentence): boolean => {
  const words = tokens.filter(isWord)
  const [first, second] = words.filter(
    (token) => !has(token, "chatter") && !["wait", "so", "and", "e", "y", "una", "cosa"].includes(token.word)
  )
  const ordering = words.some(
    (token, at) =>
      has(token, "add", "remove", "change", "move", "set") &&
      !has(token, "copula", "interrogative") &&
      !["decir", "dizer", "say", "tell", "diga", "dime", "ver"].includes(token.word) &&
      at < 6
  )
  const isRequest = words.slice(0, 4).some(({ word }) => requests.has(word))
  if (words.some((token) => has(token, "spelled"))) return false
  if (isRequest && words.some(({ word }) => ["be", "come", "have", "ser", "ficar", "quedar", "ir"].includes(word)))
    return false
  if (text.includes(":") && words.some((token) => has(token, "question"))) return false
  if (text.trimEnd().endsWith("?") || text.includes("¿"))
    return !(isRequest && ordering) && !(ordering && isOrderFirst(words))
  return (
    first !== undefined &&
    has(first, "interrogative") &&
    !requests.has(first.word) &&
    second !== undefined &&
    ["is", "are", "it", "many", "much", "do", "does", "the"].includes(second.word) &&
    !ordering
  )
}

const isOrderFirst = (words: ReadonlyArray<Token>): boolean =>
  words.slice(0, 2).some((token) => has(token, "add", "remove", "change", "move") && !has(token, "copula"))

const undone = (wish: string, reason: string, suggestion: string): UndoneWish => ({
  wish: within(wish, 300),
  reason,
  suggestion
})

/** The prices and answers on the site that a question is about. */
const shownOf = (sentence: Sentence, site: Site): string => {
  const words = sentence.tokens
    .filter((token) => isWord(token) && !has(token, "function", "polite", "price", "interrogative"))
    .map(({ word }) => word)
  const named = thingsOf(site).filter(
    ({ kind, name }) =>
      (kind === "price" || kind === "question") && wordsOf(name).some((word) => words.includes(word) && word.length > 3)
  )
  return named
    .slice(0, 3)
    .map(({ index, name, placed: { block } }) =>
      block._tag === "Prices"
        ? `${name}: ${block.items[index]?.price ?? ""}`
        : block._tag === "Questions"
          ? `${name} ${block.items[index]?.answer ?? ""}`
          : name
    )
    .join("; ")
}

const isOfDrafts = (words: ReadonlyArray<string>): boolean =>
  words.some((word) => ["rascunho", "draft", "borrador"].includes(word))
const isOfLanguages = (words: ReadonlyArray<string>): boolean =>
  words.some((word) => /^(?:traduz|traduc|translat)/.test(word)) ||
  (words.some((word) =>
    ["ingles", "english", "espanhol", "spanish", "espanol", "portugues", "portuguese"].includes(word)
  ) &&
    !words.some((word) => hasRole(word, "item")))
const isOfUndoing = (words: ReadonlyArray<string>): boolean =>
  words.some((word) =>
    ["volta", "voltar", "desfaz", "undo", "revert", "deshaz", "vuelve", "desfazer", "back"].includes(word)
  ) &&
  words.some((word) =>
    ["antes", "before", "was", "tava", "estava", "anterior", "ultima", "undo", "desfaz", "deshaz", "revert"].includes(
      word
    )
  )

/** Replaces the reason of an undone wish by a more specific one for drafts, undo and languages. */
const explained = ({ reason, suggestion, wish }: UndoneWish, notes: EditDesk["notes"]): UndoneWish => {
  const words = wordsOf(wish)
  if (isOfDrafts(words)) return { wish, reason: notes.noDraft, suggestion }
  if (isOfUndoing(words)) return { wish, reason: notes.noUndo, suggestion: notes.restore }
  return isOfLanguages(words) ? { wish, reason: notes.noLanguage, suggestion } : { wish, reason, suggestion }
}

const textOf = (prompt: string, tokens: ReadonlyArray<Token>): string =>
  prompt.slice(tokens[0]?.start, tokens.at(-1)?.end).trim()

/** True if only a joining word separates two segments of a sentence. */
const isWeakSeam = (left: Segment, right: Segment): boolean =>
  left.tokens.at(-1)?.kind !== "mark" && right.clause.verb === undefined

/** Segments that may not be carried out, because a neighbouring part was not understood and could belong to them. */
const inDoubt = (segments: ReadonlyArray<Segment>): ReadonlySet<Segment> => {
  const doubted = new Set<Segment>()
  segments.forEach((segment, at) => {
    if (segment.is !== "unknown" || isComplaint(segment)) return
    const [before, behind] = [segments[at - 1], segments[at + 1]]
    const mayContinue =
      before?.is === "change" &&
      before.outcome.scope === "addition" &&
      segment.clause.verb === undefined &&
      !startsClause(segment.tokens)
    if (
      before !== undefined &&
      before.is === "change" &&
      (mayContinue || isWeakSeam(before, segment) || mayLimit(segment))
    )
      doubted.add(before)
    // In "On Sundays, remove the Solo plan", the first part may limit the second.
    if (
      behind !== undefined &&
      behind.is === "change" &&
      segment.clause.verb === undefined &&
      (at === 0 || behind.clause.verb === undefined)
    )
      doubted.add(behind)
  })
  return doubted
}

const pronouns: ReadonlySet<string> = new Set(["it", "them", "isso", "eso", "dela", "dele", "deles", "delas"])

/** True if a wish contains a pronoun that refers to the previous wish. */
const speaksOfBefore = ({ clause }: Segment): boolean => clause.tokens.some(({ word }) => pronouns.has(word))

/** Joins neighbouring parts that were not understood. */
const adjoined = (parts: ReadonlyArray<ReadonlyArray<Token>>): ReadonlyArray<ReadonlyArray<Token>> => {
  const joined: Array<ReadonlyArray<Token>> = []
  for (const part of parts) {
    const last = joined.at(-1)
    const gap = (part[0]?.start ?? 0) - (last?.at(-1)?.end ?? 0)
    if (last !== undefined && gap <= 2) joined[joined.length - 1] = [...last, ...part]
    else joined.push(part)
  }
  return joined
}

/** The site after the changes of earlier sentences, because a later sentence may refer to them. */
const siteAfter = (site: Site, plans: ReadonlyArray<Plan>, { material, notes, prompt }: Setting): Site =>
  plans.reduce((each, { segment }) => {
    if (segment.is !== "change") return each
    const result = verified(segment.outcome, { site: each, material, notes, prompt })
    return result._tag === "Done" ? result.site : each
  }, site)

interface SortedSegments {
  readonly plans: ReadonlyArray<Plan>
  readonly notDone: ReadonlyArray<UndoneWish>
  readonly isLastUndone: boolean
}

/** Sorts the segments of a sentence into changes and undone wishes. */
const sortedSegments = (
  segments: ReadonlyArray<Segment>,
  before: {
    readonly plans: ReadonlyArray<Plan>
    readonly index: number
    readonly dates: ReadonlyArray<string>
    readonly isLastUndone: boolean
  },
  { notes, prompt }: Setting
): SortedSegments => {
  const doubted = inDoubt(segments)
  const reports: Array<ReadonlyArray<Token>> = []
  const notDone: Array<UndoneWish> = []
  let { isLastUndone, plans } = before
  for (const segment of segments) {
    const text = textOf(prompt, segment.tokens)
    switch (segment.is) {
      case "withdrawal":
        // A withdrawal cancels the changes of the same sentence. At the start of a sentence it cancels the previous
        // one's too.
        plans = plans.filter((plan) => plan.sentence < before.index - (segment === segments[0] ? 1 : 0))
        break
      case "change":
        if (doubted.has(segment)) reports.push(segment.tokens)
        else if (isLastUndone && speaksOfBefore(segment)) notDone.push(undone(text, notes.afterUndone, notes.oneByOne))
        else plans = [...plans, { segment, sentence: before.index, dates: before.dates }]
        isLastUndone = doubted.has(segment)
        break
      case "failure":
        notDone.push(undone(text, segment.outcome.reason, segment.outcome.suggestion))
        isLastUndone = true
        break
      case "unknown":
        reports.push(segment.tokens)
        isLastUndone = true
        break
      default:
        break
    }
  }
  const unread = adjoined(reports).map((tokens) => textOf(prompt, tokens))
  return {
    plans,
    notDone: [
      ...notDone,
      ...unread.map((text) => undone(text, notes.notUnderstood(within(text, 160)), notes.oneByOne))
    ],
    isLastUndone
  }
}

const readSentences = (site: Site, sentences: ReadonlyArray<Sentence>, setting: Setting): Reading => {
  const { language, material, notes, prompt } = setting
  let plans: ReadonlyArray<Plan> = []
  const guards: Array<UntouchedPart> = []
  const notDone: Array<UndoneWish> = []
  let inherited: Inherited = nothingInherited
  let isAfterRemoval = false
  let heading: Inherited | undefined
  let isLastUndone = false
  let dates: ReadonlyArray<string> = []
  for (const [index, raw] of sentences.entries()) {
    const desk: EditDesk = { site: siteAfter(site, plans, setting), material, notes, prompt }
    const sentence = { ...raw, tokens: withDenials(raw.tokens, language) }
    // A verb applies to its own sentence only. A heading applies to the lines below it.
    if (!sentence.isFollowing) {
      heading = undefined
      isLastUndone = false
    }
    inherited = sentence.isFollowing ? (heading ?? { ...inherited, acts: [] }) : nothingInherited
    if (isQuestion(sentence)) {
      const facts = shownOf(sentence, site)
      notDone.push(undone(sentence.text, notes.isQuestion, facts === "" ? notes.askElsewhere : notes.seeSite(facts)))
      continue
    }
    const segments = segmentsOf(partsOf(sentence.tokens, language), { desk, language, isAfterRemoval }, inherited)
    // A date in a heading applies to the line below it too.
    const heads = sentence.isFollowing && !".!?".includes(sentences[index - 1]?.text.trimEnd().at(-1) ?? ".")
    dates = [...(heads ? dates : []), ...conditionalDates(sentence.text, language)]
    const sorted = sortedSegments(segments, { plans, index, dates, isLastUndone }, setting)
    plans = sorted.plans
    isLastUndone = sorted.isLastUndone
    guards.push(...segments.flatMap((segment) => (segment.is === "guard" ? [segment.guard] : [])))
    notDone.push(...sorted.notDone)
    inherited = segments.reduce((each, segment) => leftBy(segment, each), inherited)
    const last = segments.at(-1)
    if (last?.is === "heading") heading = last.inherited
    else if (segments.some(({ clause }) => clause.verb !== undefined)) heading = undefined
    isAfterRemoval = last?.is === "change" && last.outcome.scope === "removal"
  }
  return { plans, guards, notDone }
}

/** The state while the wishes of a prompt are carried out one after another. */
interface Progress {
  readonly site: Site
  readonly done: ReadonlyArray<string>
  readonly notDone: ReadonlyArray<UndoneWish>
  /** Texts of earlier changes in a sentence that later changes must not remove. */
  readonly present: ReadonlyArray<{ readonly sentence: number; readonly text: string }>
  readonly answered: ReadonlyArray<OpenQuestion>
}

/** Carries out a wish, unless it changes what another sentence asks to keep or undoes an earlier wish. */
const withPlan = (
  progress: Progress,
  { dates, segment, sentence }: Plan,
  { guards }: Reading,
  setting: Setting
): Progress => {
  const { notes } = setting
  const text = textOf(setting.prompt, segment.tokens)
  const desk: EditDesk = { site: progress.site, material: setting.material, notes, prompt: setting.prompt }
  const outcome = framed(clauseOf(setting.prompt, segment.tokens, setting.language, segment.clause.inherited), desk)
  const failed = (reason: string, suggestion: string): Progress => ({
    ...progress,
    notDone: [...progress.notDone, undone(text, reason, suggestion)]
  })
  if (outcome === undefined) return failed(notes.notUnderstood(within(text, 160)), notes.oneByOne)
  const result = verified(outcome, desk)
  if (result._tag === "Undone") return failed(result.reason, result.suggestion)
  const condition = dates.find((date) => !says(result.site, date))
  if (condition !== undefined) return failed(notes.onlyAt(condition), notes.askThen)
  const broken = guards.find((guard) => !guard.isKept(progress.site, result.site))
  if (broken !== undefined) return failed(notes.againstGuard(within(broken.text, 160)), notes.oneByOne)
  const isUndone = progress.present.some(
    ({ sentence: of, text: each }) => of === sentence && says(progress.site, each) && !says(result.site, each)
  )
  if (isUndone) return failed(notes.notEffective, notes.oneByOne)
  return {
    ...progress,
    site: result.site,
    done: [...progress.done, ...result.notes],
    present: [...progress.present, ...result.present.map((each) => ({ sentence, text: each }))],
    answered: [...progress.answered, ...result.answers]
  }
}

const nothingRead: Reading = { plans: [], guards: [], notDone: [] }

/** Reads the prompt as the answer to the question about the form's fields. Undefined if it says anything else. */
const withFieldsAnswered = (site: Site, { material, notes, prompt }: Setting): Progress | undefined => {
  const desk: EditDesk = { site, material, notes, prompt }
  const outcome = answeringFields(desk)
  const result = outcome === undefined ? undefined : verified(outcome, desk)
  return result?._tag === "Done"
    ? { site: result.site, done: result.notes, notDone: [], present: [], answered: result.answers }
    : undefined
}

/** Removes the open questions that a change answers. `answer` is what the prompt says about unclear sentences. */
const withAnswers = ({ answered, site }: Progress, answer: string): Site => {
  const unclear = stillUnclear(site.unclear ?? [], answer)
  const isClear = (site.unclear ?? []).length > 0 && unclear.length === 0
  const questions = stillOpen(site, isClear ? [...answered, "unclear"] : answered)
  const { questions: open, ...rest } = site
  if (open === undefined) return site
  const isSame = questions.length === open.length && unclear.length === (site.unclear ?? []).length
  return isSame
    ? site
    : { ...rest, ...(site.unclear === undefined ? {} : { unclear }), ...(questions.length === 0 ? {} : { questions }) }
}

/**
 * Changes a site by rules, without a model. A wish that is not fully understood changes nothing and is listed in the
 * report.
 */
export const changeByRules = (site: Site, prompt: string, material: SiteMaterial): ChangedSite => {
  const ownerLanguage = material.ownerLanguage ?? languageOf(site.language)
  const notes = editNotes[ownerLanguage]
  const language = detectLanguage(prompt) ?? ownerLanguage
  const setting: Setting = { material, notes, language, prompt }
  const answer = withFieldsAnswered(site, setting)
  const reading = answer === undefined ? readSentences(site, sentencesOf(prompt), setting) : nothingRead
  const beginning: Progress = answer ?? { site, done: [], notDone: [], present: [], answered: [] }
  const read = reading.plans.reduce((progress, plan) => withPlan(progress, plan, reading, setting), beginning)
  const isEmpty = answer === undefined && reading.plans.length === 0 && reading.notDone.length === 0
  const done = [...read.done, ...reading.guards.map(({ text }) => notes.respected(within(text, 160)))]
  const notDone = [
    ...reading.notDone,
    ...read.notDone,
    ...(isEmpty ? [undone(prompt, notes.nothing, notes.oneByOne)] : [])
  ].map((each) => explained(each, notes))
  const changed = withAnswers(read, done.length > 0 && notDone.length === 0 ? prompt : "")
  return {
    site: changed,
    notes: [...done, ...notDone.map(({ reason }) => reason)],
    report: {
      done,
      not_done: notDone,
      needs_input: questionTexts(changed, material.ownerLanguage ?? site.language)
    }
  }
}
