/** A date, such as `2027-03-30`. */
export type Day = `${number}-${number}-${number}`

/** A version of an interface that the gateway calls. */
export interface VendorInterface {
  readonly name: string
  readonly version: string
  /** The first day on which the vendor no longer supports it. */
  readonly endsOn: Day | "none announced"
  /** The source of these facts: a repository, a package or a page. */
  readonly source: string
  readonly readOn: Day
}

/** Facts about a vendor and how reliable they are. Each vendor has a section in docs/reference/vendors.md. */
export interface Vendor {
  /** The name in metrics: lower case, without spaces. */
  readonly vendor: string
  readonly title: string
  readonly interfaces: ReadonlyArray<VendorInterface>
  /** The checks that were made, and their sources. */
  readonly checked: ReadonlyArray<string>
  readonly unverified: ReadonlyArray<string>
}

/** A version with an announced end of support. */
export interface EndingVersion {
  readonly vendor: string
  readonly interface: string
  readonly version: string
  readonly ends_on: Day
  /** Negative after the end. */
  readonly days_left: number
}

/** The time that an operator needs to install a gateway with the next version. */
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

/** The versions with an announced end of support, soonest first. */
export const endingVersions = (vendors: ReadonlyArray<Vendor>, nowMillis: number): ReadonlyArray<EndingVersion> =>
  vendors
    .flatMap(({ interfaces, vendor }) => interfaces.flatMap((each) => endingVersion(vendor, each, nowMillis)))
    .toSorted((one, other) => one.days_left - other.days_left)

/** The versions whose support has ended, or ends within `noticeDays`. */
export const versionsToReplace = (vendors: ReadonlyArray<Vendor>, nowMillis: number): ReadonlyArray<EndingVersion> =>
  endingVersions(vendors, nowMillis).filter(({ days_left }) => days_left <= noticeDays)
