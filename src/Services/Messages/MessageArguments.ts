// Written by "npm run messages" from the catalogs next to this file.

type NoArguments = Readonly<Record<never, never>>

export interface MessageArguments {
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
