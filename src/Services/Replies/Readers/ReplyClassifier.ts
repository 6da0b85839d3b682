import { lazyClassifier } from "../../Text/Sentences/SentenceClassifier.ts"

/** The trained model (see `training/README.md`). */
export const modelFile = new URL("./sentences.model", import.meta.url)

/** The embedded classifier of replies' sentences; its model is read when the first reply is. */
export const replyClassifier = lazyClassifier(modelFile)
