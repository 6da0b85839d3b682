import { afterEach, assert, describe, inject, it } from "vitest"
import { getCustomerFile, uploadCustomerFile } from "../typescript/src/generated/tools.ts"
import { Gateway, GatewayError, isErrorOf } from "../typescript/src/index.ts"
import { type Fault, faultProxy } from "./support/FaultProxy.ts"

const { token, url } = inject("gateway")
const direct = new Gateway({ url, token })

const closing: Array<() => void> = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A gateway behind faults, which come in their order; afterwards everything passes. */
const behind = async (faults: ReadonlyArray<Fault>) => {
  const queue = [...faults]
  const proxy = await faultProxy(url, () => queue.shift() ?? { kind: "pass" })
  closing.push(proxy.close)
  return { proxy, gateway: new Gateway({ url: proxy.url, token, timeoutMillis: 1_500 }) }
}

/** Each upload stores one more file, so a doubled write shows. */
const upload = (gateway: Gateway, name: string) =>
  gateway.customerFiles.uploadCustomerFile({ file_name: name, text: "a,b\n1,2\n" })

const filesNamed = async (name: string): Promise<number> => {
  let count = 0
  for await (const file of direct.customerFiles.listCustomerFiles.each({ page_size: 100 })) {
    if (file.file_name === name) count++
  }
  return count
}

describe("a write is done once", () => {
  const cases: ReadonlyArray<readonly [what: string, faults: ReadonlyArray<Fault>]> = [
    ["after 503", [{ kind: "status", status: 503 }]],
    [
      "after 502 and 504 of a proxy",
      [
        { kind: "status", status: 502 },
        { kind: "status", status: 504 }
      ]
    ],
    ["after a connection that broke before it arrived", [{ kind: "cutBefore" }]],
    ["after a connection that broke before its answer arrived", [{ kind: "cutAfter" }]],
    ["after an answer that stopped half way", [{ kind: "stall" }]],
    [
      "after all of these",
      [{ kind: "cutAfter" }, { kind: "stall" }, { kind: "status", status: 503 }, { kind: "cutBefore" }]
    ]
  ]
  for (const [what, faults] of cases) {
    it(what, async () => {
      const { gateway, proxy } = await behind(faults)
      const name = `${what.replaceAll(/\W/g, "-")}.csv`
      const { customer_file_id } = await upload(gateway, name)
      assert.strictEqual(await filesNamed(name), 1)
      assert.strictEqual((await direct.customerFiles.getCustomerFile({ customer_file_id })).file_name, name)
      assert.strictEqual(proxy.requests.length, faults.length + 1)
      assert.strictEqual(new Set(proxy.requests.map(({ key }) => key)).size, 1)
    })
  }

  it("with any mix of faults, and none is lost", async () => {
    const kinds = ["pass", "cutBefore", "cutAfter", "pass"] as const
    let turn = 0
    const proxy = await faultProxy(url, () => ({ kind: kinds[(turn++ * 7 + 3) % kinds.length] ?? "pass" }))
    closing.push(proxy.close)
    const gateway = new Gateway({ url: proxy.url, token, maxRetries: 8 })
    const names = Array.from({ length: 40 }, (_, index) => `mixed-${index}.csv`)
    await Promise.all(names.map((name) => upload(gateway, name)))
    for (const name of names) assert.strictEqual(await filesNamed(name), 1, name)
    assert.isAbove(proxy.requests.length, names.length)
  })

  it("only because of its key", async () => {
    const queue: Array<Fault> = [{ kind: "cutAfter" }]
    const proxy = await faultProxy(url, (request) => {
      delete request.headers["idempotency-key"]
      return queue.shift() ?? { kind: "pass" }
    })
    closing.push(proxy.close)
    await upload(new Gateway({ url: proxy.url, token }), "doubled.csv")
    assert.strictEqual(await filesNamed("doubled.csv"), 2)
  })
})

describe("a call that cannot be made now", () => {
  it("waits as long as the gateway says", async () => {
    const { gateway, proxy } = await behind([{ kind: "status", status: 429, retryAfter: 1 }])
    await gateway.session.whoami()
    const [first, second] = proxy.requests
    assert.isAtLeast((second?.at ?? 0) - (first?.at ?? 0), 1_000)
    assert.isUndefined(first?.key, "A read needs no key.")
  })

  it("fails if that is too long", async () => {
    const { gateway, proxy } = await behind([{ kind: "status", status: 429, retryAfter: 3_600 }])
    const error = await gateway.session.whoami().catch((cause: unknown) => cause)
    assert.instanceOf(error, GatewayError)
    assert.deepInclude(error, { status: 429, retryAfterSeconds: 3_600 })
    assert.strictEqual(proxy.requests.length, 1)
  })

  it("ends when the caller gives up", async () => {
    const { gateway } = await behind(
      Array.from({ length: 10 }, () => ({ kind: "status", status: 503, retryAfter: 30 }) as const)
    )
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error("enough")), 100)
    const began = Date.now()
    const error = await gateway.session.whoami({}, { signal: controller.signal }).catch((cause: unknown) => cause)
    assert.deepInclude(error, { message: "enough" })
    assert.isBelow(Date.now() - began, 5_000)
  })

  it("is repeated a limited number of times", async () => {
    const { gateway, proxy } = await behind(Array.from({ length: 10 }, () => ({ kind: "cutBefore" }) as const))
    const error = await gateway.session.whoami({}, { maxRetries: 2 }).catch((cause: unknown) => cause)
    assert.deepInclude(error, { type: "NoAnswer", status: 0, tool: "whoami" })
    assert.strictEqual(proxy.requests.length, 3)
  })
})

describe("an error", () => {
  it("has the tool's types and reasons", async () => {
    const error = await direct.customerFiles
      .getCustomerFile({ customer_file_id: 999_999 })
      .catch((cause: unknown) => cause)
    if (!isErrorOf(getCustomerFile, error)) return assert.fail("It is of this tool.")
    assert.isFalse(isErrorOf(uploadCustomerFile, error))
    if (error.type !== "NotFound") return assert.fail(error.type)
    const reason: "customer_file_not_found" = error.reason
    assert.strictEqual(reason, "customer_file_not_found")
    assert.strictEqual(error.fields["customer_file_id"], 999_999)
    assert.isString(error.requestId)
  })

  it("of the token says how to mend it", async () => {
    const error = await new Gateway({ url, token: "pgw_wrong" }).session.whoami().catch((cause: unknown) => cause)
    assert.deepInclude(error, { type: "Unauthorized", status: 401 })
    assert.isNotEmpty(error instanceof GatewayError ? error.detail : "")
  })

  it("of something else than the gateway is not taken for the gateway's", async () => {
    const { gateway } = await behind([{ kind: "status", status: 418 }])
    const error = await gateway.session.whoami().catch((cause: unknown) => cause)
    assert.deepInclude(error, { type: "UnusableAnswer", status: 418, detail: "busy" })
  })
})
