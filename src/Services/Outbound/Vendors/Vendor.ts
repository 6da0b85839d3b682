/** A day, such as `2027-03-30`. */
export type Day = `${number}-${number}-${number}`

/** A version of an interface that the gateway calls. */
export interface VendorInterface {
  readonly name: string
  readonly version: string
  /** The first day on which the vendor no longer supports it. */
  readonly endsOn: Day | "none announced"
  /** Where the facts were read: a repository, a package or a page. */
  readonly source: string
  readonly readOn: Day
}

/** What is known of a vendor, and how sure it is. The page docs/reference/vendors.md has a section for each. */
export interface Vendor {
  /** As in metrics: lower case, without spaces. */
  readonly vendor: string
  readonly title: string
  readonly interfaces: ReadonlyArray<VendorInterface>
  /** What was checked, and against what. */
  readonly checked: ReadonlyArray<string>
  readonly unverified: ReadonlyArray<string>
}

/** A version that has an end. */
export interface EndingVersion {
  readonly vendor: string
  readonly interface: string
  readonly version: string
  readonly ends_on: Day
  /** Negative after the end. */
  readonly days_left: number
}

/** An operator needs this long to install a gateway with the next version. */
export const noticeDays = 60

const dayMillis = 86_400_000

const endingVersion = (vendor: string, { endsOn, name, version }: VendorInterface, nowMillis: number) =>
  endsOn === "none announced"
    ? []
    : [
        {
          vendor,
          interface: name,
          version,
          ends_on: endsOn,
          days_left: Math.floor((Date.parse(`${endsOn}T00:00:00Z`) - nowMillis) / dayMillis)
        }
      ]

/** The versions that have an end, the next one first. */
export const endingVersions = (vendors: ReadonlyArray<Vendor>, nowMillis: number): ReadonlyArray<EndingVersion> =>
  vendors
    .flatMap(({ interfaces, vendor }) => interfaces.flatMap((each) => endingVersion(vendor, each, nowMillis)))
    .toSorted((one, other) => one.days_left - other.days_left)

/** The versions that have ended, or end within the notice. */
export const versionsToReplace = (vendors: ReadonlyArray<Vendor>, nowMillis: number): ReadonlyArray<EndingVersion> =>
  endingVersions(vendors, nowMillis).filter(({ days_left }) => days_left <= noticeDays)
