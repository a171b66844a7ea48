import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { accounts } from '../accounts/tables.ts'
import { announcements } from '../messages/announcements/tables.ts'
import { attendance } from '../attendance/tables.ts'
import { auditLog } from '../audit/tables.ts'
import {
  approvals,
  beltChanges,
  classStyles,
  ladders,
  ranks,
  skillChecks,
  skills,
  styles,
} from '../belts/tables.ts'
import { cashCounts, receiptLines, receipts } from '../bookkeeping/tables.ts'
import { placeRequests } from '../calendar/dates/tables.ts'
import { classes } from '../classes/tables.ts'
import { textConsents } from '../consent/tables.ts'
import { dojos } from '../dojos/tables.ts'
import { excuses } from '../calendar/excuses/tables.ts'
import {
  familyChanges,
  guardianPhones,
  guardians,
  guardianships,
  unrelatedStudents,
} from '../guardians/tables.ts'
import { candidates, certificates, gradings } from '../gradings/tables.ts'
import { kiosks } from '../kiosk/tables.ts'
import { notifications, notificationSettings } from '../notifications/tables.ts'
import {
  charges,
  lateFeeRules,
  ledgerLines,
  paymentPromises,
  paymentRecords,
} from '../ledger/tables.ts'
import { siblingPrices } from '../dues/prices/tables.ts'
import { instructors } from '../sensei/tables.ts'
import { slippingTexts } from '../slipping-away/tables.ts'
import {
  departures,
  enrolments,
  pastVacations,
  studentNotes,
  students,
} from '../students/tables.ts'
import {
  conversations,
  messageTemplates,
  phoneLinks,
  replyActions,
} from '../texting/conversations/tables.ts'
import { classDates, holidays } from '../calendar/timetable/tables.ts'
import {
  allowanceEntries,
  incomingTexts,
  messageBatches,
  messages,
  messageSettings,
  phoneOptOuts,
  undeliverablePhones,
} from '../texting/tables.ts'

export type ExportedTable = {
  name: string
  /** For the README. */
  about: string
  table: PgTable
  /** Columns that are secrets or the server's own records. */
  hidden?: readonly string[]
  /** The dojo's rows, in a table of all dojos. */
  where?: (dojoId: string) => SQL
}

/** In the order of the README. */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  {
    name: 'dojo',
    about: 'Your dojo',
    table: dojos,
    hidden: ['invite_code'],
    where: (id) => eq(dojos.id, id),
  },
  { name: 'instructors', about: 'Instructors', table: instructors },
  {
    name: 'log_ins',
    about: 'Logins of your dojo: email and role, never a password',
    table: accounts,
    hidden: ['password_hash'],
    where: (id) => eq(accounts.dojo_id, id),
  },
  { name: 'student_records', about: 'Students as they are stored', table: students },
  {
    name: 'student_notes',
    about: 'Allergies, medical notes and private notes',
    table: studentNotes,
  },
  {
    name: 'belt_changes',
    about: 'Each belt, rank and stripe that a student was given',
    table: beltChanges,
  },
  { name: 'styles', about: 'Styles; a dojo that has drawn no belts has none', table: styles },
  { name: 'class_styles', about: 'Which class counts for which style', table: classStyles },
  { name: 'ladders', about: 'Ladders of a style, with their ages', table: ladders },
  {
    name: 'ranks',
    about: 'Ranks of a ladder from 0, the lowest, with what each asks for; fees in dollars',
    table: ranks,
  },
  { name: 'skills', about: 'The checklist of each rank', table: skills },
  {
    name: 'skill_checks',
    about: 'Who has shown which skill; the last line of each counts',
    table: skillChecks,
  },
  {
    name: 'approvals',
    about: 'Instructor approvals for a rank',
    table: approvals,
  },
  { name: 'gradings', about: 'Gradings, fees in dollars', table: gradings },
  {
    name: 'candidates',
    about: 'Who was asked to which grading, with the answer and the result',
    table: candidates,
  },
  { name: 'certificates', about: 'Certificates by number', table: certificates },
  { name: 'past_vacations', about: 'Vacations that are over', table: pastVacations },
  { name: 'guardians', about: 'Guardians', table: guardians },
  {
    name: 'guardianships',
    about: 'Which guardian is whose, with rights; ended links too',
    table: guardianships,
  },
  { name: 'guardian_phones', about: "Guardians' further numbers", table: guardianPhones },
  {
    name: 'family_changes',
    about: 'Families made of existing students',
    table: familyChanges,
    hidden: ['details'],
  },
  {
    name: 'unrelated_students',
    about: 'Students you marked as not one family',
    table: unrelatedStudents,
  },
  { name: 'classes', about: 'Classes', table: classes },
  {
    name: 'class_dates',
    about: 'Canceled, moved and added class dates, and substitutes',
    table: classDates,
    hidden: ['kept_marks'],
  },
  { name: 'holidays', about: 'Days without classes', table: holidays },
  {
    name: 'place_requests',
    about: 'Requests for places and waitlists',
    table: placeRequests,
  },
  { name: 'enrolments', about: 'Who is in which class', table: enrolments },
  { name: 'attendance', about: 'Attendance', table: attendance },
  {
    name: 'kiosks',
    about: 'Tablets at the door',
    table: kiosks,
    hidden: [
      'token_hash',
      'link_hash',
      'link_expires_at',
      'counted_since',
      'searches',
      'wrong_pins',
    ],
  },
  { name: 'excuses', about: 'Who excused themselves from a class', table: excuses },
  {
    name: 'payments',
    about: 'Payment records: month 0 is January, amounts in dollars',
    table: paymentRecords,
  },
  {
    name: 'payment_promises',
    about: 'By which day somebody will pay',
    table: paymentPromises,
    hidden: ['ended_by_act'],
  },
  { name: 'late_fee_rule', about: 'Your rule for late fees', table: lateFeeRules },
  {
    name: 'charges',
    about: 'What students are asked to pay for; month 0 is January',
    table: charges,
  },
  { name: 'ledger', about: 'Every charge, payment and correction, in dollars', table: ledgerLines },
  { name: 'receipts', about: 'Receipts by number, amounts in dollars', table: receipts },
  { name: 'receipt_lines', about: 'What was paid by each receipt', table: receiptLines },
  { name: 'cash_counts', about: 'Cash counted at the end of a day', table: cashCounts },
  { name: 'sibling_prices', about: 'Prices for siblings', table: siblingPrices },
  {
    name: 'departures',
    about: 'When somebody left, with belt and month of enrollment, but not who',
    table: departures,
  },
  { name: 'announcements', about: 'Announcements', table: announcements },
  {
    name: 'notifications',
    about: 'Notifications of each login',
    table: notifications,
  },
  {
    name: 'notification_settings',
    about: 'How each login is notified',
    table: notificationSettings,
  },
  {
    name: 'text_batches',
    about: 'What you sent, one line for each press of Send',
    table: messageBatches,
    hidden: ['failures_notified'],
  },
  {
    name: 'texts',
    about: 'Texts, with what became of each',
    table: messages,
    hidden: ['claim', 'claimed_at', 'due_at', 'unanswered'],
  },
  {
    name: 'slipping_texts',
    about: 'Texts to students at risk',
    table: slippingTexts,
  },
  { name: 'replies', about: 'What people wrote to you', table: incomingTexts },
  { name: 'reply_actions', about: 'What a reply did, such as an excuse', table: replyActions },
  { name: 'conversations', about: 'Conversations by phone', table: conversations },
  { name: 'text_templates', about: 'Your templates', table: messageTemplates },
  {
    name: 'text_consents',
    about: 'Who agreed to texts, when and in which words',
    table: textConsents,
  },
  {
    name: 'opted_out_phones',
    about: 'Phones of your conversations that replied STOP',
    table: phoneOptOuts,
    // As an array, so that the index is used.
    where: () =>
      sql`${phoneOptOuts.phone} = any(array(select ${conversations.phone} from ${conversations}))`,
  },
  {
    name: 'undeliverable_phones',
    about: 'Numbers that cannot get texts',
    table: undeliverablePhones,
  },
  { name: 'linked_phones', about: 'Numbers that you linked to a student', table: phoneLinks },
  { name: 'text_settings', about: 'Which texts go out by themselves', table: messageSettings },
  { name: 'text_allowance', about: 'Texts taken off the daily limit', table: allowanceEntries },
  {
    name: 'audit_log',
    about: 'Who did what',
    table: auditLog,
    where: (id) => eq(auditLog.dojo_id, id),
  },
]

/** Tables that are not exported, each with its reason. */
export const NOT_EXPORTED: Record<string, string> = {
  student_imports: 'what an import made, for undo within a day',
  calendar_feeds: 'hashes of private addresses',
  allowance_days: 'a lock for each day; the entries say everything',
  idempotency_keys: 'the server’s memory of calls, for a day',
  open_months: 'which month the server charges next',
  outgrowing_notices: 'who was announced to outgrow a ladder',
  job_runs: 'which jobs of the server have run',
  log_in_invitations: 'hashes of links that make log-ins',
  kiosk_settings: 'the key of PINs and check-in codes',
  check_in_pins: 'hashes of PINs',
  check_in_codes: 'how often a check-in code was renewed',
  kiosk_check_ins: 'for undo at a kiosk; attendance says who came',
  certificate_counters: 'the last number of each year; the certificates say the same',
  receipt_counters: 'the last number of each year; the receipts say the same',
  notification_students: 'whom a notification is about, as its words say',
  push_claims: 'which browser has been notified',
  push_subscriptions: 'addresses and keys of browsers',
  simulated_texts: 'the simulator’s own ids; the texts themselves are exported',
}
