import { type Language, languageOf } from "../Text/Language.ts"
import { clip, tidyText } from "../Text/PlainText.ts"

interface Words {
  readonly subject: (title: string) => string
  readonly attached: string
  readonly linked: (htmlUrl: string) => string
  readonly zip: (zipUrl: string) => string
}

const words: { readonly [L in Language]: Words } = {
  "pt-BR": {
    subject: (title) => `Código do site ${title}`,
    attached: "O site inteiro vai anexo, em um só arquivo que abre em qualquer navegador.",
    linked: (url) => `O site inteiro em um só arquivo, que abre em qualquer navegador:\n${url}`,
    zip: (url) => `Uma página por arquivo, com as imagens, para publicar onde quiser:\n${url}`
  },
  en: {
    subject: (title) => `Code of the website ${title}`,
    attached: "The whole site is attached, as one file that opens in any browser.",
    linked: (url) => `The whole site as one file that opens in any browser:\n${url}`,
    zip: (url) => `A file per page, with the pictures, to publish wherever you like:\n${url}`
  },
  es: {
    subject: (title) => `Código del sitio ${title}`,
    attached: "El sitio entero va adjunto, en un solo archivo que se abre en cualquier navegador.",
    linked: (url) => `El sitio entero en un solo archivo, que se abre en cualquier navegador:\n${url}`,
    zip: (url) => `Un archivo por página, con las imágenes, para publicarlo donde quiera:\n${url}`
  }
}

/** The mail that delivers an export. */
export const exportMail = (
  site: { readonly title: string; readonly isAttached: boolean; readonly htmlUrl: string; readonly zipUrl: string },
  languageKey: string
) => {
  const { attached, linked, subject, zip } = words[languageOf(languageKey)]
  const title = clip(tidyText(site.title).replace(/\s+/g, " ").trim(), 80)
  return {
    subject: subject(title),
    text: `${site.isAttached ? attached : linked(site.htmlUrl)}\n\n${zip(site.zipUrl)}`
  }
}
