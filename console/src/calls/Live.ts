import { useTool } from "./Queries.ts"
import type { AnswerOf, ArgumentsOf, ToolName } from "./Tools.ts"

/** The pause between two polls in milliseconds. The progress of jobs is not in the feed of events. */
const pauseMillis = 1_500

/** Returns the answer of a tool, which is polled while it shows work in progress. */
export const useLiveTool = <Name extends ToolName>(
  tool: Name,
  args: ArgumentsOf<Name>,
  isUnderWay: (answer: AnswerOf<Name>) => boolean,
  enabled = true
) => {
  const query = useTool(tool, args, { enabled })
  const isLive = enabled && query.data !== undefined && isUnderWay(query.data)
  useTool(tool, args, { enabled: isLive, ...(isLive ? { everyMillis: pauseMillis } : {}) })
  return query
}

export const isWorking = ({ status }: { readonly status: string }): boolean =>
  status === "queued" || status === "running"
