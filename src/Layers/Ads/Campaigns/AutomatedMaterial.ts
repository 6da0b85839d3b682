import type { SqlClient } from "@effect/sql/SqlClient"
import { Chunk, Effect, Stream } from "effect"
import sharp from "sharp"
import { type Transient, transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { AutomatedAssets, AutomatedMaterial } from "../../../Services/Ads/AutomatedAssets.ts"
import type { Caller } from "../../../Services/Core/Caller.ts"
import type { CustomerFiles } from "../../../Services/Files/CustomerFiles.ts"
import type { CustomerFileId } from "../../../Services/Files/Ids.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"

/** The newest of the account's pictures; older ones are not looked through for a logo. */
const mostPictures = 100
/** The shortest side that the platform takes. */
const smallestSide = 314

/** What the account has that automated campaigns are made of: its profile, its newest search ad and its pictures. */
export const automatedMaterial = (sql: SqlClient, accountId: AccountId): Effect.Effect<AutomatedMaterial, Transient> =>
  sql<AutomatedMaterial>`
    select b.business_name as "businessName", b.business_website as website,
      (select jsonb_build_object('finalUrl', n.final_url, 'headlines', n.headlines, 'descriptions', n.descriptions)
        from ads_ad n where n.account_id = ${accountId} and n.refusal is null order by n.ad_id desc limit 1) as ad,
      coalesce((select jsonb_agg(jsonb_build_object('fileId', p.customer_file_id, 'aspect', p.aspect,
          'prompt', p.prompt, 'isSimulated', p.mode = 'sandbox') order by p.generation_id desc)
        from (
          select g.generation_id, g.customer_file_id, g.request ->> 'aspect' as aspect, g.prompt, g.mode
          from media_generation g
          where g.account_id = ${accountId} and g.kind = 'image' and g.customer_file_id is not null
            and least(g.width, g.height) >= ${smallestSide}
          order by g.generation_id desc limit ${mostPictures}
        ) p), '[]') as pictures
    from account a left join business_profile b on b.account_id = a.account_id
    where a.account_id = ${accountId}`.pipe(Effect.map(single), fromSql())

/** Sizes that the platform recommends. */
const shapes = {
  logo: { width: 1200, height: 1200 },
  square: { width: 1200, height: 1200 },
  landscape: { width: 1200, height: 628 }
} as const

/** Larger pictures are not decoded. */
const mostPixels = 40_000_000

const unreadable = transient("picture_unreadable", "A picture of the campaign could not be read.", 3600)

const cut = (bytes: Uint8Array, size: { readonly width: number; readonly height: number }) =>
  Effect.tryPromise({
    try: () =>
      sharp(bytes, { limitInputPixels: mostPixels })
        .resize({ ...size, fit: "cover", position: "attention" })
        .flatten({ background: "#ffffff" })
        .jpeg({ quality: 85 })
        .toBuffer(),
    catch: () => unreadable
  })

/** The campaign's pictures in the platform's shapes, as Base64. */
export const adPictures = (
  files: CustomerFiles["Type"],
  assets: AutomatedAssets
): Effect.Effect<{ readonly [P in keyof typeof shapes]: string }, Transient, Caller> => {
  const pictureOf = (fileId: CustomerFileId, shape: keyof typeof shapes) =>
    Stream.runCollect(files.read(fileId)).pipe(
      Effect.catchTag("NotFound", () => unreadable),
      Effect.flatMap((parts) => cut(Buffer.concat(Chunk.toReadonlyArray(parts)), shapes[shape])),
      Effect.map((bytes) => bytes.toString("base64"))
    )
  return Effect.all({
    logo: pictureOf(assets.logo, "logo"),
    square: pictureOf(assets.square, "square"),
    landscape: pictureOf(assets.landscape, "landscape")
  })
}
