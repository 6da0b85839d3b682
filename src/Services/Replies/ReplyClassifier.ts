import { readFileSync } from "node:fs"
import { loadClassifier, type SentenceClassifier } from "../Text/Sentences/SentenceClassifier.ts"

/** The trained model (see `training/README.md`). */
export const modelFile = new URL("./sentences.model", import.meta.url)

let loaded: SentenceClassifier | undefined

/** The embedded classifier of replies' sentences; its model is read when the first reply is. */
export const replyClassifier = (): SentenceClassifier => {
  loaded ??= loadClassifier(readFileSync(modelFile))
  return loaded
}
