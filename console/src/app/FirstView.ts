import { queryClient } from "../calls/Queries.ts"
import { noteSession, sessionFrom, sessionKey } from "../calls/Session.ts"
import { firstAnswers, firstSession } from "../early.ts"

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
  for (const { data, promise: answer, queryKey } of firstAnswers) {
    if (data !== undefined) queryClient.setQueryData(queryKey, data)
    // A screen requests failed answers again.
    else void queryClient.prefetchQuery({ queryKey, queryFn: async () => await answer, retry: false })
  }
}
