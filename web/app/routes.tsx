import {
  IconCalendarEvent,
  IconClipboardCheck,
  IconCreditCard,
  IconHome,
  IconMessage2,
  IconSettings,
  IconShieldCheck,
  IconUsers,
  type Icon,
} from '@tabler/icons-react'
import { type Access, type Role, ROLES_BY_ACCESS } from '@tatami/contract/endpoint'
import type { ComponentType } from 'react'
import { matchPath } from 'react-router'
import { pageLoader } from './pages.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Skeletons } from '../ui/skeletons.tsx'

/** Who may see something: everyone whom that kind of access admits, or some roles. */
type Who = Exclude<Access, 'public'> | readonly Role[]
export const admits = (who: Who, role: Role): boolean =>
  (typeof who === 'string' ? (ROLES_BY_ACCESS[who] as readonly Role[]) : who).includes(role)

export type Screen = {
  path: `/${string}`
  title: string
  who: Who
  screen: ComponentType & { preload: () => void }
  /** Its entry in the navigation, with the short word for a phone's tab, and who sees it where that is not everyone who may open the screen. */
  tab?: { word: string; icon: Icon; who?: Who }
  /** The path whose entry is highlighted, for whoever sees none of the screen's own. */
  under?: `/${string}`
  /** Takes the whole width of the window in the phone's layout, too. */
  isWide?: true
}

const screen = (path: Parameters<typeof pageLoader>[0], how = {}) =>
  lazyComponent(pageLoader(path), <Skeletons label="" />, how)

const paymentCenter = screen('/payment-center')
const messageCenter = screen('/message-center', { atOnce: true })

/** Every screen behind the sign-in, in the order of the navigation. Each stands at its path and, on a desktop, at /desktop and its path. */
export const SCREENS: Screen[] = [
  {
    path: '/dashboard',
    title: 'Dashboard',
    who: 'member',
    tab: { word: 'Dashboard', icon: IconHome },
    screen: screen('/dashboard', { atOnce: true }),
  },
  {
    path: '/students',
    title: 'Student Center',
    who: 'instructor',
    tab: { word: 'Students', icon: IconUsers },
    screen: screen('/students', { atOnce: true }),
  },
  {
    path: '/students/:id',
    title: 'Student',
    who: 'instructor',
    under: '/students',
    screen: screen('/students/:id', { atOnce: true }),
  },
  {
    path: '/slipping-away',
    title: 'Slipping away',
    who: 'instructor',
    under: '/dashboard',
    screen: screen('/slipping-away'),
  },
  {
    path: '/belts',
    title: 'Belts',
    who: 'instructor',
    under: '/students',
    screen: screen('/belts'),
  },
  {
    path: '/belts/ready',
    title: 'Ready',
    who: 'instructor',
    under: '/students',
    screen: screen('/belts/ready'),
  },
  {
    path: '/gradings',
    title: 'Gradings',
    who: 'instructor',
    under: '/students',
    screen: screen('/gradings'),
  },
  {
    path: '/gradings/:id',
    title: 'Grading',
    who: 'instructor',
    under: '/students',
    screen: screen('/gradings/:id'),
  },
  {
    path: '/import-students',
    title: 'Bring your students',
    who: 'instructor',
    under: '/students',
    screen: screen('/import-students'),
  },
  {
    path: '/attendance',
    title: 'Attendance',
    who: 'member',
    tab: { word: 'Attendance', icon: IconClipboardCheck, who: ['guardian'] },
    under: '/students',
    screen: screen('/attendance', { atOnce: true }),
  },
  {
    path: '/class-center',
    title: 'Class Center',
    who: 'instructor',
    tab: { word: 'Classes', icon: IconCalendarEvent },
    screen: screen('/class-center', { atOnce: true }),
  },
  {
    path: '/schedule',
    title: 'Schedule',
    who: 'instructor',
    under: '/class-center',
    screen: screen('/schedule'),
  },
  {
    path: '/payment-center',
    title: 'Payment Center',
    who: 'instructor',
    tab: { word: 'Payments', icon: IconCreditCard },
    screen: paymentCenter,
  },
  {
    path: '/payment-tracking',
    title: 'Payment Center',
    who: 'instructor',
    under: '/payment-center',
    screen: paymentCenter,
  },
  {
    path: '/cash-count',
    title: 'Cash Count',
    who: 'instructor',
    under: '/payment-center',
    screen: screen('/cash-count'),
  },
  {
    path: '/payment-figures',
    title: 'Payment Figures',
    who: 'instructor',
    under: '/payment-center',
    screen: screen('/payment-figures'),
  },
  {
    path: '/receipts',
    title: 'Receipts',
    who: 'instructor',
    under: '/payment-center',
    screen: screen('/receipts'),
  },
  {
    path: '/receipts/:id',
    title: 'Receipt',
    who: 'instructor',
    under: '/payment-center',
    screen: screen('/receipts/:id'),
  },
  {
    path: '/statements/:of/:id',
    title: 'Statement',
    who: 'instructor',
    under: '/payment-center',
    screen: screen('/statements/:of/:id'),
  },
  {
    path: '/owing',
    title: 'Owing',
    who: 'instructor',
    under: '/payment-center',
    screen: screen('/owing'),
  },
  // Open to everyone, because it says itself who may not use it (specification, section 2).
  {
    path: '/message-center',
    title: 'Message Center',
    who: 'signed-in',
    tab: { word: 'Messages', icon: IconMessage2, who: 'member' },
    screen: messageCenter,
  },
  {
    path: '/announcements',
    title: 'Message Center',
    who: 'signed-in',
    under: '/message-center',
    screen: messageCenter,
  },
  {
    path: '/messages',
    title: 'Conversations',
    who: 'instructor',
    under: '/message-center',
    screen: screen('/messages'),
  },
  {
    path: '/sms-setup',
    title: 'SMS Setup',
    who: 'instructor',
    under: '/message-center',
    screen: screen('/sms-setup'),
  },
  {
    path: '/automatic-reminders',
    title: 'Automatic Reminders',
    who: 'instructor',
    under: '/message-center',
    screen: screen('/automatic-reminders'),
  },
  {
    path: '/simulator',
    title: 'Simulator',
    who: 'instructor',
    under: '/message-center',
    screen: screen('/simulator'),
  },
  {
    path: '/notification-settings',
    title: 'Settings',
    who: ['student', 'guardian'],
    tab: { word: 'Settings', icon: IconSettings },
    screen: screen('/notification-settings'),
  },
  {
    path: '/security',
    title: 'Sign-in and devices',
    who: 'signed-in',
    under: '/notification-settings',
    screen: screen('/security'),
  },
  { path: '/kiosks', title: 'Kiosk', who: 'instructor', screen: screen('/kiosks') },
  {
    path: '/audit-log',
    title: 'Audit Log',
    who: 'instructor',
    screen: screen('/audit-log'),
  },
  {
    path: '/super-admin',
    title: 'Super Admin',
    who: 'super-admin',
    tab: { word: 'Super Admin', icon: IconShieldCheck },
    screen: screen('/super-admin'),
    isWide: true,
  },
]

export type Page = {
  path: `/${string}`
  page: ComponentType
  /** Whoever is signed in has no business there, and is sent on. */
  forVisitors?: true
}

/** Every page that needs no sign-in. They stand in neither layout, and say their own title. */
export const PAGES: Page[] = [
  { path: '/join/:code', forVisitors: true, page: lazyComponent(pageLoader('/join/:code')) },
  {
    path: '/accept-invitation',
    forVisitors: true,
    page: lazyComponent(pageLoader('/accept-invitation')),
  },
  { path: '/kiosk', page: lazyComponent(pageLoader('/kiosk')) },
  { path: '/consent-form', page: lazyComponent(pageLoader('/consent-form')) },
  { path: '/privacy', page: lazyComponent(pageLoader('/privacy')) },
  { path: '/reset-password', page: lazyComponent(pageLoader('/reset-password')) },
  { path: '/recover-account', page: lazyComponent(pageLoader('/recover-account')) },
  { path: '/certificate/:code', page: lazyComponent(pageLoader('/certificate/:code')) },
]

export const screenAt = (page: string) => SCREENS.find(({ path }) => matchPath(path, page) !== null)
