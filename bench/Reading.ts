import { monitorEventLoopDelay, performance } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import { actsByReader } from "../src/Services/Replies/ReadActs.ts"
import { replyClassifier } from "../src/Services/Replies/Readers/ReplyClassifier.ts"
import type { Language } from "../src/Services/Text/Language.ts"
import { labelledSentences } from "../training/Sentences.ts"

/**
 * The cost of reading replies: processor time per sentence and per mail of 2 kB, memory of the model with its
 * thesaurus, and the longest pause of the event loop while mails are read.
 */
const mailLength = 2000
const mails = 300
const targets = { mailMilliseconds: 5, megabytes: 40, stopMilliseconds: 20 }

const megabytesInUse = (): number => {
  globalThis.gc?.()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}

const sentences = labelledSentences()
const before = megabytesInUse()
const classifier = replyClassifier()
const start = performance.now()
classifier.probabilities("Vamos marcar?", "pt-BR")
const firstSentence = performance.now() - start
const megabytes = megabytesInUse() - before

/** Milliseconds of processor time that the work takes. */
const processorTime = (work: () => void): number => {
  const from = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(from)
  return (system + user) / 1000
}

const perSentence =
  processorTime(() => {
    for (const { language, text } of sentences) classifier.probabilities(text, language)
  }) / sentences.length

/** Mails of one language with the length of a long reply. */
const mailsOf = (language: Language): ReadonlyArray<string> => {
  const texts = sentences.filter((sentence) => sentence.language === language).map(({ text }) => text)
  return Array.from({ length: mails / 3 }, (_, index) => {
    let mail = ""
    for (let at = index * 7; mail.length < mailLength; at += 13) mail += `${texts[at % texts.length] ?? ""}\n`
    return mail.slice(0, mailLength)
  })
}

const languages: ReadonlyArray<Language> = ["pt-BR", "en", "es"]
const delays = monitorEventLoopDelay({ resolution: 1 })
let mailTime = 0
for (const language of languages) {
  for (const mail of mailsOf(language)) {
    mailTime += processorTime(() => actsByReader(mail, classifier, { today: "2026-11-24", figures: "day", language }))
    // The first mails compile the code, so pauses are only counted afterwards.
    if (language === "en") delays.enable()
    await sleep(1)
  }
}
delays.disable()

console.table([
  { what: "loading the model and thesaurus, ms", measured: firstSentence.toFixed(0), target: "" },
  { what: "processor time of a sentence, ms", measured: perSentence.toFixed(3), target: 0.2 },
  {
    what: "processor time of a mail of 2 kB, ms",
    measured: (mailTime / mails).toFixed(2),
    target: targets.mailMilliseconds
  },
  { what: "memory, MB", measured: megabytes.toFixed(1), target: targets.megabytes },
  {
    what: "longest stop of the event loop, ms",
    measured: (delays.max / 1e6).toFixed(1),
    target: targets.stopMilliseconds
  }
])
