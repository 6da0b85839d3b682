// Written by "npm run messages" from the catalogs next to this file.

type NoArguments = Readonly<Record<never, never>>

export interface MessageArguments {
  readonly "account_news.calls.completed": NoArguments
  readonly "account_news.calls.machine": NoArguments
  readonly "account_news.calls.no_answer": NoArguments
  readonly "account_news.calls.busy": NoArguments
  readonly "account_news.calls.failed": NoArguments
  readonly "account_news.calls.cancelled": NoArguments
  readonly "account_news.call.no_reason": NoArguments
  readonly "account_news.call.achieved": NoArguments
  readonly "account_news.call.missed": NoArguments
  readonly "account_news.call.about": { readonly goal: string | number; readonly phone: string | number }
  readonly "account_news.call.agreed": NoArguments
  readonly "account_news.call.questions": NoArguments
  readonly "account_news.call.promised": NoArguments
  readonly "account_news.import_finished": {
    readonly created: string | number
    readonly duplicate: string | number
    readonly invalid: string | number
  }
  readonly "account_news.lead_export_finished": { readonly count: number; readonly fileName: string | number }
  readonly "account_news.leads_rescheduled": { readonly skipped: string | number; readonly updated: string | number }
  readonly "account_news.campaign_archived": { readonly campaign: string | number }
  readonly "account_news.webhook_subscription_disabled": { readonly reason: string | undefined }
  readonly "account_news.support_request_answered": {
    readonly answer: string | number
    readonly requestId: string | number
  }
  readonly "account_news.language_model_unavailable": NoArguments
  readonly "account_news.lead_generation_found_nothing": { readonly campaign: string | number | undefined }
  readonly "account_news.lead_generation_exhausted": { readonly campaign: string | number | undefined }
  readonly "account_news.connection_lost": { readonly name: string | number; readonly tool: string | number }
  readonly "account_news.calendar_missing": NoArguments
  readonly "account_news.website_form_sent": { readonly site: string | number }
  readonly "account_news.website_storage_full": { readonly site: string | number }
  readonly "account_news.ads_campaign_live": { readonly name: string | number }
  readonly "account_news.ads_campaign_depleted": { readonly name: string | number }
  readonly "account_news.ads_campaign_held": { readonly name: string | number; readonly reason: string | number }
  readonly "address_confirmation.subject": NoArguments
  readonly "address_confirmation.text": { readonly account: string | number; readonly link: string | number }
  readonly "answers.known": NoArguments
  readonly "answers.known_several": { readonly isComplete: boolean }
  readonly "answers.unknown_rest": NoArguments
  readonly "answers.unknown_questions": { readonly questions: string | number }
  readonly "answers.relay_unquoted": NoArguments
  readonly "answers.about_us.machine": {
    readonly business: string | number
    readonly businessGender: string | undefined
  }
  readonly "answers.about_us.source.referred": { readonly gender: string | undefined; readonly name: string | number }
  readonly "answers.about_us.source.captured": { readonly name: string | number }
  readonly "answers.about_us.source.imported": {
    readonly business: string | number
    readonly businessGender: string | undefined
  }
  readonly "answers.about_us.source.company_register": NoArguments
  readonly "answers.about_us.source.company_directory": NoArguments
  readonly "answers.about_us.source.crm": {
    readonly business: string | number
    readonly businessGender: string | undefined
  }
  readonly "answers.about_us.source.added": {
    readonly business: string | number
    readonly businessGender: string | undefined
  }
  readonly "answers.about_us.stop": NoArguments
  readonly "answers.objections.price.understood": NoArguments
  readonly "answers.objections.price.passed_on": NoArguments
  readonly "answers.objections.supplier.understood": NoArguments
  readonly "answers.objections.supplier.passed_on": NoArguments
  readonly "answers.objections.trust.understood": NoArguments
  readonly "answers.objections.trust.passed_on": NoArguments
  readonly "answers.objections.condition.understood": NoArguments
  readonly "answers.objections.condition.passed_on": NoArguments
  readonly "calls.opening_line": {
    readonly business: string | number
    readonly businessGender: string | undefined
    readonly dayPart: string | undefined
    readonly first: string | number | undefined
    readonly gender: string | undefined
    readonly hasTitle: boolean
    readonly sender: string | number | undefined
  }
  readonly "calls.goal": {
    readonly aim: string | number
    readonly business: string | number
    readonly businessGender: string | undefined
    readonly company: string | number | undefined
    readonly companyGender: string | undefined
    readonly first: string | number | undefined
    readonly gender: string | undefined
    readonly hasTitle: boolean
  }
  readonly "calls.aims.talk": NoArguments
  readonly "calls.aims.meeting": NoArguments
  readonly "calls.aims.demo": NoArguments
  readonly "calls.aims.visit": NoArguments
  readonly "calls.aims.proposal": NoArguments
  readonly "calls.aims.trial": NoArguments
  readonly "calls.asked_for_call": NoArguments
  readonly "calls.respect": NoArguments
  readonly "calls.context": { readonly text: string | number }
  readonly "calls.link": { readonly url: string | number }
  readonly "calls.purpose": { readonly purpose: string | number }
  readonly "daily_report.subject": { readonly day: string | number }
  readonly "daily_report.head": { readonly day: string | number }
  readonly "daily_report.new_leads": NoArguments
  readonly "daily_report.emails": NoArguments
  readonly "daily_report.chats": NoArguments
  readonly "daily_report.confirmed": NoArguments
  readonly "daily_report.interested": NoArguments
  readonly "daily_report.meetings": { readonly booked: string | number; readonly cancelled: string | number }
  readonly "daily_report.won": { readonly count: string | number; readonly value: string | number }
  readonly "daily_report.review": NoArguments
  readonly "daily_report.interested_head": NoArguments
  readonly "daily_report.more": { readonly count: string | number }
  readonly "daily_report.footer": NoArguments
  readonly "daily_report.review_head": NoArguments
  readonly "daily_report.item_at": {
    readonly link: string | number
    readonly time: string | number
    readonly who: string | number
  }
  readonly "daily_report.item": { readonly link: string | number; readonly who: string | number }
  readonly "documents.here.overview": NoArguments
  readonly "documents.here.catalogue": NoArguments
  readonly "documents.here.prices": NoArguments
  readonly "documents.here.proposal": NoArguments
  readonly "documents.here.contract": NoArguments
  readonly "documents.here.technical": NoArguments
  readonly "documents.here.cases": NoArguments
  readonly "documents.here.certificate": NoArguments
  readonly "documents.here_any": NoArguments
  readonly "documents.presentation": NoArguments
  readonly "documents.missing": NoArguments
  readonly "documents.rest_missing": NoArguments
  readonly "documents.relay": NoArguments
  readonly "instructions.not_applied.not_understood": NoArguments
  readonly "instructions.not_applied.only_partly": NoArguments
  readonly "instructions.not_applied.fact": NoArguments
  readonly "instructions.not_applied.other_language": NoArguments
  readonly "instructions.not_applied.not_for_lead": NoArguments
  readonly "instructions.not_applied.too_many": NoArguments
  readonly "instructions.not_applied.condition": NoArguments
  readonly "instructions.not_applied.placeholder": NoArguments
  readonly "instructions.not_applied.language_of_lead": NoArguments
  readonly "instructions.not_applied.context": NoArguments
  readonly "instructions.not_applied.criterion": NoArguments
  readonly "mail.inbound.news": { readonly from: string | number; readonly subject: string | number }
  readonly "mail.inbound.where": NoArguments
  readonly "mail.not_me": NoArguments
  readonly "mail.unsubscribe": NoArguments
  readonly "mail.open": NoArguments
  readonly "meetings.booked": { readonly when: string | number }
  readonly "meetings.moved": { readonly when: string | number }
  readonly "meetings.reminder": { readonly when: string | number }
  readonly "meetings.reschedule_offer": NoArguments
  readonly "meetings.subjects.meeting_booked": {
    readonly business: string | number
    readonly businessGender: string | undefined
  }
  readonly "meetings.subjects.meeting_reminder": {
    readonly business: string | number
    readonly businessGender: string | undefined
  }
  readonly "meetings.subjects.meeting_cancelled": {
    readonly business: string | number
    readonly businessGender: string | undefined
  }
  readonly "meetings.subjects.meeting_no_show": { readonly business: string | number }
  readonly "meetings.doubts.uncertain": { readonly when: string | number }
  readonly "meetings.doubts.day_open": { readonly when: string | number }
  readonly "meetings.doubts.hour_open": { readonly when: string | number }
  readonly "meetings.doubts.zone_unknown": { readonly when: string | number }
  readonly "meetings.unsuitable.past": NoArguments
  readonly "meetings.unsuitable.too_soon": NoArguments
  readonly "meetings.unsuitable.too_far": NoArguments
  readonly "meetings.unsuitable.night": NoArguments
  readonly "meetings.unsuitable.day_off": NoArguments
  readonly "meetings.move_wanted": NoArguments
  readonly "meetings.length": { readonly minutes: string | number }
  readonly "meetings.join_link": { readonly url: string | number }
  readonly "meetings.join_link_in_invitation": NoArguments
  readonly "meetings.by_phone": { readonly number: string | number }
  readonly "meetings.which_number": NoArguments
  readonly "meetings.invitation_title": { readonly business: string | number; readonly lead: string | number }
  readonly "meetings.records.moved_by_lead": { readonly when: string | number }
  readonly "meetings.records.moved_in_calendar": { readonly when: string | number }
  readonly "meetings.records.moved_where_booked": { readonly when: string | number }
  readonly "meetings.records.called_off_by_lead": NoArguments
  readonly "meetings.records.cancelled": { readonly reason: string | number }
  readonly "meetings.records.called_off_by_us": { readonly when: string | number }
  readonly "meetings.records.reason": { readonly reason: string | number }
  readonly "meetings.records.time_taken": NoArguments
  readonly "meetings.records.deleted_in_calendar": NoArguments
  readonly "notices.news.lead_became_interested": { readonly who: string | number }
  readonly "notices.news.lead_confirmed": { readonly who: string | number }
  readonly "notices.news.lead_unsubscribed": { readonly who: string | number }
  readonly "notices.news.held_lead_replied": { readonly who: string | number }
  readonly "notices.news.lead_question": { readonly who: string | number }
  readonly "notices.news.lead_objected": { readonly who: string | number }
  readonly "notices.news.lead_wants_document": { readonly who: string | number }
  readonly "notices.news.lead_called_off_meeting": { readonly when: string | number; readonly who: string | number }
  readonly "notices.news.lead_moved_meeting": { readonly when: string | number; readonly who: string | number }
  readonly "notices.news.lead_wants_other_time": { readonly who: string | number }
  readonly "notices.news.lead_sent_for_human_review": { readonly who: string | number }
  readonly "notices.news.lead_check_in": { readonly who: string | number }
  readonly "notices.news.lead_unreachable": { readonly who: string | number }
  readonly "notices.news.lead_mail_unauthenticated": { readonly who: string | number }
  readonly "notices.news.meeting_booked": { readonly when: string | number; readonly who: string | number }
  readonly "notices.news.meeting_reminder": { readonly when: string | number; readonly who: string | number }
  readonly "notices.news.first_chatapp_message": { readonly who: string | number }
  readonly "notices.news.instructions_not_followed": { readonly who: string | number }
  readonly "notices.next.lead_question": NoArguments
  readonly "notices.next.lead_objected": NoArguments
  readonly "notices.next.lead_wants_document": NoArguments
  readonly "notices.next.lead_sent_for_human_review": NoArguments
  readonly "notices.next.meeting_booked": NoArguments
  readonly "notices.next.lead_moved_meeting": NoArguments
  readonly "notices.next.lead_check_in": NoArguments
  readonly "notices.next.lead_unreachable": NoArguments
  readonly "notices.next.lead_mail_unauthenticated": NoArguments
  readonly "notices.next.instructions_not_followed": NoArguments
  readonly "notices.why.answer_in_another_language": NoArguments
  readonly "notices.why.message_not_written": NoArguments
  readonly "notices.why.cadence_ended": NoArguments
  readonly "notices.at": { readonly company: string | number; readonly name: string | number }
  readonly "notices.someone": NoArguments
  readonly "notices.said": { readonly text: string | number }
  readonly "notices.instruction": { readonly text: string | number }
  readonly "notices.mailed.lead_became_interested": NoArguments
  readonly "notices.mailed.lead_confirmed": NoArguments
  readonly "notices.mailed.held_lead_replied": NoArguments
  readonly "notices.mailed.lead_called_off_meeting": NoArguments
  readonly "notices.mailed.lead_moved_meeting": NoArguments
  readonly "notices.mailed.lead_unreachable": NoArguments
  readonly "notices.open_lead": NoArguments
  readonly "notices.switched_off": NoArguments
  readonly "outreach.greeting": {
    readonly first: string | number | undefined
    readonly gender: string | undefined
    readonly isFormal: boolean
  }
  readonly "outreach.chat_greeting": { readonly first: string | number | undefined; readonly isFormal: boolean }
  readonly "outreach.short_introduction": {
    readonly business: string | number
    readonly businessGender: string | undefined
    readonly sender: string | number | undefined
  }
  readonly "outreach.referred_by": { readonly gender: string | undefined; readonly name: string | number }
  readonly "outreach.captured_on": { readonly page: string | number }
  readonly "outreach.description_label": NoArguments
  readonly "outreach.links.website": { readonly url: string | number }
  readonly "outreach.links.scheduling": { readonly url: string | number }
  readonly "outreach.links.presentation": { readonly url: string | number }
  readonly "outreach.links.file": { readonly url: string | number }
  readonly "outreach.re_engagement_about": { readonly topic: string | number }
  readonly "outreach.closing": { readonly isFormal: boolean }
  readonly "outreach.met": { readonly place: string | number }
  readonly "replies.details_relay": NoArguments
  readonly "replies.soft_refusals.price": NoArguments
  readonly "replies.soft_refusals.timing": NoArguments
  readonly "replies.soft_refusals.has_supplier": NoArguments
  readonly "replies.thanks_for_referral": {
    readonly gender: string | undefined
    readonly name: string | number | undefined
  }
  readonly "replies.ask_for_contact": {
    readonly gender: string | undefined
    readonly name: string | number | undefined
  }
  readonly "replies.holding_lines.answer": NoArguments
  readonly "replies.holding_lines.person": NoArguments
  readonly "replies.holding_lines.call": NoArguments
  readonly "sender_domains.subject.sender_domain_lapsed": { readonly domain: string | number }
  readonly "sender_domains.subject.sender_domain_paused": { readonly domain: string | number }
  readonly "sender_domains.lapsed": { readonly domain: string | number; readonly missing: string | number }
  readonly "sender_domains.verified": { readonly domain: string | number }
  readonly "sender_domains.paused.bounces": { readonly domain: string | number }
  readonly "sender_domains.paused.complaints": { readonly domain: string | number }
  readonly "suggestions.reply_unclear": NoArguments
  readonly "suggestions.sender_unproven": NoArguments
  readonly "suggestions.human_review_criteria": NoArguments
  readonly "suggestions.qualification": NoArguments
  readonly "suggestions.answered_often": NoArguments
  readonly "suggestions.opt_out_unclear": NoArguments
  readonly "suggestions.legal_request": NoArguments
  readonly "suggestions.wants_person": NoArguments
  readonly "suggestions.wants_call": NoArguments
  readonly "suggestions.existing_customer": NoArguments
  readonly "suggestions.meeting_unclear": NoArguments
  readonly "suggestions.other_language": NoArguments
  readonly "suggestions.objection_again": NoArguments
  readonly "suggestions.term.days": { readonly days: string | number; readonly law: string | number }
  readonly "suggestions.term.month": { readonly law: string | number }
}

/** Messages of which there are several, to say the same in different ways. */
export interface VariantArguments {
  readonly "answers.unknown": NoArguments
  readonly "answers.relay": { readonly question: string | number }
  readonly "meetings.time_wanted": NoArguments
  readonly "meetings.day_accepted": { readonly day: string | number }
  readonly "meetings.time_taken": { readonly when: string | number }
  readonly "meetings.free_times": { readonly times: string | number }
  readonly "meetings.called_off": NoArguments
  readonly "meetings.cancelled": { readonly when: string | number }
  readonly "meetings.no_show": { readonly when: string | number }
  readonly "meetings.which_time": NoArguments
  readonly "meetings.which_hour": NoArguments
  readonly "meetings.which_other_time": NoArguments
  readonly "outreach.first_subjects": {
    readonly business: string | number
    readonly businessGender: string | undefined
    readonly company: string | number | undefined
    readonly first: string | number | undefined
  }
  readonly "outreach.later_subjects": {
    readonly business: string | number
    readonly businessGender: string | undefined
  }
  readonly "outreach.introductions": {
    readonly business: string | number
    readonly businessGender: string | undefined
    readonly company: string | number | undefined
    readonly companyGender: string | undefined
    readonly sender: string | number | undefined
  }
  readonly "outreach.relevance": {
    readonly company: string | number | undefined
    readonly companyGender: string | undefined
  }
  readonly "outreach.asks.talk": { readonly minutes: string | number | undefined }
  readonly "outreach.asks.meeting": { readonly minutes: string | number | undefined }
  readonly "outreach.asks.demo": { readonly minutes: string | number | undefined }
  readonly "outreach.asks.visit": NoArguments
  readonly "outreach.asks.proposal": NoArguments
  readonly "outreach.asks.trial": NoArguments
  readonly "outreach.follow_ups.reminder": NoArguments
  readonly "outreach.follow_ups.essentials": {
    readonly business: string | number
    readonly businessGender: string | undefined
  }
  readonly "outreach.follow_ups.right_person": {
    readonly company: string | number | undefined
    readonly companyGender: string | undefined
  }
  readonly "outreach.follow_ups.in_writing": NoArguments
  readonly "outreach.follow_ups.better_moment": NoArguments
  readonly "outreach.follow_ups_after_reply.reminder": NoArguments
  readonly "outreach.follow_ups_after_reply.essentials": {
    readonly business: string | number
    readonly businessGender: string | undefined
  }
  readonly "outreach.follow_ups_after_reply.right_person": {
    readonly company: string | number | undefined
    readonly companyGender: string | undefined
  }
  readonly "outreach.follow_ups_after_reply.in_writing": NoArguments
  readonly "outreach.follow_ups_after_reply.better_moment": NoArguments
  readonly "outreach.last_follow_up": {
    readonly business: string | number
    readonly businessGender: string | undefined
  }
  readonly "outreach.last_follow_up_after_reply": {
    readonly business: string | number
    readonly businessGender: string | undefined
  }
  readonly "outreach.come_back": NoArguments
  readonly "outreach.re_engagement": {
    readonly company: string | number | undefined
    readonly companyGender: string | undefined
  }
  readonly "replies.interested": NoArguments
  readonly "replies.not_interested": NoArguments
  readonly "replies.wrong_person": {
    readonly company: string | number | undefined
    readonly companyGender: string | undefined
  }
  readonly "replies.gatekeeper": { readonly business: string | number; readonly businessGender: string | undefined }
  readonly "replies.other": NoArguments
  readonly "replies.deliberation": NoArguments
  readonly "replies.awaiting_word": NoArguments
  readonly "replies.details": NoArguments
  readonly "replies.details_to_come": NoArguments
}
