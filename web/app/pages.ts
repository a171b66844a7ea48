import type { ComponentType } from 'react'
import { dashboardPrefetchPaths } from '../dashboard/prefetch.ts'
import { prefetch } from '../lib/prefetch.ts'
import { pageOf } from '../lib/layout.ts'

const paymentCenter = () => import('./payment-center.tsx').then((part) => part.PaymentCenter)
const messageCenter = () => import('../texting/message-center.tsx').then((part) => part.MessageCenter)

/** The code of each page, by its path. */
const PARTS = {
  '/dashboard': () => import('../dashboard/dashboard.tsx').then((part) => part.Dashboard),
  '/students': () => import('./student-center.tsx').then((part) => part.StudentCenter),
  '/attendance': () => import('../attendance/attendance-view.tsx').then((part) => part.AttendanceView),
  '/class-center': () => import('../classes/class-center.tsx').then((part) => part.ClassCenter),
  '/payment-center': paymentCenter,
  '/payment-tracking': paymentCenter,
  '/message-center': messageCenter,
  '/announcements': messageCenter,
  '/sms-setup': () => import('../texting/sms-setup.tsx').then((part) => part.SmsSetup),
  '/simulator': () => import('../texting/simulator-page.tsx').then((part) => part.SimulatorPage),
  '/notification-settings': () => import('./student-settings.tsx').then((part) => part.StudentSettings),
  '/super-admin': () => import('./super-admin.tsx').then((part) => part.SuperAdmin),
  '/login': () => import('../profile/login-page.tsx').then((part) => part.LoginPage),
  '/join/:code': () => import('../profile/join-page.tsx').then((part) => part.JoinPage),
  '/consent-form': () => import('../consent/consent-page.tsx').then((part) => part.ConsentPage),
  '/reset-password': () => import('../profile/reset-password-page.tsx').then((part) => part.ResetPasswordPage),
  '/recover-account': () => import('../profile/recover-account-page.tsx').then((part) => part.RecoverAccountPage),
} satisfies Record<string, () => Promise<ComponentType>>
type Path = keyof typeof PARTS

/** Most people's home; only the super admin is sent elsewhere. */
const HOME = '/dashboard'

// This small file runs while React is still on its way (vite.config.ts): the page one wants comes beside it, not after it.
export const wanted = pageOf(location.pathname.replace(/^\/$/, HOME))
const loadWanted = wanted in PARTS ? PARTS[wanted as Path] : undefined
let ahead = loadWanted?.()
ahead?.catch(() => {})
if (wanted === '/dashboard') prefetch(dashboardPrefetchPaths).catch(() => {})

/** How to load the page at `path`. What was asked for ahead is handed out once: trying again asks anew. */
export const partAt = (path: Path) => (): Promise<ComponentType> => {
  const taken = PARTS[path] === loadWanted ? ahead : undefined
  if (taken) ahead = undefined
  return taken ?? PARTS[path]()
}
