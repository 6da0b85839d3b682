import { assert, describe, inject, it } from "vitest"
import { loginInBrowser } from "../pgw/src/Login.ts"
import { Gateway } from "../typescript/src/index.ts"

const { token, url } = inject("gateway")

/** What an owner does on the consent page. */
const consent = async (address: string, answer: "allow" | "decline"): Promise<void> => {
  const form = new URLSearchParams({ token, answer, confirmation: "when_possible" })
  for (const scope of ["read", "write", "destructive"]) form.append("scope", scope)
  const page = await fetch(address, {
    method: "POST",
    body: form,
    redirect: "manual",
    headers: { "Sec-Fetch-Site": "same-origin" }
  })
  const location = page.headers.get("location")
  // A refusal is a page with a link back.
  const [, link] = /<a href="([^"]+)"/.exec(await page.text()) ?? []
  await fetch(location ?? link?.replaceAll("&amp;", "&") ?? "")
}

describe("pgw login", () => {
  it("gets a token for the whole gateway from the owner's consent", async () => {
    const profile = await loginInBrowser(
      url,
      () => undefined,
      (address) => void consent(address, "allow")
    )
    assert.isDefined(profile.refresh)
    const gateway = new Gateway({ url, token: profile.token })
    assert.isNumber((await gateway.session.whoami()).account_id)
  })

  it("ends without a token if the owner declines", async () => {
    const error = await loginInBrowser(
      url,
      () => undefined,
      (address) => void consent(address, "decline")
    ).catch((cause: unknown) => cause)
    assert.instanceOf(error, Error)
  })
})
