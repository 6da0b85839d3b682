import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import { at, textAt } from "../../Platform/AnswerPaths.ts"

/** The minimum number of assets of each kind in an asset group, and the longest text. */
const rules: { readonly [fieldType: string]: { readonly least: number; readonly width?: number } } = {
  BUSINESS_NAME: { least: 1, width: 25 },
  HEADLINE: { least: 3, width: 30 },
  LONG_HEADLINE: { least: 1, width: 90 },
  DESCRIPTION: { least: 2, width: 90 },
  LOGO: { least: 1 },
  MARKETING_IMAGE: { least: 1 },
  SQUARE_MARKETING_IMAGE: { least: 1 }
}

interface SentAsset {
  readonly fieldType: string
  readonly text: string | undefined
}

/** The assets that the operations of a request link to the asset group. */
export const assetsOf = (operations: ReadonlyArray<unknown>, assetGroup: string): ReadonlyArray<SentAsset> => {
  const sent = new Map(
    operations.flatMap((operation) => {
      const create = at(operation, "assetOperation", "create")
      return create === undefined ? [] : [[textAt(create, "resourceName"), create] as const]
    })
  )
  return operations.flatMap((operation) => {
    const link = at(operation, "assetGroupAssetOperation", "create")
    const asset = sent.get(textAt(link, "asset"))
    if (link === undefined || asset === undefined || textAt(link, "assetGroup") !== assetGroup) return []
    const text = textAt(asset, "textAsset", "text")
    const isPicture = textAt(asset, "imageAsset", "data") !== ""
    if (text === "" && !isPicture) return []
    return [{ fieldType: textAt(link, "fieldType"), text: isPicture ? undefined : text }]
  })
}

/** Returns the errors for which the platform would refuse an asset group. */
export const assetErrors = (
  assets: ReadonlyArray<SentAsset>
): ReadonlyArray<{ readonly kind: string; readonly name: string }> =>
  Object.entries(rules).flatMap(([fieldType, { least, width }]) => {
    const sameKind = assets.filter((asset) => asset.fieldType === fieldType)
    if (sameKind.length < least) return [{ kind: "assetGroupError", name: `NOT_ENOUGH_${fieldType}_ASSET` }]
    const isWrong = sameKind.some(
      ({ text }) => (width === undefined) !== (text === undefined) || [...(text ?? "")].length > (width ?? 0)
    )
    return isWrong ? [{ kind: "assetError", name: "INVALID_ASSET" }] : []
  })

/** These operations are skipped, because assets and their links are stored with their group. */
export const passedOver = (
  kind: string,
  resource: string
): Effect.Effect<{ readonly kind: string; readonly name: string }, Transient> =>
  Effect.succeed({ kind, name: resource })
