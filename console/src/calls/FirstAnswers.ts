import { callTool, send } from "./Call.ts"
import { beginToday } from "./FirstArguments.ts"
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

export interface FirstToolAnswer extends FirstAnswer<unknown> {
  readonly queryKey: ReadonlyArray<unknown>
}

/** Begins the calls of today's screen while its code is still on the way, so that one does not wait for the other. */
export const beginFirstView = (): ReadonlyArray<FirstToolAnswer> => {
  const answers: Array<FirstToolAnswer> = []
  beginToday((tool, args) => {
    answers.push(Object.assign(begin<unknown>(callTool(tool, args)), { queryKey: [tool, args] }))
  })
  return answers
}
