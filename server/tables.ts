import type { TableRules } from './db/table-rules.ts'
import { accountTables } from './accounts/tables.ts'
import { attendanceTables } from './attendance/tables.ts'
import { auditTables } from './audit/tables.ts'
import { backupTables } from './backups/tables.ts'
import { beltTables } from './belts/tables.ts'
import { bookkeepingTables } from './bookkeeping/tables.ts'
import { classDateTables } from './calendar/dates/tables.ts'
import { excuseTables } from './calendar/excuses/tables.ts'
import { calendarFeedTables } from './calendar/feeds/tables.ts'
import { timetableTables } from './calendar/timetable/tables.ts'
import { classTables } from './classes/tables.ts'
import { consentTables } from './consent/tables.ts'
import { documentTables } from './documents/tables.ts'
import { dojoTables } from './dojos/tables.ts'
import { priceTables } from './dues/prices/tables.ts'
import { gradingTables } from './gradings/tables.ts'
import { guardianTables } from './guardians/tables.ts'
import { httpTables } from './http/tables.ts'
import { importTables } from './import/tables.ts'
import { kioskTables } from './kiosk/tables.ts'
import { ledgerTables } from './ledger/tables.ts'
import { announcementTables } from './messages/announcements/tables.ts'
import { notificationTables } from './notifications/tables.ts'
import { autopayTables } from './online-payment/autopay/tables.ts'
import { simulatorTables } from './online-payment/simulator/tables.ts'
import { followupTables } from './followups/tables.ts'
import { leadTables } from './leads/tables.ts'
import { onlinePaymentTables } from './online-payment/tables.ts'
import { pictureTables } from './pictures/tables.ts'
import { planTables } from './plans/tables.ts'
import { publicPageTables } from './public-page/tables.ts'
import { senseiTables } from './sensei/tables.ts'
import { slippingAwayTables } from './slipping-away/tables.ts'
import { certificateTables } from './staff/certificates/tables.ts'
import { hoursTables } from './staff/hours/tables.ts'
import { payTables } from './staff/pay/tables.ts'
import { staffTables } from './staff/tables.ts'
import { studentTables } from './students/tables.ts'
import { conversationTables } from './texting/conversations/tables.ts'
import { textingTables } from './texting/tables.ts'
import { trialTables } from './trials/tables.ts'

/** All tables of the database with their rules, in the order of the README of an export. */
export const TABLES: readonly TableRules[] = [
  ...dojoTables,
  ...senseiTables,
  ...staffTables,
  ...certificateTables,
  ...hoursTables,
  ...payTables,
  ...accountTables,
  ...studentTables,
  ...pictureTables,
  ...beltTables,
  ...gradingTables,
  ...guardianTables,
  ...classTables,
  ...timetableTables,
  ...classDateTables,
  ...excuseTables,
  ...attendanceTables,
  ...kioskTables,
  ...calendarFeedTables,
  ...publicPageTables,
  ...trialTables,
  ...planTables,
  ...ledgerTables,
  ...priceTables,
  ...bookkeepingTables,
  ...followupTables,
  ...leadTables,
  ...onlinePaymentTables,
  ...autopayTables,
  ...simulatorTables,
  ...announcementTables,
  ...notificationTables,
  ...textingTables,
  ...conversationTables,
  ...slippingAwayTables,
  ...consentTables,
  ...documentTables,
  ...importTables,
  ...auditTables,
  ...backupTables,
  ...httpTables,
]
