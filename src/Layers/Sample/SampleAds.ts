import { Effect } from "effect"
import { Ads } from "../../Services/Ads/Ads.ts"
import { AdsFunding } from "../../Services/Ads/AdsFunding.ts"
import { microsOf } from "../../Services/Ads/AdsMoney.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"

/** The owner's ads: one campaign is funded and paused, one waits for funds. */
const adsCampaigns = [
  {
    name: "Agenda para clínicas",
    budget: 30,
    url: "https://ondas.example/clinicas",
    headlines: [
      "Agenda online para clínicas",
      "Menos faltas, mais pacientes",
      "Sistema para clínicas",
      "Sem fidelidade",
      "Implantação em cinco dias"
    ],
    descriptions: [
      "Confirme consultas sozinho, receba em dia e deixe as planilhas de lado.",
      "A Ondas cuida da agenda e da cobrança da sua clínica. Conheça os planos."
    ],
    keywords: [
      "agenda online para clínica",
      "software para dentista",
      "sistema para clínica odontológica",
      "agenda médica"
    ],
    negatives: ["emprego", "vagas"],
    recharges: 4000
  },
  {
    name: "Cobrança para escritórios",
    budget: 20,
    url: "https://ondas.example/contabilidade",
    headlines: ["Cobrança em dia", "Para escritórios contábeis", "Chega de planilhas"],
    descriptions: ["Seus honorários recebidos sem cobrar ninguém.", "Comece em cinco dias úteis, sem fidelidade."],
    keywords: ["cobrança de honorários", "sistema para contador"],
    negatives: [],
    recharges: 0
  }
]

export const advertise = Effect.gen(function* () {
  const unit = yield* UnitOfWork
  const ads = yield* Ads
  const funding = yield* AdsFunding
  const { accountId } = yield* Caller
  for (const { budget, descriptions, headlines, keywords, name, negatives, recharges, url } of adsCampaigns) {
    const { ad_group_id } = yield* unit.write(ads.createDraft(name, budget, "Search"))
    yield* ads.createSearchAd(name, {
      adGroupId: ad_group_id,
      finalUrl: url,
      headlines: headlines.join("\n"),
      descriptions: descriptions.join("\n")
    })
    yield* ads.addKeywords(name, ad_group_id, { keywords: keywords.join("\n"), matchType: "Phrase" })
    if (negatives.length > 0) {
      yield* ads.addNegativeKeywords(name, { keywords: negatives.join("\n"), matchType: "Broad" })
    }
    if (recharges === 0) continue
    yield* unit.write(
      funding.recharge({
        accountId,
        campaign: name,
        amountMicros: microsOf(recharges),
        reference: `sample-${name}`,
        source: "sandbox"
      })
    )
    yield* ads.nudge(name)
    yield* ads.refreshAudience(name)
  }
})
