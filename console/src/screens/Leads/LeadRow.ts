import type { AnswerOf } from "../../calls/Tools.ts"

export type LeadRow = AnswerOf<"search_leads">["leads"][number]
