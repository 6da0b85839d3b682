import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import sharp from "sharp"
import { transient } from "../../../src/Errors.ts"
import { CustomerFilesPostgres } from "../../../src/Layers/Files/CustomerFilesPostgres.ts"
import { ImageRenderer } from "../../../src/Layers/Media/Rendering/ImageRenderer.ts"
import { PictureEncoderByRenderer } from "../../../src/Layers/Media/Rendering/PictureEncoderByRenderer.ts"
import { makeImagesSandbox } from "../../../src/Layers/Media/sandbox/ImagesSandbox.ts"
import { Settings } from "../../../src/Layers/Platform/Settings.ts"
import { SitePicturesPostgres } from "../../../src/Layers/Websites/Pictures/SitePicturesPostgres.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { GenerationFailed } from "../../../src/Services/Media/Generation.ts"
import { ImageEngine, type ImageOrder } from "../../../src/Services/Media/ImageEngine.ts"
import { WebsiteId } from "../../../src/Services/Websites/Ids.ts"
import type { SitePicture } from "../../../src/Services/Websites/Site.ts"
import { pictureSizes, SitePictures } from "../../../src/Services/Websites/SitePictures.ts"
import { png } from "../../support/Pictures.ts"
import { as, makeAccount } from "../../support/TestAccount.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { TestSettings } from "../../support/TestSettings.ts"

const Ground = PictureEncoderByRenderer.pipe(
  Layer.provideMerge(ImageRenderer.layer),
  Layer.provideMerge(CustomerFilesPostgres),
  Layer.provideMerge(TestDatabase),
  Layer.provideMerge(TestSettings)
)

const makeSite = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accountId } = yield* Caller
  const rows = yield* sql<{ readonly id: number }>`
    insert into website (account_id, application_type, description, title, language)
    values (${accountId}, 'Website', 'A site', 'Site', 'pt-br') returning website_id as id`
  return { accountId, websiteId: WebsiteId.make(rows[0]?.id ?? 0) }
})

const picture = (id: string, prompt: string, shape: SitePicture["shape"] = "wide"): SitePicture => ({
  id,
  prompt,
  shape
})

/** Sites whose pictures this engine makes; it is told of each order. */
const sitePictures = (mode: "live" | "sandbox", make: (order: ImageOrder) => ReturnType<ImageEngine["Type"]["make"]>) =>
  SitePicturesPostgres.pipe(Layer.provide(Layer.succeed(ImageEngine, ImageEngine.of({ mode, make }))))

layer(Ground, { excludeTestServices: true })("pictures of sites", (it) => {
  it.effect("are made once, in two sizes, and have the address of their bytes", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const { accountId, websiteId } = yield* me(makeSite)
      const Sandbox = SitePicturesPostgres.pipe(Layer.provide(Layer.effect(ImageEngine, makeImagesSandbox)))
      yield* Effect.gen(function* () {
        const pictures = yield* SitePictures
        const wanted = [picture("hero", "a coffee shop #1d6fd1"), picture("again", "a coffee shop #1d6fd1")]
        assert.deepEqual(yield* me(pictures.make(accountId, websiteId, wanted)), [])
        const digests = yield* pictures.urls(accountId, websiteId, { pictures: wanted })
        const digest = digests.get("hero") ?? ""
        assert.match(digest, /^[0-9a-f]{40}$/)
        assert.strictEqual(digests.get("again"), digest)
        for (const size of ["full", "small"] as const) {
          const bytes = Option.getOrThrow(yield* pictures.bytes(accountId, websiteId, digest, size))
          const { format, height, width } = yield* Effect.promise(() => sharp(bytes).metadata())
          assert.strictEqual(format, "webp")
          assert.deepEqual({ height, width }, { ...pictureSizes.wide[size] } as const)
          assert.isBelow(bytes.length, 120_000)
        }
        assert.isTrue(Option.isNone(yield* pictures.bytes(accountId, WebsiteId.make(websiteId + 1), digest)))
        const other = yield* makeAccount()
        assert.isTrue(Option.isNone(yield* pictures.bytes(other.accountId, websiteId, digest)))
      }).pipe(Effect.provide(Sandbox))
    })
  )

  it.effect("an order is placed once, whatever becomes of it, and copies of a site take what is there", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const { accountId, websiteId } = yield* me(makeSite)
      const orders: Array<string> = []
      const Provider = sitePictures("live", (order) =>
        Effect.suspend((): ReturnType<ImageEngine["Type"]["make"]> => {
          orders.push(order.prompt)
          if (order.prompt.startsWith("lost")) return Effect.die(new Error("the process was killed"))
          if (order.prompt.startsWith("busy") && orders.filter((prompt) => prompt === order.prompt).length === 1)
            return Effect.fail(transient("busy", "Busy.", 1))
          if (order.prompt.startsWith("refused")) {
            return new GenerationFailed({ code: "content_refused", detail: "No." })
          }
          return Effect.succeed(png(order.width, order.height))
        })
      )
      yield* Effect.gen(function* () {
        const pictures = yield* SitePictures
        const make = (...wanted: ReadonlyArray<SitePicture>) => me(pictures.make(accountId, websiteId, wanted))
        yield* Effect.exit(make(picture("a", "lost in the mail")))
        assert.deepEqual(
          (yield* make(picture("a", "lost in the mail"))).map(({ code }) => code),
          ["outcome_unknown"]
        )
        const refused = yield* make(picture("b", "refused by them"), picture("c", "a house"))
        assert.deepEqual(
          refused.map(({ code, pictureId }) => [code, pictureId]),
          [["content_refused", "b"]]
        )
        // The two are ordered side by side.
        assert.sameMembers(orders, ["lost in the mail (no text)", "refused by them (no text)", "a house (no text)"])
        assert.strictEqual((yield* Effect.flip(make(picture("d", "busy"))))._tag, "Transient")
        assert.deepEqual(yield* make(picture("d", "busy")), [])
        const copy = yield* me(makeSite)
        const before = orders.length
        assert.deepEqual(yield* me(pictures.make(accountId, copy.websiteId, [picture("x", "a house")])), [])
        assert.strictEqual(orders.length, before)
        const [one, other] = [
          yield* pictures.urls(accountId, websiteId, { pictures: [picture("c", "a house")] }),
          yield* pictures.urls(accountId, copy.websiteId, { pictures: [picture("x", "a house")] })
        ]
        assert.strictEqual(one.get("c"), other.get("x"))
        assert.isUndefined(
          (yield* pictures.urls(accountId, websiteId, { pictures: [picture("b", "refused by them")] })).get("b")
        )
      }).pipe(Effect.provide(Provider))
    })
  )

  it.effect("what is no picture is left out, and a full account has no room for more", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const { accountId, websiteId } = yield* me(makeSite)
      const settings = yield* Settings
      const Full = Layer.fresh(
        sitePictures("live", () => Effect.succeed(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")))
      )
      const use = (prompt: string) =>
        Effect.flatMap(SitePictures, (pictures) => me(pictures.make(accountId, websiteId, [picture("a", prompt)])))
      const left = yield* Effect.provide(use("a page"), Full)
      assert.deepEqual(
        left.map(({ code }) => code),
        ["not_a_picture"]
      )
      const NoRoom = Full.pipe(Layer.provide(Layer.succeed(Settings, { ...settings, accountStorageLimit: 0 })))
      const failure = yield* Effect.flip(Effect.provide(use("another"), NoRoom))
      assert.deepInclude(failure, { code: "storage_full" })
    })
  )
})
