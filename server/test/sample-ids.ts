import { newId } from '../db/columns.ts'

const ID_NAMES = [
  'dojo_id',
  'instructor_id',
  'student_id',
  'sibling_id',
  'guardian_id',
  'family_change_id',
  'import_id',
  'class_id',
  'announcement_id',
  'batch_id',
  'message_id',
  'attendance_id',
  'notification_id',
  'incoming_id',
  'template_id',
  'conversation_id',
  'reply_action_id',
  'session_id',
  'passkey_id',
  'promise_id',
  'subscription_id',
  'plan_id',
  'plan_version_id',
  'plan_subscription_id',
  'hold_id',
  'charge_id',
  'payer_id',
  'online_payment_id',
  'autopay_agreement_id',
  'saved_method_id',
  'online_refund_id',
  'act_id',
  'receipt_id',
  'style_id',
  'ladder_id',
  'rank_id',
  'skill_id',
  'belt_change_id',
  'grading_id',
  'certificate_id',
  'holiday_id',
  'kiosk_id',
  'check_in_id',
  'staff_invitation_id',
  'certificate_kind_id',
  'staff_certificate_id',
  'hours_id',
  'shift_id',
  'pay_rate_id',
  'pay_period_id',
  'trial_offer_id',
  'page_photo_id',
  'lead_id',
  'followup_id',
  'lead_source_id',
  'booking_id',
  'document_id',
  'document_version_id',
  'document_visitor_id',
  'signature_id',
  'signing_link_id',
] as const

export type Ids = Record<
  (typeof ID_NAMES)[number] | 'instructor_email' | 'student_email' | 'guardian_email',
  string
>

export const newIds = (): Ids => ({
  ...(Object.fromEntries(ID_NAMES.map((name) => [name, newId()])) as Record<
    (typeof ID_NAMES)[number],
    string
  >),
  instructor_email: `${newId()}@dojo.com`,
  student_email: `${newId()}@home.org`,
  guardian_email: `${newId()}@home.org`,
})

/** For each table, a function that returns a row of the dojo to which the ids belong. */
export type SampleRows = Record<string, (ids: Ids) => Record<string, string>>
