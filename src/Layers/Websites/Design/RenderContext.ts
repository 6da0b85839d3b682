import type { SiteTracking } from "../../../Services/Websites/PublishedSites.ts"

/** The state of a form while a page is rendered. */
export interface FormState {
  readonly action: string
  readonly token: string
  /** The values that were typed before, by the field's name. */
  readonly values: Readonly<Record<string, string>>
  readonly errors: Readonly<Record<string, string>>
  readonly sent: boolean
}

/** The data that a page shows in addition to its site, such as addresses and visitors' input. */
export interface RenderContext {
  /** The origin, as `https://name.sites.example`; empty if links are relative, as in an export. */
  readonly origin: string
  readonly pictureUrl: (pictureId: string) => string | undefined
  /** `a`, or another variant of a capture page. */
  readonly variant: string
  readonly forms: (blockId: string) => FormState | undefined
  readonly records: (blockId: string) => ReadonlyArray<Readonly<Record<string, string>>>
  /** The mail of the visitor who is signed in, masked. */
  readonly visitor: string | undefined
  readonly tracking: SiteTracking
  /** True if the view is counted. */
  readonly beacon: boolean
  readonly mode: "served" | "export" | "preview" | "embed"
  readonly privacyUrl: string
  readonly reportUrl: string | undefined
  /** Returns the address of the page with a path, if it is not at that path of the origin. */
  readonly pageAddress?: (path: string) => string
  /** True if search engines must leave the page out, as with restricted sites and previews. */
  readonly isUnlisted?: boolean
}

/** The context of a page without data of visitors. Exports and previews start from it. */
export const plainContext = (mode: RenderContext["mode"]): RenderContext => ({
  origin: "",
  pictureUrl: () => undefined,
  variant: "a",
  forms: () => undefined,
  records: () => [],
  visitor: undefined,
  tracking: { analytics_measurement_id: null, ads_conversion_id: null, pixel_id: null },
  beacon: false,
  mode,
  privacyUrl: "/_/privacy",
  reportUrl: undefined
})
