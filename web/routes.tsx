import {
  IconCalendarEvent,
  IconCreditCard,
  IconHome,
  IconMessage2,
  IconSettings,
  IconShieldCheck,
  IconUsers,
  type Icon,
} from '@tabler/icons-react'
import type { Access } from '@tatami/contract/endpoint'
import type { ComponentType } from 'react'
import { lazyPart } from './ui/lazy-part.tsx'
import { Skeletons } from './ui/skeletons.tsx'

export type Screen = {
  path: `/${string}`
  title: string
  who: Exclude<Access, 'public'>
  screen: ComponentType & { preload: () => void }
  /** Its entry in the navigation, with the short word for a phone's tab, and whose it is where not everyone's who may open it. */
  tab?: { word: string; icon: Icon; who?: Exclude<Access, 'public'> }
  /** The path whose entry is highlighted, where a screen has none of its own. */
  under?: `/${string}`
}

const screen = (load: () => Promise<ComponentType>) => lazyPart(load, <Skeletons label="" />)

const paymentCenter = screen(() => import('./payment-center.tsx').then((part) => part.PaymentCenter))
const messageCenter = screen(() => import('./message-center.tsx').then((part) => part.MessageCenter))

/** Every screen behind the sign-in, in the order of the navigation. Each stands at its path and, on a desktop, at /desktop and its path. */
export const SCREENS: Screen[] = [
  {
    path: '/dashboard',
    title: 'Dashboard',
    who: 'member',
    tab: { word: 'Dashboard', icon: IconHome },
    screen: screen(() => import('./dashboard/dashboard.tsx').then((part) => part.Dashboard)),
  },
  {
    path: '/students',
    title: 'Student Center',
    who: 'instructor',
    tab: { word: 'Students', icon: IconUsers },
    screen: screen(() => import('./student-center.tsx').then((part) => part.StudentCenter)),
  },
  {
    path: '/attendance',
    title: 'Attendance',
    who: 'member',
    under: '/students',
    screen: screen(() => import('./attendance/attendance-view.tsx').then((part) => part.AttendanceView)),
  },
  {
    path: '/class-center',
    title: 'Class Center',
    who: 'instructor',
    tab: { word: 'Classes', icon: IconCalendarEvent },
    screen: screen(() => import('./classes/class-center.tsx').then((part) => part.ClassCenter)),
  },
  {
    path: '/payment-center',
    title: 'Payment Center',
    who: 'instructor',
    tab: { word: 'Payments', icon: IconCreditCard },
    screen: paymentCenter,
  },
  { path: '/payment-tracking', title: 'Payment Center', who: 'instructor', under: '/payment-center', screen: paymentCenter },
  // Open to everyone, because it says itself who may not use it (specification, section 2).
  {
    path: '/message-center',
    title: 'Message Center',
    who: 'signed-in',
    tab: { word: 'Messages', icon: IconMessage2, who: 'member' },
    screen: messageCenter,
  },
  { path: '/announcements', title: 'Message Center', who: 'signed-in', under: '/message-center', screen: messageCenter },
  {
    path: '/sms-setup',
    title: 'SMS Setup',
    who: 'instructor',
    under: '/message-center',
    screen: screen(() => import('./messages/sms-setup.tsx').then((part) => part.SmsSetup)),
  },
  {
    path: '/simulator',
    title: 'Simulator',
    who: 'instructor',
    under: '/message-center',
    screen: screen(() => import('./messages/simulator-page.tsx').then((part) => part.SimulatorPage)),
  },
  {
    path: '/notification-settings',
    title: 'Settings',
    who: 'student',
    tab: { word: 'Settings', icon: IconSettings },
    screen: screen(() => import('./student-settings.tsx').then((part) => part.StudentSettings)),
  },
  {
    path: '/super-admin',
    title: 'Super Admin',
    who: 'super-admin',
    tab: { word: 'Super Admin', icon: IconShieldCheck },
    screen: screen(() => import('./super-admin.tsx').then((part) => part.SuperAdmin)),
  },
]

export type Page = {
  path: `/${string}`
  page: ComponentType
  /** Who is signed in has no business there, and goes on. */
  forVisitors?: true
}

/** Every page that needs no sign-in. They stand in neither layout, and say their own title. */
export const PAGES: Page[] = [
  { path: '/login', forVisitors: true, page: lazyPart(() => import('./profile/login-page.tsx').then((part) => part.LoginPage)) },
  { path: '/join/:code', forVisitors: true, page: lazyPart(() => import('./profile/join-page.tsx').then((part) => part.JoinPage)) },
  { path: '/consent-form', page: lazyPart(() => import('./consent/consent-page.tsx').then((part) => part.ConsentPage)) },
  { path: '/reset-password', page: lazyPart(() => import('./profile/reset-password-page.tsx').then((part) => part.ResetPasswordPage)) },
]

export const screenAt = (page: string) => SCREENS.find(({ path }) => path === page)
