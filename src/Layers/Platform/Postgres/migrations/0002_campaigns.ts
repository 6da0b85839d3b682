import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Which companies are looked for: the same for an account and for each of its campaigns. */
const targetingColumns = `
  add column cnae_filter text[] not null default '{}',
  add column cnae_exclusion_filter text[] not null default '{}',
  add column uf_filter text[] not null default '{}',
  add column city_filter text[] not null default '{}',
  add column country_filter text[] not null default '{}',
  add column min_employee_count integer check (min_employee_count >= 0),
  add column max_employee_count integer check (max_employee_count >= 0),
  add column min_annual_revenue double precision check (min_annual_revenue >= 0),
  add column max_annual_revenue double precision check (max_annual_revenue >= 0),
  add column company_size_filter text[] not null default '{}'
    check (company_size_filter <@ array['Micro', 'Small', 'Medium', 'Large']),
  add column company_type_filter text[] not null default '{}'
    check (company_type_filter <@ array['Private', 'Individual', 'Government', 'StateOwned', 'NonProfit']),
  add column company_audience_filter text[] not null default '{}'
    check (company_audience_filter <@ array['B2B', 'B2C', 'B2BAndB2C', 'Government', 'NonCommercial']),
  add column min_founding_date date,
  add column max_founding_date date,
  add constraint employee_count_range check (min_employee_count <= max_employee_count),
  add constraint annual_revenue_range check (min_annual_revenue <= max_annual_revenue),
  add constraint founding_date_range check (min_founding_date <= max_founding_date)`

/** What the prospecting agent is told: likewise. */
const ruleColumns = `
  add column instructions text,
  add column email_instructions text,
  add column chatapp_instructions text,
  add column voice_instructions text,
  add column goal text,
  add column strategy text,
  add column human_review_criteria text,
  add column lead_qualification_instructions text`

/** How prospecting is set up, for an account and for each of its campaigns. */
export default Effect.flatMap(SqlClient, (sql) =>
  sql.unsafe(`
alter table campaign ${targetingColumns}, ${ruleColumns},
  add column business_name text not null default '',
  add column business_description text,
  add column business_website text,
  add column icp text,
  add column email_display_name text,
  add column lead_generation_active boolean not null default true,
  -- Null: as the account has it.
  add column voice_calling_active boolean,
  add column generate_custom_presentations boolean,
  add column notify_on_interested boolean,
  add column notify_on_confirmed boolean;
update campaign set business_name = name;

create table prospecting_config (
  account_id bigint primary key references account on delete cascade,
  email_signature text,
  mode text not null default 'Active' check (mode in ('Active', 'Passive')),
  generate_presentations boolean not null default true,
  allow_template_chatapp_messages boolean not null default true,
  -- Calls cost money and cannot be taken back: the owner turns them on.
  voice_calling_active boolean not null default false,
  prospecting_voice text not null default 'Female' check (prospecting_voice in ('Male', 'Female')),
  -- Null: the account's own address.
  notification_email text,
  notify_on_interested boolean not null default true,
  notify_on_confirmed boolean not null default false,
  notify_on_interested_via_email boolean not null default true,
  notify_on_confirmed_via_email boolean not null default false,
  notify_on_first_chatapp_message boolean not null default true,
  cc_on_interested_lead_emails boolean not null default false,
  send_window_start_hour smallint not null default 8 check (send_window_start_hour between 0 and 23),
  send_window_end_hour smallint not null default 18 check (send_window_end_hour between 1 and 24),
  check (send_window_start_hour < send_window_end_hour)
);
alter table prospecting_config ${targetingColumns}, ${ruleColumns};

-- Every account has its row from the start, so that the defaults stand in one place and a change is one statement.
create function make_prospecting_config() returns trigger language plpgsql as $$
begin
  insert into prospecting_config (account_id) values (new.account_id);
  return null;
end $$;
create trigger account_prospecting_config after insert on account
  for each row execute function make_prospecting_config();
insert into prospecting_config (account_id) select account_id from account;
`)
)
