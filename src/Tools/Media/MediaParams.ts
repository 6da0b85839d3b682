import { Schema } from "effect"
import { JobId } from "../../Services/Jobs/Ids.ts"
import { JobStatus } from "../../Services/Jobs/Jobs.ts"
import { longestPrompt } from "../../Services/Media/Generation.ts"
import * as Param from "../Core/Param.ts"

export const promptParam = (description: string) => Param.text(description, { minLength: 1, maxLength: longestPrompt })

export const referenceParam = (description: string) =>
  Param.optional(Param.text(description, { maxLength: 2048, format: "uri" }))

/** Pages of generated media are numbered from 1. */
export const pagesFromOne = {
  page: Param.withDefault(Param.integer("Which page of the list to answer; the first is 1.", { minimum: 1 }), 1),
  page_size: Param.size("Rows per page; more than 50 is lowered to 50.", { default: 10, maximum: 50 })
}

/** The answer of a tool that has started a job. */
export const begun = {
  job_id: JobId.annotations({ description: "The background job, as list_background_jobs names it." }),
  status: JobStatus
}

export const begunSchema = <F extends Schema.Struct.Fields>(fields: F) => Schema.Struct({ ...fields, ...begun })
