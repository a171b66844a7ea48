import { announcementsApi } from './messages/announcements.ts'
import { attendanceApi } from './attendance/attendance.ts'
import { auditApi } from './audit/audit.ts'
import { backupsApi } from './backups/backups.ts'
import { beltsApi } from './belts/belts.ts'
import { cashCountsApi } from './bookkeeping/cash-counts.ts'
import { certificatesApi } from './gradings/certificates.ts'
import { calendarFeedsApi } from './calendar/calendar-feeds.ts'
import { classDatesApi } from './calendar/class-dates.ts'
import { classesApi } from './classes/classes.ts'
import { consentApi } from './consent/consent.ts'
import { conversationsApi } from './texting/conversations.ts'
import { dashboardApi } from './dashboard/dashboard.ts'
import { dojosApi } from './dojos/dojos.ts'
import type { Api, Endpoint } from './lib/endpoint.ts'
import { documentsApi } from './documents/documents.ts'
import { ownDocumentsApi, signingApi } from './documents/signing.ts'
import { excusesApi } from './calendar/excuses.ts'
import { exportsApi } from './exports/exports.ts'
import { familiesApi } from './families/families.ts'
import { gradingsApi } from './gradings/gradings.ts'
import { importApi } from './import/import.ts'
import { kioskApi } from './kiosk/kiosk.ts'
import { kiosksApi } from './kiosk/kiosks.ts'
import { ledgerApi } from './ledger/ledger.ts'
import { membershipFiguresApi, membershipListApi } from './memberships/membership-figures.ts'
import { membershipsApi } from './memberships/memberships.ts'
import { ownMembershipsApi } from './memberships/own-memberships.ts'
import { notificationsApi } from './notifications/notifications.ts'
import { passwordsApi } from './accounts/passwords.ts'
import { paymentFiguresApi } from './dues/payment-figures.ts'
import { owingApi } from './dues/owing.ts'
import { paymentsApi } from './dues/payments.ts'
import { picturesApi } from './pictures/pictures.ts'
import { classEntriesApi } from './plans/class-entries.ts'
import { holdsApi } from './memberships/holds.ts'
import { packsApi } from './memberships/packs.ts'
import { plansApi } from './plans/plans.ts'
import { pricesApi } from './dues/prices.ts'
import { privacyApi } from './privacy/privacy.ts'
import { profileApi } from './profile/profile.ts'
import { promotionsApi } from './belts/promotions.ts'
import { readinessApi } from './belts/readiness.ts'
import { followupsApi } from './followups/followups.ts'
import { fairApi } from './leads/fair.ts'
import { leadsApi } from './leads/leads.ts'
import { referralsApi } from './leads/referrals.ts'
import { leadSettingsApi } from './leads/settings.ts'
import { leadSourcesApi } from './leads/sources.ts'
import { onlinePaymentApi } from './online-payment/online-payment.ts'
import { onlineRefundApi } from './online-payment/refunds.ts'
import { onlineStudentsApi } from './online-payment/online-students.ts'
import { payerHomeApi } from './online-payment/payer-home.ts'
import { publicPageApi } from './public-page/public-page.ts'
import { receiptsApi } from './bookkeeping/receipts.ts'
import { salesTaxApi } from './ledger/sales-tax.ts'
import { schoolMessagesApi } from './messages/school-messages.ts'
import { senseiApi } from './sensei/sensei.ts'
import { signInApi } from './accounts/sign-in.ts'
import { hoursApi } from './staff/hours.ts'
import { payApi } from './staff/pay.ts'
import { staffApi } from './staff/staff.ts'
import { staffCertificatesApi } from './staff/staff-certificates.ts'
import { staffInvitationsApi } from './staff/staff-invitations.ts'
import { workPinsApi } from './staff/work-pins.ts'
import { statementsApi } from './bookkeeping/statements.ts'
import { slippingAwayApi } from './slipping-away/slipping-away.ts'
import { studentConsentsApi } from './texting/student-consents.ts'
import { studentsApi } from './students/students.ts'
import { textingAccountApi } from './texting/texting-account.ts'
import { textingApi } from './texting/texting.ts'
import { trialsApi } from './trials/trials.ts'

export const api = {
  dojos: dojosApi,
  passwords: passwordsApi,
  pictures: picturesApi,
  notifications: notificationsApi,
  backups: backupsApi,
  privacy: privacyApi,
  classes: classesApi,
  families: familiesApi,
  classDates: classDatesApi,
  excuses: excusesApi,
  announcements: announcementsApi,
  schoolMessages: schoolMessagesApi,
  texting: textingApi,
  textingAccount: textingAccountApi,
  conversations: conversationsApi,
  belts: beltsApi,
  promotions: promotionsApi,
  readiness: readinessApi,
  students: studentsApi,
  attendance: attendanceApi,
  slippingAway: slippingAwayApi,
  kiosk: kioskApi,
  kiosks: kiosksApi,
  documents: documentsApi,
  signing: signingApi,
  ownDocuments: ownDocumentsApi,
  import: importApi,
  plans: plansApi,
  memberships: membershipsApi,
  membershipList: membershipListApi,
  ownMemberships: ownMembershipsApi,
  classEntries: classEntriesApi,
  holds: holdsApi,
  packs: packsApi,
  prices: pricesApi,
  payments: paymentsApi,
  ledger: ledgerApi,
  salesTaxes: salesTaxApi,
  membershipFigures: membershipFiguresApi,
  receipts: receiptsApi,
  followups: followupsApi,
  fair: fairApi,
  leads: leadsApi,
  leadSettings: leadSettingsApi,
  referrals: referralsApi,
  leadSources: leadSourcesApi,
  onlinePayment: onlinePaymentApi,
  onlineRefund: onlineRefundApi,
  onlineStudents: onlineStudentsApi,
  payerHome: payerHomeApi,
  cashCounts: cashCountsApi,
  paymentFigures: paymentFiguresApi,
  statements: statementsApi,
  gradings: gradingsApi,
  certificates: certificatesApi,
  calendarFeeds: calendarFeedsApi,
  owing: owingApi,
  publicPage: publicPageApi,
  trials: trialsApi,
  consent: consentApi,
  studentConsents: studentConsentsApi,
  sensei: senseiApi,
  staff: staffApi,
  staffInvitations: staffInvitationsApi,
  staffCertificates: staffCertificatesApi,
  hours: hoursApi,
  pay: payApi,
  workPins: workPinsApi,
  profile: profileApi,
  dashboard: dashboardApi,
  signIn: signInApi,
  audit: auditApi,
  exports: exportsApi,
} as const satisfies Record<string, Api>

export const endpoints: Endpoint[] = Object.values(api).flatMap((calls: Api) =>
  Object.values(calls),
)
