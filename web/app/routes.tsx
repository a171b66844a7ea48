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
import { schoolBeltTestName } from '../lib/belt-test.ts'
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
  /** A function if the title contains the school's word for a belt test. */
  title: string | (() => string)
  /** Who may open the screen. Instructors by default. */
  audience?: Audience
  /** The screen's entry in the navigation. `audience` limits who sees the entry. */
  tab?: { shortTitle: string; icon: Icon; audience?: Audience }
  /** The page whose navigation entry is highlighted, if this one has no entry. */
  parentPage?: PageName
  isWide?: true
  /** The screen has its own skeletons, so it appears as soon as its code has loaded. */
  showsImmediately?: true
}

const SCREEN_LIST: ScreenEntry[] = [
  {
    page: 'dashboard',
    title: 'Dashboard',
    audience: 'member',
    tab: { shortTitle: 'Dashboard', icon: IconHome },
    showsImmediately: true,
  },
  {
    page: 'students',
    title: 'Student Center',
    tab: { shortTitle: 'Students', icon: IconUsers },
    showsImmediately: true,
  },
  { page: 'student', title: 'Student', parentPage: 'students', showsImmediately: true },
  { page: 'slippingAway', title: 'At risk', parentPage: 'dashboard' },
  { page: 'belts', title: 'Belts', parentPage: 'students' },
  { page: 'readyForTest', title: 'Ready', parentPage: 'students' },
  {
    page: 'gradings',
    title: () => schoolBeltTestName().capitalizedPlural,
    parentPage: 'students',
  },
  { page: 'grading', title: () => schoolBeltTestName().capitalized, parentPage: 'students' },
  { page: 'importStudents', title: 'Import students', parentPage: 'students' },
  {
    page: 'attendance',
    title: 'Attendance',
    audience: 'member',
    tab: { shortTitle: 'Attendance', icon: IconClipboardCheck, audience: ['guardian'] },
    parentPage: 'students',
    showsImmediately: true,
  },
  {
    page: 'classCenter',
    title: 'Class Center',
    tab: { shortTitle: 'Classes', icon: IconCalendarEvent },
    showsImmediately: true,
  },
  { page: 'schedule', title: 'Schedule', parentPage: 'classCenter' },
  {
    page: 'paymentCenter',
    title: 'Payment Center',
    tab: { shortTitle: 'Payments', icon: IconCreditCard },
    showsImmediately: true,
  },
  {
    page: 'paymentTracking',
    title: 'Payment Center',
    parentPage: 'paymentCenter',
    showsImmediately: true,
  },
  { page: 'cashCount', title: 'Cash Count', parentPage: 'paymentCenter' },
  { page: 'paymentFigures', title: 'Payment Reports', parentPage: 'paymentCenter' },
  {
    page: 'receipts',
    title: 'Receipts',
    audience: 'member',
    parentPage: 'paymentCenter',
  },
  {
    page: 'receipt',
    title: 'Receipt',
    audience: 'member',
    parentPage: 'paymentCenter',
  },
  { page: 'statement', title: 'Statement', parentPage: 'paymentCenter' },
  { page: 'owing', title: 'Past Due', parentPage: 'paymentCenter' },
  // Open to every role. The screen itself denies access to some (specification, section 2).
  {
    page: 'messageCenter',
    title: 'Message Center',
    audience: 'signed-in',
    tab: { shortTitle: 'Messages', icon: IconMessage2, audience: 'member' },
    showsImmediately: true,
  },
  {
    page: 'announcements',
    title: 'Message Center',
    audience: 'signed-in',
    parentPage: 'messageCenter',
    showsImmediately: true,
  },
  { page: 'conversations', title: 'Conversations', parentPage: 'messageCenter' },
  { page: 'smsSetup', title: 'SMS Setup', parentPage: 'messageCenter' },
  { page: 'automaticReminders', title: 'Automatic Reminders', parentPage: 'messageCenter' },
  { page: 'simulator', title: 'Simulator', parentPage: 'messageCenter' },
  {
    page: 'notificationSettings',
    title: 'Settings',
    audience: ['student', 'guardian'],
    tab: { shortTitle: 'Settings', icon: IconSettings },
  },
  {
    page: 'security',
    title: 'Login and devices',
    audience: 'signed-in',
    parentPage: 'notificationSettings',
  },
  { page: 'kiosks', title: 'Kiosk' },
  { page: 'auditLog', title: 'Audit Log' },
  {
    page: 'superAdmin',
    title: 'Super Admin',
    audience: 'super-admin',
    tab: { shortTitle: 'Super Admin', icon: IconShieldCheck },
    isWide: true,
  },
]

export const SCREENS = SCREEN_LIST.map(({ title, showsImmediately = false, ...entry }) => ({
  ...entry,
  audience: entry.audience ?? 'instructor',
  get title() {
    return typeof title === 'string' ? title : title()
  },
  path: PATHS[entry.page],
  screen: lazyComponentFrom(pageLoader(entry.page), <Skeletons label="" />, { showsImmediately }),
}))
export type Screen = (typeof SCREENS)[number]

/** A page outside the layouts. `forVisitors`: signed-in users are redirected away from it. */
type PageEntry = { page: PageName; forVisitors?: true }
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
export const PAGES = PAGE_LIST.map((entry) => ({
  ...entry,
  path: PATHS[entry.page],
  component: lazyComponentFrom(pageLoader(entry.page)),
}))

export const screenAt = (pathname: string) =>
  SCREENS.find(({ path }) => matchPath(path, pathname) !== null)
