import { languageOf } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { fieldNamed } from "../Material/AskedForms.ts"
import { within } from "../Material/MaterialText.ts"
import { siteWords } from "../Writing/SitePhrases.ts"
import { blocksOfKind } from "./ChangeTargets.ts"
import { adds, done, only, quotesIn, type Reader, replaceBlock } from "./ChangeWords.ts"

export const required: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (!/\b(?:obrigatori[oa]|required|mandatory|obligatori[oa])\b/.test(folded) || adds.test(folded)) return undefined
  for (const placed of blocksOfKind(site, "Form")) {
    const field = placed.block.fields.find(({ label }) => folded.includes(fold(label)))
    if (field === undefined) continue
    const isRequired = !/\b(?:nao|not|no longer|no|deixe de ser|opcional|optional)\b/.test(folded)
    return done(
      notes.fieldRequired(field.label),
      replaceBlock(placed, {
        ...placed.block,
        fields: placed.block.fields.map((each) => (each === field ? { ...each, is_required: isRequired } : each))
      })
    )
  }
  return only(notes.notFound(within(clause, 160)))
}

export const fieldAdding: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (!adds.test(folded) || !/\b(?:campos?|fields?)\b/.test(folded)) return undefined
  const label =
    quotesIn(clause)[0] ??
    /\b(?:campos?|field)\s(?:de |do |da |para |for |chamado |called |llamado )?(?:o |a |the |el |la )?([^.,;:()]{2,60}?)(?:\s(?:ao|no|do|to|in|on|al|en)\s(?:o |the |el )?(?:formul[aá]rio|form|formulario).*)?[.]?$/i.exec(
      clause
    )?.[1] ??
    /\b(?:add|include)\s(?:an? |the )?([^.,;:()]{2,60}?)\sfield\b/i.exec(clause)?.[1]
  const [form] = blocksOfKind(site, "Form")
  if (label === undefined || form === undefined) return only(notes.notFound(within(clause, 160)))
  const words = siteWords[languageOf(site.language)]
  const field = fieldNamed(
    label,
    words,
    form.block.fields.map(({ name }) => name)
  )
  if (field === undefined) return only(notes.secret)
  if (form.block.fields.some(({ name }) => name === field.name) || form.block.fields.length >= 12)
    return only(notes.nothing)
  const wanted = { ...field, is_required: /\b(?:obrigatori[oa]|required|obligatori[oa])\b/.test(folded) }
  const collection = site.collections.find(({ id }) => id === form.block.collection)
  return done(
    notes.field(wanted.label),
    replaceBlock(form, { ...form.block, fields: [...form.block.fields, wanted] }),
    ...(collection === undefined || collection.fields.length >= 20
      ? []
      : [{ _tag: "SetCollection", collection: { ...collection, fields: [...collection.fields, wanted] } } as const])
  )
}
