import { passwordResets, sessions, signInAddresses, signInFailures } from './accounts/tables.ts'
import { auditLog } from './audit/tables.ts'
import type { DatabaseRules } from './kernel/migrate.ts'
import { FOLLOW_UP } from './messages/follow-up.ts'
import { TURNS } from './messages/turns.ts'
import { vapidKeys } from './notifications/tables.ts'
import { TIMETABLE } from './timetable.ts'

/** What the database itself holds every server to. */
export const DATABASE_RULES: DatabaseRules = {
  appendOnly: [auditLog],
  hiddenFromOverseer: [sessions, signInFailures, signInAddresses, passwordResets, vapidKeys],
  queues: [{ name: TIMETABLE, isEveryMinute: true }, { name: TURNS }, { name: FOLLOW_UP, isEveryMinute: true }],
}
