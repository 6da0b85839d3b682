import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { GenerationFailed, outcomeUnknown } from "../../../Services/Media/Generation.ts"
import { ImageEngine } from "../../../Services/Media/ImageEngine.ts"
import { PictureEncoder } from "../../../Services/Media/PictureEncoder.ts"
import type { WebsiteId } from "../../../Services/Websites/Ids.ts"
import type { SitePicture } from "../../../Services/Websites/Site.ts"
import { mostPicturesOfSite, pictureSizes, SitePictures } from "../../../Services/Websites/SitePictures.ts"
import { storedBytes } from "../../Files/Sql.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"
import { Settings } from "../../Platform/Settings.ts"

const digestOf = (...parts: ReadonlyArray<string | Uint8Array>): string => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part).update("\0")
  return hash.digest("hex").slice(0, 40)
}

/** Sizes that providers generate well. The sandbox draws the sizes that are stored. */
const ordered = {
  wide: { width: 1536, height: 1024 },
  square: { width: 1024, height: 1024 },
  tall: { width: 1024, height: 1536 }
} as const

const orderDigest = ({ prompt, shape }: SitePicture): string => digestOf(shape, prompt)

const storageFull = new GenerationFailed({
  code: "storage_full",
  detail: "The account's files take all the room that it has. Remove some with remove_customer_file, and ask again."
})

const tooMany = new GenerationFailed({
  code: "too_many_pictures",
  detail: `${mostPicturesOfSite} pictures are kept of this site's states already.`
})

/** Text in a picture cannot be translated, and screen readers cannot read it. */
const withoutText = (prompt: string): string => `${prompt} (no text)`

/** The stored pictures of sites, and the orders for them. */
const makePictureRows = Effect.gen(function* () {
  const sql = yield* SqlClient

  const isOfSite = (accountId: AccountId, websiteId: WebsiteId) =>
    sql`account_id = ${accountId} and website_id = ${websiteId}`

  const ordersOf = (accountId: AccountId, websiteId: WebsiteId, orders: ReadonlyArray<string>) =>
    sql<{ readonly order_digest: string; readonly digest: string | null }>`
      select order_digest, digest from website_picture
      where ${isOfSite(accountId, websiteId)} and order_digest = any(${orders}::text[])`.pipe(fromSql())

  /** Copies a picture that another site of the account has, so that it is not ordered again. */
  const copy = (accountId: AccountId, websiteId: WebsiteId, order: string) =>
    sql`
      insert into website_picture (account_id, website_id, order_digest, digest, width, height, bytes, small_bytes, size_bytes)
      select ${accountId}, ${websiteId}, p.order_digest, p.digest, p.width, p.height, p.bytes, p.small_bytes, p.size_bytes
      from website_picture p
      where p.account_id = ${accountId} and p.order_digest = ${order} and p.digest is not null
      order by p.website_id desc limit 1
      on conflict (account_id, website_id, order_digest) do nothing
      returning order_digest`.pipe(
      fromSql(),
      Effect.map((rows) => rows.length > 0)
    )

  /** Returns whether this call may place the order. */
  const reserve = (accountId: AccountId, websiteId: WebsiteId, order: string, { shape }: SitePicture) => {
    const { height, width } = pictureSizes[shape].full
    return sql`
      insert into website_picture (account_id, website_id, order_digest, width, height)
      values (${accountId}, ${websiteId}, ${order}, ${width}, ${height})
      on conflict (account_id, website_id, order_digest) do nothing
      returning order_digest`.pipe(
      fromSql(),
      Effect.map((rows) => rows.length > 0)
    )
  }

  /** Allows the picture to be ordered again. */
  const release = (accountId: AccountId, websiteId: WebsiteId, order: string) =>
    sql`delete from website_picture where ${isOfSite(accountId, websiteId)} and order_digest = ${order} and digest is null`.pipe(
      fromSql()
    )

  const usage = (accountId: AccountId, websiteId: WebsiteId) =>
    Effect.zip(
      storedBytes(sql, accountId),
      Effect.map(
        sql<{ readonly kept: number }>`
          select count(*)::int as kept from website_picture where ${isOfSite(accountId, websiteId)}`,
        (rows) => single(rows).kept
      )
    ).pipe(fromSql())

  const finish = (accountId: AccountId, websiteId: WebsiteId, order: string, bytes: Uint8Array, small: Uint8Array) =>
    sql`
      update website_picture
      set digest = ${digestOf(bytes)}, bytes = ${bytes}, small_bytes = ${small}, size_bytes = ${bytes.length + small.length}
      where ${isOfSite(accountId, websiteId)} and order_digest = ${order} and digest is null`.pipe(fromSql())

  const read = (accountId: AccountId, websiteId: WebsiteId, digest: string, size: "full" | "small") =>
    sql<{ readonly bytes: Uint8Array }>`
      select ${size === "full" ? sql`bytes` : sql`small_bytes`} as bytes from website_picture
      where ${isOfSite(accountId, websiteId)} and digest = ${digest} limit 1`.pipe(fromSql())

  return { ordersOf, copy, reserve, release, usage, finish, read }
})

const make = Effect.gen(function* () {
  const rows = yield* makePictureRows
  const unit = yield* UnitOfWork
  const engine = yield* ImageEngine
  const encoder = yield* PictureEncoder
  const { accountStorageLimit } = yield* Settings

  const makeOne = (accountId: AccountId, websiteId: WebsiteId, picture: SitePicture) =>
    Effect.gen(function* () {
      const order = orderDigest(picture)
      const { full, small } = pictureSizes[picture.shape]
      if (yield* rows.copy(accountId, websiteId, order)) return
      const isLive = engine.mode === "live"
      const [used, kept] = yield* rows.usage(accountId, websiteId)
      if (used >= accountStorageLimit) return yield* storageFull
      if (kept >= mostPicturesOfSite) return yield* tooMany
      // An earlier or concurrent run has placed the order. It must not be placed twice.
      if (!(yield* rows.reserve(accountId, websiteId, order, picture)) && isLive) return yield* outcomeUnknown
      const made = yield* engine
        .make({
          accountId,
          prompt: withoutText(picture.prompt),
          ...(isLive ? ordered[picture.shape] : full),
          model: "ImageEngineA",
          isTransparent: false,
          pictures: []
        })
        .pipe(
          Effect.tapError((error) =>
            error._tag === "Transient" || error.code !== outcomeUnknown.code
              ? rows.release(accountId, websiteId, order)
              : Effect.void
          )
        )
      const files = yield* encoder
        .webp(accountId, made, [full, small])
        .pipe(Effect.tapErrorTag("GenerationFailed", () => rows.release(accountId, websiteId, order)))
      const [bytes, narrow] = files
      if (bytes === undefined || narrow === undefined) return
      yield* rows.finish(accountId, websiteId, order, bytes, narrow)
    })

  return SitePictures.of({
    make: Effect.fn("SitePictures.make")(function* (accountId, websiteId, pictures) {
      const orders = yield* rows.ordersOf(accountId, websiteId, pictures.map(orderDigest))
      const finished = new Set(orders.flatMap(({ digest, order_digest }) => (digest === null ? [] : [order_digest])))
      const missing = pictures.filter((picture) => !finished.has(orderDigest(picture)))
      const leftOut = yield* Effect.forEach(
        missing,
        (picture) =>
          makeOne(accountId, websiteId, picture).pipe(
            Effect.as([]),
            Effect.catchTag("GenerationFailed", (error) =>
              error.code === storageFull.code
                ? Effect.fail(error)
                : Effect.succeed([{ pictureId: picture.id, code: error.code, detail: error.detail }])
            )
          ),
        // Providers take half a minute for each.
        { concurrency: engine.mode === "live" ? 4 : 1 }
      )
      return leftOut.flat()
    }),

    urls: Effect.fn("SitePictures.urls")(function* (accountId, websiteId, { pictures }) {
      if (pictures.length === 0) return new Map<string, string>()
      const orders = yield* rows.ordersOf(accountId, websiteId, pictures.map(orderDigest))
      const digests = new Map(orders.map(({ digest, order_digest }) => [order_digest, digest]))
      return new Map(
        pictures.flatMap((picture) => {
          const digest = digests.get(orderDigest(picture))
          return digest === undefined || digest === null ? [] : [[picture.id, digest] as const]
        })
      )
    }),

    bytes: Effect.fn("SitePictures.bytes")(function* (accountId, websiteId, digest, size = "full") {
      const [row] = yield* unit.read(rows.read(accountId, websiteId, digest, size))
      return Option.map(Option.fromNullable(row), ({ bytes }) => bytes)
    })
  })
})

export const SitePicturesPostgres = Layer.effect(SitePictures, make)
