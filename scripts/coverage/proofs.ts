import { sectionTwo } from './screens.ts'
import { sectionsFourAndFive } from './rules.ts'
import { sectionsSixToNine } from './calls-and-limits.ts'
import {
  announcements,
  api,
  classes,
  consent,
  dashboard,
  landing,
  login,
  payments,
  registration,
  routes,
  layouts,
  superAdmin,
} from './tests.ts'

/** By section, then by how a sentence begins: the tests that prove it, each as its file and how its title begins;
 *  or, where no test could, one line that says why. */
export type Proofs = Record<string, Record<string, string[] | string>>

const TITLE = 'Specification: martial-arts school (dojo) management web and mobile app'
const calls = (call: string) => [api.answers, ...(call ? [call] : [])]
const entity = (test: string) => [
  ...calls(test),
  'server/test/entities: %s has every field of the specification',
]

const opening: Proofs = {
  [`# ${TITLE}`]: {
    'The product is a web': ['e2e/full-journey: from the landing page to a marked attendance'],
    'It covers student management': [
      routes.instructor,
      'e2e/full-journey: from the landing page to a marked attendance',
    ],
    'This document covers': 'It is about the document.',
  },
  '1. What the product does and for whom': {
    'Instructors (sensei) manage': [
      'e2e/full-journey: from the landing page to a marked attendance',
      routes.instructor,
    ],
    'The landing page lists': [landing.says],
    'Students have a limited view': [dashboard.student, routes.student, api.roles],
    'A super admin oversees': [superAdmin.switches, superAdmin.resets, superAdmin.limits],
    'New sensei accounts': [
      registration.activated,
      'e2e/full-journey: from the landing page to a marked attendance',
    ],
    'The whole API is on one': [api.carriesToken],
    'A desktop layout under': [routes.instructor, layouts.eachLeadsToTheOther],
    'Native apps show': [
      'e2e/native: in the native app no floating button',
      'web/lib/native-apps: the apps are set up with a violet status bar',
      'web/lib/native-apps: Android draws its status bar',
      'web/lib/native-apps: iOS shows violet behind its status bar',
    ],
  },
}

const entities: Proofs = {
  '3. Entities and their fields': {
    '**User / profile**': entity(
      'server/profile/profile: returns an instructor with the dojo, and null in the fields of students',
    ),
    'Student fields also': entity(
      'server/profile/profile: returns a student as the instructor sees them',
    ),
    'The session token': [login.returns],
    '**Notification**': entity(
      'server/notifications/notifications: a sent notification reaches the student',
    ),
    '**Notification settings**': entity(
      'server/notifications/notifications: has every setting on by default',
    ),
    '**Sensei record': entity(
      'server/sensei/sensei: lists every sensei, newest first, with the students of their dojo',
    ),
    '**Sensei registration payload**': calls(
      'server/sensei/registration: creates a dojo with its first instructor',
    ),
    '**Student creation payload**': calls(
      'server/students/students: defaults to a white belt, male, not on trial',
    ),
    '**Class**': entity('server/classes/classes: adds, lists, changes and deletes a class'),
    'Older records may carry': [classes.when, classes.search],
    'Other fields seen': entity(''),
    '**Attendance record**': entity(
      'server/attendance/attendance: returns the whole record with names when marking',
    ),
    '**Announcement**': entity(announcements.toAClass),
    '**Dashboard stats**': entity(
      'server/dashboard/dashboard: counts every student, and regular ones whether or not on vacation',
    ),
    '**Birthday entry**': entity(
      'server/dashboard/dashboard: lists birthdays as names and calendar dates',
    ),
    '**Payment record**': entity(
      'server/payments/payments: stores the amount at the time of marking, and ignores a repeated mark',
    ),
    '**Payment statistics**': entity(payments.likePlainCode),
    '**Daily message usage**': entity(
      'server/texting/allowance: never exceeds the daily allowance with 200 concurrent batches on two servers, and derives usage from the ledger',
    ),
    '**SMS status**': entity(
      'server/texting/service: reports the simulator as ready, under its own name',
    ),
    'QR response': entity(
      'server/texting/service: reports the simulator as ready, under its own name',
    ),
    '**Welcome-message setting**': entity(
      'server/texting/sending: texts a welcome to a new student where it is switched on, from the allowance',
    ),
    '**System config**': entity(superAdmin.limitHolds),
    '**Super admin stats**': entity('server/sensei/sensei: counts active and inactive sensei'),
    '**Fee reminder payload**': calls(
      'server/announcements/announcements: a fee reminder goes to those who have not paid',
    ),
    '**Consent form submission**': [...calls(consent.agreed), consent.carries],
  },
}

export const PROOFS: Proofs = {
  ...opening,
  ...sectionTwo,
  ...entities,
  ...sectionsFourAndFive,
  ...sectionsSixToNine,
}
