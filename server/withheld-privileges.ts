import { getTableColumns, type Table } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import {
  accountRecoveries,
  accounts,
  endedSessions,
  passkeyChallenges,
  passkeys,
  passwordResets,
  recoveryCodes,
  sessions,
  signInAddresses,
  signInFailures,
  totpSecrets,
} from './accounts/tables.ts'
import { backups } from './backups/tables.ts'
import { studentImports } from './import/tables.ts'
import { announcements } from './announcements/tables.ts'
import { attendance } from './attendance/tables.ts'
import { auditLog } from './audit/tables.ts'
import { cashCounts, receiptCounters, receiptLines, receipts } from './bookkeeping/tables.ts'
import { calendarFeeds } from './calendar-feeds/tables.ts'
import { placeRequests } from './class-dates/tables.ts'
import { classes } from './classes/tables.ts'
import { consents, textConsents } from './consent/tables.ts'
import type { Withheld } from './db/serving-grants.ts'
import { dojos, jobRuns } from './dojos/tables.ts'
import { excuses } from './excuses/tables.ts'
import {
  familyChanges,
  guardianPhones,
  logInInvitations,
  unrelatedStudents,
} from './families/tables.ts'
import { candidates, certificateCounters, certificates, gradings } from './gradings/tables.ts'
import { idempotencyKeys } from './http/tables.ts'
import { checkInCodes, checkInPins, kioskCheckIns, kiosks, kioskSettings } from './kiosk/tables.ts'
import {
  notifications,
  notificationStudents,
  notificationSettings,
  pushClaims,
  pushSubscriptions,
  vapidKeys,
} from './notifications/tables.ts'
import {
  charges,
  lateFeeRules,
  ledgerLines,
  openMonths,
  paymentPromises,
  paymentRecords,
} from './payments/tables.ts'
import { siblingPrices } from './prices/tables.ts'
import { instructors, senseiDirectory, senseiTotals } from './sensei/tables.ts'
import { slippingTexts } from './slipping-away/tables.ts'
import {
  approvals,
  beltChanges,
  classStyles,
  ladders,
  outgrowingNotices,
  ranks,
  skillChecks,
  skills,
  styles,
} from './belts/tables.ts'
import { departures, enrolments, pastVacations, studentNotes } from './students/tables.ts'
import { classDates } from './timetable/tables.ts'
import { conversations, replyActions } from './texting/conversations/tables.ts'
import {
  allowanceDays,
  allowanceEntries,
  incomingTexts,
  messageBatches,
  messages,
  messageSettings,
  sendingRate,
  systemConfig,
  undeliverablePhones,
} from './texting/tables.ts'

type ColumnOf<T extends Table> = keyof T['_']['columns'] & string

/** These `actions` no statement takes on the table, and these `columns` it never changes. */
function withhold<T extends PgTable>(
  table: T,
  actions: Withheld['actions'],
  columns: ColumnOf<T>[] = [],
): Withheld {
  const all: Record<string, PgColumn> = getTableColumns(table)
  return { table, actions, columns: columns.map((name) => all[name]!) }
}

/**
 * What the serving role may not do to a table because no statement does it: server/test/grants.test.ts finds each right that is granted in
 * vain, and a statement that lacks one fails. A table that is not named here may be read, added to, changed and deleted from. Keys and
 * times of creation never change anywhere (db/serving-grants.ts).
 */
export const WITHHELD: Withheld[] = [
  withhold(accountRecoveries, [], ['number', 'email', 'expires_at']),
  withhold(accounts, [], ['dojo_id']),
  withhold(allowanceDays, ['delete']),
  withhold(allowanceEntries, ['update', 'delete']),
  withhold(announcements, ['update', 'delete']),
  withhold(approvals, ['delete']),
  withhold(
    attendance,
    [],
    ['student_id', 'class_id', 'class_name', 'class_time', 'class_location', 'class_date'],
  ),
  withhold(auditLog, ['update', 'delete']),
  withhold(backups, [], ['started_at']),
  withhold(beltChanges, ['update', 'delete']),
  withhold(cashCounts, ['delete']),
  withhold(calendarFeeds, ['update']),
  withhold(candidates, [], ['added_at']),
  withhold(certificateCounters, ['delete']),
  withhold(certificates, ['delete'], ['belt_change_id', 'year', 'number', 'code', 'issued_at']),
  withhold(charges, ['update', 'delete']),
  withhold(checkInCodes, ['delete']),
  withhold(checkInPins, ['update']),
  withhold(
    classes,
    [],
    ['class_day', 'location', 'class_time', 'time', 'day', 'days', 'start_time', 'end_time'],
  ),
  withhold(classDates, [], ['created_by']),
  withhold(classStyles, ['update']),
  withhold(consents, ['delete'], ['sensei_name', 'date', 'wording_version', 'created_at']),
  withhold(conversations, [], ['id']),
  withhold(departures, ['update', 'delete']),
  withhold(dojos, ['delete']),
  withhold(endedSessions, ['update']),
  withhold(enrolments, ['update']),
  withhold(excuses, [], ['created_by']),
  withhold(familyChanges, [], ['guardian_id', 'actor_id', 'details']),
  withhold(gradings, [], ['style_id']),
  withhold(guardianPhones, ['update']),
  withhold(idempotencyKeys, [], ['request_hash']),
  withhold(incomingTexts, ['delete'], ['provider_id', 'phone', 'text', 'received_at']),
  withhold(instructors, ['delete'], ['name', 'email', 'contact_number']),
  withhold(jobRuns, ['update']),
  withhold(kioskCheckIns, [], ['kiosk_id', 'class_id', 'class_date', 'was_present']),
  withhold(kiosks, [], ['name', 'created_by']),
  withhold(kioskSettings, ['delete'], ['secret']),
  withhold(ladders, [], ['style_id', 'template', 'template_version']),
  withhold(lateFeeRules, ['update']),
  withhold(ledgerLines, ['update', 'delete']),
  withhold(logInInvitations, [], ['guardian_id', 'student_id', 'email', 'expires_at']),
  withhold(messageBatches, [], ['kind', 'text', 'sender_name']),
  withhold(messages, [], ['batch_id']),
  withhold(messageSettings, ['delete']),
  withhold(
    notifications,
    [],
    [
      'title',
      'sender_name',
      'student_id',
      'announcement_id',
      'belt_change_id',
      'template',
      'is_about_fees',
      'opens',
    ],
  ),
  withhold(notificationStudents, ['update']),
  withhold(notificationSettings, ['delete']),
  withhold(openMonths, ['delete'], ['since']),
  withhold(outgrowingNotices, ['update', 'delete']),
  withhold(passkeyChallenges, ['update']),
  withhold(passkeys, [], ['credential_id', 'public_key', 'transports']),
  withhold(passwordResets, [], ['expires_at']),
  withhold(paymentPromises, ['delete'], ['promised_on', 'note', 'created_by']),
  withhold(pastVacations, ['update', 'delete']),
  withhold(paymentRecords, ['delete']),
  withhold(placeRequests, [], ['created_by']),
  withhold(pushClaims, ['update']),
  withhold(pushSubscriptions, [], ['session_id', 'endpoint']),
  withhold(ranks, [], ['ladder_id']),
  withhold(receiptCounters, ['delete']),
  withhold(
    receiptLines,
    ['delete'],
    [
      'ledger_line_id',
      'student_id',
      'student_name',
      'payer_id',
      'payer_name',
      'kind',
      'year',
      'month',
      'note',
      'amount',
      'method',
      'received_on',
    ],
  ),
  withhold(receipts, ['update', 'delete']),
  withhold(
    replyActions,
    ['delete'],
    ['incoming_id', 'command', 'student_id', 'class_id', 'class_date', 'message_id'],
  ),
  withhold(sendingRate, ['insert', 'delete']),
  withhold(senseiDirectory, ['delete'], ['name_key', 'dojo_key', 'place_key', 'search_text']),
  withhold(senseiTotals, ['insert', 'delete']),
  withhold(sessions, [], ['id', 'device']),
  withhold(siblingPrices, ['update']),
  withhold(signInFailures, ['update']),
  withhold(skillChecks, ['update', 'delete']),
  withhold(skills, [], ['rank_id']),
  withhold(slippingTexts, ['update', 'delete']),
  withhold(studentImports, [], ['actor_id', 'details']),
  withhold(studentNotes, ['delete']),
  withhold(styles, [], ['is_main']),
  withhold(systemConfig, ['delete']),
  withhold(
    textConsents,
    ['delete'],
    ['event', 'source', 'topics', 'wording_version', 'recorded_by', 'at'],
  ),
  withhold(undeliverablePhones, ['update']),
  withhold(unrelatedStudents, ['update', 'delete']),
  withhold(vapidKeys, ['update', 'delete']),
]

/** The keys and times of creation that statements do change: a log-in moves to another account, an authenticator app is set up anew, and an
 *  allowance's day is locked, which takes the same right. */
export const CHANGED_KEYS: PgColumn[] = [
  signInAddresses.account_id,
  notificationSettings.account_id,
  totpSecrets.account_id,
  totpSecrets.created_at,
  recoveryCodes.account_id,
  allowanceDays.day,
]
