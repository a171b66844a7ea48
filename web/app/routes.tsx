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
import type { SignedInUser } from '@tatami/contract/accounts/users'
import { missingRight, type NeededRight } from '@tatami/contract/needed-rights'
import type { Right } from '@tatami/contract/rights'
import { matchPath } from 'react-router'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { roleOf } from '../lib/current-user.ts'
import { PATHS, type PageName } from '../lib/paths.ts'
import { createPageLoader } from './pages.ts'
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
  /** What instructors need to open the screen. Nothing by default. */
  right?: NeededRight
  /** The screen's entry in the main navigation. `audience` limits who sees it. */
  navEntry?: { shortTitle: string; icon: Icon; audience?: Audience }
  /** The page whose navigation entry is highlighted, if neither this screen nor its parent has
   *  one. */
  section?: PageName
  /** The screen's tab within the section. Screens can share a tab, which opens the first of
   *  them. */
  sectionTab?: string
  /** Where the back arrow leads. If there are several, each user may open only one of them. */
  parentPages?: readonly PageName[]
  /** No navigation entry is highlighted for this screen and its child screens. */
  isOutsideSections?: true
  /** If the URL has one of these parameters, a phone shows one part of the screen, without section
   *  tabs. */
  detailParams?: readonly string[]
  isWide?: true
  /** The screen has its own skeletons, so it appears as soon as its code has loaded. */
  showsImmediately?: true
}

/** The section tabs follow this order. */
const SCREEN_LIST: ScreenEntry[] = [
  {
    page: 'dashboard',
    title: 'Dashboard',
    audience: 'member',
    navEntry: { shortTitle: 'Dashboard', icon: IconHome },
    sectionTab: 'Today',
    showsImmediately: true,
  },
  {
    page: 'numbers',
    right: 'students.read',
    title: 'Numbers',
    section: 'dashboard',
    sectionTab: 'Numbers',
  },
  { page: 'trials', right: 'roll', title: 'Trials', parentPages: ['dashboard'] },
  { page: 'slippingAway', right: 'students.read', title: 'At risk', parentPages: ['dashboard'] },
  {
    page: 'students',
    right: 'students.read',
    title: 'Student Center',
    navEntry: { shortTitle: 'Students', icon: IconUsers },
    sectionTab: 'Students',
    showsImmediately: true,
  },
  {
    page: 'student',
    right: 'students.read',
    title: 'Student',
    parentPages: ['students'],
    showsImmediately: true,
  },
  {
    page: 'importStudents',
    right: ['students.edit', 'students.contact', 'money.see'],
    title: 'Import students',
    parentPages: ['students'],
  },
  {
    page: 'readyForTest',
    right: 'belts.grade',
    title: 'Ready',
    section: 'students',
    sectionTab: 'Belts',
  },
  {
    page: 'gradings',
    right: 'belts.grade',
    title: () => schoolBeltTestName().capitalizedPlural,
    section: 'students',
    sectionTab: 'Belts',
  },
  {
    page: 'grading',
    right: 'belts.grade',
    title: () => schoolBeltTestName().capitalized,
    parentPages: ['gradings'],
  },
  {
    page: 'families',
    right: 'students.contact',
    title: 'Families',
    section: 'students',
    sectionTab: 'Families',
  },
  { page: 'followups', right: 'students.read', title: 'First 90 days', parentPages: ['school'] },
  { page: 'leads', right: 'roll', title: 'Leads', parentPages: ['school'] },
  {
    page: 'attendance',
    right: 'roll',
    title: 'Attendance',
    audience: 'member',
    navEntry: { shortTitle: 'Attendance', icon: IconClipboardCheck, audience: ['guardian'] },
    section: 'students',
    sectionTab: 'Attendance',
    showsImmediately: true,
  },
  { page: 'schedule', title: 'Schedule', section: 'classCenter', sectionTab: 'This week' },
  {
    page: 'classCenter',
    right: 'schedule',
    title: 'Class Center',
    navEntry: { shortTitle: 'Classes', icon: IconCalendarEvent },
    sectionTab: 'Classes',
    showsImmediately: true,
  },
  {
    page: 'holidays',
    right: 'schedule',
    title: 'Holidays',
    section: 'classCenter',
    sectionTab: 'Holidays',
  },
  {
    page: 'owing',
    right: 'money.see',
    title: 'Past Due',
    section: 'paymentCenter',
    sectionTab: 'Past due',
  },
  {
    page: 'paymentCenter',
    right: 'money.take',
    title: 'Payment Center',
    navEntry: { shortTitle: 'Payments', icon: IconCreditCard },
    sectionTab: 'This month',
    showsImmediately: true,
  },
  {
    page: 'paymentTracking',
    right: 'money.take',
    title: 'Payment Center',
    section: 'paymentCenter',
    sectionTab: 'This month',
    showsImmediately: true,
  },
  {
    page: 'paymentFigures',
    right: 'money.see',
    title: 'Payment Reports',
    section: 'paymentCenter',
    sectionTab: 'Money',
  },
  {
    page: 'cashCount',
    right: 'money.see',
    title: 'Cash Count',
    section: 'paymentCenter',
    sectionTab: 'Money',
  },
  {
    page: 'onlinePayments',
    right: 'money.see',
    title: 'Online payments',
    section: 'paymentCenter',
    sectionTab: 'Money',
  },
  {
    page: 'receipts',
    right: 'money.take',
    title: 'Receipts',
    audience: 'member',
    section: 'paymentCenter',
    sectionTab: 'Money',
  },
  {
    page: 'receipt',
    right: 'money.take',
    title: 'Receipt',
    audience: 'member',
    parentPages: ['receipts'],
  },
  { page: 'statement', right: 'money.see', title: 'Statement', parentPages: ['paymentCenter'] },
  {
    page: 'conversations',
    right: 'texts.read',
    title: 'Inbox',
    section: 'messageCenter',
    sectionTab: 'Inbox',
    detailParams: ['phone', 'student'],
  },
  // Open to every role. The screen itself denies access to some (specification, section 2).
  {
    page: 'messageCenter',
    right: 'texts.read',
    title: 'Message Center',
    audience: 'signed-in',
    navEntry: { shortTitle: 'Messages', icon: IconMessage2, audience: 'member' },
    sectionTab: 'Sent',
    showsImmediately: true,
  },
  {
    page: 'announcements',
    right: 'texts.read',
    title: 'Message Center',
    audience: 'signed-in',
    section: 'messageCenter',
    sectionTab: 'Sent',
    showsImmediately: true,
  },
  {
    page: 'automaticReminders',
    right: 'texts.send',
    title: 'Automatic Reminders',
    section: 'messageCenter',
    sectionTab: 'Automatic',
  },
  { page: 'smsSetup', right: 'settings', title: 'SMS Setup', parentPages: ['messageCenter'] },
  { page: 'simulator', right: 'texts.send', title: 'Simulator', parentPages: ['messageCenter'] },
  {
    page: 'notificationSettings',
    title: 'Settings',
    audience: ['student', 'guardian'],
    navEntry: { shortTitle: 'Settings', icon: IconSettings },
  },
  { page: 'school', title: 'School', parentPages: ['dashboard'], isOutsideSections: true },
  {
    page: 'plans',
    right: ['money.see', 'settings'],
    title: 'Plans',
    parentPages: ['school'],
  },
  { page: 'belts', right: 'settings', title: 'Belts', parentPages: ['school'] },
  { page: 'onlinePayment', right: 'settings', title: 'Online payment', parentPages: ['school'] },
  { page: 'documents', right: 'students.read', title: 'Documents', parentPages: ['school'] },
  { page: 'document', right: 'students.read', title: 'Document', parentPages: ['documents'] },
  {
    page: 'ownDocuments',
    title: 'Documents',
    audience: 'member',
    parentPages: ['dashboard'],
  },
  { page: 'publicPage', right: 'settings', title: 'Public page', parentPages: ['school'] },
  { page: 'kiosks', right: 'kiosk', title: 'Kiosk', parentPages: ['school'] },
  { page: 'staff', title: 'Staff', right: 'staff', parentPages: ['school'] },
  { page: 'hours', title: 'Hours', parentPages: ['school'] },
  { page: 'pay', title: 'Pay', right: 'staff', parentPages: ['school'] },
  {
    page: 'myCertificates',
    title: 'My certificates',
    parentPages: ['school'],
  },
  { page: 'auditLog', right: 'staff', title: 'Audit Log', parentPages: ['school'] },
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
    navEntry: { shortTitle: 'Super Admin', icon: IconShieldCheck },
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
  component: lazyComponentFrom(createPageLoader(entry.page), <Skeletons label="" />, {
    showsImmediately,
  }),
}))
export type Screen = (typeof SCREENS)[number]

/** A page without the app's navigation. With `forVisitors`, signed-in users are redirected. */
type PageEntry = { page: PageName; forVisitors?: true }
const PAGE_LIST: PageEntry[] = [
  { page: 'join', forVisitors: true },
  { page: 'acceptInvitation', forVisitors: true },
  { page: 'joinStaff' },
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
  component: lazyComponentFrom(createPageLoader(entry.page)),
}))

export const findScreen = (pathname: string) =>
  SCREENS.find(({ path }) => matchPath(path, pathname) !== null)

/** Finds the right that the user lacks for a screen. */
export const findMissingRight = (
  { right = 'any' }: Screen,
  user: SignedInUser,
): Right | undefined => (user.staff ? missingRight(right, new Set(user.staff.rights)) : undefined)

export const canOpen = (screen: Screen, user: SignedInUser): boolean =>
  admits(screen.audience, roleOf(user)) && findMissingRight(screen, user) === undefined

/** Finds the screen that a navigation entry opens: the first in its section that the user may
 *  open. */
export function findEntryScreen(screen: Screen, user: SignedInUser): Screen | undefined {
  if (!hasNavEntry(screen, user)) return undefined
  return canOpen(screen, user) ? screen : listSectionTabs(screen.page, user)[0]
}

/** True if the navigation has an entry for the section that begins with this screen. */
function hasNavEntry(screen: Screen, user: SignedInUser): boolean {
  const { navEntry, audience, page } = screen
  if (navEntry === undefined || !admits(navEntry.audience ?? audience, roleOf(user))) return false
  return canOpen(screen, user) || listSectionTabs(page, user).length > 0
}

/** Finds the screen that the back arrow opens. If the user may open neither a parent page nor the
 *  section of the screen, it is the dashboard, for example for a guardian's receipts. */
export function findParent(screen: Screen, user: SignedInUser): Screen | undefined {
  const { parentPages = [], section } = screen
  if (hasNavEntry(screen, user)) return undefined
  const canOpenSection =
    section === undefined ||
    SCREENS.some((candidate) => candidate.page === section && canOpen(candidate, user))
  const parent = SCREENS.find(
    (candidate) =>
      canOpenSection && parentPages.includes(candidate.page) && canOpen(candidate, user),
  )
  const needsParent = parentPages.length > 0 || !canOpenSection
  if (parent || !needsParent || isInSectionTabs(screen, user)) return parent
  return SCREENS.find(({ page }) => page === 'dashboard')
}

const isInSectionTabs = ({ section, sectionTab }: Screen, user: SignedInUser): boolean =>
  section !== undefined &&
  sectionTab !== undefined &&
  listSectionTabs(section, user).some((screen) => screen.sectionTab === sectionTab) &&
  SCREENS.some((screen) => screen.page === section && hasNavEntry(screen, user))

/** Finds the page whose navigation entry is highlighted. */
export function findSection(screen: Screen, user: SignedInUser): PageName | undefined {
  if (hasNavEntry(screen, user)) return screen.page
  if (screen.isOutsideSections) return undefined
  const parent = findParent(screen, user)
  return parent ? findSection(parent, user) : screen.section
}

/** Lists the screens that the tabs of a section open for this user. */
export function listSectionTabs(section: PageName, user: SignedInUser): Screen[] {
  const screens = SCREENS.filter(
    (screen) =>
      screen.sectionTab && canOpen(screen, user) && (screen.section ?? screen.page) === section,
  )
  const isFirstOfTab = ({ sectionTab }: Screen, index: number) =>
    screens.findIndex((screen) => screen.sectionTab === sectionTab) === index
  return screens.filter(isFirstOfTab)
}
