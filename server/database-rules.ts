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
import { auditLog } from './audit/tables.ts'
import { beltChanges } from './belts/tables.ts'
import { cashCounts, receiptLines, receipts } from './bookkeeping/tables.ts'
import { calendarFeeds } from './calendar/feeds/tables.ts'
import { consents, textConsents } from './consent/tables.ts'
import type { DatabaseRules } from './db/migrate.ts'
import { logInInvitations } from './guardians/tables.ts'
import { certificates } from './gradings/tables.ts'
import { checkInPins, kiosks, kioskSettings } from './kiosk/tables.ts'
import { RECONCILE_QUEUE } from './texting/delivery/reconcile.ts'
import { SENDING_QUEUE } from './texting/delivery/queue.ts'
import { pushSubscriptions, vapidKeys } from './notifications/tables.ts'
import { charges, ledgerLines } from './ledger/tables.ts'
import { SCHEDULE_QUEUE } from './schedule.ts'
import { departures, studentNotes } from './students/tables.ts'
import { allowanceEntries } from './texting/tables.ts'

/** What the database itself holds every server to. */
export const DATABASE_RULES: DatabaseRules = {
  appendOnly: [allowanceEntries, auditLog, beltChanges, charges, departures, ledgerLines, receipts],
  neverDeleted: [cashCounts, certificates, consents, receiptLines, textConsents],
  hiddenFromOverseer: [
    sessions,
    endedSessions,
    signInFailures,
    signInAddresses,
    passwordResets,
    accountRecoveries,
    passkeys,
    passkeyChallenges,
    totpSecrets,
    recoveryCodes,
    vapidKeys,
  ],
  columnsHiddenFromOverseer: [
    accounts.password_hash,
    calendarFeeds.token_hash,
    logInInvitations.token_hash,
    kiosks.token_hash,
    kiosks.link_hash,
    kioskSettings.secret,
    checkInPins.pin_hash,
    checkInPins.offline_key,
    studentNotes.allergies,
    studentNotes.medical_note,
    studentNotes.private_notes,
    pushSubscriptions.session_id,
    pushSubscriptions.endpoint,
    pushSubscriptions.p256dh,
    pushSubscriptions.auth,
  ],
  queues: [
    { name: SCHEDULE_QUEUE, isEveryMinute: true },
    { name: SENDING_QUEUE },
    { name: RECONCILE_QUEUE, isEveryMinute: true },
  ],
}
