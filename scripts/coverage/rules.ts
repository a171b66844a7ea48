import type { Proofs } from './proofs.ts'
import {
  announcements,
  api,
  classes,
  consent,
  instructorSettings,
  login,
  messageCenter,
  notifications,
  payments,
  registration,
  layouts,
  smsSetup,
  students,
  superAdmin,
} from './tests.ts'

const reset = [
  payments.reset,
  'server/payments/payments: resets only the paying students of the month, and records it in the audit log',
]
const senseiRules = [
  'e2e/sensei-registration: shows the message of each rule',
  'server/sensei/registration: reports every error at once, the first as the detail',
]
const senseiPhone = [
  'e2e/sensei-registration: shows the message of each rule',
  'contract/sensei: rejects any other area code or number',
]
const senseiPassword = [
  'e2e/sensei-registration: shows the message of each rule',
  registration.password,
]
const studentRules = [
  'e2e/enrolment: shows what is missing or invalid',
  'server/students/student-rules: an edit with %j is refused with the same reason',
]
const settings = [
  instructorSettings.passwordChecked,
  'contract/profile: requires email and dojo name, and lets the rest be cleared',
]
const tones = 'web/texting/usage: '

export const sectionsFourAndFive: Proofs = {
  '4. States and transitions': {
    'Sensei account: active': [superAdmin.switches, registration.activated],
    'super admin toggles it': [superAdmin.switches, api.answers],
    "Messages: 'Sensei account": [superAdmin.switches],
    'Notification: unread becomes': [
      notifications.markedRead,
      'e2e/notifications: reloads the count as soon as',
    ],
    'Sound and vibration fire': [notifications.news, notifications.polled],
    'vibration pattern': [notifications.polled],
    'SMS setup status': [
      smsSetup.onlyThen,
      smsSetup.bySelf,
      'web/texting/text-service: shows any other status as it is',
    ],
    'Ready when connected': [
      smsSetup.onlyThen,
      'web/texting/text-service: is ready when connected or ready',
    ],
    'If checking or disconnected': [smsSetup.bySelf, smsSetup.atTwo],
    'An authentication failure': ['e2e/sms-setup: redirects to /login without a valid'],
    'SMS status (Message Center)': [messageCenter.polled, messageCenter.notReached],
    'Connected when connected': [
      messageCenter.polled,
      'web/texting/text-service: is ready when connected or ready',
    ],
    'Polled every 10 seconds': [messageCenter.polled],
    'polling skipped': [messageCenter.polled],
    'If not connected, a QR': [messageCenter.polled],
    'Session: on load the profile': [layouts.whileAsked],
    'a failure clears the token': [
      'e2e/session: a profile refused with ${status} clears the token',
      'e2e/session: clears an invalid token on /',
      'e2e/session: keeps the token without an answer',
      'e2e/session: shows the message of a server',
    ],
    'After an instructor profile update': [instructorSettings.changed],
    'OK logs out': [instructorSettings.changed],
    'Student enrolment: create': [students.enrolled],
    'a failed class enrolment': ['e2e/enrolment: logs a class that could not'],
    'then a success dialog': [students.enrolled],
    'Payment status per student': [payments.marked, payments.likePlainCode],
    'no record means unpaid': [payments.marked, payments.withoutRecords],
    'Mark Paid / Mark Unpaid': [payments.marked],
    'the local list updates': [payments.marked, payments.fails],
    "'Yet to pay' equals": [payments.yetToPay],
    'Monthly reset sets': reset,
    'Students on vacation and instructors': [
      'e2e/payment-center: excludes students on vacation and instructors',
      'contract/payments: leaves out students on vacation and lists trial students without expecting payment',
      students.ofThisDojo,
    ],
    'Student flags': [students.byStatus, students.edited],
    'vacation vs active': [students.byStatus, students.edited],
    'Send result per message type': [announcements.fiveSeconds, messageCenter.fiveSeconds],
    'while sending the button': [
      messageCenter.asksAgain,
      'e2e/announcements: sends nobody a text twice when',
    ],
    'Welcome-message toggle': [messageCenter.switches],
    'on failure reverts': [messageCenter.switches],
    'Usage meter colours': [
      messageCenter.meter,
      `${tones}turns the text orange`,
      `${tones}turns the bar orange`,
    ],
    'text orange when': [messageCenter.meter, `${tones}turns the text orange`],
    'bar orange above': [messageCenter.meter, `${tones}turns the bar orange`],
    'otherwise green': [
      messageCenter.meter,
      `${tones}turns the text orange`,
      `${tones}turns the bar orange`,
    ],
    'Class modals: submitting': [classes.first, classes.changed, classes.deleted],
    'After successful create': [classes.first, classes.changed, classes.deleted],
    'Cancel or close clears': [
      classes.changed,
      'e2e/class-center: Cancel clears the error and resets the form',
    ],
    'Consent form: editing': [consent.agreed, consent.fails],
    'Registration success shows': [registration.waits],
  },
  '5. Validation rules': {
    '**Sensei registration**': [
      ...senseiRules,
      registration.required,
      'contract/sensei: requires every field',
    ],
    'password at least 8 characters': senseiPassword,
    "'Passwords do not match'": [
      'e2e/sensei-registration: shows the message of each rule',
      'contract/sensei: must be repeated exactly, reported together with the other errors',
    ],
    'area code exactly': senseiPhone,
    'number exactly 7': senseiPhone,
    'inputs strip non-digits': ['e2e/sensei-registration: limits phone fields to three and'],
    'first_name, last_name, city': senseiRules,
    'state chosen from': [
      'e2e/sensei-registration: limits phone fields to three and',
      'contract/sensei: offers the 50 states by their full names',
      'server/sensei/registration: accepts each of the fifty states',
    ],
    '**Student form': [...studentRules, students.edited, 'contract/students: in either list'],
    'name and emergency contact name': [...studentRules, 'contract/fields: nothing else gets in'],
    'phone fields digits': [
      ...studentRules,
      'contract/fields: may have digits, +, -, spaces and parentheses',
    ],
    'payment amount digits': [
      ...studentRules,
      'web/lib/money: of %j a money field keeps',
      'contract/fields: a part of a cent, less than nothing',
    ],
    'date of birth not after': [
      ...studentRules,
      'contract/students: rejects a date of birth in the future together with the other errors',
      'server/students/student-rules: a date of birth in %s may be the day',
    ],
    'Required: name, email': [
      ...studentRules,
      'e2e/edit-student: shows a student who joined by',
      'contract/students: requires its fields',
    ],
    '**Instructor settings**': [...settings, instructorSettings.password],
    'email and dojo name required': settings,
    'blank password is not sent': [
      instructorSettings.changed,
      'contract/profile: treats a blank password as no password',
    ],
    '**Super admin password reset**': [
      superAdmin.resets,
      'server/sensei/reset-password: resets only passwords of sensei, and only to a valid one',
    ],
    'strength Strong': [
      superAdmin.resets,
      'contract/sensei: rates a password as strong, moderate or weak',
    ],
    'A generator makes': [
      superAdmin.resets,
      'web/sensei/generate-password: generates 16 characters',
    ],
    'A browser confirmation': [superAdmin.resets],
    'Empty password': [superAdmin.resets],
    '**Daily limit**': [superAdmin.limits, superAdmin.limit],
    '**Login**': ['e2e/login: requires both fields, accessibly, and sends'],
    'hint to enter email': [login.returns],
    '**Special Message**': [announcements.special],
    'at least one class (': [announcements.special, api.answers],
    'Send disabled when limit': [announcements.doesNotFit],
    '**Monthly fee and late fee': [announcements.monthlyFee],
    'no class chosen means': [announcements.monthlyFee, announcements.weather],
    'Late-fee year select': [announcements.lateFee, payments.lateFee],
    '**Monthly payment reset**': reset,
    '**Class form**': [
      classes.first,
      'contract/classes: keeps only letters and white space',
      'contract/classes: requires its fields',
    ],
    'description required': [classes.first, 'contract/classes: requires its fields'],
    'at least one class day': [classes.first, 'contract/classes: requires its fields'],
    'start time required': [classes.first, classes.hours],
    'end time required': [classes.first, classes.hours],
    'no check that end': [
      'server/classes/classes: accepts an end before the start',
      classes.changed,
    ],
    '**Consent form**': [
      consent.agreed,
      'contract/consent: reports missing fields in the order of the specification',
      'contract/consent: trims values and makes the email optional',
    ],
    'email optional, must be': [
      consent.agreed,
      'contract/consent: trims values and makes the email optional',
    ],
  },
}
