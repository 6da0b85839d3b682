import { Effect } from "effect"
import { CampaignLeads } from "../../Services/Campaigns/CampaignLeads.ts"
import { returnArchivedCampaignLeads } from "../../Services/Campaigns/CampaignTasks.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"

const batch = 5000

/** Each batch commits separately, so other work on these leads waits for about a second. */
export const returnArchivedCampaignLeadsHandler = handle(returnArchivedCampaignLeads, ({ accountId, campaignId }) =>
  Effect.gen(function* () {
    const leads = yield* CampaignLeads
    const unit = yield* UnitOfWork
    yield* Effect.repeat(unit.write(leads.takeOut(accountId, campaignId, batch)), {
      until: (leadCount) => leadCount === 0
    })
  })
)
