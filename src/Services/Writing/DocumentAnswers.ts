import type { DocumentKind } from "../ProspectingFiles/DocumentKinds.ts"
import type { Language } from "../Text/Language.ts"
import type { HandedDocument, WritingBrief } from "./WritingBrief.ts"

interface DocumentTexts {
  /** Comes before the address. */
  readonly here: { readonly [K in DocumentKind]: string }
  /** Of a document that only its title describes. */
  readonly hereAny: string
  /** Before each further document. */
  readonly presentation: string
  /** What the account does not have. The owner is asked for it. */
  readonly missing: string
  /** The same after other documents were handed over. */
  readonly restMissing: string
  /** Comes before the answer of the owner. */
  readonly relay: string
}

const texts: { readonly [L in Language]: DocumentTexts } = {
  "pt-BR": {
    here: {
      overview: "Aqui está a nossa apresentação:",
      catalogue: "Aqui está o nosso catálogo:",
      prices: "Aqui está a tabela de preços:",
      proposal: "Aqui está a proposta:",
      contract: "Aqui está o contrato:",
      technical: "Aqui está a documentação técnica:",
      cases: "Aqui estão alguns casos de clientes:",
      certificate: "Aqui está o certificado:"
    },
    hereAny: "Aqui está o material que você pediu:",
    presentation: "Preparei esta apresentação para você:",
    missing: "Já pedi à equipe o material que você quer ver. Você o recebe por aqui.",
    restMissing: "O restante já pedi à equipe. Você o recebe por aqui.",
    relay: "Aqui está o que você pediu:"
  },
  en: {
    here: {
      overview: "Here's an overview of what we do:",
      catalogue: "Here's our catalogue:",
      prices: "Here's our price list:",
      proposal: "Here's the proposal:",
      contract: "Here's the contract:",
      technical: "Here are the technical documents:",
      cases: "Here are some customer stories:",
      certificate: "Here's the certificate:"
    },
    hereAny: "Here's what you asked for:",
    presentation: "I've put together a presentation for you:",
    missing: "I've asked the team for the document you want to see. You'll get it here.",
    restMissing: "I've asked the team for the rest. You'll get it here.",
    relay: "Here's what you asked for:"
  },
  es: {
    here: {
      overview: "Aquí tiene nuestra presentación:",
      catalogue: "Aquí tiene nuestro catálogo:",
      prices: "Aquí tiene la lista de precios:",
      proposal: "Aquí tiene la propuesta:",
      contract: "Aquí tiene el contrato:",
      technical: "Aquí tiene la documentación técnica:",
      cases: "Aquí tiene algunos casos de clientes:",
      certificate: "Aquí tiene el certificado:"
    },
    hereAny: "Aquí tiene el material que pidió:",
    presentation: "Preparé esta presentación para usted:",
    missing: "Ya le pedí al equipo el material que quiere ver. Lo recibirá por aquí.",
    restMissing: "El resto ya se lo pedí al equipo. Lo recibirá por aquí.",
    relay: "Aquí tiene lo que pidió:"
  }
}

const lineFor = ({ kind, purpose, url }: HandedDocument, language: Language): string => {
  const { here, hereAny, presentation } = texts[language]
  const words = purpose === "presentation" ? presentation : kind === undefined ? hereAny : here[kind]
  return `${words} ${url}`
}

/** What a message says of the documents that the lead asked for. */
export const documentParagraphs = ({ documents, language }: WritingBrief): ReadonlyArray<string> => {
  if (documents === undefined) return []
  const lines = documents.documents.map((document) => lineFor(document, language))
  if (documents.missing.length === 0) return lines
  return [...lines, lines.length === 0 ? texts[language].missing : texts[language].restMissing]
}

/** Comes before the document that the owner sends for an earlier wish. The wish itself is not repeated to the lead. */
export const documentRelay = (language: Language): string => texts[language].relay
