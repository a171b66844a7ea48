import { sectionTwo } from './screens.ts'
import { sectionsFourAndFive } from './rules.ts'
import { sectionsSixToNine } from './calls-and-limits.ts'

/** By section, then by how a sentence begins: the tests that prove it, each as its file and how its title begins;
 *  or, where no test could, one line that says why. */
export type Proofs = Record<string, Record<string, string[] | string>>

const TITLE = 'Specification: martial-arts school (dojo) management web and mobile app'
const calls = (call: string) => ['server/test/calls/calls: answers 200 with the fields', ...(call ? [call] : [])]

const opening: Proofs = {
  [`# ${TITLE}`]: {
    'The product is a web': ['e2e/the-whole-way: from the landing page to a marked attendance'],
    'It covers student management': [
      'e2e/routes: an instructor comes to their own screens',
      'e2e/the-whole-way: from the landing page to a marked attendance',
    ],
    'This document covers': 'It is about the document.',
  },
  '1. What the product does and for whom': {
    'Instructors (sensei) manage': [
      'e2e/the-whole-way: from the landing page to a marked attendance',
      'e2e/routes: an instructor comes to their own screens',
    ],
    'The landing page lists': ['e2e/landing: the page says what Tatami does'],
    'Students have a limited view': [
      'e2e/dashboard: students see who they are and where they were',
      'e2e/routes: a student comes to their own screens',
      'server/test/access: lets in or refuses a %s as it says',
    ],
    'A super admin oversees': [
      'e2e/super-admin: an account is switched off and on again',
      'e2e/super-admin: a password is chosen or generated',
      'e2e/super-admin: the daily limit is kept within its bounds',
    ],
    'New sensei accounts': [
      'server/sensei/sensei: a sensei may sign in once activated',
      'e2e/the-whole-way: from the landing page to a marked attendance',
    ],
    'The whole API is on one': ['web/kernel/api: a call carries the token, its params'],
    'A desktop layout under': ['e2e/routes: an instructor comes to their own screens', 'e2e/shells: each shell leads to the other'],
    'Native apps show': ['e2e/shells: the browser and an installed app are told the colour'],
  },
}

const entities: Proofs = {
  '3. Entities and their fields': {
    '**User / profile**': calls('server/profile/profile: an instructor is shown themselves and their dojo'),
    'Student fields also': calls('server/profile/profile: a student is shown themselves'),
    'The session token': ['e2e/login: a visitor is sent to log in and returns'],
    '**Notification**': calls('server/notifications/notifications: a sent notification reaches the student'),
    '**Notification settings**': calls('server/notifications/notifications: all settings are on until one is switched off'),
    '**Sensei record': calls('server/sensei/sensei: the list has every sensei'),
    '**Sensei registration payload**': calls('server/sensei/registration: it opens a dojo with its first instructor'),
    '**Student creation payload**': calls('server/students/students: starts with a white belt, male'),
    '**Class**': calls('server/classes/classes: a class is added, listed, changed and deleted'),
    'Older records may carry': ['contract/classes: a class says when it is', 'contract/classes: the Class Center searches'],
    'Other fields seen': calls(''),
    '**Attendance record**': calls('server/attendance/attendance: marking answers the whole record'),
    '**Announcement**': calls('server/announcements/announcements: an announcement to a class is seen'),
    '**Dashboard stats**': calls('server/dashboard/dashboard: the stats count every student'),
    '**Birthday entry**': calls('server/dashboard/dashboard: birthdays are names and calendar dates'),
    '**Payment record**': calls('server/payments/payments: marking paid keeps the amount'),
    '**Payment statistics**': calls('server/payments/payments: marks and resets do what plain code would do'),
    '**Daily message usage**': calls('server/messages/allowance: 200 batches at once over two servers'),
    '**SMS status**': calls('server/messages/service: the simulator is always ready'),
    'QR response': calls('server/messages/service: the simulator is always ready'),
    '**Welcome-message setting**': calls('server/messages/sending: a new student is welcomed by a text'),
    '**System config**': calls('server/sensei/reset-password: the daily limit is 300 until'),
    '**Super admin stats**': calls('server/sensei/sensei: the stats count sensei, active and inactive'),
    '**Fee reminder payload**': calls('server/announcements/announcements: a fee reminder goes to those who have not paid'),
    '**Consent form submission**': calls('e2e/consent: from the landing page anybody agrees'),
  },
}

export const PROOFS: Proofs = { ...opening, ...sectionTwo, ...entities, ...sectionsFourAndFive, ...sectionsSixToNine }
