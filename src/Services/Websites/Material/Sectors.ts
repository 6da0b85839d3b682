import { fold } from "../../Text/PlainText.ts"
import type { SiteTheme } from "../Site.ts"

/** What kind of business a site is for: it decides the look, the order of the blocks and the words of their headings. */
export type Sector =
  | "food"
  | "clinic"
  | "beauty"
  | "fitness"
  | "legal"
  | "finance"
  | "software"
  | "shop"
  | "event"
  | "portfolio"
  | "school"
  | "nonprofit"
  | "realEstate"
  | "lodging"
  | "trade"
  | "pets"
  | "agency"
  | "general"

interface SectorRule {
  readonly words: RegExp
  readonly layouts: ReadonlyArray<SiteTheme["layout"]>
  readonly palettes: ReadonlyArray<number>
  readonly typefaces: ReadonlyArray<number>
  /** Colours for those that name none. */
  readonly colors: ReadonlyArray<string>
}

/** In the order in which they are asked where a text names several equally often. */
export const sectors: { readonly [S in Sector]: SectorRule } = {
  food: {
    words:
      /\b(?:restaurantes?|cafeterias?|padarias?|panificadora|confeitarias?|pizzarias?|hamburguerias?|lanchonetes?|bistro|cervejarias?|churrascarias?|gastronomia|buffet|doceria|sorveteria|cardapio|restaurants?|cafes?|coffee shop|bakery|bakeries|pizzeria|bar|pub|brewery|catering|diner|panaderias?|pasteleria|heladeria|taqueria|comida|cozinha|chef)\b/g,
    layouts: ["atelier", "meadow", "column", "tiles"],
    palettes: [1, 6, 3, 9],
    typefaces: [3, 1, 1],
    colors: ["#a63d2f", "#8a5a2b", "#7a2e3a", "#33604a", "#b8561f"]
  },
  clinic: {
    words:
      /\b(?:clinicas?|consultorios?|odonto\w*|dentistas?|medic[oa]s?|fisioterapi\w*|psicolog\w*|nutricionistas?|saude|dermatolog\w*|clinics?|dental|dentists?|doctors?|physio\w*|psycholog\w*|therapy|therapists?|health|healthcare|salud|odontolog\w*|terapias?|fonoaudiolog\w*|pediatr\w*|laboratorio)\b/g,
    layouts: ["meadow", "harbour", "column"],
    palettes: [7, 0, 3, 5],
    typefaces: [0, 1, 0],
    colors: ["#0f766e", "#2563a8", "#3b7a57", "#5b5fc7", "#0e7490"]
  },
  beauty: {
    words:
      /\b(?:salao de beleza|salao|barbearias?|estetica|manicure|cabeleireir[oa]s?|spa|maquiagem|beleza|hair|salon|barber\w*|beauty|nails?|makeup|peluqueria|belleza|barberia|sobrancelhas?|depilacao)\b/g,
    layouts: ["atelier", "column", "meadow", "split"],
    palettes: [6, 3, 9, 8],
    typefaces: [3, 1, 3],
    colors: ["#a8456b", "#8b5e83", "#2f2a2a", "#b07a5b", "#7c4d79"]
  },
  fitness: {
    words:
      /\b(?:academias?|crossfit|pilates|yoga|personal trainer|musculacao|treinos?|gym|fitness|workouts?|gimnasio|entrenamiento|artes marciais|natacao|danca)\b/g,
    layouts: ["signal", "harbour", "meadow", "tiles"],
    palettes: [4, 2, 8],
    typefaces: [2, 0],
    colors: ["#e2571c", "#3a7d1f", "#c2185b", "#1b6ec2"]
  },
  legal: {
    words:
      /\b(?:advocacia|advogad[oa]s?|juridic[oa]s?|direito|law firm|law|lawyers?|attorneys?|legal|abogad[oa]s?|despacho juridico|derecho|notaria|cartorio)\b/g,
    layouts: ["ledger", "column", "split"],
    palettes: [6, 0, 2, 8],
    typefaces: [3, 1],
    colors: ["#1f2f4d", "#5a2a2a", "#2f4a3c", "#3c3550"]
  },
  finance: {
    words:
      /\b(?:contabil\w*|contables?|contador\w*|auditoria|tributari\w*|investimentos?|seguros?|seguradora|corretora de seguros|accounting|accountants?|tax|insurance|financial|finance|wealth|contadores|contaduria|finanzas|financeir[oa]s?|consultoria|consulting|consultants?|consultores|asesoria)\b/g,
    layouts: ["ledger", "harbour", "split"],
    palettes: [0, 2, 6, 5],
    typefaces: [0, 1, 3],
    colors: ["#14532d", "#1e3a8a", "#334155", "#0f4c5c"]
  },
  software: {
    words:
      /\b(?:software|saas|aplicativos?|app|plataformas?|startup|tecnologia|sistemas?|api|inteligencia artificial|platform|technology|cloud|cybersecurity|ai|data|tecnologica|programacao|automacao|automation|crm|erp)\b/g,
    layouts: ["signal", "harbour", "tiles"],
    palettes: [2, 4, 5, 0],
    typefaces: [0, 2],
    colors: ["#4338ca", "#0369a1", "#0d9488", "#7c3aed", "#111827"]
  },
  shop: {
    words:
      /\b(?:lojas?|e-?commerce|boutique|moda|roupas|joias|joalheria|moveis|decoracao|floricultura|livraria|store|shop|fashion|jewel\w*|furniture|florist|bookshop|bookstore|tienda|ropa|joyeria|muebles|floristeria|artesanato|artesania|crafts?|ceramica|ceramics|papelaria)\b/g,
    layouts: ["atelier", "harbour", "meadow", "tiles"],
    palettes: [8, 1, 6, 5],
    typefaces: [3, 2, 1],
    colors: ["#1d3b2f", "#9a3412", "#6d28d9", "#0f766e", "#be185d"]
  },
  event: {
    words:
      /\b(?:eventos?|conferencias?|congresso|workshops?|seminarios?|festival|feira|palestras?|casamentos?|webinar|conference|summit|meetup|wedding|congreso|feria|boda|encontro|hackathon)\b/g,
    layouts: ["signal", "column", "atelier", "split"],
    palettes: [9, 4, 5, 3],
    typefaces: [2, 3],
    colors: ["#6d28d9", "#be123c", "#0f766e", "#c2410c"]
  },
  portfolio: {
    words:
      /\b(?:portfolio|portafolio|fotograf[oa]s?|fotografia|photograph\w*|ilustrador\w*|illustrat\w*|arquitet[oa]s?|arquitetura|architect\w*|arquitect\w*|designers?|artistas?|artist|musician|music[oa]|escritor\w*|writer|videomaker|filmmaker|freelancer?|tatuador\w*|tattoo)\b/g,
    layouts: ["column", "atelier", "split"],
    palettes: [8, 6, 2, 4],
    typefaces: [3, 2],
    colors: ["#1f1f1f", "#7a4b2a", "#264653", "#9b2226"]
  },
  school: {
    words:
      /\b(?:escolas?|cursos?|colegio|faculdade|aulas?|ensino|idiomas|creche|school|courses?|classes|academy|tutoring|language school|kindergarten|daycare|training|escuela|clases|ensenanza|guarderia|professor\w*|mentoria|treinamentos?)\b/g,
    layouts: ["meadow", "harbour"],
    palettes: [3, 5, 7, 1],
    typefaces: [2, 0, 1],
    colors: ["#1d6fd1", "#e07a1f", "#2f855a", "#7c3aed"]
  },
  nonprofit: {
    words:
      /\b(?:ong|instituto|fundacao|associacao|voluntari\w*|doac\w*|projeto social|non-?profit|charity|foundation|volunteers?|donations?|ngo|fundacion|asociacion|donaciones|voluntarios|igreja|church|iglesia|cooperativa)\b/g,
    layouts: ["meadow", "column", "harbour", "tiles"],
    palettes: [5, 1, 7, 3],
    typefaces: [1, 2],
    colors: ["#15803d", "#b45309", "#0e7490", "#be123c"]
  },
  realEstate: {
    words:
      /\b(?:imobiliarias?|imoveis|corretor(?:a|es)? de imoveis|loteamento|apartamentos|condominio|real estate|realtors?|property|properties|inmobiliari[ao]s?|inmuebles|alquiler de|housing)\b/g,
    layouts: ["harbour", "atelier", "ledger"],
    palettes: [2, 6, 0],
    typefaces: [1, 0, 3],
    colors: ["#1e3a5f", "#7c5a2e", "#14532d", "#374151"]
  },
  lodging: {
    words:
      /\b(?:pousadas?|hotel|hoteis|hostel|hospedagem|chales?|turismo|passeios|viagens|agencia de viagens|inn|lodge|guesthouse|bed and breakfast|tours?|travel|posada|hospedaje|cabanas?|viajes)\b/g,
    layouts: ["atelier", "harbour", "column", "split"],
    palettes: [1, 7, 6, 9],
    typefaces: [1, 3],
    colors: ["#155e63", "#7a5230", "#2f5d3a", "#1e4e79"]
  },
  trade: {
    words:
      /\b(?:construcao|construtora|reformas?|eletricistas?|encanador\w*|pintura|pintor\w*|marcenaria|serralheria|jardinagem|limpeza|manutencao|oficina|mecanica|transportadora|logistica|industria|energia solar|construction|builders?|plumb\w*|electric\w*|roofing|carpent\w*|cleaning|landscap\w*|repairs?|garage|logistics|manufactur\w*|construccion|fontaner\w*|carpinter\w*|limpieza|mantenimiento|taller|dedetizacao|climatizacao|vidracaria|mudancas)\b/g,
    layouts: ["harbour", "signal", "ledger", "split"],
    palettes: [2, 0, 6, 8],
    typefaces: [2, 0],
    colors: ["#c2410c", "#1d4ed8", "#166534", "#b45309", "#334155"]
  },
  pets: {
    words:
      /\b(?:pets?|pet shop|veterinari\w*|banho e tosa|caes|cachorros?|gatos?|dogs?|cats?|vet|grooming|mascotas?|perros?|adestra\w*)\b/g,
    layouts: ["meadow", "harbour"],
    palettes: [7, 3, 1],
    typefaces: [2, 0],
    colors: ["#0f766e", "#c2571a", "#4d7c0f", "#6d4bb0"]
  },
  agency: {
    words:
      /\b(?:agencia|marketing|publicidade|branding|comunicacao|midia|agency|advertising|media|publicidad|comunicacion|social media|seo|producao de video|estudio criativo|creative studio)\b/g,
    layouts: ["signal", "column", "atelier", "tiles"],
    palettes: [8, 5, 4, 9],
    typefaces: [2, 0, 3],
    colors: ["#e11d48", "#4f46e5", "#ea580c", "#111111"]
  },
  general: {
    words: /(?!)/g,
    layouts: ["harbour", "column", "ledger", "meadow", "atelier", "signal", "split", "tiles"],
    palettes: [0, 1, 2, 5, 6, 7],
    typefaces: [0, 1, 2, 3],
    colors: ["#1d4ed8", "#0f766e", "#9a3412", "#4c1d95", "#334155"]
  }
}

const isSector = (name: string): name is Sector => Object.hasOwn(sectors, name)
const ordered = Object.keys(sectors).filter(isSector)

/** Whether a word says what kind of business it is: "bakery", "clínica". */
export const isTrade = (word: string): boolean => {
  const folded = fold(word)
  return ordered.some((sector) => [...folded.matchAll(sectors[sector].words)].some(([found]) => found === folded))
}

// "For restaurants", "de bares e restaurantes": whom it serves is not what it is.
const served = /\b(?:para|for|de|of)\s(?:\p{L}+\s(?:e|and|y)\s)?(?:\p{L}+\s)?$/u

/** The sector that a text mentions most. Early words count more, and words of the business's name count most. */
export const sectorOf = (text: string, name = ""): Sector => {
  const folded = fold(text).slice(0, 6000)
  const own = fold(name)
  let best: { readonly sector: Sector; readonly score: number } = { sector: "general", score: 0 }
  for (const sector of ordered) {
    let score = 0
    const seen = new Set<string>()
    for (const match of folded.matchAll(sectors[sector].words)) {
      const isNew = !seen.has(match[0])
      seen.add(match[0])
      const isServed = /s$/.test(match[0]) && served.test(folded.slice(Math.max(0, match.index - 40), match.index))
      score += (isNew ? 1 : 0.25) * (match.index < 160 ? 3 : 1) * (isServed ? 0.2 : 1)
      // What a description begins with is what it is of.
      if (match.index < 10) score += (10 - match.index) / 2
    }
    if (own !== "" && [...own.matchAll(sectors[sector].words)].length > 0) score += 4
    if (score > best.score) best = { sector, score }
  }
  return best.sector
}
