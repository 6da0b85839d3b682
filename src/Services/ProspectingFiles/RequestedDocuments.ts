import { preparePassage, prepareQuery, scorePassage, weightByLength } from "../Text/PassageScore.ts"
import { type DocumentKind, kindsIn } from "./DocumentKinds.ts"
import { chosenFiles, type OfferableFile } from "./OfferableFiles.ts"

/** The document kinds for which a presentation may be sent. Undefined if presentations are disabled. */
export interface PresentationAtHand {
  readonly showsPrices: boolean
}

/** A document that fulfils a request. A presentation has an address only once it is created. */
export type RequestedDocument =
  | { readonly _tag: "File"; readonly kind: DocumentKind | undefined; readonly file: OfferableFile }
  | { readonly _tag: "Presentation" }

/** The documents that are available for a request. */
export interface AvailableDocuments {
  readonly documents: ReadonlyArray<RequestedDocument>
  /** Whether they include everything that was requested. */
  readonly isComplete: boolean
}

const isOf = (kind: DocumentKind, text: string): boolean => kindsIn(text).kinds.includes(kind)

/** The files of a kind. The title decides, otherwise a description that names the kind explicitly. */
const filesOfKind = (kind: DocumentKind, files: ReadonlyArray<OfferableFile>): ReadonlyArray<OfferableFile> => {
  const titled = files.filter(({ title }) => isOf(kind, title))
  if (titled.length > 0) return titled
  return files.filter(({ description, title }) => {
    const { areHints, kinds } = kindsIn(description)
    return kindsIn(title).kinds.length === 0 && !areHints && kinds[0] === kind
  })
}

/** Among files of the same kind, the one that the request mentions, otherwise the first in the owner's order. */
const bestOf = (wish: string, files: ReadonlyArray<OfferableFile>): OfferableFile | undefined => {
  const query = prepareQuery(wish, weightByLength)
  const scored = files.map((file) => ({
    file,
    score: scorePassage(query, preparePassage({ title: file.title, text: file.description }))
  }))
  return scored.toSorted((a, b) => b.score - a.score)[0]?.file
}

const standsFor = (kind: DocumentKind, presentation: PresentationAtHand | undefined): boolean =>
  presentation !== undefined &&
  (kind === "overview" || kind === "catalogue" || (kind === "prices" && presentation.showsPrices))

const forKind = (
  wish: string,
  kind: DocumentKind,
  files: ReadonlyArray<OfferableFile>,
  { areHints, presentation }: { readonly areHints: boolean; readonly presentation: PresentationAtHand | undefined }
): RequestedDocument | undefined => {
  const file = bestOf(wish, filesOfKind(kind, files))
  if (file !== undefined) return { _tag: "File", kind, file }
  // "Do you have a PDF?" asks for any presentation of the business.
  const catalogue = areHints && kind === "overview" ? bestOf(wish, filesOfKind("catalogue", files)) : undefined
  if (catalogue !== undefined) return { _tag: "File", kind: "catalogue", file: catalogue }
  return standsFor(kind, presentation) ? { _tag: "Presentation" } : undefined
}

const keyOf = (document: RequestedDocument): string =>
  document._tag === "Presentation" ? "presentation" : document.file.url

/**
 * The documents for a lead's request: files of the requested kinds, or the lead's presentation. A document that the
 * request does not describe is never sent instead.
 */
export const requestedDocuments = (
  wish: string,
  files: ReadonlyArray<OfferableFile>,
  presentation: PresentationAtHand | undefined
): AvailableDocuments => {
  const { areHints, kinds } = kindsIn(wish)
  // "The PDF about the X200" identifies a file by its subject.
  const [named] = kinds.length === 0 || areHints ? chosenFiles(files, wish) : []
  if (named !== undefined) return { documents: [{ _tag: "File", kind: undefined, file: named }], isComplete: true }
  if (kinds.length === 0) return { documents: [], isComplete: false }
  const answers = kinds.map((kind) => forKind(wish, kind, files, { areHints, presentation }))
  const documents = new Map(answers.flatMap((document) => (document ? [[keyOf(document), document] as const] : [])))
  return { documents: [...documents.values()], isComplete: answers.every((document) => document !== undefined) }
}
