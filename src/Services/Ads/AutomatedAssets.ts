import type { CustomerFileId } from "../Files/Ids.ts"
import { adWidth, checkedUrl } from "./AdTexts.ts"

/** A picture of the account, with the request that it was made for. */
export interface AdPicture {
  readonly fileId: CustomerFileId
  readonly aspect: string
  readonly prompt: string
  /** Whether a simulated engine made it. */
  readonly isSimulated: boolean
}

/** The account's material for an automated campaign. */
export interface AutomatedMaterial {
  readonly businessName: string | null
  readonly website: string | null
  /** The account's newest search ad. Its owner approved the texts. */
  readonly ad: {
    readonly finalUrl: string
    readonly headlines: ReadonlyArray<string>
    readonly descriptions: ReadonlyArray<string>
  } | null
  /** Newest first. */
  readonly pictures: ReadonlyArray<AdPicture>
}

export const noMaterial: AutomatedMaterial = { businessName: null, website: null, ad: null, pictures: [] }

export const automatedParts = [
  "business_name",
  "logo",
  "landscape_image",
  "square_image",
  "headlines",
  "short_headline",
  "long_headline",
  "descriptions",
  "short_description",
  "final_url"
] as const
export type AutomatedPart = (typeof automatedParts)[number]

/** The texts and pictures of an automated campaign. Texts are within the platform's limits. */
export interface AutomatedAssets {
  readonly businessName: string
  readonly logo: CustomerFileId
  readonly landscape: CustomerFileId
  readonly square: CustomerFileId
  readonly headlines: ReadonlyArray<string>
  readonly longHeadline: string
  readonly descriptions: ReadonlyArray<string>
  readonly finalUrl: string
}

/** The platform's character limits for each kind of text. */
const widths = { businessName: 25, headline: 30, shortHeadline: 15, description: 90, shortDescription: 60 } as const
const counts = { headlines: [3, 15], descriptions: [2, 5] } as const

const isWithin = (text: string, width: number): boolean => (adWidth(text) ?? Number.POSITIVE_INFINITY) <= width

const distinct = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]

const isLogo = ({ prompt }: AdPicture): boolean => /\blogo(?:tipo|type|marca)?s?\b/i.test(prompt)

/** Groups pictures by purpose. A picture is a logo only if it was requested as one. */
const picturesOf = (pictures: ReadonlyArray<AdPicture>) => {
  const squares = pictures.filter(({ aspect }) => aspect === "Square")
  return {
    logo: squares.find(isLogo)?.fileId,
    square: squares.find((picture) => !isLogo(picture))?.fileId,
    landscape: pictures.find((picture) => picture.aspect === "Landscape" && !isLogo(picture))?.fileId
  }
}

/** A headline that inserts the searched keyword only works in search ads. */
const isPlain = (text: string): boolean => !text.includes("{")

/** The parts that the account's material provides for an automated campaign. */
const partsOf = ({ ad, businessName, pictures, website }: AutomatedMaterial) => {
  const name = businessName?.trim() ?? ""
  const usableName = name !== "" && isWithin(name, widths.businessName) ? name : undefined
  const plainTexts = (ad?.headlines ?? []).filter(isPlain)
  const ownShort = plainTexts.find((text) => isWithin(text, widths.shortHeadline))
  const nameAsHeadline = usableName !== undefined && isWithin(usableName, widths.shortHeadline) ? [usableName] : []
  const headlines = distinct([...plainTexts, ...(ownShort === undefined ? nameAsHeadline : [])])
    .filter((text) => isWithin(text, widths.headline))
    .slice(-counts.headlines[1])
  const descriptions = distinct((ad?.descriptions ?? []).filter(isPlain)).slice(0, counts.descriptions[1])
  const url = ad?.finalUrl ?? website
  const checked = url === null ? undefined : checkedUrl(url)
  return {
    ...picturesOf(pictures),
    businessName: usableName,
    headlines: plainTexts.length >= counts.headlines[0] ? headlines : undefined,
    shortHeadline: headlines.find((text) => isWithin(text, widths.shortHeadline)),
    longHeadline: [...descriptions].sort((one, other) => other.length - one.length)[0],
    descriptions: descriptions.length >= counts.descriptions[0] ? descriptions : undefined,
    shortDescription: descriptions.find((text) => isWithin(text, widths.shortDescription)),
    finalUrl: typeof checked === "string" ? checked : undefined
  }
}

/** Returns the assets of an automated campaign, or the parts that are missing. */
export const automatedAssets = (
  material: AutomatedMaterial
): { readonly assets: AutomatedAssets } | { readonly missing: ReadonlyArray<AutomatedPart> } => {
  const parts = partsOf(material)
  const { businessName, descriptions, finalUrl, headlines, landscape, logo, longHeadline, square } = parts
  const isThere: { readonly [P in AutomatedPart]: boolean } = {
    business_name: businessName !== undefined,
    logo: logo !== undefined,
    landscape_image: landscape !== undefined,
    square_image: square !== undefined,
    headlines: headlines !== undefined,
    short_headline: parts.shortHeadline !== undefined,
    long_headline: longHeadline !== undefined,
    descriptions: descriptions !== undefined,
    short_description: parts.shortDescription !== undefined,
    final_url: finalUrl !== undefined
  }
  const missing = automatedParts.filter((part) => !isThere[part])
  return missing.length > 0 ||
    businessName === undefined ||
    logo === undefined ||
    landscape === undefined ||
    square === undefined ||
    headlines === undefined ||
    longHeadline === undefined ||
    descriptions === undefined ||
    finalUrl === undefined
    ? { missing }
    : { assets: { businessName, logo, landscape, square, headlines, longHeadline, descriptions, finalUrl } }
}

/** How to add each missing part. */
const remedies: { readonly [P in AutomatedPart]: string } = {
  business_name: "set_business with a business_name of at most 25 characters",
  logo: "generate_image with aspect_ratio Square and a prompt that asks for a logo",
  landscape_image: "generate_image with aspect_ratio Landscape",
  square_image: "generate_image with aspect_ratio Square",
  headlines: "create_adsplatform_search_ad in a Search campaign, with three headlines",
  short_headline: "create_adsplatform_search_ad with a headline of at most 15 characters",
  long_headline: "create_adsplatform_search_ad with descriptions",
  descriptions: "create_adsplatform_search_ad with two descriptions",
  short_description: "create_adsplatform_search_ad with a description of at most 60 characters",
  final_url: "set_business with a business_website that begins with https"
}

export const remediesOf = (missing: ReadonlyArray<string>): ReadonlyArray<string> =>
  automatedParts.flatMap((part) => (missing.includes(part) ? [`${part}: ${remedies[part]}`] : []))
