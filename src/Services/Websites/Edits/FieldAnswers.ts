import { askedForm, asSiteFields } from "../Material/AskedFields.ts"
import { statementsOf } from "../Material/MaterialText.ts"
import { change, type EditDesk, type Outcome } from "./EditDesk.ts"
import { withFields } from "./FieldEdits.ts"
import { blocksOfKind } from "./SiteSections.ts"

/**
 * The answer to the question which fields the form has: the whole list, in the words in which a description lists them.
 * Undefined where the prompt says anything else too.
 */
export const answeringFields = (desk: EditDesk): Outcome | undefined => {
  const { notes, prompt, site } = desk
  const [form] = blocksOfKind(site, "Form")
  if (form === undefined || site.questions?.includes("fields") !== true) return undefined
  const { fields: requested, rest, unread } = askedForm(statementsOf(prompt))
  if (requested.length === 0 || unread.length > 0 || rest.some((text) => text !== "")) return undefined
  const fields = asSiteFields(requested)
  return change("values", notes.fields(fields.map(({ label }) => label).join(", ")), withFields(form, fields, desk), {
    answers: ["fields"]
  })
}
