import type { Proofs } from './proofs.ts'
import {
  announcements,
  attendance,
  classes,
  consent,
  dashboard,
  instructorSettings,
  landing,
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

const opensLogin = 'e2e/landing: ${button} opens the login dialog'
const emptyDashboard = 'e2e/dashboard: shows a new dojo its empty'
const calendar = 'e2e/dashboard: counts and names birthdays in the'
const highlighted = 'e2e/dashboard: distinguishes today and days with birthdays'
const tabs = 'e2e/message-center: both addresses show the same screen, with two tabs'
const reasons = 'e2e/announcements: shows recipients, skipped students with reasons,'
const underClasses = 'e2e/student-center: groups students by class with their'
const emptyStudents = 'e2e/student-center: tells an empty dojo what to'
const history = 'e2e/attendance: filters records by class and day,'
const months = 'e2e/payment-center: shows the payments of the chosen'
const filters = 'e2e/payment-center: filters the list by tiles, buttons'
const classSearch = 'e2e/class-center: searches name, description and days'
const roles = [
  routes.student,
  routes.instructor,
  'e2e/routes: redirects a super admin to their',
  routes.visitor,
]

export const sectionTwo: Proofs = {
  '2. Screens and routes': {
    '| / ': [...roles, 'e2e/landing: a sensei who is signed in goes on'],
    '| /login ': [...roles, login.returns, 'e2e/login: sends a super admin to their', login.fails],
    '| /students ': [...roles, students.search],
    '| /attendance ': [...roles, layouts.navigation],
    '| /payment-center ': [...roles, filters],
    '| /desktop/* ': [
      ...roles,
      layouts.eachLeadsToTheOther,
      'e2e/native: in the native app no floating button',
    ],
    '| ': roles,
    'An unauthenticated visitor': [routes.visitor, login.returns],
    'While auth state loads': [layouts.whileAsked],
    'A footer on all pages': [
      'e2e/footer: shows the footer on every page',
      'e2e/footer: shows the footer on every page',
      'e2e/footer: shows the footer on every page',
      'e2e/footer: shows the footer on every page',
    ],

    'Header with Consent Form link': [consent.agreed, opensLogin],
    hero: [landing.says],
    'call to action': [landing.says, opensLogin],
    'six feature cards': [landing.says],
    'Login and Get Started open': [
      opensLogin,
      'e2e/landing: New Instructor Setup opens the registration',
      'e2e/landing: Forgot Password only alerts',
    ],
    'Collects the registration fields': [registration.waits, registration.required],
    'success shows a confirmation panel': [registration.waits],

    'Dashboard for all': [layouts.navigation],
    'Student Center, Class Center, Payment Center for': [layouts.navigation],
    'Message Center for all': [layouts.navigation],
    'notification bell': ['e2e/notifications: shows an empty panel at first'],
    'Settings for students only': [
      layouts.navigation,
      'e2e/notification-settings: offers instructors no notification settings',
    ],
    'user name with': [
      instructorSettings.changed,
      'e2e/instructor-settings: offers a student no instructor settings',
    ],
    'Logout clears the session': ['e2e/layouts: Logout clears the session'],
    'Unread badge shows': [notifications.markedRead, notifications.badge],
    'A panel lists notifications': [notifications.markedRead],
    'clicking one marks it read': [notifications.markedRead],
    'A notification settings card': [
      'e2e/notification-settings: saves sound, vibration and push at',
    ],

    'Three clickable stat cards': [
      superAdmin.cards,
      'e2e/sensei-table: shows a table without broken words',
      'e2e/sensei-table: sorts each column by press and',
    ],
    'refresh button': ['e2e/super-admin: reports what cannot be loaded, retries'],
    'status-update dialog': [superAdmin.switches],
    'password-reset dialog': [superAdmin.resets],
    'system configuration panel': [superAdmin.limits],
    'Dojo name shows': [
      'web/sensei/sensei-search: shows a dojo named %j',
      'web/sensei/sensei-search: shows a named dojo with custom branding',
      'e2e/super-admin: shows a dojo without a name',
      'e2e/super-admin: shows the details of a sensei',
    ],
    'Shows status': [smsSetup.onlyThen, smsSetup.found],
    'see section 4': 'A reference; what it refers to stands below.',
    'Edit email, dojo name': [instructorSettings.changed, instructorSettings.passwordChecked],
    'Name is read-only': [instructorSettings.changed],

    Greeting: [emptyDashboard, dashboard.student],
    Subtitle: [
      emptyDashboard,
      dashboard.student,
      'e2e/dashboard: shows the instructor’s dashboard to a',
    ],
    'Loading text': [emptyDashboard],
    'Instructor view: Quick Actions': ['e2e/dashboard: links the quick actions and the'],
    'Four clickable stat tiles': ['e2e/dashboard: links the quick actions and the'],
    'Birthday calendar': [
      calendar,
      'contract/dashboard: lays out a month in weeks from Sunday to Saturday',
    ],
    'A day with birthdays': [highlighted, calendar],
    'today is highlighted': [highlighted, calendar],
    'Clicking a day with birthdays': [calendar],
    'clicking any other day': [calendar, emptyDashboard],
    'Birthdays match on month': [
      'contract/dashboard: matches birthdays on month and day in any year',
      calendar,
    ],
    "Empty text 'No student birthdays": [emptyDashboard],
    'Student view: header': [dashboard.student],
    "'My Attendance History'": [dashboard.student],
    "'Recent Announcements'": [
      dashboard.student,
      'e2e/dashboard: opens the whole text of a',
      'contract/announcements: up to 100 characters are shown whole',
    ],

    'Others see': [
      routes.student,
      'e2e/message-center: denies everyone but instructors, and shows',
    ],
    'Two tabs': [tabs],
    'SMS Messages: welcome-message toggle': [messageCenter.switches],
    'daily usage meter': [messageCenter.meter],
    'Automated Reminders section': [messageCenter.previews],
    'Custom Announcements with buttons': [announcements.special],
    'Dialogs: Special Message': [
      announcements.special,
      announcements.weather,
      announcements.lateFee,
      announcements.monthlyFee,
      messageCenter.previews,
    ],
    'Late-fee dialog has month': [announcements.lateFee, payments.lateFee],
    'SMS Setup tab': [tabs],
    'shows service as active': [tabs],
    'Vacation students receive no messages': [
      reasons,
      'server/texting/preview: lists each student with their text, or the one reason for getting none',
    ],
    'Messages may include the placeholder': [
      announcements.special,
      'server/texting/sending: sends a bulk message to every eligible student by first name, and shows its delivery',
    ],
    'the preview substitutes': [announcements.special, payments.lateFee],

    'Header buttons: Attendance': [
      'e2e/student-center: switches between students and the attendance',
      students.enrolled,
    ],
    "'Students by Class' summary": [underClasses],
    'If no classes': [emptyStudents],
    "Search box 'Search students...'": [
      students.search,
      'contract/students: by any part of name or e-mail',
    ],
    'Status filter': [students.search, students.byStatus],
    'Instructors are always excluded': [students.ofThisDojo],
    'Student cards grouped by class': [
      underClasses,
      'web/students/class-groups: groups students under each of their classes',
    ],
    'students without a class': [underClasses],
    'Card: name, email': [underClasses],
    "Empty text 'No students found'": [students.search, emptyStudents],
    "Loading 'Loading students...'": [underClasses],
    'An edit icon opens': [students.edited],
    'Edit Student dialog': [students.edited, students.editFails, students.deleted],
    'Delete asks for confirmation': [students.deleted],
    'Success popup': [students.edited],
    'Fields in section 3': [students.enrolled],
    'Lists available classes': [students.enrolled],

    'Instructors: Mark Attendance button': [attendance.marked],
    'Quick Actions for up to': [attendance.classesOfTheDay, attendance.marked],
    'table with columns': [attendance.marked],
    'class filter, date filter': [history],
    'Students: notice': ['e2e/attendance: shows a student only their own'],
    'Mark Attendance dialog': [
      attendance.marked,
      'e2e/attendance: picks, sends and shows the same',
    ],
    'Empty texts': ['e2e/attendance: tells a new dojo what is', attendance.marked],

    'Month buttons January': [months],
    'year previous/next': [months],
    'Statistics banner': [
      payments.marked,
      'web/lib/money: revenue is rounded up',
      'web/lib/money: fees have two decimals',
    ],
    'The first three stat tiles': [filters],
    'Filter buttons': [filters],
    'Per-student Mark Paid': [payments.marked],
    'Monthly Payment Reset button': [payments.reset],
    'Toggle between list view': ['e2e/payment-center: groups the list by class, with'],
    'Late-fee reminder dialog': [payments.lateFee],

    "Title 'Class Center'": [classes.first],
    'Add New Class button': [classes.first],
    'Class Management panel': [classes.first],
    'search box (placeholder': [classSearch, classes.search],
    'Grid of cards': [
      classes.first,
      'e2e/class-center: shows one, two or three cards',
      classes.when,
    ],
    'Each card has edit': [
      classes.changed,
      'e2e/class-center: confirms and reports a deletion from',
    ],
    'Empty states': [classSearch, classes.first],
    "Loading 'Loading classes...'": [classes.first],
    'Add New Class modal': [classes.first, classes.changed, classes.deleted],

    'Back-to-home link': [consent.agreed, 'e2e/consent: Cancel and the link lead home;'],
    "On success: 'Consent Submitted": [consent.agreed],
    'Wording says replying': [consent.agreed],
    'message and data rates': [consent.agreed],
  },
}
