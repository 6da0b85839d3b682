import { writeFileSync } from "node:fs"
import { clauseModelFile } from "../src/Services/Websites/Material/ClauseClassifier.ts"
import { labelledSentences } from "./Sentences.ts"
import { trainedModel } from "./TrainedModel.ts"

/** Trains the classifier of what owners write when they ask for a site, and writes its model. */

/** There are fewer of these sentences than of replies'. */
const leastSentences = 3

writeFileSync(clauseModelFile, trainedModel({ sentences: labelledSentences("briefs"), patterns: [], leastSentences }))
