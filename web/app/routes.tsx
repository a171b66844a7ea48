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
import { beltTest } from '../lib/belt-test.ts'
import { PATHS, type PageName } from '../lib/paths.ts'
import { pageLoader } from './pages.ts'
import { lazyComponentFrom } from '../ui/lazy-component.tsx'
import { Skeletons } from '../ui/skeletons.tsx'

type Audience = Exclude<Access, 'public'> | readonly Role[]
export const admits = (audience: Audience, role: Role): boolean =>
  (typeof audience === 'string'
    ? (ROLES_BY_ACCESS[audience] as readonly Role[])
    : audience
  ).includes(role)

type ScreenEntry = {
  page: PageName
  /** A function where the title has the school's word for a belt test. */
  title: string | (() => string)
  /** Instructors unless it says otherwise. */
  audience?: Audience
  /** Its entry in the navigation, with a short word for a phone. `audience` narrows who sees it. */
  tab?: { word: string; icon: Icon; audience?: Audience }
  under?: PageName
  isWide?: true
  /** Draws its own skeletons, so it appears at once if its code is loaded (lazy-component.tsx). */
  isShownAtOnce?: true
}

const SCREEN_LIST: ScreenEntry[] = [
  {
    page: 'dashboard',
    title: 'Dashboard',
    audience: 'member',
    tab: { word: 'Dashboard', icon: IconHome },
    isShownAtOnce: true,
  },
  {
    page: 'students',
    title: 'Student Center',
    tab: { word: 'Students', icon: IconUsers },
    isShownAtOnce: true,
  },
  {
    page: 'student',
    title: 'Student',
    under: 'students',
    isShownAtOnce: true,
  },
  { page: 'slippingAway', title: 'At risk', under: 'dashboard' },
  { page: 'belts', title: 'Belts', under: 'students' },
  { page: 'readyForTest', title: 'Ready', under: 'students' },
  {
    page: 'gradings',
    title: () => beltTest().capitalizedPlural,
    under: 'students',
  },
  {
    page: 'grading',
    title: () => beltTest().capitalized,
    under: 'students',
  },
  {
    page: 'importStudents',
    title: 'Import students',
    under: 'students',
  },
  {
    page: 'attendance',
    title: 'Attendance',
    audience: 'member',
    tab: { word: 'Attendance', icon: IconClipboardCheck, audience: ['guardian'] },
    under: 'students',
    isShownAtOnce: true,
  },
  {
    page: 'classCenter',
    title: 'Class Center',
    tab: { word: 'Classes', icon: IconCalendarEvent },
    isShownAtOnce: true,
  },
  { page: 'schedule', title: 'Schedule', under: 'classCenter' },
  {
    page: 'paymentCenter',
    title: 'Payment Center',
    tab: { word: 'Payments', icon: IconCreditCard },
  },
  {
    page: 'paymentTracking',
    title: 'Payment Center',
    under: 'paymentCenter',
  },
  { page: 'cashCount', title: 'Cash Count', under: 'paymentCenter' },
  {
    page: 'paymentFigures',
    title: 'Payment Reports',
    under: 'paymentCenter',
  },
  { page: 'receipts', title: 'Receipts', under: 'paymentCenter' },
  { page: 'receipt', title: 'Receipt', under: 'paymentCenter' },
  { page: 'statement', title: 'Statement', under: 'paymentCenter' },
  { page: 'owing', title: 'Past Due', under: 'paymentCenter' },
  // Open to everyone, because it says itself who may not use it (specification, section 2).
  {
    page: 'messageCenter',
    title: 'Message Center',
    audience: 'signed-in',
    tab: { word: 'Messages', icon: IconMessage2, audience: 'member' },
    isShownAtOnce: true,
  },
  {
    page: 'announcements',
    title: 'Message Center',
    audience: 'signed-in',
    under: 'messageCenter',
    isShownAtOnce: true,
  },
  { page: 'conversations', title: 'Conversations', under: 'messageCenter' },
  { page: 'smsSetup', title: 'SMS Setup', under: 'messageCenter' },
  {
    page: 'automaticReminders',
    title: 'Automatic Reminders',
    under: 'messageCenter',
  },
  { page: 'simulator', title: 'Simulator', under: 'messageCenter' },
  {
    page: 'notificationSettings',
    title: 'Settings',
    audience: ['student', 'guardian'],
    tab: { word: 'Settings', icon: IconSettings },
  },
  {
    page: 'security',
    title: 'Login and devices',
    audience: 'signed-in',
    under: 'notificationSettings',
  },
  { page: 'kiosks', title: 'Kiosk' },
  { page: 'auditLog', title: 'Audit Log' },
  {
    page: 'superAdmin',
    title: 'Super Admin',
    audience: 'super-admin',
    tab: { word: 'Super Admin', icon: IconShieldCheck },
    isWide: true,
  },
]

/** The mobile layout shows a screen at its path, the desktop layout at /desktop plus its path. */
export const SCREENS = SCREEN_LIST.map(({ title, isShownAtOnce: atOnce = false, ...entry }) => ({
  ...entry,
  audience: entry.audience ?? 'instructor',
  get title() {
    return typeof title === 'string' ? title : title()
  },
  path: PATHS[entry.page],
  screen: lazyComponentFrom(pageLoader(entry.page), <Skeletons label="" />, { atOnce }),
}))
export type Screen = (typeof SCREENS)[number]

type PageEntry = {
  page: PageName
  forVisitors?: true
}
const PAGE_LIST: PageEntry[] = [
  { page: 'join', forVisitors: true },
  { page: 'acceptInvitation', forVisitors: true },
  { page: 'kiosk' },
  { page: 'consentForm' },
  { page: 'privacy' },
  { page: 'resetPassword' },
  { page: 'recoverAccount' },
  { page: 'certificate' },
]
/** Pages that need no login. They have no layout around them and set their own title. */
export const PAGES = PAGE_LIST.map((entry) => ({
  ...entry,
  path: PATHS[entry.page],
  component: lazyComponentFrom(pageLoader(entry.page)),
}))

export const screenAt = (pathname: string) =>
  SCREENS.find(({ path }) => matchPath(path, pathname) !== null)
