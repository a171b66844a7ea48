import type { ComponentType } from 'react'
import { prefetch } from '../lib/prefetch.ts'
import { pageOf } from '../lib/layout.ts'
import { FIRST_READS } from './first-reads.ts'

const paymentCenter = () => import('../dues/payment-center.tsx').then((part) => part.PaymentCenter)
const messageCenter = () =>
  import('../messages/message-center.tsx').then((part) => part.MessageCenter)
const books = () => import('../bookkeeping/screens.ts')

/** Loads the code of each page, by its path. */
const PAGE_LOADERS = {
  '/dashboard': () => import('../dashboard/dashboard.tsx').then((part) => part.Dashboard),
  '/students': () => import('../students/student-center.tsx').then((part) => part.StudentCenter),
  '/students/:id': () => import('../students/student-page.tsx').then((part) => part.StudentPage),
  '/slipping-away': () =>
    import('../slipping-away/slipping-away.tsx').then((part) => part.SlippingAway),
  '/belts': () => import('../belts/belts.tsx').then((part) => part.Belts),
  '/belts/ready': () => import('./ready.tsx').then((part) => part.Ready),
  '/gradings': () => import('../gradings/gradings.tsx').then((part) => part.Gradings),
  '/gradings/:id': () => import('../gradings/grading.tsx').then((part) => part.GradingPage),
  '/import-students': () =>
    import('../import/import-students.tsx').then((part) => part.ImportStudents),
  '/attendance': () =>
    import('../attendance/attendance-view.tsx').then((part) => part.AttendanceView),
  '/schedule': () => import('../calendar/schedule.tsx').then((part) => part.Schedule),
  '/class-center': () => import('./class-center.tsx').then((part) => part.ClassCenterPage),
  '/payment-center': paymentCenter,
  '/payment-tracking': paymentCenter,
  '/cash-count': () => books().then((part) => part.CashCount),
  '/payment-figures': () => books().then((part) => part.PaymentFiguresScreen),
  '/receipts': () => books().then((part) => part.Receipts),
  '/receipts/:id': () => books().then((part) => part.ReceiptPage),
  '/statements/:of/:id': () => books().then((part) => part.StatementPage),
  '/owing': () => import('../dues/owing.tsx').then((part) => part.Owing),
  '/message-center': messageCenter,
  '/announcements': messageCenter,
  '/messages': () => import('../messages/messages.tsx').then((part) => part.Messages),
  '/sms-setup': () => import('../messages/sms-setup.tsx').then((part) => part.SmsSetup),
  '/automatic-reminders': () =>
    import('../messages/automatic-reminders-page.tsx').then((part) => part.AutomaticRemindersPage),
  '/simulator': () => import('../messages/simulator-page.tsx').then((part) => part.SimulatorPage),
  '/notification-settings': () =>
    import('../profile/student-settings.tsx').then((part) => part.StudentSettings),
  '/security': () => import('../accounts/security.tsx').then((part) => part.Security),
  '/audit-log': () => import('../audit/audit-log.tsx').then((part) => part.AuditLog),
  '/super-admin': () => import('../sensei/super-admin.tsx').then((part) => part.SuperAdmin),
  '/join/:code': () => import('../profile/join-page.tsx').then((part) => part.JoinPage),
  '/accept-invitation': () =>
    import('../profile/accept-invitation-page.tsx').then((part) => part.AcceptInvitationPage),
  '/consent-form': () => import('../consent/consent-page.tsx').then((part) => part.ConsentPage),
  '/privacy': () => import('../privacy/privacy-page.tsx').then((part) => part.PrivacyPage),
  '/reset-password': () =>
    import('../profile/reset-password-page.tsx').then((part) => part.ResetPasswordPage),
  '/recover-account': () =>
    import('../profile/recover-account-page.tsx').then((part) => part.RecoverAccountPage),
  '/kiosks': () => import('../kiosk/kiosks.tsx').then((part) => part.Kiosks),
  '/kiosk': () => import('../kiosk/kiosk-page.tsx').then((part) => part.KioskPage),
  '/certificate/:code': () =>
    import('../gradings/certificate-page.tsx').then((part) => part.CertificatePage),
} satisfies Record<string, () => Promise<ComponentType>>
export type PagePath = keyof typeof PAGE_LOADERS

/** Most people's home; only the super admin is sent elsewhere. */
const HOME = '/dashboard'

// Zod would try whether it may compile code, which the content policy forbids and reports. Said before any page can load it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// This small file runs while React is still loading (vite.config.ts): the requested page loads beside it, not after it.
// After a sign-in it is the page that asked for it (guards.tsx).
const { wanted } = Object(Object(history.state).usr) as { wanted?: { pathname: string } }
export const requestedPage = pageOf(
  /^\/(login)?$/.test(location.pathname) ? (wanted?.pathname ?? HOME) : location.pathname,
)
/** True if the path is a page's, such as /students/42 of /students/:id. */
const isPathOf = (page: string, path: string) =>
  new RegExp(`^${page.replaceAll(/:\w+/g, '[^/]+')}$`).test(path)
const requestedPath = (Object.keys(PAGE_LOADERS) as PagePath[]).find((page) =>
  isPathOf(page, requestedPage),
)
let requestedComponent = requestedPath && PAGE_LOADERS[requestedPath]()
// Asked for once more, it is loaded once more.
requestedComponent?.catch(() => (requestedComponent = undefined))
// With a filter or on another tab a screen asks for something else.
const firstReads = location.search === '' && requestedPath ? FIRST_READS[requestedPath] : undefined
if (firstReads) prefetch(firstReads).catch(() => {})

/** How to load the page at `path`. The requested one is under way already. */
export const pageLoader = (path: PagePath) => (): Promise<ComponentType> =>
  (path === requestedPath && requestedComponent) || PAGE_LOADERS[path]()
