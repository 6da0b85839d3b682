import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, inject, it } from "vitest"

const { token, url } = inject("gateway")
const folder = path.resolve(import.meta.dirname, "../requests")

interface Example {
  readonly name: string
  readonly kind: string
  readonly path: string
  readonly body: string
}

const examplesIn = (text: string): ReadonlyArray<Example> =>
  text
    .split(/^### /m)
    .slice(1)
    .map((block) => {
      const [, name = "", kind = ""] = /^(\w+) \((\w+)\)/.exec(block) ?? []
      const [, route = ""] = /^POST \{\{url\}\}(\S+)$/m.exec(block) ?? []
      return { name, kind, path: route, body: block.slice(block.indexOf("\n\n") + 2).trim() }
    })

/** On a fresh account there may be no such record, or the tool refuses. */
const usualStatuses: ReadonlyArray<number> = [200, 403, 404, 422]

describe("request files", () => {
  it("have examples that the gateway takes", async () => {
    const names = (await fs.readdir(path.join(folder, "http"))).toSorted()
    const texts = await Promise.all(names.map((name) => fs.readFile(path.join(folder, "http", name), "utf8")))
    const examples = texts.flatMap(examplesIn)
    assert.isAtLeast(examples.length, 234)
    for (const { body, kind, name, path: route } of examples) {
      if (kind !== "read") continue
      const response = await fetch(`${url}${route}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body
      })
      await response.text()
      assert.include(usualStatuses, response.status, name)
    }
  })

  it("are the same in each form", async () => {
    const postman: unknown = JSON.parse(await fs.readFile(path.join(folder, "postman.json"), "utf8"))
    assert.nestedProperty(postman, "item[0].item[0].request.url.raw")
    const bruno = await fs.readdir(path.join(folder, "bruno"), { recursive: true })
    assert.isAtLeast(bruno.filter((file) => file.endsWith(".bru")).length, 235)
  })
})
