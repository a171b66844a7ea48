import type { Proofs } from './proofs.ts'

const landing = 'e2e/landing: the page says what Tatami does'
const opensLogin = 'e2e/landing: ${button} opens the login dialog'
const received = 'e2e/sensei-registration: a sensei registers and waits'
const navigation = 'e2e/shells: the navigation has what each may go to'
const emptyDashboard = 'e2e/dashboard: a new dojo sees its dashboard, empty'
const calendar = 'e2e/dashboard: the calendar counts birthdays and names them'
const student = 'e2e/dashboard: students see who they are and where they were'
const tabs = 'e2e/message-center: both addresses show the same screen, with two tabs'
const previews = 'e2e/message-center: three reminders are read as Alex'
const special = 'e2e/announcements: a special message needs words and a class'
const weather = 'e2e/announcements: a weather cancellation goes to all students'
const lateFee = 'e2e/announcements: a late fee reminder is for the month and year chosen'
const reasons = 'e2e/announcements: who gets it and who does not, and why'
const underClasses = 'e2e/student-center: students stand under their classes'
const search = 'e2e/student-center: the search looks at name and e-mail'
const emptyStudents = 'e2e/student-center: an empty dojo says what to do first'
const edited = 'e2e/edit-student: every field of a student is changed'
const enrolled = 'e2e/enrolment: a student is enrolled with every field'
const marked = 'e2e/attendance: a student is marked, seen in the list'
const history = 'e2e/attendance: records are filtered by class and day'
const months = 'e2e/payment-center: months and years are chosen'
const paid = 'e2e/payment-center: a press marks a month paid'
const filters = 'e2e/payment-center: tiles, buttons and the address filter the list'
const firstClass = 'e2e/class-center: a new dojo is led to its first class'
const classSearch = 'e2e/class-center: the search looks at name, description and days'
const classChanged = 'e2e/class-center: a class is changed'
const agreed = 'e2e/consent: from the landing page anybody agrees'
const roles = [
  'e2e/routes: a student comes to their own screens',
  'e2e/routes: an instructor comes to their own screens',
  'e2e/routes: a super admin comes to their own screen',
  'e2e/routes: a visitor reads the public pages',
]

export const sectionTwo: Proofs = {
  '2. Screens and routes': {
    '| / ': [...roles, 'e2e/landing: a sensei who is signed in goes on'],
    '| /login ': [
      ...roles,
      'e2e/login: a visitor is sent to log in',
      'e2e/login: a super admin comes to theirs',
      'e2e/login: without an answer it says Login failed',
    ],
    '| /students ': [...roles, search],
    '| /attendance ': [...roles, navigation],
    '| /payment-center ': [...roles, filters],
    '| /desktop/* ': [...roles, 'e2e/shells: each shell leads to the other'],
    '| ': roles,
    'An unauthenticated visitor': ['e2e/routes: a visitor reads the public pages', 'e2e/login: a visitor is sent to log in'],
    'While auth state loads': ['e2e/shells: while it is asked who is signed in'],
    'A footer on all pages': ['e2e/shells: the footer stands on every page'],

    'Header with Consent Form link': [agreed, opensLogin],
    hero: [landing],
    'call to action': [landing, opensLogin],
    'six feature cards': [landing],
    'Login and Get Started open': [
      opensLogin,
      'e2e/landing: New Instructor Setup opens the registration',
      'e2e/landing: Forgot Password only alerts',
    ],
    'Collects the registration fields': [received, 'e2e/sensei-registration: every field is required'],
    'success shows a confirmation panel': [received],

    'Dashboard for all': [navigation],
    'Student Center, Class Center, Payment Center for': [navigation],
    'Message Center for all': [navigation],
    'notification bell': ['e2e/notifications: nobody has notifications at first'],
    'Settings for students only': [navigation, 'e2e/notification-settings: instructors have no such screen'],
    'user name with': [
      'e2e/instructor-settings: an instructor changes their settings',
      'e2e/instructor-settings: a student has no instructor settings',
    ],
    'Logout clears the session': ['e2e/shells: Logout clears the session'],
    'Unread badge shows': ['e2e/notifications: a press marks one read', 'contract/notifications: the unread badge stops counting at 9'],
    'A panel lists notifications': ['e2e/notifications: a press marks one read'],
    'clicking one marks it read': ['e2e/notifications: a press marks one read'],
    'A notification settings card': ['e2e/notification-settings: students switch sound, vibration and push'],

    'Three clickable stat cards': ['e2e/super-admin: the three cards count and filter'],
    'refresh button': ['e2e/super-admin: what cannot be loaded says so and can be tried again; Refresh asks anew'],
    'status-update dialog': ['e2e/super-admin: an account is switched off and on again'],
    'password-reset dialog': ['e2e/super-admin: a password is chosen or generated'],
    'system configuration panel': ['e2e/super-admin: the daily limit is kept within its bounds'],
    'Dojo name shows': [
      'web/sensei/shown: a dojo named %j',
      'web/sensei/shown: a name is branding of its own',
      'e2e/super-admin: everything about a sensei is there',
    ],
    'Shows status': ['e2e/sms-setup: only a service that is checking or disconnected', 'e2e/sms-setup: instructors find it'],
    'see section 4': 'A reference; what it refers to stands below.',
    'Edit email, dojo name': [
      'e2e/instructor-settings: an instructor changes their settings',
      'e2e/instructor-settings: a new password is checked',
    ],
    'Name is read-only': ['e2e/instructor-settings: an instructor changes their settings'],

    Greeting: [emptyDashboard, student],
    Subtitle: [emptyDashboard, student, 'e2e/dashboard: a dojo without a name'],
    'Loading text': [emptyDashboard],
    'Instructor view: Quick Actions': ['e2e/dashboard: the quick actions and the four numbers lead on'],
    'Four clickable stat tiles': ['e2e/dashboard: the quick actions and the four numbers lead on'],
    'Birthday calendar': [calendar, 'contract/dashboard: a month is laid out in weeks'],
    'A day with birthdays': [calendar],
    'today is highlighted': [calendar],
    'Clicking a day with birthdays': [calendar],
    'clicking any other day': [calendar, emptyDashboard],
    'Birthdays match on month': ['contract/dashboard: birthdays match on month and day', calendar],
    "Empty text 'No student birthdays": [emptyDashboard],
    'Student view: header': [student],
    "'My Attendance History'": [student],
    "'Recent Announcements'": [student, 'contract/announcements: up to 100 characters are shown whole'],

    'Others see': ['e2e/routes: a student comes to their own screens', 'e2e/message-center: anyone but an instructor is denied'],
    'Two tabs': [tabs],
    'SMS Messages: welcome-message toggle': ['e2e/message-center: the welcome message and the reminders are switched'],
    'daily usage meter': ['e2e/message-center: the meter says how many'],
    'Automated Reminders section': [previews],
    'Custom Announcements with buttons': [special],
    'Dialogs: Special Message': [special, weather, lateFee, 'e2e/announcements: a monthly fee reminder says its month', previews],
    'Late-fee dialog has month': [lateFee, 'e2e/payment-center: the late-fee dialog shows the text'],
    'SMS Setup tab': [tabs],
    'shows service as active': [tabs],
    'Vacation students receive no messages': [reasons, 'server/announcements/preview: each student is answered with a text'],
    'Messages may include the placeholder': [special, 'server/messages/sending: a bulk message goes to everyone'],
    'the preview substitutes': [special, 'e2e/payment-center: the late-fee dialog shows the text'],

    'Header buttons: Attendance': ['e2e/student-center: the attendance view takes the place', enrolled],
    "'Students by Class' summary": [underClasses],
    'If no classes': [emptyStudents],
    "Search box 'Search students...'": [search, 'contract/students: by any part of name or e-mail'],
    'Status filter': [search, 'contract/students: by status'],
    'Instructors are always excluded': ['server/students/students: has the students of this dojo alone, and never an instructor'],
    'Student cards grouped by class': [underClasses, 'web/students/class-groups: students stand in each of their classes'],
    'students without a class': [underClasses],
    'Card: name, email': [underClasses],
    "Empty text 'No students found'": [search, emptyStudents],
    "Loading 'Loading students...'": [underClasses],
    'An edit icon opens': [edited],
    'Edit Student dialog': [edited, 'e2e/edit-student: a change that fails is said', 'e2e/edit-student: deleting names what is lost'],
    'Delete asks for confirmation': ['e2e/edit-student: deleting names what is lost'],
    'Success popup': [edited],
    'Fields in section 3': [enrolled],
    'Lists available classes': [enrolled],

    'Instructors: Mark Attendance button': [marked],
    'Quick Actions for up to': ['e2e/attendance: classes of the day come first', marked],
    'table with columns': [marked],
    'class filter, date filter': [history],
    'Students: notice': ['e2e/attendance: a student sees their own history'],
    'Mark Attendance dialog': [marked, 'e2e/attendance: a day is the day on the calendar'],
    'Empty texts': ['e2e/attendance: a new dojo is told what is missing', marked],

    'Month buttons January': [months],
    'year previous/next': [months],
    'Statistics banner': [paid, 'web/kernel/money: revenue is rounded up', 'web/kernel/money: fees have two decimals'],
    'The first three stat tiles': [filters],
    'Filter buttons': [filters],
    'Per-student Mark Paid': [paid],
    'Monthly Payment Reset button': ['e2e/payment-center: a reset names the month'],
    'Toggle between list view': ['e2e/payment-center: the list stands class by class'],
    'Late-fee reminder dialog': ['e2e/payment-center: the late-fee dialog shows the text'],

    "Title 'Class Center'": [firstClass],
    'Add New Class button': [firstClass],
    'Class Management panel': [firstClass],
    'search box (placeholder': [classSearch, 'contract/classes: the Class Center searches'],
    'Grid of cards': [
      firstClass,
      'e2e/class-center: one, two or three cards stand side by side',
      'contract/classes: a class says when it is',
    ],
    'Each card has edit': [classChanged, 'e2e/class-center: deleting from the card asks'],
    'Empty states': [classSearch, firstClass],
    "Loading 'Loading classes...'": [firstClass],
    'Add New Class modal': [firstClass, classChanged, 'e2e/class-center: deleting in the dialog says what goes'],

    'Back-to-home link': [agreed, 'e2e/consent: Cancel and the link lead home'],
    "On success: 'Consent Submitted": [agreed],
    'Wording says replying': [agreed],
    'message and data rates': [agreed],
  },
}
