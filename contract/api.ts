import { announcementsApi } from './announcements.ts'
import { attendanceApi } from './attendance.ts'
import { auditApi } from './audit.ts'
import { backupsApi } from './backups.ts'
import { beltsApi } from './belts.ts'
import { cashCountsApi } from './cash-counts.ts'
import { certificatesApi } from './certificates.ts'
import { calendarFeedsApi } from './calendar-feeds.ts'
import { classDatesApi } from './class-dates.ts'
import { classesApi } from './classes.ts'
import { consentApi } from './consent.ts'
import { conversationsApi } from './conversations.ts'
import { dashboardApi } from './dashboard.ts'
import { dojosApi } from './dojos.ts'
import type { Api, Endpoint } from './endpoint.ts'
import { excusesApi } from './excuses.ts'
import { exportsApi } from './exports.ts'
import { familiesApi } from './families.ts'
import { gradingsApi } from './gradings.ts'
import { importApi } from './import.ts'
import { kioskApi } from './kiosk.ts'
import { kiosksApi } from './kiosks.ts'
import { ledgerApi } from './ledger.ts'
import { notificationsApi } from './notifications.ts'
import { passwordsApi } from './passwords.ts'
import { paymentFiguresApi } from './payment-figures.ts'
import { owingApi } from './owing.ts'
import { paymentsApi } from './payments.ts'
import { pricesApi } from './prices.ts'
import { privacyApi } from './privacy.ts'
import { profileApi } from './profile.ts'
import { promotionsApi } from './promotions.ts'
import { readinessApi } from './readiness.ts'
import { receiptsApi } from './receipts.ts'
import { senseiApi } from './sensei.ts'
import { signInApi } from './sign-in.ts'
import { statementsApi } from './statements.ts'
import { slippingAwayApi } from './slipping-away.ts'
import { studentConsentsApi } from './student-consents.ts'
import { studentsApi } from './students.ts'
import { textingApi } from './texting.ts'

/** Every call of Tatami, by module. */
export const api = {
  dojos: dojosApi,
  passwords: passwordsApi,
  notifications: notificationsApi,
  backups: backupsApi,
  privacy: privacyApi,
  classes: classesApi,
  families: familiesApi,
  classDates: classDatesApi,
  excuses: excusesApi,
  announcements: announcementsApi,
  texting: textingApi,
  conversations: conversationsApi,
  belts: beltsApi,
  promotions: promotionsApi,
  readiness: readinessApi,
  students: studentsApi,
  attendance: attendanceApi,
  slippingAway: slippingAwayApi,
  kiosk: kioskApi,
  kiosks: kiosksApi,
  import: importApi,
  prices: pricesApi,
  payments: paymentsApi,
  ledger: ledgerApi,
  receipts: receiptsApi,
  cashCounts: cashCountsApi,
  paymentFigures: paymentFiguresApi,
  statements: statementsApi,
  gradings: gradingsApi,
  certificates: certificatesApi,
  calendarFeeds: calendarFeedsApi,
  owing: owingApi,
  consent: consentApi,
  studentConsents: studentConsentsApi,
  sensei: senseiApi,
  profile: profileApi,
  dashboard: dashboardApi,
  signIn: signInApi,
  audit: auditApi,
  exports: exportsApi,
} as const satisfies Record<string, Api>

export const endpoints: Endpoint[] = Object.values(api).flatMap((calls: Api) =>
  Object.values(calls),
)
