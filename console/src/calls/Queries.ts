import { keepPreviousData, QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useTexts } from "../i18n/Messages.tsx"
import { confirmDestructive } from "../parts/dialogs/Confirm.ts"
import { showToast } from "../parts/dialogs/Toasts.ts"
import { callTool } from "./Call.ts"
import { CallError, isPassing } from "./CallError.ts"
import { errorText } from "./ErrorText.ts"
import { readTool } from "./Reads.ts"
import type { AnswerOf, ArgumentsOf, ToolName } from "./Tools.ts"

const maxRetries = 3
const maxPauseMillis = 20_000

/** Answers are cached in memory only, so that no data of the account stays in the browser. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 30 * 60_000,
      retry: (count, error) => count < maxRetries && isPassing(error),
      retryDelay: (count, error) => {
        const seconds = error instanceof CallError ? error.details.retryAfterSeconds : undefined
        return Math.min(seconds === undefined ? 500 * 2 ** count : seconds * 1_000, maxPauseMillis)
      }
    }
  }
})

export interface ToolQueryOptions {
  readonly enabled?: boolean
  /** Shows the last answer until the one for the new arguments has arrived. For lists whose filters change. */
  readonly keepsLast?: boolean
  /** Polls at this interval, for data without events, such as the progress of a job. */
  readonly everyMillis?: number
}

export const toolQuery = <Name extends ToolName>(tool: Name, args: ArgumentsOf<Name>) => ({
  queryKey: [tool, args] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => readTool(tool, args, { signal })
})

/** The answer of a tool that reads. */
export const useTool = <Name extends ToolName>(tool: Name, args: ArgumentsOf<Name>, options: ToolQueryOptions = {}) =>
  useQuery({
    ...toolQuery(tool, args),
    enabled: options.enabled ?? true,
    ...(options.keepsLast === true ? { placeholderData: keepPreviousData } : {}),
    ...(options.everyMillis === undefined ? {} : { refetchInterval: options.everyMillis })
  })

export interface ActionOptions<Name extends ToolName> {
  /** Returns the text of a toast after the call has succeeded. */
  readonly done?: (answer: AnswerOf<Name>) => string
  /** Makes the call's effect undone, if a button of the toast is pressed. Only where the API can. */
  readonly undo?: (args: ArgumentsOf<Name>, answer: AnswerOf<Name>) => Promise<unknown>
  /** The question of the dialog. A call with it is destructive, and must be confirmed first. */
  readonly confirm?: (args: ArgumentsOf<Name>) => {
    readonly title: string
    readonly body: string
    readonly action: string
  }
  readonly onDone?: (answer: AnswerOf<Name>) => void
}

/** A tool that writes, as a button calls it. Afterwards all answers on the screen are read again. */
export const useAction = <Name extends ToolName>(tool: Name, options: ActionOptions<Name> = {}) => {
  const client = useQueryClient()
  const texts = useTexts()
  const mutation = useMutation({
    mutationFn: async (args: ArgumentsOf<Name>): Promise<AnswerOf<Name> | undefined> => {
      const idempotencyKey = crypto.randomUUID()
      if (options.confirm === undefined) return await callTool(tool, args, { idempotencyKey })
      const confirmation = await confirmDestructive({ tool, args, ...options.confirm(args) })
      if (confirmation === undefined) return undefined
      return await callTool(tool, args, { idempotencyKey, confirmation })
    },
    onSuccess: async (answer, args) => {
      if (answer === undefined) return
      const { undo } = options
      if (options.done !== undefined) {
        showToast({
          text: options.done(answer),
          ...(undo === undefined
            ? {}
            : {
                undo: async () => {
                  await undo(args, answer)
                  await client.invalidateQueries()
                }
              })
        })
      }
      options.onDone?.(answer)
      await client.invalidateQueries()
    },
    onError: (error) => showToast({ text: errorText(texts, error), isError: true, error })
  })
  return { run: (args: ArgumentsOf<Name>) => mutation.mutate(args), isRunning: mutation.isPending }
}
