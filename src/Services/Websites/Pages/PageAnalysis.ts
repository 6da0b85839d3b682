import { detectLanguage, type Language } from "../../Text/Language.ts"
import { preparePassage, prepareQuery, scorePassage, stemWeights } from "../../Text/PassageScore.ts"
import { clip, fold } from "../../Text/PlainText.ts"
import type { PageFacts, PageView, Violation } from "./Browser.ts"
import { type AnalysisTexts, analysisTexts } from "./PageAnalysisTexts.ts"

/** The topics that a prompt may ask about. */
const topics = {
  message:
    /\b(?:titul|title|headline|heading|mensage|message|mensaje|propost|value|oferec|offer|ofrec|sobre o que|about|de que|resum|summar|h1)/,
  actions: /\b(?:cta|call|chamad|acao|acoes|action|botao|botoes|button|boton|convers|llamad)/,
  forms: /\b(?:form|cadastr|campo|field|captur|capture|capta|lead|contat|contact)/,
  contact: /\b(?:contat|contact|telefon|phone|e-?mail|whats|endereco|address|direccion)/,
  contrast: /\b(?:contrast|acessib|accessib|accesib|legib|leg[ií]v|readab|cor|cores|color|colour|wcag|a11y)/,
  width: /\b(?:mobile|celular|movil|respons|largura|width|overflow|transbord|cort|cut|estour|quebr|break|layout|ancho)/,
  images: /\b(?:imag|foto|photo|pictur|figura|alt)\b/,
  texts: /\b(?:text|cop(?:y|ies)|conteud|content|contenid|palavra|words|palabra|preco|price|precio)/
} as const
type Topic = keyof typeof topics

const topicsOf = (prompt: string): ReadonlySet<Topic> => {
  const folded = fold(prompt)
  const found = Object.entries(topics).flatMap(([topic, words]) => (words.test(folded) ? [topic] : []))
  return new Set(found.filter((topic): topic is Topic => Object.hasOwn(topics, topic)))
}

const mostQuoted = 3
const quoted = (text: string, length = 200): string => `“${clip(text.replace(/[“”"]/g, "'"), length)}”`
const listed = (items: ReadonlyArray<string>, most: number, more: (count: number) => string): string =>
  [
    ...items.slice(0, most).map((item) => quoted(item, 80)),
    ...(items.length > most ? [more(items.length - most)] : [])
  ].join(", ")

/** The passages of the page that concern the prompt. */
const passagesFor = (prompt: string, facts: PageFacts): ReadonlyArray<string> => {
  const texts = [...new Set([...facts.headings.map(({ text }) => text), ...facts.texts])]
  const prepared = texts.map((text) => preparePassage({ title: "", text }))
  const query = prepareQuery(prompt, stemWeights(prepared))
  return prepared
    .map((passage, index) => ({ text: texts[index] ?? "", score: scorePassage(query, passage) }))
    .filter(({ score, text }) => score >= 0.35 && text.length > 12)
    .sort((one, other) => other.score - one.score)
    .slice(0, mostQuoted)
    .map(({ text }) => text)
}

const seriousOf = (violations: ReadonlyArray<Violation>) =>
  violations.filter(({ impact }) => impact === "serious" || impact === "critical")

const sections = (
  { facts, viewport, violations }: PageView,
  said: AnalysisTexts
): { readonly [T in Topic]: string } => {
  const h1 = facts.headings.filter(({ level }) => level === 1)
  const inView = facts.actions.filter(({ isInView }) => isInView).map(({ text }) => text)
  const below = facts.actions.filter(({ isInView }) => !isInView).map(({ text }) => text)
  const contrast = violations?.find(({ rule }) => rule === "color-contrast")
  const others = violations === undefined ? [] : seriousOf(violations).filter(({ rule }) => rule !== "color-contrast")
  const first = facts.texts.find((text) => text.length > 40)
  return {
    message: [
      h1[0] === undefined ? said.noHeading : said.heading(quoted(h1[0].text), h1[0].isInView),
      h1.length > 1 ? said.severalHeadings(h1.length) : "",
      first === undefined ? "" : said.firstText(quoted(first)),
      facts.description === "" ? said.noDescription : said.description(quoted(facts.description))
    ].join(" "),
    actions: [
      inView.length === 0 ? said.noActionInView : said.actionsInView(listed(inView, 5, said.more)),
      below.length === 0 ? "" : said.actionsBelow(listed(below, 5, said.more)),
      new Set(inView.map((text) => fold(text))).size > 3 ? said.manyActions : ""
    ].join(" "),
    forms:
      facts.forms.length === 0
        ? said.noForm
        : facts.forms
            .slice(0, 3)
            .map(({ fields, submit }) =>
              said.form(
                fields.length,
                listed(
                  fields.map(({ kind, label }) => label || kind),
                  8,
                  said.more
                ),
                quoted(submit, 60)
              )
            )
            .join(" "),
    contact:
      facts.emails.length + facts.phones.length === 0
        ? said.noContact
        : said.contact([...facts.emails, ...facts.phones].map((each) => quoted(each, 80)).join(", ")),
    contrast: [
      violations === undefined
        ? said.notExamined
        : contrast === undefined
          ? said.contrastFine
          : said.contrastPoor(contrast.count),
      others.length === 0
        ? ""
        : said.otherViolations(
            others
              .map(({ count, help }) => `${quoted(help, 120)} (${count})`)
              .slice(0, 4)
              .join("; ")
          )
    ].join(" "),
    width: [
      facts.overflow > 1
        ? said.tooWide(facts.overflow, viewport.width, listed(facts.wide, 3, said.more))
        : said.fits(viewport.width),
      facts.hasViewportMeta ? "" : said.noViewportMeta,
      said.length(Math.max(1, Math.round((10 * facts.height) / viewport.height) / 10))
    ].join(" "),
    images: [
      said.images(facts.images),
      facts.imagesWithoutText > 0 ? said.imagesWithoutText(facts.imagesWithoutText) : ""
    ].join(" "),
    texts: [
      said.textLength(facts.textLength),
      facts.headings.length > 1
        ? said.outline(
            listed(
              facts.headings.slice(1).map(({ text }) => text),
              6,
              said.more
            )
          )
        : ""
    ].join(" ")
  }
}

const order: ReadonlyArray<Topic> = ["message", "actions", "forms", "contact", "texts", "images", "contrast", "width"]
const whenNothingIsAsked: ReadonlyArray<Topic> = ["message", "actions", "forms", "contrast", "width"]

/** In the prompt's language if it can be detected, or in the fallback. */
export const analysisLanguage = (prompt: string, fallback: Language): Language => detectLanguage(prompt) ?? fallback

/** Answers a prompt about a page by what its document says and shows. */
export const analysisByRules = (prompt: string, url: string, view: PageView, language: Language): string => {
  const said = analysisTexts[language]
  const { facts } = view
  const wanted = topicsOf(prompt)
  const parts = sections(view, said)
  const passages = passagesFor(prompt, facts)
  const shown = order.filter((topic) => (wanted.size === 0 ? whenNothingIsAsked.includes(topic) : wanted.has(topic)))
  // Defects are always reported, whatever the prompt asked.
  const broken = order.filter(
    (topic) =>
      !shown.includes(topic) &&
      ((topic === "width" && facts.overflow > 1) ||
        (topic === "contrast" && view.violations?.some(({ rule }) => rule === "color-contrast") === true))
  )
  return [
    said.opening(facts.title === "" ? said.untitled : quoted(facts.title), url, facts.status),
    ...(passages.length === 0 ? [] : [said.passages(passages.map((text) => quoted(text, 240)).join(" · "))]),
    ...[...shown, ...broken].map((topic) => `${said.topics[topic]}: ${parts[topic].replace(/\s+/g, " ").trim()}`)
  ].join("\n\n")
}
