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
import { type Access, type Role, ROLES_BY_ACCESS } from '@tatami/contract/lib/endpoint'
import { matchPath } from 'react-router'
import { pageLoader, type PagePath } from './pages.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Skeletons } from '../ui/skeletons.tsx'

/** Who may see something: everyone whom that kind of access admits, or some roles. */
type Who = Exclude<Access, 'public'> | readonly Role[]
export const admits = (who: Who, role: Role): boolean =>
  (typeof who === 'string' ? (ROLES_BY_ACCESS[who] as readonly Role[]) : who).includes(role)

type ScreenEntry = {
  path: PagePath
  title: string
  who: Who
  /** Its entry in the navigation, with the short word for a phone's tab, and who sees it where that is not everyone who may open the screen. */
  tab?: { word: string; icon: Icon; who?: Who }
  /** The path whose entry is highlighted, for whoever sees none of the screen's own. */
  under?: `/${string}`
  /** Takes the whole width of the window in the phone's layout, too. */
  isWide?: true
  /** Holds the place of its answers: shown without a wait where its code is there already (lazy-component.tsx). */
  isShownAtOnce?: true
}

/** Every screen behind the sign-in, in the order of the navigation. */
const SCREEN_LIST: ScreenEntry[] = [
  {
    path: '/dashboard',
    title: 'Dashboard',
    who: 'member',
    tab: { word: 'Dashboard', icon: IconHome },
    isShownAtOnce: true,
  },
  {
    path: '/students',
    title: 'Student Center',
    who: 'instructor',
    tab: { word: 'Students', icon: IconUsers },
    isShownAtOnce: true,
  },
  {
    path: '/students/:id',
    title: 'Student',
    who: 'instructor',
    under: '/students',
    isShownAtOnce: true,
  },
  { path: '/slipping-away', title: 'Slipping away', who: 'instructor', under: '/dashboard' },
  { path: '/belts', title: 'Belts', who: 'instructor', under: '/students' },
  { path: '/belts/ready', title: 'Ready', who: 'instructor', under: '/students' },
  { path: '/gradings', title: 'Gradings', who: 'instructor', under: '/students' },
  { path: '/gradings/:id', title: 'Grading', who: 'instructor', under: '/students' },
  { path: '/import-students', title: 'Bring your students', who: 'instructor', under: '/students' },
  {
    path: '/attendance',
    title: 'Attendance',
    who: 'member',
    tab: { word: 'Attendance', icon: IconClipboardCheck, who: ['guardian'] },
    under: '/students',
    isShownAtOnce: true,
  },
  {
    path: '/class-center',
    title: 'Class Center',
    who: 'instructor',
    tab: { word: 'Classes', icon: IconCalendarEvent },
    isShownAtOnce: true,
  },
  { path: '/schedule', title: 'Schedule', who: 'instructor', under: '/class-center' },
  {
    path: '/payment-center',
    title: 'Payment Center',
    who: 'instructor',
    tab: { word: 'Payments', icon: IconCreditCard },
  },
  {
    path: '/payment-tracking',
    title: 'Payment Center',
    who: 'instructor',
    under: '/payment-center',
  },
  { path: '/cash-count', title: 'Cash Count', who: 'instructor', under: '/payment-center' },
  {
    path: '/payment-figures',
    title: 'Payment Figures',
    who: 'instructor',
    under: '/payment-center',
  },
  { path: '/receipts', title: 'Receipts', who: 'instructor', under: '/payment-center' },
  { path: '/receipts/:id', title: 'Receipt', who: 'instructor', under: '/payment-center' },
  { path: '/statements/:of/:id', title: 'Statement', who: 'instructor', under: '/payment-center' },
  { path: '/owing', title: 'Owing', who: 'instructor', under: '/payment-center' },
  // Open to everyone, because it says itself who may not use it (specification, section 2).
  {
    path: '/message-center',
    title: 'Message Center',
    who: 'signed-in',
    tab: { word: 'Messages', icon: IconMessage2, who: 'member' },
    isShownAtOnce: true,
  },
  {
    path: '/announcements',
    title: 'Message Center',
    who: 'signed-in',
    under: '/message-center',
    isShownAtOnce: true,
  },
  { path: '/messages', title: 'Conversations', who: 'instructor', under: '/message-center' },
  { path: '/sms-setup', title: 'SMS Setup', who: 'instructor', under: '/message-center' },
  {
    path: '/automatic-reminders',
    title: 'Automatic Reminders',
    who: 'instructor',
    under: '/message-center',
  },
  { path: '/simulator', title: 'Simulator', who: 'instructor', under: '/message-center' },
  {
    path: '/notification-settings',
    title: 'Settings',
    who: ['student', 'guardian'],
    tab: { word: 'Settings', icon: IconSettings },
  },
  {
    path: '/security',
    title: 'Sign-in and devices',
    who: 'signed-in',
    under: '/notification-settings',
  },
  { path: '/kiosks', title: 'Kiosk', who: 'instructor' },
  { path: '/audit-log', title: 'Audit Log', who: 'instructor' },
  {
    path: '/super-admin',
    title: 'Super Admin',
    who: 'super-admin',
    tab: { word: 'Super Admin', icon: IconShieldCheck },
    isWide: true,
  },
]

/** Each screen stands at its path and, on a desktop, at /desktop and its path. */
export const SCREENS = SCREEN_LIST.map(({ isShownAtOnce: atOnce = false, ...entry }) => ({
  ...entry,
  screen: lazyComponent(pageLoader(entry.path), <Skeletons label="" />, { atOnce }),
}))
export type Screen = (typeof SCREENS)[number]

type PageEntry = {
  path: PagePath
  /** Whoever is signed in has no business there, and is sent on. */
  forVisitors?: true
}
const PAGE_LIST: PageEntry[] = [
  { path: '/join/:code', forVisitors: true },
  { path: '/accept-invitation', forVisitors: true },
  { path: '/kiosk' },
  { path: '/consent-form' },
  { path: '/privacy' },
  { path: '/reset-password' },
  { path: '/recover-account' },
  { path: '/certificate/:code' },
]
/** Every page that needs no sign-in. They stand in neither layout, and say their own title. */
export const PAGES = PAGE_LIST.map((entry) => ({
  ...entry,
  page: lazyComponent(pageLoader(entry.path)),
}))

export const screenAt = (page: string) => SCREENS.find(({ path }) => matchPath(path, page) !== null)
