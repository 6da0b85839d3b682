import { daysUntil, type ProviderModel } from "../Core/Outside/ProviderModels.ts"
import type { Judgement } from "./ServiceWatch.ts"

/** How long before its shutdown a model opens an incident: time enough to try another one. */
const noticeDays = 60

const names: { readonly [service: string]: string } = {
  language_model: "The language model",
  images: "The image model",
  videos: "The video model"
}

const keyPrefix = "model:"

/** Opens an incident for a model that is gone or soon will be, and ends it when the model is back or replaced. */
export const judgeModels = (
  models: ReadonlyArray<ProviderModel>,
  openKeys: ReadonlySet<string>,
  now: number
): ReadonlyArray<Judgement> => {
  const keyOf = ({ model, service }: ProviderModel, what: "gone" | "ending") =>
    `${keyPrefix}${what}:${service}:${model}`
  const judgements = models.flatMap((one): ReadonlyArray<Judgement> => {
    const name = `${names[one.service] ?? one.service} ${one.model}`
    const goneKey = keyOf(one, "gone")
    const endingKey = keyOf(one, "ending")
    const recovered = (key: string): Judgement => ({ _tag: "Recovered", key, message: `${name}: available.` })
    switch (one.status) {
      case "unchecked":
        return []
      case "gone":
        return [
          {
            _tag: "Trouble",
            trouble: {
              key: goneKey,
              component: one.service,
              impact: "outage",
              title: `${name}: no longer available`,
              message: "Its provider has shut it down. The operator must choose another model."
            }
          }
        ]
      case "available":
        return [recovered(goneKey), recovered(endingKey)]
      case "ending":
        return one.shutdown_date === null || daysUntil(one.shutdown_date, now) > noticeDays
          ? [recovered(goneKey)]
          : [
              recovered(goneKey),
              {
                _tag: "Trouble",
                trouble: {
                  key: endingKey,
                  component: one.service,
                  impact: "instability",
                  title: `${name}: ends on ${one.shutdown_date}`,
                  message: `Its provider will shut it down on ${one.shutdown_date}. It works until then. The operator must choose another model.`
                }
              }
            ]
    }
  })
  const presentKeys = new Set(models.flatMap((one) => [keyOf(one, "gone"), keyOf(one, "ending")]))
  const replaced = [...openKeys].filter((key) => key.startsWith(keyPrefix) && !presentKeys.has(key))
  return [
    ...judgements,
    ...replaced.map((key): Judgement => ({ _tag: "Recovered", key, message: "Another model has replaced it." }))
  ]
}
