import { assert, describe, it } from "@effect/vitest"
import { effectiveConfiguration } from "../../src/Services/Prospecting/EffectiveConfiguration.ts"
import { bareCampaign as bare, newAccountConfiguration as plain } from "../support/ProspectingFixtures.ts"

/** An account with every setting different from its default. */
const account = {
  ...plain,
  cnae_filter: ["62"],
  uf_filter: ["SP"],
  min_employee_count: 10,
  company_size_filter: ["Large"],
  instructions: "Be brief.",
  email_instructions: "No emoji.",
  goal: "A call",
  email_signature: "Ana",
  generate_presentations: false,
  voice_calling_active: true,
  notify_on_interested: false,
  notify_on_confirmed: true,
  prospecting_voice: "Male",
  mode: "Passive",
  send_window_start_hour: 10
} as const

describe("effectiveConfiguration", () => {
  it("outside campaigns the account's own holds, for private companies only", () => {
    const {
      business_description,
      business_name,
      business_website,
      ideal_customer_profile,
      mail_display_name,
      ...settings
    } = account
    assert.deepStrictEqual(effectiveConfiguration(account, null), {
      ...settings,
      identity: { businessName: business_name, senderName: mail_display_name },
      company_type_filter: ["Private"],
      campaign_id: null,
      lead_generation_active: true,
      business: { business_name, business_description, business_website, icp: ideal_customer_profile },
      email_display_name: null
    })
  })

  it("a campaign inherits neither targeting nor rules, only open switches", () => {
    const effective = effectiveConfiguration(account, bare)
    assert.deepInclude(effective, {
      campaign_id: bare.campaign_id,
      cnae_filter: [],
      uf_filter: [],
      min_employee_count: null,
      company_size_filter: [],
      instructions: null,
      email_instructions: null,
      goal: null,
      voice_calling_active: true,
      generate_presentations: false,
      notify_on_interested: false,
      notify_on_confirmed: true
    })
    assert.deepStrictEqual(effective.business, {
      business_name: "Ondas Software",
      business_description: null,
      business_website: null,
      icp: null
    })
  })

  it("a campaign of the account's own business says what it leaves open as the account does", () => {
    const sameBusiness = effectiveConfiguration(account, { ...bare, business_name: " ONDAS ", icp: "Dentists" })
    assert.deepStrictEqual(sameBusiness.business, {
      business_name: " ONDAS ",
      business_description: "Scheduling for clinics.",
      business_website: "https://ondas.example",
      icp: "Dentists"
    })
  })

  it("what only the account has holds in campaigns too", () => {
    assert.deepInclude(effectiveConfiguration(account, bare), {
      email_signature: "Ana",
      prospecting_voice: "Male",
      mode: "Passive",
      send_window_start_hour: 10
    })
  })

  it("the owner hears by mail of campaigns that are not quiet", () => {
    const mails = { ...account, notify_on_interested_via_email: true, notify_on_confirmed_via_email: true }
    const ofCampaign = (isNotified: boolean | null) =>
      effectiveConfiguration(mails, { ...bare, notify_on_interested: isNotified, notify_on_confirmed: isNotified })
    for (const isOn of [true, null]) {
      assert.deepInclude(ofCampaign(isOn), {
        notify_on_interested_via_email: true,
        notify_on_confirmed_via_email: true
      })
    }
    assert.deepInclude(ofCampaign(false), {
      notify_on_interested_via_email: false,
      notify_on_confirmed_via_email: false
    })
    assert.isFalse(
      effectiveConfiguration(
        { ...mails, notify_on_interested_via_email: false },
        { ...bare, notify_on_interested: true }
      ).notify_on_interested_via_email
    )
  })

  it("a campaign's own settings win over the account's", () => {
    const effective = effectiveConfiguration(account, {
      ...bare,
      uf_filter: ["MG"],
      instructions: "Be warm.",
      voice_calling_active: false,
      generate_custom_presentations: true,
      notify_on_interested: true,
      notify_on_confirmed: false,
      lead_generation_active: false,
      email_display_name: "Ondas"
    })
    assert.deepInclude(effective, {
      uf_filter: ["MG"],
      instructions: "Be warm.",
      voice_calling_active: false,
      generate_presentations: true,
      notify_on_interested: true,
      notify_on_confirmed: false,
      lead_generation_active: false,
      email_display_name: "Ondas"
    })
  })

  it("an empty company type or audience is the account's, else private companies of any audience", () => {
    assert.deepInclude(effectiveConfiguration(plain, bare), {
      company_type_filter: ["Private"],
      company_audience_filter: []
    })
    const picky = { ...plain, company_type_filter: ["NonProfit"], company_audience_filter: ["B2B"] } as const
    assert.deepInclude(effectiveConfiguration(picky, bare), {
      company_type_filter: ["NonProfit"],
      company_audience_filter: ["B2B"]
    })
    const ownTypes = { ...bare, company_type_filter: ["Government"], company_audience_filter: ["B2C"] } as const
    assert.deepInclude(effectiveConfiguration(picky, ownTypes), {
      company_type_filter: ["Government"],
      company_audience_filter: ["B2C"]
    })
  })

  it("no lead is prospected while the account or the campaign is paused", () => {
    const off = { ...plain, is_prospecting_active: false }
    const paused = { ...bare, is_active: false }
    assert.isTrue(effectiveConfiguration(plain, bare).is_prospecting_active)
    assert.isFalse(effectiveConfiguration(off, bare).is_prospecting_active)
    assert.isFalse(effectiveConfiguration(plain, paused).is_prospecting_active)
    assert.isFalse(effectiveConfiguration(off, null).is_prospecting_active)
  })
})
