import type { ComponentType } from 'react'
import { prefetch } from '../lib/prefetch.ts'
import { pathWithoutLayout } from '../lib/layout.ts'
import { PATHS, type PageName } from '../lib/paths.ts'
import { FIRST_READS } from './first-reads.ts'

const paymentCenter = () =>
  import('../dues/payment-center.tsx').then((module) => module.PaymentCenter)
const messageCenter = () =>
  import('../messages/message-center.tsx').then((module) => module.MessageCenter)
const bookkeepingScreens = () => import('../bookkeeping/screens.ts')
const documentScreens = () => import('../documents/screens.ts')
const workScreens = () => import('../staff/work-screens.ts')

const PAGE_LOADERS = {
  dashboard: () => import('../dashboard/dashboard.tsx').then((module) => module.Dashboard),
  numbers: () => import('../dashboard/numbers.tsx').then((module) => module.Numbers),
  students: () => import('../students/student-center.tsx').then((module) => module.StudentCenter),
  student: () => import('../students/student-page.tsx').then((module) => module.StudentPage),
  slippingAway: () =>
    import('../slipping-away/slipping-away.tsx').then((module) => module.SlippingAway),
  plans: () => import('../plans/plans.tsx').then((module) => module.Plans),
  belts: () => import('../belts/belts.tsx').then((module) => module.Belts),
  readyForTest: () => import('./ready.tsx').then((module) => module.ReadyForTestPage),
  gradings: () => import('../gradings/gradings.tsx').then((module) => module.Gradings),
  grading: () => import('../gradings/grading.tsx').then((module) => module.GradingPage),
  importStudents: () =>
    import('../import/import-students.tsx').then((module) => module.ImportStudents),
  families: () => import('../families/families-view.tsx').then((module) => module.FamiliesView),
  followups: () => import('../followups/followups.tsx').then((module) => module.Followups),
  leads: () => import('../leads/leads.tsx').then((module) => module.Leads),
  attendance: () =>
    import('../attendance/attendance-view.tsx').then((module) => module.AttendanceView),
  schedule: () => import('../calendar/schedule.tsx').then((module) => module.Schedule),
  holidays: () => import('../calendar/holidays.tsx').then((module) => module.Holidays),
  classCenter: () => import('./class-center.tsx').then((module) => module.ClassCenterPage),
  paymentCenter,
  paymentTracking: paymentCenter,
  cashCount: () => bookkeepingScreens().then((module) => module.CashCount),
  paymentFigures: () => bookkeepingScreens().then((module) => module.PaymentFiguresScreen),
  receipts: () => bookkeepingScreens().then((module) => module.Receipts),
  receipt: () => bookkeepingScreens().then((module) => module.ReceiptPage),
  statement: () => bookkeepingScreens().then((module) => module.StatementPage),
  owing: () => import('../dues/owing.tsx').then((module) => module.Owing),
  messageCenter,
  announcements: messageCenter,
  conversations: () => import('../messages/messages.tsx').then((module) => module.Messages),
  smsSetup: () => import('../messages/sms-setup.tsx').then((module) => module.SmsSetup),
  automaticReminders: () =>
    import('../messages/automatic-reminders-page.tsx').then(
      (module) => module.AutomaticRemindersPage,
    ),
  simulator: () => import('../messages/simulator-page.tsx').then((module) => module.SimulatorPage),
  notificationSettings: () =>
    import('../profile/student-settings.tsx').then((module) => module.StudentSettings),
  school: () => import('../school/school.tsx').then((module) => module.School),
  onlinePayment: () =>
    import('../online-payment/online-payment-page.tsx').then((module) => module.OnlinePaymentPage),
  onlinePayments: () =>
    import('../online-payment/online-payments.tsx').then((module) => module.OnlinePayments),
  documents: () => documentScreens().then((module) => module.Documents),
  document: () => documentScreens().then((module) => module.DocumentPage),
  ownDocuments: () => documentScreens().then((module) => module.OwnDocuments),
  publicPage: () => import('./public-page.tsx').then((module) => module.PublicPage),
  trials: () => import('../trials/trials-page.tsx').then((module) => module.TrialsPage),
  security: () => import('../accounts/security.tsx').then((module) => module.Security),
  staff: () => import('../staff/staff.tsx').then((module) => module.Staff),
  myCertificates: () =>
    import('../staff/my-certificates.tsx').then((module) => module.MyCertificates),
  hours: () => workScreens().then((module) => module.Hours),
  pay: () => workScreens().then((module) => module.Pay),
  auditLog: () => import('../audit/audit-log.tsx').then((module) => module.AuditLog),
  superAdmin: () =>
    import('../sensei/super-admin-dashboard.tsx').then((module) => module.SuperAdminDashboard),
  join: () => import('../profile/join-page.tsx').then((module) => module.JoinPage),
  joinStaff: () => import('../staff/join-staff-page.tsx').then((module) => module.JoinStaffPage),
  acceptInvitation: () =>
    import('../profile/accept-invitation-page.tsx').then((module) => module.AcceptInvitationPage),
  consentForm: () => import('../consent/consent-page.tsx').then((module) => module.ConsentPage),
  privacy: () => import('../privacy/privacy-page.tsx').then((module) => module.PrivacyPage),
  resetPassword: () =>
    import('../profile/reset-password-page.tsx').then((module) => module.ResetPasswordPage),
  recoverAccount: () =>
    import('../profile/recover-account-page.tsx').then((module) => module.RecoverAccountPage),
  kiosks: () => import('../kiosk/kiosks.tsx').then((module) => module.Kiosks),
  kiosk: () => import('../kiosk/kiosk-page.tsx').then((module) => module.KioskPage),
  certificate: () =>
    import('../gradings/certificate-page.tsx').then((module) => module.CertificatePage),
} satisfies Record<PageName, () => Promise<ComponentType>>

// Stops Zod from testing whether it may compile code, which our content security policy forbids.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// This file runs while React loads (vite.config.ts). On / and /login, the history state contains
// the page to open after login.
const { requestedLocation } = Object(Object(history.state).usr) as {
  requestedLocation?: { pathname: string }
}
export const requestedPath = pathWithoutLayout(
  /^\/(login)?$/.test(location.pathname)
    ? (requestedLocation?.pathname ?? PATHS.dashboard)
    : location.pathname,
)
/** True for /students/:id and /students/42. React Router has such a function, but has not
 *  loaded. */
const matchesPath = (path: string, pathname: string) =>
  new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(pathname)
const requestedPage = (Object.keys(PATHS) as PageName[]).find((page) =>
  matchesPath(PATHS[page], requestedPath),
)
let requestedComponent = requestedPage && PAGE_LOADERS[requestedPage]()
requestedComponent?.catch(() => (requestedComponent = undefined))
// With a query in the URL, such as a filter, the page may make other requests.
const firstReads = location.search === '' && requestedPage ? FIRST_READS[requestedPage] : undefined
if (firstReads) prefetch(firstReads).catch(() => {})

export const createPageLoader = (page: PageName) => (): Promise<ComponentType> =>
  (page === requestedPage && requestedComponent) || PAGE_LOADERS[page]()
