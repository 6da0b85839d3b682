import { useTool } from "./Queries.ts"
import type { AnswerOf, ArgumentsOf, ToolName } from "./Tools.ts"

/** The progress of jobs is not in the feed of events, so it is asked for while there is some. */
const pauseMillis = 1_500

/** The answer of a tool, asked again and again while it shows work under way. */
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
