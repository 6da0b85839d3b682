import { fold } from "./PlainText.ts"

/**
 * Topics that buyers ask about, in three languages. Each line is one topic: its words, folded and reduced to their
 * stems. A word occurs in one line only.
 */
const matters = `
preco precos valor valores custa custam custo custos price prices pricing cost costs precio precios cuesta cuestan costo costos coste fee fees tarifa tarifas
plano planos plan plans plane planes
desconto descontos discount discounts descuento descuentos
pagamento pagar payment payments pay pago pagos
cartao card tarjeta
boleto invoice factura faturamento facturacion billing
mensalidade mensal monthly month mensual mes mensualidad
anual annual yearly year anualidad
contrato contratos contract contracts contractual
fidelidade lock-in permanencia commitment minimum minimo minima
cancelar cancelamento cancel cancellation cancelacion
multa penalty penalidad penalizacion
teste testar trial try prueba probar gratis gratuito gratuita free
demonstracao demo demostracion demonstration
prazo prazos deadline timeline plazo plazos
entrega entregam entregar deliver delivery shipping envio envios frete
instalacao instalar installation install instalacion
implantacao implementacao implementar implementation implement implementacion onboarding setup
treinamento treinar training train capacitacion entrenamiento
suporte support soporte atendimento asistencia
garantia garantias warranty guarantee
integracao integra integram integrar integration integrations integrate integrates integracion integrarse
sistema sistemas system systems
aplicativo app aplicacion aplicativos apps
dados data datos
seguranca seguro segura security secure safe seguridad
privacidade privacy privacidad lgpd gdpr
usuario usuarios user users
limite limites limit limits
idioma idiomas language languages
loja lojas store stores tienda tiendas shop
clientes cliente customers customer clients client
referencias referencia references reference
horario horarios hours schedule
fim-de-semana weekend weekends
feriado feriados holiday holidays festivos
cidade cidades city cities ciudad ciudades
pais paises country countries
regiao regioes region regions regiones
equipe team equipo
importar importacao import importacion
exportar exportacao export exportacion
relatorio relatorios report reports informe informes reporte reportes
celular mobile movil telefone phone telefono
nota-fiscal receipt recibo
estoque stock inventory inventario
manutencao maintenance mantenimiento
atualizacao atualizacoes update updates actualizacion actualizaciones
`

/** Question words, which say nothing about the topic. */
const askingWords: ReadonlySet<string> = new Set(
  (
    "o a os as um uma uns umas de do da dos das em no na nos nas por para com sem que qual quais como quanto quantos quantas quando onde quem e ou se voces voce vcs vc tem ter ha existe existem e sao ser esta estao funciona trabalham oferecem aceitam atendem posso pode da me nos meu minha seu sua seus suas isso " +
    "the an of in on at by for with without which what how much many when where who and or if you your yours do does is are be there have has can could would will work offer accept it i we us my our this that long any " +
    "el la los las un unos unas del al en por con sin cual cuales como cuanto cuantos cuanta cuantas cuando donde quien y si usted ustedes su sus tienen tiene hay existe es son trabajan ofrecen aceptan puedo puede se me nos mi esto eso demora tarda leva take takes dura"
  ).split(/\s+/)
)

/** For each word, the words of its topic. */
const termsOf = new Map(
  matters
    .trim()
    .split("\n")
    .flatMap((line) => {
      const words = line.split(" ")
      return words.map((word) => [word, words] as const)
    })
)

const phrases: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(?:fi(?:m|ns) de semana|fin(?:es)? de semana)\b/g, "fim-de-semana"],
  [/\bnotas? fisca(?:l|is)\b/g, "nota-fiscal"],
  [/\bhow much\b/g, "price"],
  [/^(?:e |mas |y |pero |and |but )?(?:quanto|cuanto) (?:e|es|sale|sai|fica|seria)\b/g, "preco"],
  [/\block in\b/g, "lock-in"]
]

const withPhrases = (folded: string): string =>
  phrases.reduce((text, [pattern, word]) => text.replace(pattern, word), folded)

/** The folded text with one word per topic, so that "how much are the plans" and "preço do plano" become similar. */
export const inSharedTerms = (text: string): string =>
  withPhrases(fold(text)).replace(/[a-z0-9]+(?:-[a-z]+)*/g, (word) => termsOf.get(word)?.[0] ?? word)

/** Synonyms for the topics of a question, in three languages. */
export const otherTerms = (question: string): ReadonlyArray<string> => {
  const words = withPhrases(fold(question.slice(0, 400))).split(/[^a-z0-9-]+/)
  return [...new Set(words.flatMap((word) => termsOf.get(word) ?? []))].filter((term) => !words.includes(term))
}

/**
 * The topics of a question in any language: the first word of each topic, and names and numbers unchanged. Undefined if
 * another word remains, because the topics are then uncertain.
 */
export const mattersOf = (question: string): ReadonlySet<string> | undefined => {
  const text = withPhrases(fold(question.slice(0, 400)))
  const names = new Set(
    [...question.slice(0, 400).matchAll(/(?<=\S\s)\p{Lu}[\p{L}\p{N}]+/gu)].map(([name]) => fold(name))
  )
  const topics = new Set<string>()
  for (const word of text.split(/[^a-z0-9-]+/)) {
    if (word === "" || word === "-" || askingWords.has(word)) continue
    const matter = termsOf.get(word)?.[0]
    if (matter !== undefined) topics.add(`#${matter}`)
    else if (names.has(word) || /^\d+$/.test(word)) topics.add(word)
    else return undefined
  }
  return topics.size === 0 ? undefined : topics
}
