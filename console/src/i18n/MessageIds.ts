import type common from "../../messages/en/common.json"
import type fields from "../../messages/en/fields.json"
import type leads from "../../messages/en/leads.json"
import type shell from "../../messages/en/shell.json"
import type values from "../../messages/en/values.json"

/** The subjects are the files in `messages/en`. A new file needs a line here. */
interface Subjects {
  readonly common: typeof common
  readonly fields: typeof fields
  readonly leads: typeof leads
  readonly shell: typeof shell
  readonly values: typeof values
}

export type MessageId = {
  [Subject in keyof Subjects]: `${Subject}.${keyof Subjects[Subject] & string}`
}[keyof Subjects]
