import { send } from "./Call.ts"
import { readsOfToday, readsPath } from "./firstReads.js"
import type { Session } from "./Session.ts"
import { sessionPath } from "./SessionPath.ts"

/** An answer that was requested before the console's code was loaded. */
export interface FirstAnswer<Data> {
  readonly promise: Promise<Data>
  /** The answer's data; undefined until it has arrived. */
  data?: Data
}

const begin = <Data>(promise: Promise<Data>): FirstAnswer<Data> => {
  const answer: FirstAnswer<Data> = { promise }
  promise.then(
    (data) => {
      answer.data = data
    },
    // A failure is ignored here. The screen that needs the answer requests it again, and shows the error.
    () => undefined
  )
  return answer
}

export const beginSession = (): FirstAnswer<Session> => begin(send<Session>("GET", sessionPath))

interface ReadAnswers {
  readonly answers: ReadonlyArray<{ readonly status: number; readonly body: unknown }>
}

/** An answer of a call of today's screen. It has no data if the call failed. */
export interface FirstRead {
  readonly queryKey: ReadonlyArray<unknown>
  readonly data: unknown
}

/**
 * Makes the calls of today's screen with one request, while its code is still on the way. The address is the one that the
 * gateway asked the browser to begin with the page, so the answer may be here already.
 */
export const beginToday = (): FirstAnswer<ReadonlyArray<FirstRead>> =>
  begin(
    send<ReadAnswers>("GET", readsPath(readsOfToday)).then(({ answers }) =>
      readsOfToday.map(([tool, args], index) => {
        const answer = answers[index]
        return { queryKey: [tool, args], data: answer?.status === 200 ? answer.body : undefined }
      })
    )
  )
