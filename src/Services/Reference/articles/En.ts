import type { Article } from "./Article.ts"

export const articlesEn: ReadonlyArray<Article> = [
  {
    title: "How prospecting works",
    text: "Leads that are in the pipeline are contacted by themselves: a first contact, then follow-ups over some weeks, by e-mail, the messaging app or voice calls, inside the send window. A reply stops what was planned, is read, and is answered, handed to you, or ends the contact. Turn it all on or off with set_prospecting_active.",
    aliases: [
      "how does the platform work",
      "what happens after I turn prospecting on",
      "cadence of follow-ups",
      "start prospecting",
      "getting started"
    ]
  },
  {
    title: "Campaigns: separate tracks with their own business and rules",
    text: "A campaign has its own business text, targeting, instructions and switches and inherits no default of the account. Make one with create_campaign, change it with update_campaign, compare two with compare_campaigns. pause_campaign stops the whole track and resume_campaign goes on; archive_campaign is for good, and its leads go back to default prospecting.",
    aliases: [
      "create a campaign",
      "run two products separately",
      "pause a campaign",
      "archive a campaign",
      "move leads between campaigns"
    ]
  },
  {
    title: "Importing leads from a spreadsheet",
    text: "Upload a .csv, .xlsx, .xls or .txt file and pass its customer_file_id to import_leads, or send up to 500 rows in rows_json. Each row needs an e-mail or a phone. The import runs in the background, recognises leads that exist already, and new ones enter prospecting. Rows that could not be used are listed with their reason by get_lead_import.",
    aliases: [
      "upload a contact list",
      "import csv",
      "load an excel file of contacts",
      "bulk add leads",
      "why were rows rejected"
    ]
  },
  {
    title: "Adding one lead",
    text: "register_lead adds a single person by name with e-mail or phone. A lead with the same e-mail or phone is not made twice: its id is answered. With a phone alone only the messaging app and calls can reach it. register_referral_lead adds somebody whom another lead recommended.",
    aliases: ["create a contact", "add a person manually", "register a prospect", "referral", "duplicate lead"]
  },
  {
    title: "Pausing, taking over, stopping and returning a lead",
    text: "pause_lead_prospecting halts contact for a while and resume_lead_prospecting lifts it. take_over_lead means that you talk to the lead yourself and the agent keeps quiet. stop_lead finishes it; recover_lead_to_pipeline brings a stopped or taken-over lead back gently. return_lead_to_pipeline sends a reviewed lead back with instructions.",
    aliases: [
      "stop contacting a lead",
      "pause a lead",
      "talk to the lead myself",
      "resume prospecting of a lead",
      "bring a lead back"
    ]
  },
  {
    title: "What the lead statuses mean",
    text: "Pending and Cold were not answered yet. Confirmed wrote back. Aware knows the offer and has not decided. Interested wants to go on. NotInterested refused. Gatekeeper passes messages on for somebody else. Unqualified is no fit, Rejected was turned down by you, Closed is done, Frozen is set aside by the automation. A status alone never stops contact.",
    aliases: [
      "meaning of cold confirmed interested",
      "lead status list",
      "difference between status and pipeline state",
      "what is a frozen lead",
      "gatekeeper status"
    ]
  },
  {
    title: "Human review: leads that wait for your decision",
    text: "When a reply meets your human review criteria, is angry, threatens legal steps, or cannot be read with certainty, the lead is flagged and nothing is sent. list_pending_review shows them. Answer with return_lead_to_pipeline, take_over_lead or stop_lead. Write the criteria with set_prospecting_rules.",
    aliases: [
      "leads waiting for approval",
      "review queue",
      "approve before sending",
      "escalate to a human",
      "pending review"
    ]
  },
  {
    title: "Questions of leads and the FAQ",
    text: "What a lead asks and no knowledge covers becomes an open question: see list_open_lead_questions and reply with answer_lead_question. The answer goes to every lead that waits for it. With reusable true it joins the FAQ and answers later leads; correct it with update_business_faq, end it with valid_until or remove_business_faq.",
    aliases: [
      "answer a question from a prospect",
      "faq",
      "correct an answer",
      "lead asked something I must answer",
      "frequently asked questions"
    ]
  },
  {
    title: "Business knowledge files",
    text: "register_business_file takes text or an uploaded file (.txt, .md, .pdf, .docx, .xlsx, .pptx, .html) and indexes it in the background, for one campaign or the whole account. Passages that fit are given to the writer as facts. A file without text, an encrypted or a broken one ends in the state failed with the reason. Remove one with remove_business_file and it is quoted no more.",
    aliases: [
      "teach the agent about my product",
      "upload knowledge",
      "price list for the agent",
      "indexing failed",
      "train the AI with documents"
    ]
  },
  {
    title: "Prospecting files: material sent to leads",
    text: "register_prospecting_file adds a brochure, case study or price list that the agent may offer and send. It is chosen by its title, description and what the lead asked, and sent to a lead only once. A campaign limits where it is used. For facts that the agent should know and not send, use business knowledge files instead.",
    aliases: [
      "send a brochure",
      "attach a pdf to messages",
      "catalogue for leads",
      "case study attachment",
      "material for prospects"
    ]
  },
  {
    title: "Targeting: which companies are looked for",
    text: "set_targeting filters by CNAE code, state, city, country, employees, revenue, size, company type, audience and founding date. Several values are separated by commas. A numeric filter of -1 clears it. Company type is Private unless you say otherwise. A campaign has filters of its own.",
    aliases: [
      "filter companies by size",
      "choose states and cities",
      "target audience",
      "limit revenue",
      "clear a filter"
    ]
  },
  {
    title: "CNAE codes and cities",
    text: "lookup_cnae explains a code of the Brazilian classification at division, group, class or subclass level, with or without punctuation. generate_cnae_suggestion and generate_cnae_exclusion_suggestion propose codes for your ideal customer; nothing is saved until set_targeting. lookup_city finds the IBGE code of a municipality.",
    aliases: [
      "what is cnae 6201-5/01",
      "industry codes brazil",
      "ibge code of a city",
      "suggest sectors",
      "activity code"
    ]
  },
  {
    title: "When messages go out: send window and best times",
    text: "Messages go out on workdays between the start and end hour of the send window, in the lead's own time zone. Inside it the best hours come from when the lead, its sector, your account or the platform replied before: see get_lead_timing_intelligence. reschedule_lead_touch moves the next contact.",
    aliases: ["best time to send", "business hours", "time zone of the lead", "reschedule a touch", "weekend sending"]
  },
  {
    title: "Messaging-app line: number, quality and cost caps",
    text: "register_chatapp_line sets up a number of your own, which needs a paid plan; get_chatapp_line shows its state, quality rating and spend. Only opening messages cost: set_chatapp_daily_cost_cap and set_chatapp_monthly_cost_cap limit them. At the cap openings wait for the next day or month, while replies and e-mail go on.",
    aliases: [
      "whatsapp number",
      "limit messaging costs",
      "quality rating of the line",
      "connect my own number",
      "spending cap"
    ]
  },
  {
    title: "The 24-hour window of the messaging app",
    text: "After a lead writes, free text can be sent for 24 hours. Outside of the window only an approved opening template can be sent, if set_allow_template_chatapp_messages allows it. For a lead that you took over send_chatapp_message_to_lead sends at once inside the window and is refused outside of it.",
    aliases: ["cannot message the lead", "template messages", "service window closed", "24 hours", "window expired"]
  },
  {
    title: "Voice calls",
    text: "set_voice_calling_active lets the agent call leads, and set_campaign_voice_calling_active overrides it for one campaign. place_goal_driven_call calls any number with a goal in plain words; poll get_voice_call for status, summary and transcript. Calls cost money and cannot be recalled once queued.",
    aliases: ["make a phone call", "call a lead", "transcript of a call", "turn calls off", "male or female voice"]
  },
  {
    title: "Meetings",
    text: "A lead that agrees to a time is booked and handed to you. list_lead_meetings shows meetings, confirm_lead_meeting accepts, cancel_lead_meeting calls it off and contacts the lead again, update_lead_meeting_attendance records who came. The lead is reminded beforehand.",
    aliases: ["schedule a meeting", "cancel an appointment", "no show", "who attended", "reschedule a demo"]
  },
  {
    title: "Recording outcomes: won, lost, gave up",
    text: "register_lead_outcome records won, lost or gave_up, which end prospecting, or negotiating and unresponsive, which do not. A deal value belongs to a won sale only. Check-in questions about quiet leads can be muted or snoozed with mute_lead_check_ins.",
    aliases: ["mark a deal as won", "lost deal", "stop check-in reminders", "close a sale", "deal value"]
  },
  {
    title: "Unsubscribed people and the blacklist",
    text: "Who asks not to be contacted is unsubscribed at once on every channel and stays so. add_blacklisted_email, add_blacklisted_domain and add_blacklisted_phone keep addresses, whole domains and numbers from ever being contacted, such as clients and competitors. A domain entry does not include subdomains.",
    aliases: ["do not contact list", "opt out", "block a competitor", "unsubscribe", "exclude existing customers"]
  },
  {
    title: "Reports: funnel, reply rates and trends",
    text: "get_prospecting_report sums up leads and messages; get_performance_trends counts by day; get_funnel_timeline by day or week; get_message_performance and get_chatapp_message_performance tell reply rates by campaign and kind of message; get_metrics_by_state_and_industry compares places and sectors; what_changed_since is a digest from a date.",
    aliases: ["reply rate", "how many emails were sent", "performance dashboard", "weekly summary", "conversion funnel"]
  },
  {
    title: "What works best: reading the results",
    text: "get_lead_timing_intelligence tells when leads answer, get_message_performance which kinds of message are answered, get_metrics_by_state_and_industry which places and sectors do better, and get_campaign or compare_campaigns how campaigns differ. Small numbers prove little: wait for some dozens of contacts before you change the instructions.",
    aliases: [
      "what works best",
      "insights from results",
      "why do leads refuse",
      "which sector answers",
      "best time to contact"
    ]
  },
  {
    title: "Trying it before going live",
    text: "Register yourself as a lead with your own address and answer as a prospect would: what arrives is what leads get. In Passive mode (set_prospecting_preferences) only those who write first are answered. Where whoami says sandbox of a service, nothing leaves, and the pages under /sandbox show what would have gone out.",
    aliases: ["test the agent", "try before sending", "preview messages", "role play a prospect", "demo conversation"]
  },
  {
    title: "Webhooks and the event feed",
    text: "list_account_events is a feed read with a cursor; create_webhook_subscription sends the same events to your HTTPS address, signed by the Standard Webhooks rules. test_webhook_subscription sends a ping. A subscription that fails for five days is turned off; update_webhook_subscription turns it on again.",
    aliases: [
      "receive events in my system",
      "verify a webhook signature",
      "polling events",
      "webhook disabled",
      "integrate with my crm by events"
    ]
  },
  {
    title: "Access tokens and calling the API",
    text: "Every call carries Authorization: Bearer with an access token. generate_mcp_token makes one, shown once; list_mcp_tokens lists and revoke_mcp_token ends it at once. Call a tool with POST /rest/v1/tools/{name} and a JSON object; read tools also take GET /rest/v1/call/{name}. A failed tool answers error, type, reason and detail.",
    aliases: ["api key", "401 unauthorized", "revoke a token", "how to authenticate", "rest api call"]
  },
  {
    title: "Erasing a person and exporting data",
    text: "delete_lead_data erases a person for good, with messages and calls, and keeps only a digest so that the person does not come back by an import. export_leads writes a CSV file in the background. Data of one account is never shown to another.",
    aliases: ["gdpr delete", "lgpd", "right to be forgotten", "download my leads", "export csv"]
  },
  {
    title: "Instructions, goal, strategy and signature",
    text: "set_prospecting_rules says how the agent writes: general instructions, those of one channel, the goal of the conversation, the strategy, how leads are qualified, and an e-mail signature that ends every mail. Only what you pass changes. An empty signature goes back to the name alone.",
    aliases: [
      "change the tone of messages",
      "email signature",
      "tell the agent what to say",
      "set the goal",
      "writing style"
    ]
  },
  {
    title: "Plans and prices: free trial and paid plan",
    text: "Most tools work on the free trial. Those that cost money outside, such as the messaging-app line and voice calls, answer PlanRequired until the paid plan is active. whoami shows the plan and which outside services are real or only simulated. Support says what the plan costs a month, and what changes when you upgrade or cancel the subscription.",
    aliases: [
      "paid plan required",
      "403 plan",
      "upgrade",
      "price of the plan",
      "how much does the plan cost",
      "monthly subscription fee",
      "cancel the subscription",
      "what is included in the trial",
      "sandbox mode"
    ]
  },
  {
    title: "Trying it on a made-up lead: simulations",
    text: "run_prospecting_simulation plays a conversation with a lead that is made up, by e-mail or the messaging app: the agent writes as it would, you answer as the lead, and the answer tells how it was read and what would have happened. Nothing is sent and no real lead is touched. start_voice_simulation calls your own saved number, and get_voice_simulation_status tells how the call went.",
    aliases: [
      "simulate a conversation",
      "practice with a fake lead",
      "dry run of the agent",
      "test call to my own phone",
      "what would the agent answer"
    ]
  },
  {
    title: "Learnings and the optimizer",
    text: 'list_prospecting_learnings tells what the last 90 days prove: hours, days, regions, sectors, openings and reasons for refusal, each with its numbers; dismiss_prospecting_learning hides one. Each week the optimizer compares openings, send hours, pauses and the order of channels, and list_prospecting_optimizations says what it changed, on what numbers, and how to undo it. "no optimizer" in the strategy switches it off.',
    aliases: [
      "what did the platform learn",
      "automatic adjustments",
      "switch the optimizer off",
      "a/b test of messages",
      "reasons for refusal"
    ]
  },
  {
    title: "CRM: leads as companies, people and deals",
    text: "connect_crm connects a CRM: leads go there as company, person and deal, and deals that are won or lost come back as outcomes. update_crm_minimum_status sets from which status on leads are sent, resync_crm_leads sends those from before, get_crm_sync_status tells what is there or stuck, and disconnect_crm ends it.",
    aliases: [
      "connect hubspot or pipedrive",
      "sync leads with my crm",
      "send leads to the crm",
      "export deals automatically",
      "crm integration"
    ]
  },
  {
    title: "Calendar and scheduling link",
    text: "get_calendar_connection_url is the link by which you connect your calendar, and get_scheduler_connection_url that of a scheduling tool in which leads book by themselves; confirm with get_calendar_status and get_scheduler_status. Meetings then stand in the calendar, and no time is offered that is taken.",
    aliases: ["connect google calendar", "booking page", "let leads choose a time", "sync my agenda", "calendar events"]
  },
  {
    title: "Websites and lead-capture pages",
    text: "register_website has a site written from a description and publishes it; change_website changes it by what you ask, create_website_snapshot keeps a state to return to. create_lead_capture_page makes a page with a form: who sends it becomes an interested lead. get_website_traffic tells the visits.",
    aliases: [
      "make a website",
      "landing page with a form",
      "change the text of my site",
      "how many visitors",
      "contact form"
    ]
  },
  {
    title: "Ads: campaigns, budget and results",
    text: "create_adsplatform_campaign_draft makes a draft of a campaign, to which create_adsplatform_search_ad and add_adsplatform_keywords add what it needs; it runs once funds are there. set_adsplatform_campaign_status pauses, resumes or ends it, update_adsplatform_campaign_budget sets what it may spend, and get_adsplatform_performance_report tells what came of it.",
    aliases: ["advertise online", "google ads campaign", "ad budget", "keywords for ads", "pause an ad"]
  },
  {
    title: "The address that mail comes from",
    text: "update_email_settings sets the name and signature of the sender. setup_custom_domain lets mail come from your own domain: publish the DNS records it answers, then verify. setup_email_subdomain gives a name under the platform's domain, with nothing to publish.",
    aliases: ["send from my own domain", "dns records", "sender name", "spf dkim", "change the from address"]
  },
  {
    title: "Images, videos and presentations",
    text: "generate_image and create_video make a picture or a short video of what you describe, in the background; get_image and get_video tell how far they are. generate_drawing draws charts and diagrams. create_lead_presentation makes a PDF that presents your business to one lead.",
    aliases: ["make a picture for a post", "create a video", "chart or diagram", "presentation for a lead", "slides"]
  },
  {
    title: "Team, account settings and help",
    text: "add_member lets a person share the account, with a token of its own; remove_member ends that. set_timezone, update_preferences and update_notification_emails change the account; update_tax_info what invoices say. create_support_request asks the support team, and list_incidents tells what is disturbed at the moment.",
    aliases: [
      "invite a colleague",
      "user access",
      "change the time zone of the account",
      "invoice data",
      "contact support"
    ]
  },
  {
    title: "Is my business ready? Assessment and expected volume",
    text: "get_business_assessment judges what prospecting stands on (description, ideal customer, examples, knowledge, results), with a probability and what to add first; generate_icp_suggestion proposes an ideal customer. estimate_lead_volume tells what paying customers of the same sectors come to in a week and a month.",
    aliases: [
      "how good is my profile",
      "what is missing before I start",
      "how many leads can I expect",
      "ideal customer suggestion",
      "chance of success"
    ]
  }
]
