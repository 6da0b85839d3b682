import { type Language, languageOf } from "../../Text/Language.ts"

interface Words {
  readonly pictureLeftOut: (detail: string) => string
  readonly notSearched: (detail: string) => string
  readonly foundOnWeb: (facts: number) => string
  readonly foundNothing: string
  readonly searchedOwn: string
  readonly otherBusiness: (name: string, accountsName: string) => string
  readonly picture: (prompt: string) => string
  readonly texts: (blocks: ReadonlyArray<string>) => string
}

const words: { readonly [L in Language]: Words } = {
  "pt-BR": {
    pictureLeftOut: (detail) => `Uma imagem ficou de fora: ${detail}`,
    notSearched: (detail) => `A pesquisa na web não pôde ser feita: ${detail}`,
    foundOnWeb: (facts) =>
      `A pesquisa na web trouxe ${facts} ${facts === 1 ? "informação, guardada" : "informações, guardadas"} com a fonte no conhecimento do negócio.`,
    foundNothing: "A pesquisa na web não trouxe nada que se possa usar.",
    searchedOwn: "A web não foi pesquisada: em sandbox, só o que a conta já sabe.",
    otherBusiness: (name, own) => `O site é de ${name}: o que a conta sabe de ${own} ficou de fora.`,
    picture: (prompt) => `A imagem foi refeita: ${prompt}`,
    texts: (blocks) => `Textos mudados à mão em: ${blocks.join("; ")}`
  },
  en: {
    pictureLeftOut: (detail) => `A picture was left out: ${detail}`,
    notSearched: (detail) => `The web could not be searched: ${detail}`,
    foundOnWeb: (facts) =>
      `The web search found ${facts} ${facts === 1 ? "fact" : "facts"}, kept with their sources in the business knowledge.`,
    foundNothing: "The web search found nothing that can be used.",
    searchedOwn: "The web was not searched: in sandbox only what the account knows already.",
    otherBusiness: (name, own) => `The site is for ${name}: what the account knows of ${own} was left out.`,
    picture: (prompt) => `The picture was made anew: ${prompt}`,
    texts: (blocks) => `Texts changed by hand in: ${blocks.join("; ")}`
  },
  es: {
    pictureLeftOut: (detail) => `Una imagen quedó fuera: ${detail}`,
    notSearched: (detail) => `No se pudo buscar en la web: ${detail}`,
    foundOnWeb: (facts) =>
      `La búsqueda en la web encontró ${facts} ${facts === 1 ? "dato, guardado" : "datos, guardados"} con su fuente en el conocimiento del negocio.`,
    foundNothing: "La búsqueda en la web no encontró nada que se pueda usar.",
    searchedOwn: "No se buscó en la web: en sandbox, solo lo que la cuenta ya sabe.",
    otherBusiness: (name, own) => `El sitio es de ${name}: lo que la cuenta sabe de ${own} quedó fuera.`,
    picture: (prompt) => `La imagen se hizo de nuevo: ${prompt}`,
    texts: (blocks) => `Textos cambiados a mano en: ${blocks.join("; ")}`
  }
}

/** What is told of a writing beside what the writer tells, in the site's language. */
export const writingNotes = (language: string): Words =>
  words[/^(?:pt|es)-/.test(language) ? languageOf(language) : "en"]
