import { Context, type Effect } from "effect"
import type { AccountId } from "../../Accounts/Ids.ts"
import type { Usage } from "../../Models/LanguageModel.ts"
import { type Language, languageOf } from "../../Text/Language.ts"
import type { PageView, Viewport } from "../Pages/Browser.ts"
import type { Site, SiteTheme } from "../Site.ts"
import type { SiteEffort } from "./SiteWriter.ts"

/** A phone, a tablet and a desk. */
export const reviewedAt: readonly [Viewport, ...ReadonlyArray<Viewport>] = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1366, height: 768 }
]

/** A fault of a page as a visitor's browser shows it. */
export interface PageFault {
  readonly page: string
  readonly width: number
  /** `overflow`, `out_of_view`, `not_examined`, or the rule of axe-core that is broken. */
  readonly rule: string
  readonly detail: string
  readonly weight: number
}

/** The findings of a review of a site. */
export interface SeenSite {
  readonly faults: ReadonlyArray<PageFault>
  /** A mark of up to ten by a model that saw the picture. Undefined if none did. */
  readonly mark: number | undefined
  /** The model's suggestions. */
  readonly remarks: ReadonlyArray<string>
  readonly usage: Usage | undefined
}

/** Looks at sites that are not published yet. */
export class SiteReviewer extends Context.Tag("SiteReviewer")<
  SiteReviewer,
  {
    /** Undefined where no browser looks: the machine has none, or it does not answer. */
    readonly look: (accountId: AccountId, site: Site, pages: "home" | "all") => Effect.Effect<SeenSite | undefined>
  }
>() {}

const weights = { critical: 8, serious: 5, moderate: 2, minor: 1 } as const

/** The faults of a page through one viewport. */
export const faultsIn = (
  page: string,
  { facts, viewport: { width }, violations }: PageView
): ReadonlyArray<PageFault> => {
  const title = facts.headings.find(({ level }) => level === 1)
  const isHidden = title !== undefined && !title.isInView
  return [
    ...(facts.overflow > 1
      ? [
          {
            page,
            width,
            rule: "overflow",
            detail: `${facts.overflow} px: ${facts.wide.slice(0, 3).join(" | ")}`,
            weight: 10
          }
        ]
      : []),
    ...(isHidden ? [{ page, width, rule: "out_of_view", detail: title.text, weight: 4 }] : []),
    ...(violations === undefined
      ? [{ page, width, rule: "not_examined", detail: "", weight: 1 }]
      : violations.map(({ count, help, impact, places, rule }) => ({
          page,
          width,
          rule,
          detail: `${help} (${count}): ${places[0] ?? ""}`,
          weight: weights[impact]
        })))
  ]
}

/** How much worse a site is for what was seen of it. */
export const costOf = ({ faults, mark }: SeenSite): number =>
  faults.reduce((sum, { weight }) => sum + weight, 0) - (mark ?? 0)

/** How many are written where quality is wanted, of which the best one is kept. */
export const candidatesFor = ({ generation }: SiteEffort): number => (generation === "Quality" ? 3 : 1)

export const mostRepairs = 2

export const isReviewed = ({ generation, reasoning }: SiteEffort): boolean =>
  generation === "Quality" || reasoning === "Thinking"

const contrastRules: ReadonlySet<string> = new Set(["color-contrast", "color-contrast-enhanced", "link-in-text-block"])

/** Another look that does not have the fault: other colours for poor contrast, else the plainest layout and type. */
export const themeWithout = (theme: SiteTheme, { faults }: SeenSite): SiteTheme => {
  const isPale = faults.some(({ rule }) => contrastRules.has(rule))
  const isWide = faults.some(({ rule }) => rule === "overflow" || rule === "out_of_view")
  return {
    ...theme,
    ...(isPale ? { palette: (theme.palette + 1) % 10 } : {}),
    ...(isWide || !isPale
      ? theme.layout === "harbour"
        ? { layout: "column" as const, typefaces: 0 }
        : { layout: "harbour" as const, typefaces: 0 }
      : {})
  }
}

/** The result of a review. */
export interface Review {
  readonly candidates: number
  readonly repairs: number
  readonly faults: ReadonlyArray<PageFault>
  /** Whether a model looked at the picture too. */
  readonly isPictureSeen: boolean
}

interface Words {
  readonly reviewed: (review: Review, widths: string) => string
  readonly notLookedAt: (candidates: number) => string
}

const rulesOf = (faults: ReadonlyArray<PageFault>): string => [...new Set(faults.map(({ rule }) => rule))].join(", ")

const words: { readonly [L in Language]: Words } = {
  "pt-BR": {
    reviewed: ({ candidates, faults, isPictureSeen, repairs }, widths) =>
      [
        candidates === 1
          ? `A página foi vista num navegador em ${widths} px (largura, acessibilidade${isPictureSeen ? ", imagem" : ""}).`
          : `${candidates} versões foram vistas num navegador em ${widths} px (largura, acessibilidade${isPictureSeen ? ", imagem" : ""}); ficou a melhor.`,
        repairs === 0 ? "" : `Reparos feitos: ${repairs}.`,
        faults.length === 0 ? "Nenhum problema ficou." : `Ficou por resolver: ${rulesOf(faults)}.`
      ]
        .filter((part) => part !== "")
        .join(" "),
    notLookedAt: (candidates) =>
      candidates === 1
        ? "O site não foi visto num navegador, porque aqui nenhum respondeu."
        : `${candidates} versões foram comparadas só pelo que dizem, porque aqui nenhum navegador respondeu.`
  },
  en: {
    reviewed: ({ candidates, faults, isPictureSeen, repairs }, widths) =>
      [
        candidates === 1
          ? `The site was looked at in a browser at ${widths} px (width, accessibility${isPictureSeen ? ", picture" : ""}).`
          : `${candidates} versions were looked at in a browser at ${widths} px (width, accessibility${isPictureSeen ? ", picture" : ""}); the best one is kept.`,
        repairs === 0 ? "" : `Repairs made: ${repairs}.`,
        faults.length === 0 ? "No problem is left." : `Not resolved: ${rulesOf(faults)}.`
      ]
        .filter((part) => part !== "")
        .join(" "),
    notLookedAt: (candidates) =>
      candidates === 1
        ? "The site was not looked at in a browser, because none answered here."
        : `${candidates} versions were compared by what they say alone, because no browser answered here.`
  },
  es: {
    reviewed: ({ candidates, faults, isPictureSeen, repairs }, widths) =>
      [
        candidates === 1
          ? `El sitio se vio en un navegador a ${widths} px (ancho, accesibilidad${isPictureSeen ? ", imagen" : ""}).`
          : `${candidates} versiones se vieron en un navegador a ${widths} px (ancho, accesibilidad${isPictureSeen ? ", imagen" : ""}); quedó la mejor.`,
        repairs === 0 ? "" : `Reparaciones hechas: ${repairs}.`,
        faults.length === 0 ? "No quedó ningún problema." : `Queda por resolver: ${rulesOf(faults)}.`
      ]
        .filter((part) => part !== "")
        .join(" "),
    notLookedAt: (candidates) =>
      candidates === 1
        ? "El sitio no se vio en un navegador, porque aquí ninguno respondió."
        : `${candidates} versiones se compararon solo por lo que dicen, porque aquí ningún navegador respondió.`
  }
}

/** The owner's note about the review, in the site's language. */
export const reviewNote = (language: string, review: Review | undefined, candidates: number): string => {
  const said = words[/^(?:pt|es)-/.test(language) ? languageOf(language) : "en"]
  return review === undefined
    ? said.notLookedAt(candidates)
    : said.reviewed(review, reviewedAt.map(({ width }) => width).join(", "))
}
