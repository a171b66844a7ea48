import type { Proofs } from './proofs.ts'

const calls = ['server/test/calls/calls: answers 200 with the fields', 'server/test/calls/calls: the table of the specification has a case']
const access = 'server/test/access: lets in or refuses a %s as it says'
const strangers = 'server/test/access: refuses a stranger before it looks at the body'
const superAdmins = 'server/sensei/sensei: only super admins see and change this'
const instructor = ['e2e/routes: an instructor comes to their own screens', 'e2e/shells: the navigation has what each may go to', access]
const student = ['e2e/routes: a student comes to their own screens', access]
const creationFails = 'e2e/enrolment: a creation that fails says why, in this order'
const withoutClasses = 'e2e/enrolment: a dojo without classes is sent to make them first'
const resetPassword = 'e2e/super-admin: a password is chosen or generated'
const dailyLimit = ['e2e/super-admin: the daily limit is kept within its bounds', 'contract/messages: the daily limit is a whole number']
const settings = 'e2e/notification-settings: a switch that fails goes back and says why'
const service = [
  'server/messages/service: %s has its type and its words',
  'server/messages/service: a provider in trouble is not accessible',
]
const failedSending = 'e2e/announcements: what fails is said in the dialog for five seconds'
const sent = [
  'e2e/announcements: a special message needs words and a class',
  'e2e/announcements: a weather cancellation goes to all students',
  'e2e/announcements: a monthly fee reminder says its month',
  'e2e/announcements: a late fee reminder is for the month',
]
const paymentFails = 'e2e/payment-center: what fails is said in an alert'
const quietlyEmpty = [
  'e2e/dashboard: what cannot be loaded stays quietly empty',
  'e2e/student-center: lists that cannot be loaded stay quietly empty',
  'e2e/class-center: a list that cannot be loaded stays quietly empty',
]
const cardDeletion = 'e2e/class-center: deleting from the card asks and complains'
const classDeletion = 'e2e/class-center: deleting in the dialog says what goes'
const classChanged = 'e2e/class-center: a class is changed'
const consentFails = 'e2e/consent: what fails is said in the form'
const timeOut = 'web/kernel/api: a call that is not answered in eight seconds'
const polled = 'e2e/notifications: it is asked every ten seconds'
const badge = ['e2e/notifications: a press marks one read', 'contract/notifications: the unread badge stops counting at 9']
const news = ['web/notifications/news: the newest is news while it is unread', 'web/notifications/news: only the newest counts']
const asked = 'e2e/message-center: the text service is asked every ten seconds'
const notReached = 'e2e/message-center: a text service that cannot be asked'
const meter = 'e2e/message-center: the meter says how many'
const switches = 'e2e/message-center: the welcome message and the reminders are switched'
const tones = ['web/messages/usage-tones: the words turn orange', 'web/messages/usage-tones: the bar turns orange']
const dashboard = 'e2e/dashboard: students see who they are and where they were'
const reminders = 'server/announcements/reminders: two years of reminders'
const leftOut = 'server/announcements/reminders: reminders leave out who has paid'
const hours = 'contract/classes: a class starts hourly from 6:00 AM'
const money = 'web/kernel/money: '

export const sectionsSixToNine: Proofs = {
  '6. Roles and permissions': {
    'Super admin (is_super_admin)': ['e2e/super-admin: the three cards count and filter', superAdmins],
    'activate/deactivate': ['e2e/super-admin: an account is switched off and on again', superAdmins],
    'reset sensei passwords': [
      resetPassword,
      'server/sensei/reset-password: a reset password ends the sensei’s sessions',
      'server/accounts/password-reset: a sensei whose password the super admin reset',
    ],
    'edit global daily': [...dailyLimit, access],
    'A 401 or 403 on dashboard': [
      'e2e/super-admin: a session that has ended leads to the landing page',
      'e2e/super-admin: who is refused the data is logged out',
    ],
    'Instructor (is_instructor)': instructor,
    'enrol, edit, delete students': [
      'e2e/enrolment: a student is enrolled with every field',
      'e2e/edit-student: every field of a student is changed',
      'e2e/edit-student: deleting names what is lost',
    ],
    attendance: ['e2e/attendance: a student is marked, seen in the list', access],
    'Message Center': instructor,
    'SMS setup': [...instructor, 'e2e/sms-setup: instructors find it'],
    'own profile edit': ['e2e/instructor-settings: an instructor changes their settings'],
    'fee-reminder and other': [
      'e2e/app-notifications: a notification goes',
      'e2e/app-notifications: a fee notification goes',
      'server/announcements/announcements: a fee reminder goes to those',
      'server/announcements/announcements: an announcement to a class is seen',
    ],
    'They see the attendance': [
      'server/attendance/attendance: the list is filtered by class, day and student',
      'server/students/students: has the students of this dojo alone',
      'server/classes/classes: a class is added, listed',
    ],
    'Student: dashboard': [
      dashboard,
      'server/attendance/attendance: a student sees only their own',
      'e2e/notifications: an instructor’s settings are not asked for',
    ],
    'Denied Message Center': student,
    'All app routes require': ['e2e/routes: a visitor reads the public pages', strangers],
    'Landing, login and consent': ['e2e/routes: a visitor reads the public pages'],
    'Whether ordinary users': [
      'server/classes/classes: a student reads the classes and changes none',
      'e2e/routes: a student comes to their own screens',
    ],
    'server checks not shown': 'It says what the specification does not say; the product’s decisions do (product.md, section 4).',
  },
  '7. The calls it makes': {
    '| GET /classes ': [...calls, 'e2e/enrolment: without the list of classes there are three preferences'],
    '| GET /notifications ': [...calls, polled],
    '| GET /notifications/unread-count': [...calls, polled],
    '| DELETE /classes/{id}': [...calls, classDeletion, cardDeletion],
    '| POST /students/{id}/enroll': [
      ...calls,
      'e2e/enrolment: a student is enrolled with every field',
      'server/students/enrolments: a body may come with it',
    ],
    '| GET /attendance': [...calls, dashboard],
    '| GET /announcements': [...calls, dashboard],
    '| GET /payment-statistics': [...calls, 'e2e/payment-center: without records everyone is unpaid'],
    '| GET /payment-records': [...calls, 'e2e/payment-center: without records everyone is unpaid'],
    '| POST /attendance': [...calls, 'server/attendance/attendance: the class day is the UTC day'],
    '| ': calls,
    'All paths under /api': [...calls, 'web/kernel/api: a call carries the token, its params'],
    'Authenticated calls send': ['web/kernel/api: a call carries the token, its params', 'server/test/access: while the good one is good'],
    'Request time-out': [timeOut],
    'Error bodies expose': [...calls, strangers],
    'Server behaviour behind': 'It says what the specification does not say; the product’s decisions do.',
  },
  '8. Error catalogue': {
    'Login failure': ['e2e/login: a refusal is in the words of the server', 'e2e/login: without an answer it says Login failed'],
    'Registration failure': [
      'e2e/join: a refusal is in the words of the server',
      'e2e/sensei-registration: an address that is taken',
      'e2e/sensei-registration: without an answer it says Failed',
    ],
    'Student creation': [creationFails],
    'no response': [creationFails],
    otherwise: [creationFails],
    'Missing token': ['e2e/enrolment: without a token one is asked to log in again'],
    'Class list load in enrolment': ['e2e/enrolment: without the list of classes there are three preferences'],
    'no classes': [withoutClasses],
    'Super admin load': ['e2e/super-admin: what cannot be loaded says so and can be tried again'],
    Toggle: ['e2e/super-admin: a switch that fails says so'],
    Reset: [resetPassword],
    'Daily limit': ['e2e/super-admin: the daily limit is kept within its bounds'],
    'Profile update': ['e2e/instructor-settings: a refusal is in the words of the server'],
    'Settings save': [settings],
    'also ': [settings],
    'Notification send': ['e2e/app-notifications: what fails says so'],
    'fee reminder': ['e2e/app-notifications: what fails says so'],
    'Notification fetch failures': ['e2e/notifications: who switched sound off only feels it'],
    'SMS errors typed as': ['e2e/sms-setup: each failure has its words', ...service],
    'Status failure in': [notReached],
    'QR failure sets': [notReached],
    'Daily usage failure': [meter],
    'Welcome setting load': [switches],
    'update failure reverts': [switches],
    'Automated reminder failure': ['e2e/message-center: a reminder that has gone out asks'],
    "success '{TYPE}": ['e2e/message-center: three reminders are read as Alex'],
    'Bulk message failure': [failedSending],
    "Success '{Type}": sent,
    'Student update': ['e2e/edit-student: a change that fails is said'],
    'Delete: ': ['e2e/edit-student: deleting names what is lost'],
    'Attendance marking failure': ['e2e/attendance: a tap that fails goes back'],
    'Payment status': [paymentFails],
    'Monthly reset failure': [paymentFails],
    "success alert 'Monthly": ['e2e/payment-center: a reset names the month'],
    'Dashboard, birthdays': quietlyEmpty,
    'loading ends': quietlyEmpty,
    'Class: card delete': [cardDeletion],
    'modal delete confirmation': [classDeletion],
    'create failure detail': [classChanged],
    'update failure detail': [classChanged],
    'Class list load failure': ['e2e/class-center: a list that cannot be loaded'],
    'Consent failure': [consentFails],
    'Errors show in a red box': [consentFails, 'e2e/consent: from the landing page anybody agrees'],
    'Specific status codes': [consentFails],
    'Limit reached': [meter, 'e2e/announcements: what does not fit, and a day that is used up'],
  },
  '9. Business constants and limits': {
    'Request time-out': [timeOut],
    'notification and unread polling': [polled],
    'SMS status poll': [asked],
    'SMS auto-initialise': [
      'e2e/sms-setup: it is not initialised before two seconds',
      'e2e/sms-setup: a service that is ${status} is initialised',
    ],
    'send-result banners': [failedSending, ...sent.slice(0, 1)],
    'Daily SMS limit per': dailyLimit,
    'default 300': ['server/sensei/reset-password: the daily limit is 300 until', 'server/test/calls/calls: answers 200 with the fields'],
    'resets at midnight': ['server/messages/allowance: the allowance is a new one at midnight UTC'],
    'a change applies to all': ['server/messages/allowance: a limit lowered in the middle'],
    'Password minimum': [
      'contract/sensei: says what it lacks',
      'contract/sensei: a reset password has 8',
      'contract/profile: a new password has 8 characters',
      'server/students/student-rules: an enrolment with %j',
    ],
    'Phone: 3-digit': ['contract/sensei: has an area code of 3 digits', 'contract/sensei: nothing else is an area code'],
    'Unread badge caps': badge,
    'Sound/vibration only': news,
    'Usage warnings': [meter, ...tones],
    'bar orange above': [meter, ...tones],
    'Dashboard lists': [dashboard],
    'announcement content truncated': [dashboard, 'contract/announcements: up to 100 characters'],
    'Attendance quick actions': ['e2e/attendance: classes of the day come first'],
    'Automated reminders at': [reminders, 'server/announcements/reminders: a month’s last day'],
    'only unpaid students': [leftOut],
    'trial students excluded': [leftOut],
    'templates read-only': [
      'e2e/message-center: three reminders are read as Alex',
      'server/announcements/reminders: two years of reminders',
    ],
    'Belt levels': ['contract/students: the belts and the genders'],
    Genders: ['contract/students: the belts and the genders'],
    'Message types': ['server/test/calls/calls: answers 200 with the fields', 'server/announcements/reminders: sent by hand'],
    'Student filters': ['e2e/student-center: the search looks at name and e-mail', 'contract/students: by status'],
    'Payment filters': ['e2e/payment-center: tiles, buttons and the address', 'contract/payments: yet to pay is the same as unpaid'],
    'Class times': [hours],
    'end hourly': [hours],
    'seven weekdays': ['contract/classes: days are weekdays, each once'],
    'Monthly revenue': [`${money}revenue is rounded up`, 'e2e/payment-center: a press marks a month paid'],
    'fees with 2': [`${money}fees have two decimals`],
    'Lazy script chunks': ['e2e/shells: a part of the page gets two minutes'],
    'Page size': 'It says what the specification does not say.',
  },
}
