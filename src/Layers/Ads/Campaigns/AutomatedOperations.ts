import type { AutomatedAssets } from "../../../Services/Ads/AutomatedAssets.ts"
import type { Operation } from "../Calling/AdsPlatform.ts"

type Pictures = { readonly [P in "landscape" | "logo" | "square"]: string }

/** The first temporary id of assets. Ids above it belong to the campaign's parts. */
const firstAsset = -100

const assetParts = (
  { businessName, descriptions, headlines, longHeadline }: AutomatedAssets,
  { landscape, logo, square }: Pictures
): ReadonlyArray<readonly [fieldType: string, asset: Operation]> => [
  ["BUSINESS_NAME", { textAsset: { text: businessName } }],
  ["LONG_HEADLINE", { textAsset: { text: longHeadline } }],
  ...headlines.map((text) => ["HEADLINE", { textAsset: { text } }] as const),
  ...descriptions.map((text) => ["DESCRIPTION", { textAsset: { text } }] as const),
  ["LOGO", { imageAsset: { data: logo } }],
  ["SQUARE_MARKETING_IMAGE", { imageAsset: { data: square } }],
  ["MARKETING_IMAGE", { imageAsset: { data: landscape } }]
]

/** The fields in which an automated campaign differs from a search campaign. */
export const automatedCampaign: Operation = {
  advertisingChannelType: "PERFORMANCE_MAX",
  maximizeConversions: {},
  // The business name and the logo belong to the asset group.
  brandGuidelinesEnabled: false
}

/**
 * The asset group of an automated campaign with its assets. They are created in one request, because the platform does
 * not accept an incomplete group.
 */
export const assetGroupOperations = (
  place: { readonly customer: string; readonly campaign: string; readonly assetGroup: string },
  name: string,
  assets: AutomatedAssets,
  pictures: Pictures
): ReadonlyArray<Operation> => {
  const parts = assetParts(assets, pictures).map(
    ([fieldType, asset], index) => [fieldType, asset, `${place.customer}/assets/${firstAsset - index}`] as const
  )
  return [
    ...parts.map(([fieldType, asset, resourceName], index) => ({
      assetOperation: { create: { resourceName, name: `${name} ${fieldType} ${index + 1}`.slice(0, 128), ...asset } }
    })),
    {
      assetGroupOperation: {
        create: {
          resourceName: place.assetGroup,
          campaign: place.campaign,
          name,
          finalUrls: [assets.finalUrl],
          status: "ENABLED"
        }
      }
    },
    ...parts.map(([fieldType, , asset]) => ({
      assetGroupAssetOperation: { create: { assetGroup: place.assetGroup, asset, fieldType } }
    }))
  ]
}
