import { type Language, languageOf } from "../../Text/Language.ts"
import type { SectionEdit } from "../Editor/EditedSections.ts"

interface Words {
  readonly pictureLeftOut: (detail: string) => string
  readonly notSearched: (detail: string) => string
  readonly foundOnWeb: (facts: number) => string
  readonly foundNothing: string
  readonly searchedOwn: string
  readonly otherBusiness: (name: string, accountsName: string) => string
  readonly picture: (prompt: string) => string
  readonly title: (title: string) => string
  readonly texts: (blocks: ReadonlyArray<string>) => string
  /** Of sections and colours that were changed by hand. */
  readonly sections: { readonly [E in SectionEdit["_tag"]]: (title: string) => string }
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
    title: (title) => `O título do site é “${title}”.`,
    texts: (blocks) => `Textos mudados à mão em: ${blocks.join("; ")}`,
    sections: {
      Add: (title) => `Seção acrescentada à mão: ${title}`,
      Move: (title) => `Seção movida à mão: ${title}`,
      Remove: (title) => `Seção retirada à mão: ${title}`,
      Colors: () => "Cores mudadas à mão"
    }
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
    title: (title) => `The site's title is “${title}”.`,
    texts: (blocks) => `Texts changed by hand in: ${blocks.join("; ")}`,
    sections: {
      Add: (title) => `Section added by hand: ${title}`,
      Move: (title) => `Section moved by hand: ${title}`,
      Remove: (title) => `Section removed by hand: ${title}`,
      Colors: () => "Colours changed by hand"
    }
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
    title: (title) => `El título del sitio es “${title}”.`,
    texts: (blocks) => `Textos cambiados a mano en: ${blocks.join("; ")}`,
    sections: {
      Add: (title) => `Sección agregada a mano: ${title}`,
      Move: (title) => `Sección movida a mano: ${title}`,
      Remove: (title) => `Sección quitada a mano: ${title}`,
      Colors: () => "Colores cambiados a mano"
    }
  }
}

/** What is told of a writing beside what the writer tells, in the site's language. */
export const writingNotes = (language: string): Words =>
  words[/^(?:pt|es)-/.test(language) ? languageOf(language) : "en"]
