import { randomBytes } from "node:crypto"
import { Effect, Option } from "effect"
import { failed, passed, skipped, warning } from "../../Services/Core/Outside/CheckResult.ts"
import { parsedUrl } from "../../Services/Core/Outside/ParsedUrl.ts"
import type { Check } from "../Platform/Operators/Check.ts"
import { checkProgram } from "../Platform/Operators/ProgramCheck.ts"
import { OutboundPolicy } from "../Platform/Outbound/OutboundPolicy.ts"
import { loadSettings } from "../Platform/Settings.ts"
import { loadBrowserSettings } from "./Browser/BrowserSettings.ts"
import { findChromium } from "./Browser/Chromium.ts"

/** The addresses of a name; empty if it has none. */
const addressesOf = (name: string) =>
  Effect.gen(function* () {
    const { resolve } = yield* OutboundPolicy
    const entries = yield* Effect.orElseSucceed(
      Effect.tryPromise(() => resolve(name)),
      () => []
    )
    return entries.map(({ address }) => address)
  })

/** Accounts choose the names of their sites, so any name below the domain must lead here. */
const siteDomainCheck = Effect.gen(function* () {
  const { baseUrl, siteDomain } = yield* loadSettings
  if (siteDomain.endsWith("localhost")) return skipped("SITE_DOMAIN is not set: sites are served on this machine only.")
  const name = `check-${randomBytes(4).toString("hex")}.${siteDomain}`
  const addresses = yield* addressesOf(name)
  if (addresses.length === 0) {
    return failed(`${name} has no address.`, `Add a wildcard record: *.${siteDomain} with the address of the proxy.`)
  }
  const gatewayAddresses = yield* addressesOf(parsedUrl(baseUrl)?.hostname ?? "")
  return addresses.some((address) => gatewayAddresses.includes(address))
    ? passed(`*.${siteDomain} leads to the address of BASE_URL.`)
    : warning(
        `*.${siteDomain} leads to ${addresses.join(", ")}, and BASE_URL to ${gatewayAddresses.join(", ") || "no address"}.`,
        "Check that both addresses belong to the proxy of this gateway."
      )
})

const browserFix =
  "Install Chromium (apt-get install --no-install-recommends chromium chromium-sandbox), or set BROWSER_PATH."

const browserCheck = Effect.gen(function* () {
  const { program } = yield* loadBrowserSettings
  const chromium = yield* findChromium(program)
  return Option.isNone(chromium)
    ? warning("Chromium is not installed: screenshots and the check of sites are refused.", browserFix)
    : yield* checkProgram(chromium.value, ["--version"], browserFix)
})

export const websiteChecks: ReadonlyArray<Check> = [
  { name: "sites.domain", run: siteDomainCheck },
  { name: "browser", run: browserCheck }
]
