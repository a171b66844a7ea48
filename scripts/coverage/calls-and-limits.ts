import type { Proofs } from './proofs.ts'
import {
  announcements,
  api,
  attendance,
  classes,
  consent,
  dashboard,
  instructorSettings,
  login,
  messageCenter,
  notifications,
  payments,
  registration,
  routes,
  layouts,
  smsSetup,
  students,
  superAdmin,
} from './tests.ts'

const calls = [api.answers, 'server/test/calls/calls: the table of the specification has a case']
const strangers = 'server/test/access: refuses a stranger before it looks at the body'
const superAdmins =
  'server/sensei/sensei: refuses instructors and students with 403, and visitors with 401'
const instructor = [routes.instructor, layouts.navigation, api.roles]
const student = [routes.student, api.roles]
const creationFails = 'e2e/enrolment: says why a creation failed, in'
const withoutClasses = 'e2e/enrolment: sends a dojo without classes to'
const dailyLimit = [superAdmin.limits, superAdmin.limit]
const settings = 'e2e/notification-settings: reverts a switch that fails and'
const service = [
  'server/texting/service: %s has its type and its words',
  'server/texting/service: reports a failing provider as not accessible',
]
const sendAgainDisabled = 'e2e/messages-history: "Send again" is disabled when the limit is reached'
const sent = [
  announcements.special,
  announcements.weather,
  announcements.monthlyFee,
  announcements.lateFee,
]
const quietlyEmpty = [
  'e2e/dashboard: leaves what cannot be loaded empty',
  'e2e/student-center: leaves lists that cannot be loaded',
  'e2e/class-center: leaves a list that cannot be',
]
const cardDeletion = 'e2e/class-center: confirms and reports a deletion from'
const timeOut = 'web/lib/api: a call that is not answered in eight seconds'
const badge = [notifications.markedRead, notifications.badge]
const news = [
  notifications.news,
  'web/notifications/announce: ignores a fresh unread notification below the newest',
]
const tones = [
  'web/texting/usage: turns the text orange',
  'web/texting/usage: turns the bar orange',
]
const reminders = 'server/texting/reminders: years of reminders'
const leftOut =
  'server/texting/reminders: skips students who have paid, are on trial or on vacation, and catches up on the same day only'
const money = 'web/lib/money: '

export const sectionsSixToNine: Proofs = {
  '6. Roles and permissions': {
    'Super admin (is_super_admin)': [superAdmin.cards, superAdmins],
    'activate/deactivate': [superAdmin.switches, superAdmins],
    'reset sensei passwords': [
      superAdmin.resets,
      'server/sensei/reset-password: ends the sessions, writes an audit entry, and notifies in the app without a mail server',
      'server/accounts/password-reset: e-mails a sensei whose password the super admin reset',
    ],
    'edit global daily': [...dailyLimit, api.roles],
    'A 401 or 403 on dashboard': [
      'e2e/super-admin: redirects to the landing page when',
      'e2e/super-admin: logs out a user who is',
    ],
    'Instructor (is_instructor)': instructor,
    'enrol, edit, delete students': [students.enrolled, students.edited, students.deleted],
    attendance: [attendance.marked, api.roles],
    'Message Center': instructor,
    'SMS setup': [...instructor, smsSetup.found],
    'own profile edit': [instructorSettings.changed],
    'fee-reminder and other': [
      'e2e/app-notifications: sends a notification to a class',
      'e2e/app-notifications: sends a fee notification to those',
      'server/announcements/announcements: a fee reminder goes to those',
      announcements.toAClass,
    ],
    'They see the attendance': [
      'server/attendance/attendance: filters by class, day and student, newest day first, with pages',
      students.ofThisDojo,
      'server/classes/classes: adds, lists, changes and deletes a class',
    ],
    'Student: dashboard': [
      dashboard.student,
      'server/attendance/attendance: shows students only their own records, and refuses their marks',
      'e2e/notifications: does not load settings for an',
      'e2e/notifications: only vibrates when sound is off,',
    ],
    'Denied Message Center': student,
    'All app routes require': [routes.visitor, strangers],
    'Landing, login and consent': [routes.visitor],
    'Whether ordinary users': [
      'server/classes/classes: lets a student read classes but not change them',
      routes.student,
    ],
    'server checks not shown':
      'It says what the specification does not say; the product’s decisions do (product.md, section 4).',
  },
  '7. The calls it makes': {
    '| GET /classes ': [...calls, 'e2e/enrolment: offers three preferences and no class'],
    '| GET /notifications ': [...calls, notifications.atTen],
    '| GET /notifications/unread-count': [...calls, notifications.atTen],
    '| DELETE /classes/{id}': [...calls, classes.deleted, cardDeletion],
    '| POST /students/{id}/enroll': [
      ...calls,
      students.enrolled,
      'server/students/enrolments: ignores a request body',
    ],
    '| GET /attendance': [...calls, dashboard.student],
    '| GET /announcements': [...calls, dashboard.student],
    '| GET /payment-statistics': [...calls, payments.withoutRecords],
    '| GET /payment-records': [
      ...calls,
      payments.withoutRecords,
      'e2e/payment-rows: without records everyone is unpaid but unconfirmed',
    ],
    '| POST /attendance': [
      ...calls,
      'server/attendance/attendance: takes the class day from the UTC date of the request',
    ],
    '| POST /consent-form': [...calls, consent.carries],
    '| ': calls,
    'All paths under /api': [...calls, api.carriesToken],
    'Authenticated calls send': [
      api.carriesToken,
      'server/test/access: while the good one is good',
    ],
    'Request time-out': [timeOut, 'e2e/loading: ${screen} stops loading'],
    'Error bodies expose': [...calls, strangers],
    'Server behaviour behind':
      'It says what the specification does not say; the product’s decisions do.',
  },
  '8. Error catalogue': {
    'Login failure': ['e2e/login: shows the message of the server', login.fails],
    'Registration failure': [
      'e2e/join: a refusal is in the words of the server',
      'e2e/sensei-registration: refuses a taken email and keeps',
      'e2e/sensei-registration: without an answer it says Failed',
    ],
    'Student creation': [creationFails],
    'no response': [creationFails],
    otherwise: [creationFails],
    'Missing token': ['e2e/enrolment: asks to log in again without'],
    'Class list load in enrolment': ['e2e/enrolment: offers three preferences and no class'],
    'no classes': [withoutClasses],
    'Super admin load': ['e2e/super-admin: reports what cannot be loaded, retries'],
    Toggle: ['e2e/super-admin: reports a failed activation, and detects'],
    Reset: [superAdmin.resets],
    'Daily limit': [superAdmin.limits],
    'Profile update': ['e2e/instructor-settings: a refusal is in the words of the server'],
    'Settings save': [settings],
    'also ': [settings],
    'Notification send': ['e2e/app-notifications: shows a failure in the dialog'],
    'fee reminder': ['e2e/app-notifications: shows a failure in the dialog'],
    'Notification fetch failures': ['e2e/notifications: only vibrates when sound is off,'],
    'SMS errors typed as': ['e2e/sms-setup: shows the message of each failure', ...service],
    'Status failure in': [messageCenter.notReached],
    'QR failure sets': [messageCenter.notReached],
    'Daily usage failure': [messageCenter.meter],
    'Welcome setting load': [messageCenter.switches],
    'update failure reverts': [messageCenter.switches],
    'Automated reminder failure': [messageCenter.asksAgain, messageCenter.fiveSeconds],
    "success '{TYPE}": [messageCenter.previews, messageCenter.fiveSeconds],
    'Bulk message failure': [announcements.fails],
    "Success '{Type}": sent,
    'Student update': [students.editFails],
    'Delete: ': [students.deleted],
    'Attendance marking failure': ['e2e/unsaved-marks: keeps a failed mark, shown as'],
    'Payment status': [payments.fails],
    'Monthly reset failure': [payments.fails],
    "success alert 'Monthly": [payments.reset],
    'Dashboard, birthdays': quietlyEmpty,
    'loading ends': [...quietlyEmpty, 'e2e/loading: ${screen} stops loading'],
    'Class: card delete': [cardDeletion],
    'modal delete confirmation': [classes.deleted],
    'create failure detail': [classes.changed],
    'update failure detail': [classes.changed],
    'Class list load failure': ['e2e/class-center: leaves a list that cannot be'],
    'Consent failure': [consent.fails],
    'Errors show in a red box': [consent.fails, consent.agreed],
    'Specific status codes': [consent.fails],
    'Limit reached': [messageCenter.meter, announcements.doesNotFit, sendAgainDisabled],
  },
  '9. Business constants and limits': {
    'Request time-out': [timeOut, 'e2e/loading: ${screen} stops loading'],
    'notification and unread polling': [notifications.atTen],
    'SMS status poll': [messageCenter.polled],
    'SMS auto-initialise': [smsSetup.atTwo],
    'send-result banners': [announcements.fiveSeconds, messageCenter.fiveSeconds],
    'Daily SMS limit per': dailyLimit,
    'default 300': [
      'e2e/daily-limit: applies a lowered or raised limit',
      superAdmin.limitHolds,
      api.answers,
    ],
    'resets at midnight': [
      'server/texting/allowance: resets the allowance at midnight UTC, whatever the hour in the dojo',
    ],
    'a change applies to all': [
      'server/texting/allowance: applies a changed limit to every dojo on every server at once, lowered and raised',
      'server/texting/allowance: applies a limit lowered meanwhile from the moment it is answered',
      'e2e/daily-limit: applies a lowered or raised limit',
    ],
    'Password minimum': [
      registration.password,
      'contract/sensei: requires 8 characters of a reset password',
      instructorSettings.password,
      'server/students/student-rules: an enrolment with %j',
    ],
    'Phone: 3-digit': [
      'contract/sensei: has an area code of 3 digits',
      'contract/sensei: rejects any other area code or number',
    ],
    'Unread badge caps': badge,
    'Sound/vibration only': news,
    'Usage warnings': [messageCenter.meter, ...tones],
    'bar orange above': [messageCenter.meter, ...tones],
    'Dashboard lists': [dashboard.student],
    'announcement content truncated': [
      dashboard.student,
      'contract/announcements: up to 100 characters',
    ],
    'Attendance quick actions': [attendance.classesOfTheDay],
    'Automated reminders at': [
      reminders,
      'server/texting/reminders: sends a reminder on a month’s last day, its 1st and its 2nd, and on no other day',
    ],
    'only unpaid students': [leftOut],
    'trial students excluded': [leftOut],
    'templates read-only': [messageCenter.previews, 'server/texting/reminders: years of reminders'],
    'Belt levels': ['contract/students: offers the belts and genders of the specification'],
    Genders: ['contract/students: offers the belts and genders of the specification'],
    'Message types': [
      api.answers,
      'server/texting/reminders: counts a manual reminder as that month’s, and sends none by itself when they are off',
    ],
    'Student filters': [students.search, students.byStatus],
    'Payment filters': [
      'e2e/payment-center: filters the list by tiles, buttons',
      payments.yetToPay,
    ],
    'Class times': [classes.hours],
    'end hourly': [classes.hours],
    'seven weekdays': ['contract/classes: keeps each weekday once, in the order of the week'],
    'Monthly revenue': [`${money}revenue is rounded up`, payments.marked],
    'fees with 2': [`${money}fees have two decimals`],
    'Lazy script chunks': [
      'e2e/layouts: waits two minutes for a chunk',
      'e2e/landing: on the ${document} a dialog of the login gets two minutes',
      'e2e/landing: waits two minutes for the app',
    ],
    'Page size': 'It says what the specification does not say.',
  },
}
