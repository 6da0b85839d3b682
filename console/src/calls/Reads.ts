import { type CallOptions, callTool, send } from "./Call.ts"
import { errorOfAnswer } from "./CallError.ts"
import { readsPath } from "./firstReads.js"
import { type AnswerOf, type ArgumentsOf, catalogOf, type ToolName } from "./Tools.ts"

/** The most calls of one request, as the gateway allows, and the most letters of their arguments. Addresses have a limit. */
const mostReads = 20
const mostLetters = 3_000

interface ReadAnswer {
  readonly status: number
  readonly request_id: string
  readonly body: unknown
}

interface WaitingRead {
  readonly read: readonly [tool: string, args: object]
  readonly resolve: (answer: ReadAnswer) => void
  readonly reject: (error: unknown) => void
  /** Makes the call alone. */
  readonly callAlone: () => void
}

let waiting: ReadonlyArray<WaitingRead> = []

const sendTogether = (reads: ReadonlyArray<WaitingRead>): void => {
  const [only, ...others] = reads
  if (only === undefined) return
  if (others.length === 0) return only.callAlone()
  send<{ readonly answers: ReadonlyArray<ReadAnswer> }>("GET", readsPath(reads.map(({ read }) => read))).then(
    ({ answers }) => {
      for (const [index, { reject, resolve }] of reads.entries()) {
        const answer = answers[index]
        if (answer === undefined) reject(new Error("The gateway left out an answer."))
        else resolve(answer)
      }
    },
    (error: unknown) => {
      for (const { reject } of reads) reject(error)
    }
  )
}

const flush = (): void => {
  const reads = waiting
  waiting = []
  let batch: Array<WaitingRead> = []
  let letters = 0
  for (const each of reads) {
    const size = JSON.stringify(each.read).length
    if (batch.length === mostReads || letters + size > mostLetters) {
      sendTogether(batch)
      batch = []
      letters = 0
    }
    batch.push(each)
    letters += size
  }
  sendTogether(batch)
}

/**
 * Calls a tool that reads. Calls that a screen makes at the same time go in one request: a browser sends only six at once, and the
 * screen is drawn once and not once for each answer.
 */
export const readTool = async <Name extends ToolName>(
  tool: Name,
  args: ArgumentsOf<Name>,
  options: Pick<CallOptions, "signal"> = {}
): Promise<AnswerOf<Name>> => {
  if (catalogOf(tool) !== "rest") return await callTool(tool, args, options)
  return await new Promise<AnswerOf<Name>>((resolve, reject) => {
    const isFirst = waiting.length === 0
    waiting = [
      ...waiting,
      {
        read: [tool, args],
        resolve: ({ body, request_id, status }) => {
          if (status === 200) return resolve(answerOf<Name>(body))
          reject(errorOfAnswer(status, new Headers({ "X-Request-Id": request_id }), JSON.stringify(body)))
        },
        reject,
        callAlone: () => void callTool(tool, args, options).then(resolve, reject)
      }
    ]
    if (isFirst) setTimeout(flush)
  })
}

/** The body, as the gateway's document describes it. */
function answerOf<Name extends ToolName>(body: unknown): AnswerOf<Name>
function answerOf(body: unknown): unknown {
  return body
}
