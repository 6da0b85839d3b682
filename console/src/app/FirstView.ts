import { readsOfToday } from "../calls/firstReads.js"
import { queryClient } from "../calls/Queries.ts"
import { noteSession, sessionFrom, sessionKey } from "../calls/Session.ts"
import { firstReads, firstSession } from "../early.ts"

/**
 * Moves the answers that were requested before this code was loaded into the cache, where the screens look for them.
 * Answers that have arrived are available at once, so that a screen is drawn once and not once for each answer.
 */
export const takeFirstAnswers = (): void => {
  const { data: session, promise } = firstSession
  if (session === undefined) {
    void queryClient.prefetchQuery({ queryKey: sessionKey, queryFn: async () => await sessionFrom(promise) })
  } else {
    queryClient.setQueryData(sessionKey, noteSession(session))
  }
  if (firstReads === undefined) return
  if (firstReads.data !== undefined) {
    for (const { data, queryKey } of firstReads.data) if (data !== undefined) queryClient.setQueryData(queryKey, data)
    return
  }
  const reads = firstReads.promise
  for (const [index, queryKey] of readsOfToday.entries()) {
    const queryFn = async () => {
      const data = (await reads)[index]?.data
      if (data === undefined) throw new Error("The call failed.")
      return data
    }
    // A screen requests failed answers again.
    void queryClient.prefetchQuery({ queryKey, queryFn, retry: false })
  }
}
