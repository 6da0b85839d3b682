import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import type { AutomatedMaterial } from "../../../Services/Ads/AutomatedAssets.ts"
import { fromSql, single } from "../../Platform/Postgres/Sql.ts"

/** A logo is searched for among this many newest pictures. */
const mostPictures = 100
/** The shortest side that the platform accepts. */
const smallestSide = 314

/** Reads the account's material for automated campaigns: its profile, its newest search ad and its pictures. */
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
