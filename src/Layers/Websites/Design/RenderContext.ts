import type { SiteTracking } from "../../../Services/Websites/PublishedSites.ts"

/** What a form of a page has at this moment. */
export interface FormState {
  readonly action: string
  readonly token: string
  /** What was typed before, by the field's name. */
  readonly values: Readonly<Record<string, string>>
  readonly errors: Readonly<Record<string, string>>
  readonly sent: boolean
}

/** What a page shows in addition to its site: addresses, and what visitors did. */
export interface RenderContext {
  /** `https://name.sites.example`; empty where links are relative, as in an export. */
  readonly origin: string
  readonly pictureUrl: (pictureId: string) => string | undefined
  /** `a`, or another variant of a capture page. */
  readonly variant: string
  readonly forms: (blockId: string) => FormState | undefined
  readonly records: (blockId: string) => ReadonlyArray<Readonly<Record<string, string>>>
  /** The mail of the visitor who is signed in, masked. */
  readonly visitor: string | undefined
  readonly tracking: SiteTracking
  /** Whether the view is counted. */
  readonly beacon: boolean
  readonly mode: "served" | "export" | "preview" | "embed"
  readonly privacyUrl: string
  readonly reportUrl: string | undefined
  /** Where a page is, by its path, if not at that path of the origin. */
  readonly pageAddress?: (path: string) => string
  /** Whether search engines are to leave the page out: restricted sites, previews. */
  readonly isUnlisted?: boolean
}

/** A page with nothing of visitors: what an export and a preview start from. */
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
