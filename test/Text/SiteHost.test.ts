import { assert, describe, it } from "@effect/vitest"
import { isSiteName, siteHostOf, siteOrigin } from "../../src/Services/Text/Web/SiteHost.ts"

const domain = "sites.example"
const read = (host: string): string => {
  const found = siteHostOf(host, domain)
  return found._tag === "Name" ? found.name : found._tag
}

describe("the host of a site", () => {
  for (const [host, means] of [
    ["clinica.sites.example", "clinica"],
    ["Clinica.Sites.EXAMPLE", "clinica"],
    ["clinica.sites.example:8443", "clinica"],
    ["clinica.sites.example.", "clinica"],
    ["clinica.sites.example.:443", "clinica"],
    ["clinica.sites.example:", "clinica"],
    ["clinica.sites.example:@evil.test", "Nobody"],
    ["clinica.sites.example:80@evil.test", "Nobody"],
    ["clinica.sites.example:443/a", "Nobody"],
    ["sites.example", "Nobody"],
    ["sites.example:80", "Nobody"],
    ["a.b.sites.example", "Nobody"],
    [".sites.example", "Nobody"],
    ["..sites.example", "Nobody"],
    ["-x1.sites.example", "Nobody"],
    ["xn--clnica-4ya.sites.example", "Nobody"],
    ["ab.sites.example", "Nobody"],
    ["a_b_c.sites.example", "Nobody"],
    ["clinica%2esites.sites.example", "Nobody"],
    [`${"a".repeat(64)}.sites.example`, "Nobody"],
    ["clinica.sites.example..", "Gateway"],
    ["xsites.example", "Gateway"],
    ["clinica.sites.example.evil.test", "Gateway"],
    ["api.example", "Gateway"],
    ["127.0.0.1:8080", "Gateway"],
    ["[::1]:8080", "Gateway"],
    ["[::1]", "Gateway"],
    ["", "Gateway"]
  ] as const) {
    it(`${host === "" ? "nothing" : host} means ${means}`, () => assert.strictEqual(read(host), means))
  }

  it("names have 3 to 63 characters of a label, and are no coded ones", () => {
    assert.deepStrictEqual(
      [
        "abc",
        "a-c",
        "a1",
        "ab-",
        "-ab",
        "xn--ab",
        "ab--c",
        "abc--d",
        "a".repeat(63),
        "a".repeat(64),
        "á".repeat(4)
      ].map(isSiteName),
      [true, true, false, false, false, false, false, true, true, false, false]
    )
  })

  it("its address is https, but on this machine", () => {
    assert.strictEqual(
      siteOrigin({ baseUrl: "https://api.example:444", siteDomain: domain }, "abc"),
      "https://abc.sites.example"
    )
    assert.strictEqual(
      siteOrigin({ baseUrl: "http://127.0.0.1:8080", siteDomain: "sites.localhost" }, "abc"),
      "http://abc.sites.localhost:8080"
    )
  })
})
