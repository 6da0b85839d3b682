import { parsedUrl } from "../../Core/Outside/ParsedUrl.ts"
import type { Language } from "../../Text/Language.ts"
import { clip } from "../../Text/PlainText.ts"

const texts: {
  readonly [L in Language]: {
    readonly subject: (host: string) => string
    readonly begin: (url: string) => string
    readonly see: string
  }
} = {
  "pt-BR": {
    subject: (host) => `Captura de tela de ${host}`,
    begin: (url) => `A página ${url} foi vista e analisada:`,
    see: "A imagem:"
  },
  en: {
    subject: (host) => `Screenshot of ${host}`,
    begin: (url) => `The page ${url} was looked at and analysed:`,
    see: "The picture:"
  },
  es: {
    subject: (host) => `Captura de pantalla de ${host}`,
    begin: (url) => `La página ${url} fue vista y analizada:`,
    see: "La imagen:"
  }
}

/** The message to an address that a screenshot names. */
export const screenshotMail = (
  { analysis, imageUrl, url }: { readonly analysis: string; readonly imageUrl: string; readonly url: string },
  language: Language
) => {
  const { begin, see, subject } = texts[language]
  const host = parsedUrl(url)?.hostname ?? url
  return { subject: subject(clip(host, 80)), text: `${begin(clip(url, 500))}\n\n${analysis}\n\n${see} ${imageUrl}` }
}
