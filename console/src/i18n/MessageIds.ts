import type campaigns from "../../messages/en/campaigns.json"
import type common from "../../messages/en/common.json"
import type content from "../../messages/en/content.json"
import type developers from "../../messages/en/developers.json"
import type fields from "../../messages/en/fields.json"
import type inbox from "../../messages/en/inbox.json"
import type jobs from "../../messages/en/jobs.json"
import type knowledge from "../../messages/en/knowledge.json"
import type leads from "../../messages/en/leads.json"
import type meetings from "../../messages/en/meetings.json"
import type reports from "../../messages/en/reports.json"
import type settings from "../../messages/en/settings.json"
import type shell from "../../messages/en/shell.json"
import type simulation from "../../messages/en/simulation.json"
import type today from "../../messages/en/today.json"
import type values from "../../messages/en/values.json"

/** The subjects are the files in `messages/en`. A new file needs a line here. */
interface Subjects {
  readonly campaigns: typeof campaigns
  readonly common: typeof common
  readonly content: typeof content
  readonly developers: typeof developers
  readonly fields: typeof fields
  readonly knowledge: typeof knowledge
  readonly leads: typeof leads
  readonly inbox: typeof inbox
  readonly meetings: typeof meetings
  readonly reports: typeof reports
  readonly jobs: typeof jobs
  readonly settings: typeof settings
  readonly shell: typeof shell
  readonly simulation: typeof simulation
  readonly today: typeof today
  readonly values: typeof values
}

export type MessageId = {
  [Subject in keyof Subjects]: `${Subject}.${keyof Subjects[Subject] & string}`
}[keyof Subjects]
