import type { ComponentType } from 'react'
import { prefetch } from '../lib/prefetch.ts'
import { pathWithoutLayout } from '../lib/layout.ts'
import { PATHS, type PageName } from '../lib/paths.ts'
import { FIRST_READS } from './first-reads.ts'

const paymentCenter = () => import('../dues/payment-center.tsx').then((part) => part.PaymentCenter)
const messageCenter = () =>
  import('../messages/message-center.tsx').then((part) => part.MessageCenter)
const books = () => import('../bookkeeping/screens.ts')

const PAGE_LOADERS = {
  dashboard: () => import('../dashboard/dashboard.tsx').then((part) => part.Dashboard),
  students: () => import('../students/student-center.tsx').then((part) => part.StudentCenter),
  student: () => import('../students/student-page.tsx').then((part) => part.StudentPage),
  slippingAway: () =>
    import('../slipping-away/slipping-away.tsx').then((part) => part.SlippingAway),
  belts: () => import('../belts/belts.tsx').then((part) => part.Belts),
  readyForTest: () => import('./ready.tsx').then((part) => part.Ready),
  gradings: () => import('../gradings/gradings.tsx').then((part) => part.Gradings),
  grading: () => import('../gradings/grading.tsx').then((part) => part.GradingPage),
  importStudents: () => import('../import/import-students.tsx').then((part) => part.ImportStudents),
  attendance: () => import('../attendance/attendance-view.tsx').then((part) => part.AttendanceView),
  schedule: () => import('../calendar/schedule.tsx').then((part) => part.Schedule),
  classCenter: () => import('./class-center.tsx').then((part) => part.ClassCenterPage),
  paymentCenter,
  paymentTracking: paymentCenter,
  cashCount: () => books().then((part) => part.CashCount),
  paymentFigures: () => books().then((part) => part.PaymentFiguresScreen),
  receipts: () => books().then((part) => part.Receipts),
  receipt: () => books().then((part) => part.ReceiptPage),
  statement: () => books().then((part) => part.StatementPage),
  owing: () => import('../dues/owing.tsx').then((part) => part.Owing),
  messageCenter,
  announcements: messageCenter,
  conversations: () => import('../messages/messages.tsx').then((part) => part.Messages),
  smsSetup: () => import('../messages/sms-setup.tsx').then((part) => part.SmsSetup),
  automaticReminders: () =>
    import('../messages/automatic-reminders-page.tsx').then((part) => part.AutomaticRemindersPage),
  simulator: () => import('../messages/simulator-page.tsx').then((part) => part.SimulatorPage),
  notificationSettings: () =>
    import('../profile/student-settings.tsx').then((part) => part.StudentSettings),
  security: () => import('../accounts/security.tsx').then((part) => part.Security),
  auditLog: () => import('../audit/audit-log.tsx').then((part) => part.AuditLog),
  superAdmin: () =>
    import('../sensei/super-admin-dashboard.tsx').then((part) => part.SuperAdminDashboard),
  join: () => import('../profile/join-page.tsx').then((part) => part.JoinPage),
  acceptInvitation: () =>
    import('../profile/accept-invitation-page.tsx').then((part) => part.AcceptInvitationPage),
  consentForm: () => import('../consent/consent-page.tsx').then((part) => part.ConsentPage),
  privacy: () => import('../privacy/privacy-page.tsx').then((part) => part.PrivacyPage),
  resetPassword: () =>
    import('../profile/reset-password-page.tsx').then((part) => part.ResetPasswordPage),
  recoverAccount: () =>
    import('../profile/recover-account-page.tsx').then((part) => part.RecoverAccountPage),
  kiosks: () => import('../kiosk/kiosks.tsx').then((part) => part.Kiosks),
  kiosk: () => import('../kiosk/kiosk-page.tsx').then((part) => part.KioskPage),
  certificate: () =>
    import('../gradings/certificate-page.tsx').then((part) => part.CertificatePage),
} satisfies Record<PageName, () => Promise<ComponentType>>

// Zod would test whether it may compile code, which the content policy forbids and reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// This small file runs while React is still loading (vite.config.ts), so the requested page loads
// at the same time. After a login that is the page that sent the user to log in (guards.tsx).
const { requestedLocation } = Object(Object(history.state).usr) as {
  requestedLocation?: { pathname: string }
}
export const requestedPath = pathWithoutLayout(
  /^\/(login)?$/.test(location.pathname)
    ? (requestedLocation?.pathname ?? PATHS.dashboard)
    : location.pathname,
)
/** Matches /students/42 to /students/:id. React Router, which could do this, is not loaded yet. */
const matches = (path: string, pathname: string) =>
  new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(pathname)
const requestedPage = (Object.keys(PATHS) as PageName[]).find((page) =>
  matches(PATHS[page], requestedPath),
)
let requestedComponent = requestedPage && PAGE_LOADERS[requestedPage]()
// A failed load is started again when the page asks for it.
requestedComponent?.catch(() => (requestedComponent = undefined))
// A filter or another tab in the query would read something else.
const firstReads = location.search === '' && requestedPage ? FIRST_READS[requestedPage] : undefined
if (firstReads) prefetch(firstReads).catch(() => {})

/** How to load the code of a page. The requested one is loading already. */
export const pageLoader = (page: PageName) => (): Promise<ComponentType> =>
  (page === requestedPage && requestedComponent) || PAGE_LOADERS[page]()
