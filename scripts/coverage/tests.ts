/** The tests that sentences of more than one section rest on, each said once: its file and how its title begins. */

export const api = {
  answers: 'server/test/calls/calls: answers 200 with the fields',
  roles: 'server/test/access: lets in or refuses a %s as it says',
  carriesToken: 'web/lib/api: a call carries the token, its params',
}

export const routes = {
  visitor: 'e2e/routes: a visitor reads the public pages',
  student: 'e2e/routes: a student comes to their own screens',
  instructor: 'e2e/routes: an instructor comes to their own screens',
}

export const layouts = {
  eachLeadsToTheOther: 'e2e/layouts: each layout leads to the other',
  navigation: 'e2e/layouts: the navigation has what each may go to',
  whileAsked: 'e2e/layouts: while it is asked who is signed in',
}

export const landing = {
  says: 'e2e/landing: the page says what Tatami does',
}

export const login = {
  returns: 'e2e/login: a visitor is sent to log in',
  fails: 'e2e/login: without an answer it says Login failed',
}

export const dashboard = {
  student: 'e2e/dashboard: students see who they are and where they were',
}

export const registration = {
  waits: 'e2e/sensei-registration: a sensei registers and waits',
  required: 'e2e/sensei-registration: every field is required',
  password: 'contract/sensei: says what it lacks',
  activated: 'server/sensei/sensei: a sensei may sign in once activated',
}

export const superAdmin = {
  cards: 'e2e/super-admin: the three cards count and filter',
  switches: 'e2e/super-admin: an account is switched off and on again',
  resets: 'e2e/super-admin: a password is chosen or generated',
  limits: 'e2e/super-admin: the daily limit is kept within its bounds',
  limit: 'contract/texting: the daily limit is a whole number',
  limitHolds: 'server/sensei/reset-password: the daily limit is 300 until',
}

export const instructorSettings = {
  changed: 'e2e/instructor-settings: an instructor changes their settings',
  passwordChecked: 'e2e/instructor-settings: a new password is checked',
  password: 'contract/profile: a new password has 8 characters',
}

export const notifications = {
  markedRead: 'e2e/notifications: a press marks one read',
  polled: 'e2e/notifications: it is asked every ten seconds',
  atTen: 'e2e/notifications: the list and the count are asked for at ten seconds',
  badge: 'contract/notifications: the unread badge stops counting at 9',
  news: 'web/notifications/notification-to-announce: announces the newest notification while it is unread',
}

export const classes = {
  first: 'e2e/class-center: a new dojo is led to its first class',
  changed: 'e2e/class-center: a class is changed',
  deleted: 'e2e/class-center: deleting in the dialog says what goes',
  when: 'contract/classes: a class says when it is',
  hours: 'contract/classes: a class starts hourly from 6:00 AM',
  search: 'contract/classes: the Class Center searches',
}

export const students = {
  enrolled: 'e2e/enrolment: a student is enrolled with every field',
  edited: 'e2e/edit-student: every field of a student is changed',
  editFails: 'e2e/edit-student: a change that fails is said',
  deleted: 'e2e/edit-student: deleting names what is lost',
  search: 'e2e/student-center: the search looks at name and e-mail',
  byStatus: 'contract/students: by status',
  ofThisDojo: 'server/students/students: has the students of this dojo alone',
}

export const attendance = {
  marked: 'e2e/attendance: a student is marked, seen in the list',
  classesOfTheDay: 'e2e/attendance: classes of the day come first',
}

export const payments = {
  marked: 'e2e/payment-center: a press marks a month paid',
  fails: 'e2e/payment-center: what fails is said in an alert',
  withoutRecords: 'e2e/payment-center: without records everyone is unpaid',
  reset: 'e2e/payment-center: a reset names the month',
  lateFee: 'e2e/payment-center: the late-fee dialog shows the text',
  yetToPay: 'contract/payments: yet to pay is the same as unpaid',
  likePlainCode: 'server/payments/payments: marks and resets do what plain code would do',
}

export const announcements = {
  special: 'e2e/announcements: a special message needs words and a class',
  weather: 'e2e/announcements: a weather cancellation goes to all students',
  monthlyFee: 'e2e/announcements: a monthly fee reminder says its month',
  lateFee: 'e2e/announcements: a late fee reminder is for the month',
  doesNotFit: 'e2e/announcements: what does not fit, and a day that is used up',
  fails: 'e2e/announcements: what fails is said in the dialog for five seconds',
  fiveSeconds: 'e2e/announcements: each type of message keeps its own result for its own five seconds',
  toAClass: 'server/announcements/announcements: an announcement to a class is seen',
}

export const messageCenter = {
  previews: 'e2e/automated-reminders: three reminders are read as Alex',
  asksAgain: 'e2e/automated-reminders: a reminder that has gone out asks',
  fiveSeconds: 'e2e/automated-reminders: what became of a reminder shows for five seconds',
  switches: 'e2e/message-center: the welcome message and the reminders are switched',
  meter: 'e2e/message-center: the meter says how many',
  polled: 'e2e/message-center: the text service is asked every ten seconds',
  notReached: 'e2e/message-center: a text service that cannot be asked',
}

export const smsSetup = {
  found: 'e2e/sms-setup: instructors find it',
  bySelf: 'e2e/sms-setup: a service that is ${status} is initialised',
  onlyThen: 'e2e/sms-setup: only a service that is checking or disconnected',
  atTwo: 'e2e/sms-setup: it is initialised by itself at two seconds, and not before',
}

export const consent = {
  agreed: 'e2e/consent: from the landing page anybody agrees',
  carries: 'e2e/consent: a consent carries the day on which it is submitted',
  fails: 'e2e/consent: what fails is said in the form',
}
