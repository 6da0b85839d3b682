import type { Language } from "../../../Services/Text/Language.ts"
import { html } from "../../../Services/Text/Web/Html.ts"
import { siteLanguage } from "../../../Services/Websites/Forms/FormTexts.ts"
import type { Site } from "../../../Services/Websites/Site.ts"
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

const missing: { readonly [L in Language]: { readonly title: string; readonly text: string; readonly back: string } } =
  {
    "pt-BR": {
      title: "Página não encontrada",
      text: "Esta página não existe ou mudou de endereço.",
      back: "Ir para a página inicial"
    },
    en: {
      title: "Page not found",
      text: "This page does not exist, or has another address now.",
      back: "Go to the home page"
    },
    es: {
      title: "Página no encontrada",
      text: "Esta página no existe o cambió de dirección.",
      back: "Ir a la página de inicio"
    }
  }

/** The answer if the host has no site. */
export const absentPage = (acceptLanguage: string | undefined): SiteAnswer => {
  const language = pageLanguage(acceptLanguage)
  const [title, text] = words[language].absent
  return plainPage({ status: 404, language, title, content: html`<p>${text}</p>` })
}

/** The answer if the operator suspended the site. */
export const suspendedPage = (acceptLanguage: string | undefined): SiteAnswer => {
  const language = pageLanguage(acceptLanguage)
  const [title, text] = words[language].suspended
  return plainPage({ status: 451, language, title, content: html`<p>${text}</p>` })
}

/** The answer if the site has no such page, in the site's language. */
export const noSuchPage = ({ language, name }: Pick<Site, "language" | "name">): SiteAnswer => {
  const { back, text, title } = missing[siteLanguage(language)]
  return plainPage({
    status: 404,
    language: siteLanguage(language),
    title: `${title} · ${name}`,
    content: html`<p>${text}</p>\n<p><a href="/">${back}</a></p>`
  })
}

/** A refusal in plain text. Only programs get it, because no browser sends such a request. */
export const refusalAnswer = (status: number, text: string): SiteAnswer => ({
  status,
  headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  body: `${text}\n`
})

/** The answer if the database is unavailable. */
export const troubleAnswer: SiteAnswer = {
  ...refusalAnswer(503, "The site cannot be shown for the moment. Try again in a few seconds."),
  headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "Retry-After": "2" }
}

/** The answer to an unexpected failure. */
export const defectAnswer: SiteAnswer = refusalAnswer(500, "The site cannot be shown.")
