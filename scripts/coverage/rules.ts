import type { Proofs } from './proofs.ts'

const switched = 'e2e/super-admin: an account is switched off and on again'
const markedRead = 'e2e/notifications: a press marks one read'
const heard = 'e2e/notifications: it is asked every ten seconds'
const loggedOut = 'e2e/instructor-settings: an instructor changes their settings'
const enrolled = 'e2e/enrolment: a student is enrolled with every field'
const paid = 'e2e/payment-center: a press marks a month paid'
const reset = ['e2e/payment-center: a reset names the month', 'server/payments/payments: a reset sets the paying students']
const firstClass = 'e2e/class-center: a new dojo is led to its first class'
const classChanged = 'e2e/class-center: a class is changed'
const classDeleted = 'e2e/class-center: deleting in the dialog says what goes'
const agreed = 'e2e/consent: from the landing page anybody agrees'
const registered = 'e2e/sensei-registration: a sensei registers and waits'
const senseiRules = ['e2e/sensei-registration: each rule has its sentence', 'server/sensei/registration: every complaint is told at once']
const senseiPhone = ['e2e/sensei-registration: each rule has its sentence', 'contract/sensei: nothing else is an area code or a number']
const senseiPassword = ['e2e/sensei-registration: each rule has its sentence', 'contract/sensei: says what it lacks']
const studentRules = [
  'e2e/enrolment: what is missing or wrong is said beside its field',
  'server/students/student-rules: an edit with %j is refused with the same reason',
]
const settings = ['e2e/instructor-settings: a new password is checked', 'contract/profile: e-mail and dojo name are required']
const resetPassword = 'e2e/super-admin: a password is chosen or generated'
const hours = 'contract/classes: a class starts hourly from 6:00 AM'
const special = 'e2e/announcements: a special message needs words and a class'
const limitReached = 'e2e/announcements: what does not fit, and a day that is used up'
const failedSending = 'e2e/announcements: what fails is said in the dialog for five seconds'
const tones = 'web/messages/usage-tones: '
const setUp = 'e2e/sms-setup: only a service that is checking or disconnected'
const bySelf = 'e2e/sms-setup: a service that is ${status} is initialised'
const polled = 'e2e/message-center: the text service is asked every ten seconds'
const notReached = 'e2e/message-center: a text service that cannot be asked'
const meter = 'e2e/message-center: the meter says how many'

export const sectionsFourAndFive: Proofs = {
  '4. States and transitions': {
    'Sensei account: active': [switched, 'server/sensei/sensei: a sensei may sign in once activated'],
    'super admin toggles it': [switched, 'server/test/calls/calls: answers 200 with the fields'],
    "Messages: 'Sensei account": [switched],
    'Notification: unread becomes': [markedRead],
    'Sound and vibration fire': ['web/notifications/news: the newest is news while it is unread', heard],
    'vibration pattern': [heard],
    'SMS setup status': [setUp, bySelf, 'web/messages/setup-state: any other status is shown as it is'],
    'Ready when connected': [setUp, 'web/messages/setup-state: connected or ready means ready'],
    'If checking or disconnected': [bySelf, 'e2e/sms-setup: it is not initialised before two seconds'],
    'An authentication failure': ['e2e/sms-setup: without a valid session'],
    'SMS status (Message Center)': [polled, notReached],
    'Connected when connected': [polled, 'web/messages/setup-state: connected or ready means ready'],
    'Polled every 10 seconds': [polled],
    'polling skipped': [polled],
    'If not connected, a QR': [polled],
    'Session: on load the profile': ['e2e/shells: while it is asked who is signed in'],
    'a failure clears the token': ['web/kernel/api: a 401 ends the session of the call', 'e2e/shells: a token that is dead'],
    'After an instructor profile update': [loggedOut],
    'OK logs out': [loggedOut],
    'Student enrolment: create': [enrolled],
    'a failed class enrolment': ['e2e/enrolment: a class that fails to take the student is only logged'],
    'then a success dialog': [enrolled],
    'Payment status per student': [paid, 'server/payments/payments: marks and resets do what plain code would do'],
    'no record means unpaid': [paid, 'e2e/payment-center: without records everyone is unpaid'],
    'Mark Paid / Mark Unpaid': [paid],
    'the local list updates': [paid, 'e2e/payment-center: what fails is said in an alert'],
    "'Yet to pay' equals": ['contract/payments: yet to pay is the same as unpaid'],
    'Monthly reset sets': reset,
    'Students on vacation and instructors': [
      'contract/payments: who is on vacation is not listed',
      'server/students/students: has the students of this dojo alone, and never an instructor',
    ],
    'Student flags': ['contract/students: by status', 'e2e/edit-student: every field of a student is changed'],
    'vacation vs active': ['contract/students: by status', 'e2e/edit-student: every field of a student is changed'],
    'Send result per message type': [
      special,
      failedSending,
      'e2e/message-center: three reminders are read as Alex',
      'e2e/message-center: a reminder that has gone out asks',
    ],
    'while sending the button': [
      'e2e/message-center: a reminder that has gone out asks',
      'e2e/announcements: without an answer it may be sent again',
    ],
    'Welcome-message toggle': ['e2e/message-center: the welcome message and the reminders are switched'],
    'on failure reverts': ['e2e/message-center: the welcome message and the reminders are switched'],
    'Usage meter colours': [meter, `${tones}the words turn orange`, `${tones}the bar turns orange`],
    'text orange when': [meter, `${tones}the words turn orange`],
    'bar orange above': [meter, `${tones}the bar turns orange`],
    'otherwise green': [meter, `${tones}the words turn orange`, `${tones}the bar turns orange`],
    'Class modals: submitting': [firstClass, classChanged, classDeleted],
    'After successful create': [firstClass, classChanged, classDeleted],
    'Cancel or close clears': [classChanged],
    'Consent form: editing': [agreed, 'e2e/consent: what fails is said in the form'],
    'Registration success shows': [registered],
  },
  '5. Validation rules': {
    '**Sensei registration**': [...senseiRules, 'e2e/sensei-registration: every field is required'],
    'password at least 8 characters': senseiPassword,
    "'Passwords do not match'": ['e2e/sensei-registration: each rule has its sentence', 'contract/sensei: typed again must be the same'],
    'area code exactly': senseiPhone,
    'number exactly 7': senseiPhone,
    'inputs strip non-digits': ['e2e/sensei-registration: phone fields keep digits only'],
    'first_name, last_name, city': senseiRules,
    'state chosen from': [
      'e2e/sensei-registration: phone fields keep digits only',
      'contract/sensei: the 50 states',
      'server/sensei/registration: each of the fifty states',
    ],
    '**Student form': [...studentRules, 'e2e/edit-student: every field of a student is changed', 'contract/students: in either list'],
    'name and emergency contact name': [...studentRules, 'contract/fields: nothing else gets in'],
    'phone fields digits': [...studentRules, 'contract/fields: may have digits, +, -, spaces and parentheses'],
    'payment amount digits': [
      ...studentRules,
      'web/kernel/money: of %j a money field keeps',
      'contract/fields: a part of a cent, less than nothing',
    ],
    'date of birth not after': [...studentRules, 'contract/students: a date of birth may be today'],
    'Required: name, email': [
      ...studentRules,
      'e2e/edit-student: who joined by invitation has little',
      'contract/students: what is required',
    ],
    '**Instructor settings**': [...settings, 'contract/profile: a new password has 8 characters'],
    'email and dojo name required': settings,
    'blank password is not sent': [loggedOut, 'contract/profile: a blank password is no password'],
    '**Super admin password reset**': [resetPassword, 'server/sensei/reset-password: only a sensei’s password is reset this way'],
    'strength Strong': [resetPassword, 'contract/sensei: a password is strong, moderate or weak'],
    'A generator makes': [resetPassword, 'web/sensei/generate-password: a generated password has 16 characters'],
    'A browser confirmation': [resetPassword],
    'Empty password': [resetPassword],
    '**Daily limit**': [
      'e2e/super-admin: the daily limit is kept within its bounds',
      'contract/messages: the daily limit is a whole number',
    ],
    '**Login**': ['e2e/login: both fields are required'],
    'hint to enter email': ['e2e/login: a visitor is sent to log in'],
    '**Special Message**': [special],
    'at least one class (': [special, 'server/test/calls/calls: answers 200 with the fields'],
    'Send disabled when limit': [limitReached],
    '**Monthly fee and late fee': ['e2e/announcements: a monthly fee reminder says its month'],
    'no class chosen means': [
      'e2e/announcements: a monthly fee reminder says its month',
      'e2e/announcements: a weather cancellation goes to all students',
    ],
    'Late-fee year select': [
      'e2e/announcements: a late fee reminder is for the month',
      'e2e/payment-center: the late-fee dialog shows the text',
    ],
    '**Monthly payment reset**': reset,
    '**Class form**': [firstClass, 'contract/classes: keeps only letters and white space', 'contract/classes: what is required'],
    'description required': [firstClass, 'contract/classes: what is required'],
    'at least one class day': [firstClass, 'contract/classes: what is required'],
    'start time required': [firstClass, hours],
    'end time required': [firstClass, hours],
    'no check that end': ['server/classes/classes: the end may stand before the start', classChanged],
    '**Consent form**': [agreed, 'contract/consent: what is missing is said in the order', 'contract/consent: values are trimmed'],
    'email optional, must be': [agreed, 'contract/consent: values are trimmed'],
  },
}
