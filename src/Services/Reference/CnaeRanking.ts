import { fold, sentencesOf } from "../Text/PlainText.ts"
import { contentWords, stemOf } from "../Text/WordStems.ts"
import { type CnaeEntry, cnaeChildren, cnaeEntries, cnaeParents } from "./Cnae.ts"
import { broadTradeWords, tradeWords } from "./TradeWords.ts"

/** A code that a text mentions, and the matching words. */
export interface RankedCnae {
  readonly entry: CnaeEntry
  /** 0 to 1. */
  readonly score: number
  readonly words: ReadonlyArray<string>
}

/** Words that occur in too many names to identify a trade. */
const commonWords = new Set(
  contentWords(
    "empresa empresas negocio companhia company companies compania cliente clientes customer servico servicos service services atividade " +
      "atividades comercio produto produtos product products geral outros outras especificado especificados anteriormente relacionados " +
      "pequena pequenas medias medio medios grande grandes small medium large brasil brazil brasileira brasileiras sao paulo rio " +
      "funcionarios empregados employees empleados mercado ideal perfil profile decisor decisores diretor diretores director gestor " +
      "dono donos owner owners socio faturamento revenue regiao cidade estado capital interior gestao tipo tamanho segmento setor sector " +
      "nacional local novo novos anos ano precisam precisa need needs buscam vendem vende sell selling venda vendas sales interesse " +
      "maior menor menos mais ate entre comprar compra ajuda ajudar equipe equipes time team teams uso uma pessoas people fisica"
  ).map(stemOf)
)

const stemsByCode = new Map<string, ReadonlySet<string>>()
const frequency = new Map<string, number>()
for (const entry of cnaeEntries.values()) {
  const stems = new Set(contentWords(entry.name).map(stemOf))
  stemsByCode.set(entry.code, stems)
  for (const stem of stems) frequency.set(stem, (frequency.get(stem) ?? 0) + 1)
}

const byStem = (trades: typeof tradeWords): ReadonlyMap<string, ReadonlyArray<string>> => {
  const codesByStem = new Map<string, ReadonlyArray<string>>()
  for (const [words, codes] of trades) {
    for (const word of contentWords(words)) {
      const stem = stemOf(word)
      codesByStem.set(stem, [...(codesByStem.get(stem) ?? []), ...codes.split(" ")])
    }
  }
  return codesByStem
}
const tradesByStem = byStem(tradeWords)
const broadByStem = byStem(broadTradeWords)

const rarity = (stem: string): number =>
  Math.log(cnaeEntries.size / (frequency.get(stem) ?? cnaeEntries.size)) / Math.log(cnaeEntries.size)

/** The score of a code that belongs to a matched trade word. */
const ofTradeWord = 0.9
const minimumScore = 0.3
/** Lower scores, relative to the best, are probably chance and left out. */
const minimumShareOfBest = 0.55
/** From this score on, words for all of industry or trade are ignored. */
const clearMatch = 0.5

/** The text's words by stem, without those that identify no trade. */
const wordsByStem = (text: string): ReadonlyMap<string, string> => {
  const words = new Map<string, string>()
  for (const word of contentWords(text.slice(0, 20_000))) {
    const stem = stemOf(word)
    if (!commonWords.has(stem) && !words.has(stem)) words.set(stem, word)
  }
  return words
}

interface CodeScore {
  score: number
  readonly words: Set<string>
}

/** The codes that the words match. */
const scoredCodes = (words: ReadonlyMap<string, string>): ReadonlyMap<string, CodeScore> => {
  const scores = new Map<string, CodeScore>()
  const note = (code: string, score: number, word: string): void => {
    const earlier = scores.get(code)
    if (earlier === undefined) scores.set(code, { score, words: new Set([word]) })
    else {
      earlier.score = Math.min(1, Math.max(earlier.score, score) + 0.05)
      earlier.words.add(word)
    }
  }
  for (const [stem, word] of words) for (const code of tradesByStem.get(stem) ?? []) note(code, ofTradeWord, word)
  for (const [code, stems] of stemsByCode) {
    const common = [...stems].filter((stem) => words.has(stem))
    if (common.length === 0) continue
    const repeated = common.reduce((sum, stem) => sum + rarity(stem), 0)
    const whole = [...stems].reduce((sum, stem) => sum + (commonWords.has(stem) ? 0.1 : rarity(stem)), 0)
    // The share of the name that the text repeats. One common word of a long name is chance.
    const score = (repeated / Math.max(whole, 0.6)) * Math.min(1, 0.55 + 0.25 * common.length)
    if (score >= minimumScore) for (const stem of common) note(code, Math.min(0.89, score), words.get(stem) ?? stem)
  }
  if (![...scores.values()].some(({ score }) => score >= clearMatch)) {
    for (const [stem, word] of words) for (const code of broadByStem.get(stem) ?? []) note(code, 0.7, word)
  }
  return scores
}

const rankedEntries = (code: string, { score, words }: CodeScore): ReadonlyArray<RankedCnae> => {
  const entry = cnaeEntries.get(code)
  if (entry === undefined) return []
  // No filter accepts a section's code, so its divisions are ranked instead.
  const isSection = entry.level === "section"
  const entries = isSection ? cnaeChildren(code) : [entry]
  return entries.map((one) => ({ entry: one, score: isSection ? score * 0.8 : score, words: [...words] }))
}

/**
 * Ranks the classification against a text, best first. Codes have the level that the text names: a division for a whole
 * trade, a subclass if its name matches. Codes below another ranked code are left out.
 */
export const rankCnae = (text: string, limit: number): ReadonlyArray<RankedCnae> => {
  const ranked = [...scoredCodes(wordsByStem(text))].flatMap(([code, score]) => rankedEntries(code, score))
  const digits = { section: 1, division: 2, group: 3, class: 5, subclass: 7 }
  const best = ranked.toSorted(
    (a, b) =>
      b.score - a.score || digits[a.entry.level] - digits[b.entry.level] || (a.entry.code < b.entry.code ? -1 : 1)
  )
  const uncovered: Array<RankedCnae> = []
  for (const one of best) {
    if (uncovered.length >= limit || one.score < minimumShareOfBest * (best[0]?.score ?? 0)) break
    const covered = uncovered.some(
      ({ entry }) =>
        entry.code === one.entry.code || one.entry.code.startsWith(entry.code) || entry.code.startsWith(one.entry.code)
    )
    if (!covered) uncovered.push(one)
  }
  return uncovered
}

/** Words that introduce exclusions, in the three languages. */
const except =
  /\b(?:exceto|exceptuando|excepto|menos|salvo|fora|nao (?:atendemos|atendo|vendemos|queremos|quero|trabalhamos|inclui[a-z]*)|no (?:atendemos|vendemos|queremos|trabajamos)|sem ser|evitar|evitamos|excluindo|excluir|excluyendo|except|excluding|exclude|avoid|not (?:for|including|interested in)|other than|but not|we do not (?:serve|sell|work with)|we don't (?:serve|sell|work with))\b/

/** Splits a profile into wanted trades and excluded ones. */
export const splitProfile = (icp: string): { readonly targetText: string; readonly excludedText: string } => {
  const targets: Array<string> = []
  const exclusions: Array<string> = []
  for (const { text } of sentencesOf(icp)) {
    const folded = fold(text)
    const match = except.exec(folded)
    // Positions are only equal if folding did not change the length. Excluded sentences are cut at the same position.
    if (match === null) targets.push(text)
    else {
      targets.push(folded.slice(0, match.index))
      exclusions.push(folded.slice(match.index + match[0].length))
    }
  }
  return { targetText: targets.join(". "), excludedText: exclusions.join(". ") }
}

/** Whether one code contains the other, or is equal. */
export const overlaps = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one)

/** The path of an entry, such as `Serviços > Tecnologia`. */
export const pathOf = (code: string): string =>
  cnaeParents(code)
    .map(({ name }) => name)
    .join(" > ")
