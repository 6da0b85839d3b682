import { Schema } from "effect"
import type { Language } from "../Text/Language.ts"

/** Advice for the owner about a learning. */
export const LearningAdvice = Schema.Struct({
  is_applied: Schema.Boolean.annotations({
    description: "True: the platform already acts on it by itself. False: the call applies it."
  }),
  tool: Schema.NullOr(Schema.String).annotations({ description: "The tool that applies it." }),
  arguments: Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
    description: "What to call it with, as far as the learning says it."
  }),
  text: Schema.String.annotations({ description: "The advice, in the account's language." })
})
export type LearningAdvice = typeof LearningAdvice.Type

type AdviceText = "times" | "opening" | "region" | "sector" | "price" | "supplier"

const texts: { readonly [L in Language]: { readonly [T in AdviceText]: string } } = {
  "pt-BR": {
    times:
      "A plataforma já segue isto: dentro do horário de envio, os contatos vão para os horários em que mais se responde.",
    opening: "O otimizador compara as aberturas em cada campanha e muda a escrita assim que a prova basta.",
    region: "Para buscar mais empresas onde mais se responde, restrinja a busca a este estado.",
    sector: "Para buscar mais empresas deste setor, peça os códigos dele e inclua-os na busca.",
    price: "Registre os preços e o que eles incluem: a plataforma responde à objeção com isso.",
    supplier: "Registre o que a distingue de outros fornecedores: a plataforma responde à objeção com isso."
  },
  en: {
    times:
      "The platform already follows this: within the sending hours, contacts move to the times at which most people reply.",
    opening:
      "The optimizer compares openings in each campaign, and changes what is written once the evidence is enough.",
    region: "To find more companies where more people reply, limit the search to this state.",
    sector: "To find more companies in this sector, ask for its codes and add them to the search.",
    price: "Add your prices and what they include: the platform answers the objection with them.",
    supplier: "Add what sets you apart from other suppliers: the platform answers the objection with it."
  },
  es: {
    times:
      "La plataforma ya lo sigue: dentro del horario de envío, los contactos pasan a las horas en que más se responde.",
    opening: "El optimizador compara las aperturas en cada campaña y cambia lo que se escribe cuando la prueba basta.",
    region: "Para buscar más empresas donde más se responde, limite la búsqueda a este estado.",
    sector: "Para buscar más empresas de este sector, pida sus códigos e inclúyalos en la búsqueda.",
    price: "Registre los precios y lo que incluyen: la plataforma responde a la objeción con eso.",
    supplier: "Registre lo que lo distingue de otros proveedores: la plataforma responde a la objeción con eso."
  }
}

const states = new Set("AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO".split(" "))

/** The advice for a learning, by the claim's key, such as `region:SP:higher`. Null if there is nothing to do. */
export const learningAdvice = (key: string, language: Language): LearningAdvice | null => {
  const [kind = "", ...rest] = key.split(":")
  const direction = rest.at(-1)
  const group = rest.slice(0, -1).join(":")
  const advice = (
    text: AdviceText,
    tool: string | null = null,
    args: { readonly [name: string]: string } = {}
  ): LearningAdvice => ({ is_applied: tool === null, tool, arguments: args, text: texts[language][text] })
  const isDifference = direction === "higher" || direction === "lower"
  if (kind === "refusal_reason") {
    if (direction === "price" || direction === "no_budget") return advice("price", "register_business_file")
    return direction === "has_supplier" ? advice("supplier", "register_business_file") : null
  }
  if (!isDifference) return null
  switch (kind) {
    case "reply_day":
    case "reply_hour":
      return advice("times")
    case "opening":
      return advice("opening")
    case "region":
      return direction === "higher" && states.has(group)
        ? advice("region", "set_targeting", { uf_filter: group })
        : null
    case "sector":
      return direction === "higher" ? advice("sector", "generate_cnae_suggestion", { icp_text: group }) : null
    default:
      return null
  }
}
