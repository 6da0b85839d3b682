import type { Language } from "../Text/Language.ts"
import type { Assessment, AssessmentTopic, Judgement } from "./Business.ts"

/** Topics that are assessed by their number of words, and those that are assessed by their number of items. */
type Text = "business_name" | "business_description" | "business_website" | "ideal_customer_profile" | "goal"
type Thing = Exclude<AssessmentTopic, Text | "results">

interface Words {
  readonly nothing: string
  readonly isProvided: string
  readonly words: (count: string, enough: string, isOne: boolean) => string
  readonly things: { readonly [T in Thing]: readonly [one: string, many: string] }
  readonly ground: (counted: string, enough: string) => string
  readonly missing: { readonly [T in Exclude<AssessmentTopic, "results">]: string }
  readonly few: (contacted: string, count: number) => string
  readonly moreNeeded: (enough: string) => string
  readonly rated: (
    numbers: { readonly replied: string; readonly contacted: string; readonly rate: string },
    interested: string,
    won: string
  ) => string
  readonly interested: readonly [one: string, many: string]
  readonly won: readonly [one: string, many: string]
  readonly fewReplies: string
}

const portuguese: Words = {
  nothing: "Nada foi informado.",
  isProvided: "Informado.",
  words: (count, enough, isOne) => `${count} ${isOne ? "palavra" : "palavras"}; ${enough} já dizem o bastante.`,
  things: {
    paying_customer_examples: ["cliente pagante citado", "clientes pagantes citados"],
    targeting: ["filtro de segmentação definido", "filtros de segmentação definidos"],
    knowledge: ["trecho de conhecimento", "trechos de conhecimento"],
    faq: ["resposta que vale para todos os leads", "respostas que valem para todos os leads"]
  },
  ground: (counted, enough) => `${counted}; ${enough} são uma boa base.`,
  missing: {
    business_name: "Informe o nome pelo qual os leads conhecem a empresa.",
    business_description: "Conte o que você vende, para quem e o que muda para quem compra.",
    business_website: "Informe o site: os leads procuram por ele.",
    ideal_customer_profile: "Descreva setor, tamanho, lugar e quem decide no cliente ideal.",
    paying_customer_examples: "Cite pelo menos três clientes que já pagam.",
    targeting: "Defina setores e lugares com set_targeting.",
    knowledge: "Inclua textos de produtos ou tabelas de preços com register_business_file.",
    faq: "Responda às perguntas que os leads mais fazem, com respostas reutilizáveis.",
    goal: "Diga em que uma conversa deve terminar, com set_prospecting_rules."
  },
  few: (contacted, count) =>
    count === 0
      ? "Nenhum lead foi contatado ainda: não há resultados para julgar."
      : `${contacted} ${count === 1 ? "lead foi contatado" : "leads foram contatados"}: é pouco para julgar pelos resultados.`,
  moreNeeded: (enough) => `Os resultados contam a partir de ${enough} leads contatados.`,
  rated: ({ contacted, rate, replied }, interested, won) =>
    `${replied} de ${contacted} leads contatados responderam (${rate}), ${interested} e ${won}.`,
  interested: ["ficou interessado", "ficaram interessados"],
  won: ["comprou", "compraram"],
  fewReplies: "Menos leads respondem que o normal: estreite a segmentação e diga mais cedo o que o lead ganha."
}

const english: Words = {
  nothing: "Nothing is said.",
  isProvided: "It is said.",
  words: (count, enough, isOne) => `${count} ${isOne ? "word" : "words"}; ${enough} say enough.`,
  things: {
    paying_customer_examples: ["paying customer named", "paying customers named"],
    targeting: ["targeting filter set", "targeting filters set"],
    knowledge: ["passage of knowledge", "passages of knowledge"],
    faq: ["answer that holds for every lead", "answers that hold for every lead"]
  },
  ground: (counted, enough) => `${counted}; ${enough} are a good ground.`,
  missing: {
    business_name: "Give the name that leads know the business by.",
    business_description: "Tell what you sell, to whom, and what it changes for them.",
    business_website: "Give the website: leads look it up.",
    ideal_customer_profile: "Describe sector, size, place and decider of the ideal customer.",
    paying_customer_examples: "Name at least three customers that pay already.",
    targeting: "Set sectors and places with set_targeting.",
    knowledge: "Add product texts or price lists with register_business_file.",
    faq: "Answer the questions that leads ask most, as reusable.",
    goal: "Say what a conversation should end in, with set_prospecting_rules."
  },
  few: (contacted, count) =>
    count === 0
      ? "No lead was contacted yet: there are no results to judge by."
      : `${contacted} ${count === 1 ? "lead was" : "leads were"} contacted: too few to judge by results.`,
  moreNeeded: (enough) => `Results count from ${enough} contacted leads on.`,
  rated: ({ contacted, rate, replied }, interested, won) =>
    `${replied} of ${contacted} contacted leads replied (${rate}), ${interested} and ${won}.`,
  interested: ["became interested", "became interested"],
  won: ["bought", "bought"],
  fewReplies: "Fewer reply than usual: narrow the targeting, and say sooner what the lead gains."
}

const spanish: Words = {
  nothing: "No se indicó nada.",
  isProvided: "Indicado.",
  words: (count, enough, isOne) => `${count} ${isOne ? "palabra" : "palabras"}; ${enough} ya dicen lo suficiente.`,
  things: {
    paying_customer_examples: ["cliente que paga nombrado", "clientes que pagan nombrados"],
    targeting: ["filtro de segmentación definido", "filtros de segmentación definidos"],
    knowledge: ["fragmento de conocimiento", "fragmentos de conocimiento"],
    faq: ["respuesta que vale para todos los leads", "respuestas que valen para todos los leads"]
  },
  ground: (counted, enough) => `${counted}; ${enough} son una buena base.`,
  missing: {
    business_name: "Indique el nombre por el que los leads conocen la empresa.",
    business_description: "Cuente qué vende, a quién y qué cambia para quien compra.",
    business_website: "Indique el sitio web: los leads lo buscan.",
    ideal_customer_profile: "Describa sector, tamaño, lugar y quién decide en el cliente ideal.",
    paying_customer_examples: "Nombre al menos tres clientes que ya pagan.",
    targeting: "Defina sectores y lugares con set_targeting.",
    knowledge: "Agregue textos de productos o listas de precios con register_business_file.",
    faq: "Responda las preguntas que más hacen los leads, con respuestas reutilizables.",
    goal: "Diga en qué debe terminar una conversación, con set_prospecting_rules."
  },
  few: (contacted, count) =>
    count === 0
      ? "Aún no se contactó a ningún lead: no hay resultados por los que juzgar."
      : `Se contactó a ${contacted} ${count === 1 ? "lead" : "leads"}: es poco para juzgar por los resultados.`,
  moreNeeded: (enough) => `Los resultados cuentan a partir de ${enough} leads contactados.`,
  rated: ({ contacted, rate, replied }, interested, won) =>
    `${replied} de ${contacted} leads contactados respondieron (${rate}), ${interested} y ${won}.`,
  interested: ["se interesó", "se interesaron"],
  won: ["compró", "compraron"],
  fewReplies: "Responden menos leads de lo habitual: acote la segmentación y diga antes qué gana el lead."
}

const wording: { readonly [L in Language]: Words } = { "pt-BR": portuguese, en: english, es: spanish }

/** A judgement as its owner reads it. Missing points come first in the order of their weight. */
export const assessmentTexts = (judgement: Judgement, language: Language): Assessment => {
  const texts = wording[language]
  const whole = (value: number): string => value.toLocaleString(language)
  const things = (count: number, [one, many]: readonly [string, string]): string =>
    `${whole(count)} ${count === 1 ? one : many}`
  const { contacted, interested, replied, won } = judgement.results
  const rate = contacted === 0 ? 0 : replied / contacted
  const share = `${(Math.round(rate * 1000) / 10).toLocaleString(language)}${language === "es" ? " " : ""}%`
  const points = judgement.points.map(({ count, enough, isMissing, score, topic, weight }) => {
    const point = { topic, weight, score }
    switch (topic) {
      case "results":
        return count < enough
          ? { ...point, finding: texts.few(whole(count), count), missing: texts.moreNeeded(whole(enough)) }
          : {
              ...point,
              finding: texts.rated(
                { replied: whole(replied), contacted: whole(contacted), rate: share },
                things(interested, texts.interested),
                things(won, texts.won)
              ),
              missing: isMissing ? texts.fewReplies : null
            }
      case "paying_customer_examples":
      case "targeting":
      case "knowledge":
      case "faq":
        return {
          ...point,
          finding: texts.ground(things(count, texts.things[topic]), whole(enough)),
          missing: isMissing ? texts.missing[topic] : null
        }
      default:
        return {
          ...point,
          finding:
            count === 0
              ? texts.nothing
              : enough === 1
                ? texts.isProvided
                : texts.words(whole(count), whole(enough), count === 1),
          missing: isMissing ? texts.missing[topic] : null
        }
    }
  })
  return {
    verdict: judgement.verdict,
    results_probability: judgement.results_probability,
    made_by: "rules",
    points,
    missing: points
      .toSorted((a, b) => b.weight * (1 - b.score) - a.weight * (1 - a.score))
      .flatMap(({ missing }) => missing ?? [])
  }
}
