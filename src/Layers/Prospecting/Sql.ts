/** Which companies are looked for: the same for an account and for each of its campaigns. */
export const targetingColumns = `
  cnae_filter text[] not null default '{}',
  cnae_exclusion_filter text[] not null default '{}',
  uf_filter text[] not null default '{}',
  city_filter text[] not null default '{}',
  country_filter text[] not null default '{}',
  min_employee_count integer check (min_employee_count >= 0),
  max_employee_count integer check (max_employee_count >= 0),
  min_annual_revenue double precision check (min_annual_revenue >= 0),
  max_annual_revenue double precision check (max_annual_revenue >= 0),
  company_size_filter text[] not null default '{}'
    check (company_size_filter <@ array['Micro', 'Small', 'Medium', 'Large']),
  company_type_filter text[] not null default '{}'
    check (company_type_filter <@ array['Private', 'Individual', 'Government', 'StateOwned', 'NonProfit']),
  company_audience_filter text[] not null default '{}'
    check (company_audience_filter <@ array['B2B', 'B2C', 'B2BAndB2C', 'Government', 'NonCommercial']),
  min_founding_date date,
  max_founding_date date,
  constraint employee_count_range check (min_employee_count <= max_employee_count),
  constraint annual_revenue_range check (min_annual_revenue <= max_annual_revenue),
  constraint founding_date_range check (min_founding_date <= max_founding_date)`

/** What the prospecting agent is told: likewise. */
export const ruleColumns = `
  instructions text,
  email_instructions text,
  chatapp_instructions text,
  voice_instructions text,
  goal text,
  strategy text,
  human_review_criteria text,
  lead_qualification_instructions text`
