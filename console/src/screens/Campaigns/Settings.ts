/** The parameters of `update_campaign`, grouped by subject. */
export const settingGroups = {
  texts: [
    "business_name",
    "business_description",
    "business_website",
    "goal",
    "strategy",
    "instructions",
    "email_instructions",
    "chatapp_instructions",
    "voice_instructions",
    "email_display_name"
  ],
  targeting: [
    "icp",
    "country_filter",
    "uf_filter",
    "city_filter",
    "cnae_filter",
    "cnae_exclusion_filter",
    "company_size_filter",
    "company_type_filter",
    "company_audience_filter",
    "min_employee_count",
    "max_employee_count",
    "min_annual_revenue",
    "max_annual_revenue",
    "min_founding_date",
    "max_founding_date"
  ],
  settings: [
    "human_review_criteria",
    "lead_qualification_instructions",
    "lead_generation_active",
    "generate_custom_presentations",
    "notify_on_interested",
    "notify_on_confirmed"
  ]
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>
