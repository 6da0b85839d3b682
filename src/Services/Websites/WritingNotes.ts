import { type Language, languageOf } from "../Text/Language.ts"

interface Words {
  readonly pictureLeftOut: (detail: string) => string
  readonly notSearched: (detail: string) => string
  readonly foundOnWeb: (facts: number) => string
  readonly foundNothing: string
  readonly picture: (prompt: string) => string
}

const words: { readonly [L in Language]: Words } = {
  "pt-BR": {
    pictureLeftOut: (detail) => `Uma imagem ficou de fora: ${detail}`,
    notSearched: (detail) => `A pesquisa na web não pôde ser feita: ${detail}`,
    foundOnWeb: (facts) =>
      `A pesquisa na web trouxe ${facts} ${facts === 1 ? "informação" : "informações"}, guardadas com a fonte no conhecimento do negócio.`,
    foundNothing: "A pesquisa na web não trouxe nada que se possa usar.",
    picture: (prompt) => `A imagem foi refeita: ${prompt}`
  },
  en: {
    pictureLeftOut: (detail) => `A picture was left out: ${detail}`,
    notSearched: (detail) => `The web could not be searched: ${detail}`,
    foundOnWeb: (facts) =>
      `The web search found ${facts} ${facts === 1 ? "fact" : "facts"}, kept with their sources in the business knowledge.`,
    foundNothing: "The web search found nothing that can be used.",
    picture: (prompt) => `The picture was made anew: ${prompt}`
  },
  es: {
    pictureLeftOut: (detail) => `Una imagen quedó fuera: ${detail}`,
    notSearched: (detail) => `No se pudo buscar en la web: ${detail}`,
    foundOnWeb: (facts) =>
      `La búsqueda en la web encontró ${facts} ${facts === 1 ? "dato" : "datos"}, guardados con su fuente en el conocimiento del negocio.`,
    foundNothing: "La búsqueda en la web no encontró nada que se pueda usar.",
    picture: (prompt) => `La imagen se hizo de nuevo: ${prompt}`
  }
}

/** What is told of a writing beside what the writer tells, in the site's language. */
export const writingNotes = (language: string): Words =>
  words[/^(?:pt|es)-/.test(language) ? languageOf(language) : "en"]
