import { writeFileSync } from "node:fs"
import { modelFile } from "../src/Services/Replies/Readers/ReplyClassifier.ts"
import { labelledSentences, sentencesOfPatterns } from "./Sentences.ts"
import { trainedModel } from "./TrainedModel.ts"

/** Trains the classifier of replies' sentences and writes its model: `npm run train:reader`. */

writeFileSync(modelFile, trainedModel({ sentences: labelledSentences(), patterns: sentencesOfPatterns() }))
