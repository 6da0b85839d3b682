import type { Language } from "../../../Services/Text/Language.ts"
import { pageLanguage } from "../../Platform/Http/PersonPage.ts"
import { plainPage } from "./PlainPage.ts"
import type { SiteAnswer } from "./SiteRoute.ts"

const words: {
  readonly [L in Language]: {
    readonly absent: readonly [title: string, text: string]
    readonly suspended: readonly [title: string, text: string]
  }
} = {
  "pt-BR": {
    absent: ["Não há nada aqui", "Neste endereço não há um site. Confira se ele está escrito corretamente."],
    suspended: ["Site suspenso", "Este site foi retirado do ar pela plataforma que o hospeda."]
  },
  en: {
    absent: ["There is nothing here", "There is no site at this address. Check that it is written correctly."],
    suspended: ["Site suspended", "This site was taken down by the platform that hosts it."]
  },
  es: {
    absent: ["Aquí no hay nada", "En esta dirección no hay un sitio. Compruebe que esté bien escrita."],
    suspended: ["Sitio suspendido", "Este sitio fue retirado por la plataforma que lo aloja."]
  }
}

/** The answer where no site is. */
export const absentPage = (acceptLanguage: string | undefined): SiteAnswer => {
  const language = pageLanguage(acceptLanguage)
  const [title, text] = words[language].absent
  return plainPage({ status: 404, language, title, content: `<p>${text}</p>` })
}

/** The answer where the operator took a site down. */
export const suspendedPage = (acceptLanguage: string | undefined): SiteAnswer => {
  const language = pageLanguage(acceptLanguage)
  const [title, text] = words[language].suspended
  return plainPage({ status: 451, language, title, content: `<p>${text}</p>` })
}

/** A refusal to a program: no browser sends what brings it. */
export const refusalAnswer = (status: number, text: string): SiteAnswer => ({
  status,
  headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  body: `${text}\n`
})

/** The database is away for the moment. */
export const troubleAnswer: SiteAnswer = {
  ...refusalAnswer(503, "The site cannot be shown for the moment. Try again in a few seconds."),
  headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "Retry-After": "2" }
}
