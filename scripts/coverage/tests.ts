/** The tests that sentences of more than one section rest on, each said once: its file and how its title begins. */

export const api = {
  answers: 'server/test/calls/calls: answers 200 with the fields',
  roles: 'server/test/access: lets in or refuses a %s as it says',
  carriesToken: 'web/lib/api: a call carries the token, its params',
}

export const routes = {
  visitor: 'e2e/routes: lets a visitor read the public',
  student: 'e2e/routes: lets a student reach their screens',
  instructor: 'e2e/routes: lets an instructor reach their screens',
}

export const layouts = {
  eachLeadsToTheOther: 'e2e/layouts: each layout links to the other;',
  navigation: 'e2e/layouts: the navigation lists the permitted screens',
  whileAsked: 'e2e/layouts: shows Loading on the whole screen',
}

export const landing = {
  says: 'e2e/landing: the page says what Tatami does',
}

export const login = {
  returns: 'e2e/login: sends a visitor to the login',
  fails: 'e2e/login: without an answer it says Login failed',
}

export const dashboard = {
  student: 'e2e/dashboard: shows students their profile and attendance',
}

export const registration = {
  waits: 'e2e/sensei-registration: registers a sensei, who waits for',
  required: 'e2e/sensei-registration: requires every field, accessibly, and focuses',
  password: 'contract/sensei: reports the length first, then a capital, then a digit',
  activated: 'server/sensei/sensei: lets a sensei sign in only while active',
}

export const superAdmin = {
  cards: 'e2e/super-admin: counts and filters by the three',
  switches: 'e2e/super-admin: deactivates and activates an account',
  resets: 'e2e/super-admin: resets a chosen or generated password',
  limits: 'e2e/super-admin: validates the daily limit, and the',
  limit: 'contract/texting: the daily limit is a whole number',
  limitHolds:
    'server/sensei/reset-password: has a daily limit of 300 until the super admin sets it, from 1 to 10,000',
}

export const instructorSettings = {
  changed: 'e2e/instructor-settings: changes the settings and asks to',
  passwordChecked: 'e2e/instructor-settings: validates, confirms and saves a new',
  password: 'contract/profile: requires 8 to 128 characters of a new password',
}

export const notifications = {
  markedRead: 'e2e/notifications: marks one read at once and',
  polled: 'e2e/notifications: polls every ten seconds, answers 304',
  atTen: 'e2e/notifications: polls the list and the count',
  badge: 'contract/notifications: the unread badge stops counting at 9',
  news: 'web/notifications/announce: announces the newest notification while it is unread',
}

export const classes = {
  first: 'e2e/class-center: leads a new dojo to its',
  changed: 'e2e/class-center: changes a class, and shows a',
  deleted: 'e2e/class-center: counts what is deleted before deleting',
  when: 'contract/classes: a class says when it is',
  hours:
    'contract/classes: offers hourly starts from 6:00 AM to 9:00 PM and ends from 7:00 AM to 10:00 PM',
  search:
    'contract/classes: searches name, description, days and the older day and place, ignoring case',
}

export const students = {
  enrolled: 'e2e/enrolment: enrols a student with every field,',
  edited: 'e2e/edit-student: changes every field of a student',
  editFails: 'e2e/edit-student: reports a failed change in a',
  deleted: 'e2e/edit-student: counts what is lost before deleting',
  search: 'e2e/student-center: searches name and email, and keeps',
  byStatus: 'contract/students: by status',
  ofThisDojo: 'server/students/students: contains only this dojo’s students, and no instructor',
}

export const attendance = {
  marked: 'e2e/attendance: marks a student, lists the mark',
  classesOfTheDay: 'e2e/attendance: lists the classes of the day',
}

export const payments = {
  marked: 'e2e/payment-center: marks a month paid at once,',
  fails: 'e2e/payment-center: reports a failure in an alert',
  withoutRecords: 'e2e/payment-center: shows everyone unpaid without records, and',
  reset: 'e2e/payment-center: confirms a reset, naming the month,',
  lateFee: 'e2e/payment-center: previews the late-fee text and sends',
  yetToPay: 'contract/payments: treats yet to pay as unpaid',
  likePlainCode: 'server/payments/payments: agrees with a model of marks, resets and statistics',
}

export const announcements = {
  special: 'e2e/announcements: requires a text and a class',
  weather: 'e2e/announcements: sends a weather cancellation to all',
  monthlyFee: 'e2e/announcements: sends a monthly fee reminder to',
  lateFee: 'e2e/announcements: sends a late fee reminder for',
  doesNotFit: 'e2e/announcements: says before Send when a text',
  fails: 'e2e/announcements: shows a failure for five seconds',
  fiveSeconds: 'e2e/announcements: shows the result of each message',
  toAClass: 'server/announcements/announcements: an announcement to a class is seen',
}

export const messageCenter = {
  previews: 'e2e/automated-reminders: previews three reminders and sends each',
  asksAgain: 'e2e/automated-reminders: confirms before sending a reminder again',
  fiveSeconds: 'e2e/automated-reminders: shows the result of each reminder',
  switches: 'e2e/message-center: switches the welcome message and the',
  meter: 'e2e/message-center: shows how many texts are used,',
  polled: 'e2e/message-center: polls the text service every ten',
  notReached: 'e2e/message-center: shows an unreachable text service as',
}

export const smsSetup = {
  found: 'e2e/sms-setup: is linked from the Message Center,',
  bySelf: 'e2e/sms-setup: a service that is ${status} is initialised',
  onlyThen: 'e2e/sms-setup: initializes only a service that is',
  atTwo: 'e2e/sms-setup: initializes at two seconds and not',
}

export const consent = {
  agreed: 'e2e/consent: takes a consent from the landing',
  carries: 'e2e/consent: sends the day of submission, and',
  fails: 'e2e/consent: shows a failure in the form',
}
