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
  /** The page whose navigation entry is highlighted, if neither this screen nor its parent has
   *  one. */
  section?: PageName
  /** The screen's tab within the section. Screens can share a tab, which opens the first of
   *  them. */
  sectionTab?: string
  /** Where the back arrow leads. With several, the user may open only one of them. */
  parentPages?: readonly PageName[]
  /** No navigation entry is highlighted for this screen and those below it. */
  isOutsideSections?: true
  /** With one of these in the URL, a phone shows a part of the screen that has no section tabs. */
  detailParams?: readonly string[]
  isWide?: true
  /** The screen has its own skeletons, so it appears as soon as its code has loaded. */
  showsImmediately?: true
}

/** The section tabs are in this order. */
const SCREEN_LIST: ScreenEntry[] = [
  {
    page: 'dashboard',
    title: 'Dashboard',
    audience: 'member',
    tab: { shortTitle: 'Dashboard', icon: IconHome },
    sectionTab: 'Today',
    showsImmediately: true,
  },
  { page: 'numbers', title: 'Numbers', section: 'dashboard', sectionTab: 'Numbers' },
  { page: 'slippingAway', title: 'At risk', parentPages: ['dashboard'] },
  {
    page: 'students',
    title: 'Student Center',
    tab: { shortTitle: 'Students', icon: IconUsers },
    sectionTab: 'Students',
    showsImmediately: true,
  },
  { page: 'student', title: 'Student', parentPages: ['students'], showsImmediately: true },
  { page: 'importStudents', title: 'Import students', parentPages: ['students'] },
  { page: 'readyForTest', title: 'Ready', section: 'students', sectionTab: 'Belts' },
  {
    page: 'gradings',
    title: () => schoolBeltTestName().capitalizedPlural,
    section: 'students',
    sectionTab: 'Belts',
  },
  { page: 'grading', title: () => schoolBeltTestName().capitalized, parentPages: ['gradings'] },
  { page: 'families', title: 'Families', section: 'students', sectionTab: 'Families' },
  {
    page: 'attendance',
    title: 'Attendance',
    audience: 'member',
    tab: { shortTitle: 'Attendance', icon: IconClipboardCheck, audience: ['guardian'] },
    section: 'students',
    sectionTab: 'Attendance',
    showsImmediately: true,
  },
  { page: 'schedule', title: 'Schedule', section: 'classCenter', sectionTab: 'This week' },
  {
    page: 'classCenter',
    title: 'Class Center',
    tab: { shortTitle: 'Classes', icon: IconCalendarEvent },
    sectionTab: 'Classes',
    showsImmediately: true,
  },
  { page: 'holidays', title: 'Holidays', section: 'classCenter', sectionTab: 'Holidays' },
  { page: 'owing', title: 'Past Due', section: 'paymentCenter', sectionTab: 'Past due' },
  {
    page: 'paymentCenter',
    title: 'Payment Center',
    tab: { shortTitle: 'Payments', icon: IconCreditCard },
    sectionTab: 'This month',
    showsImmediately: true,
  },
  {
    page: 'paymentTracking',
    title: 'Payment Center',
    section: 'paymentCenter',
    sectionTab: 'This month',
    showsImmediately: true,
  },
  {
    page: 'paymentFigures',
    title: 'Payment Reports',
    section: 'paymentCenter',
    sectionTab: 'Money',
  },
  { page: 'cashCount', title: 'Cash Count', section: 'paymentCenter', sectionTab: 'Money' },
  {
    page: 'receipts',
    title: 'Receipts',
    audience: 'member',
    section: 'paymentCenter',
    sectionTab: 'Money',
  },
  { page: 'receipt', title: 'Receipt', audience: 'member', parentPages: ['receipts'] },
  { page: 'statement', title: 'Statement', parentPages: ['paymentCenter'] },
  {
    page: 'conversations',
    title: 'Inbox',
    section: 'messageCenter',
    sectionTab: 'Inbox',
    detailParams: ['phone', 'student'],
  },
  // Open to every role. The screen itself denies access to some (specification, section 2).
  {
    page: 'messageCenter',
    title: 'Message Center',
    audience: 'signed-in',
    tab: { shortTitle: 'Messages', icon: IconMessage2, audience: 'member' },
    sectionTab: 'Sent',
    showsImmediately: true,
  },
  {
    page: 'announcements',
    title: 'Message Center',
    audience: 'signed-in',
    section: 'messageCenter',
    sectionTab: 'Sent',
    showsImmediately: true,
  },
  {
    page: 'automaticReminders',
    title: 'Automatic Reminders',
    section: 'messageCenter',
    sectionTab: 'Automatic',
  },
  { page: 'smsSetup', title: 'SMS Setup', parentPages: ['messageCenter'] },
  { page: 'simulator', title: 'Simulator', parentPages: ['messageCenter'] },
  {
    page: 'notificationSettings',
    title: 'Settings',
    audience: ['student', 'guardian'],
    tab: { shortTitle: 'Settings', icon: IconSettings },
  },
  { page: 'school', title: 'School', parentPages: ['dashboard'], isOutsideSections: true },
  { page: 'belts', title: 'Belts', parentPages: ['school'] },
  { page: 'kiosks', title: 'Kiosk', parentPages: ['school'] },
  { page: 'auditLog', title: 'Audit Log', parentPages: ['school'] },
  {
    page: 'security',
    title: 'Login and devices',
    audience: 'signed-in',
    parentPages: ['school', 'notificationSettings', 'superAdmin'],
  },
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

/** Whether the navigation has an entry for the screen. */
export const hasEntry = ({ tab, audience }: Screen, role: Role): boolean =>
  tab !== undefined && admits(tab.audience ?? audience, role)

/** The parent page that a user with this role may open. It is the dashboard for a screen whose
 *  section is closed to them, such as a guardian's receipts. */
export function parentOf(screen: Screen, role: Role): Screen | undefined {
  const { parentPages = [], section } = screen
  if (hasEntry(screen, role)) return undefined
  const isOpen = ({ audience }: Screen) => admits(audience, role)
  const isSectionOpen =
    section === undefined ||
    SCREENS.some((candidate) => candidate.page === section && isOpen(candidate))
  const pages = isSectionOpen ? parentPages : ['dashboard']
  return SCREENS.find((candidate) => pages.includes(candidate.page) && isOpen(candidate))
}

/** The page whose navigation entry is highlighted. */
export function sectionOf(screen: Screen, role: Role): PageName | undefined {
  if (hasEntry(screen, role)) return screen.page
  if (screen.isOutsideSections) return undefined
  const parent = parentOf(screen, role)
  return parent ? sectionOf(parent, role) : screen.section
}

/** The tabs of a section: the screens that they open. A screen of another section, which is closed
 *  to this role, is not among them. */
export function sectionTabsFor(section: PageName, role: Role): Screen[] {
  const screens = SCREENS.filter(
    (screen) =>
      screen.sectionTab &&
      admits(screen.audience, role) &&
      (screen.section ?? screen.page) === section,
  )
  const isFirstOfTab = ({ sectionTab }: Screen, index: number) =>
    screens.findIndex((screen) => screen.sectionTab === sectionTab) === index
  return screens.filter(isFirstOfTab)
}
