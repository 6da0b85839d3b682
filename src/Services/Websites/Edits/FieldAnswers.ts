import { askedForm, asSiteFields } from "../Material/Fields/AskedFields.ts"
import { statementsOf } from "../Material/MaterialText.ts"
import { change, type EditDesk, type Outcome } from "./EditDesk.ts"
import { blocksOfKind } from "./SiteSections.ts"
import { withFields } from "./Wishes/FieldEdits.ts"

/**
 * Reads the owner's answer to the question about the form's fields: a complete list, written as in a description.
 * Undefined if the prompt says anything else.
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
