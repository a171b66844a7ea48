import {
  type DescribedAction,
  exportedStudent,
  changedCandidates,
  changedFields,
  changedRights,
  classDate,
  count,
  date,
  grantedRights,
  guardian,
  holiday,
  markedPayment,
  money,
  month,
  ofStudent,
  person,
  possessive,
  promotedStudents,
  secondFactorRule,
  student,
  studentCount,
  students,
  turnedOnOrOff,
} from './action-phrases.ts'
import { forAdmins, forDojo, type Phrase } from './action-entry.ts'
import type { AuditKind } from './kinds.ts'
import { DOCUMENT_ACTIONS } from './document-actions.ts'
import { ONLINE_PAYMENT_ACTIONS } from './online-payment-actions.ts'
import { PLAN_ACTIONS } from './plan-actions.ts'
import { STAFF_ACTIONS } from './staff-actions.ts'
import { VISITOR_ACTIONS } from './visitor-actions.ts'

export const AUDIT_ACTIONS = {
  'student added': forDojo(
    'students',
    (row) => `added ${student(row)}${row.details.log_in === true ? ' with a login' : ''}`,
  ),
  'student approved': forDojo('students', (row) => `approved ${student(row)}`),
  'student changed': forDojo('students', (row) => `changed ${student(row)}${changedFields(row)}`),
  'student left': forDojo('students', (row) => `moved ${student(row)} to the former students`),
  'student returned': forDojo('students', (row) => `re-enrolled ${student(row)}`),
  'student deleted': forAdmins('students', (row) => `deleted ${student(row)}`),
  'students imported': forAdmins('students', (row) => `imported ${studentCount(row)}`),
  'import undone': forAdmins('students', (row) => `undid the import of ${studentCount(row)}`),
  'student notes changed': forDojo(
    'students',
    (row) => `changed the notes on ${student(row)}${changedFields(row)}`,
  ),
  'vacation changed': forDojo(
    'students',
    (row) => `${row.details.planned === true ? 'planned' : 'ended'} a vacation for ${student(row)}`,
  ),
  'students promoted': forDojo('students', (row) => `promoted ${promotedStudents(row)}`),
  'stripes given': forDojo('students', (row) =>
    row.subject ? `gave a stripe to ${student(row)}` : `gave stripes to ${studentCount(row)}`,
  ),
  'promotions taken back': forDojo(
    'students',
    (row) =>
      `undid ${count(row, 'promotions', 'promotion')}${row.subject ? ` of ${student(row)}` : ''}`,
  ),
  'skill checked': forDojo('students', (row) => `checked off a skill for ${student(row)}`),
  'skill unchecked': forDojo('students', (row) => `unchecked a skill for ${student(row)}`),
  'promotion approved': forDojo('students', (row) => `approved the next rank for ${student(row)}`),
  'approval withdrawn': forDojo(
    'students',
    (row) => `withdrew approval of the next rank for ${student(row)}`,
  ),
  'contact changed by guardian': forAdmins(
    'students',
    (row) => `changed the contacts of ${student(row)}`,
  ),
  'photo set': forDojo('students', (row) => `set the photo of ${student(row)}`),
  'photo removed': forDojo('students', (row) => `removed the photo of ${student(row)}`),
  'check-in PIN changed': forDojo(
    'students',
    (row) =>
      `${row.details.removed === true ? 'removed' : 'set'} the check-in PIN of ${student(row)}`,
  ),

  'guardian added': forAdmins('families', (row) => `added ${guardian(row)}`),
  'guardian changed': forAdmins('families', (row) => `changed ${guardian(row)}`),
  'guardian deleted': forAdmins('families', (row) => `deleted ${guardian(row)}`),
  'guardian linked': forAdmins(
    'families',
    (row) => `made ${person(row)} a guardian${ofStudent(row)}${grantedRights(row)}`,
  ),
  'guardian rights changed': forAdmins(
    'families',
    (row) => `changed what ${guardian(row)}${ofStudent(row)} may do${changedRights(row)}`,
  ),
  'guardian rights ended by age': forAdmins(
    'families',
    (row) => `ended the permissions of ${guardian(row)}${ofStudent(row)}, who came of age`,
  ),
  'guardian link ended': forAdmins(
    'families',
    (row) => `unlinked ${guardian(row)}${ofStudent(row)}`,
  ),
  'guardian agreed to by student': forAdmins(
    'families',
    (row) =>
      `${row.details.agreed === true ? 'lets' : 'no longer lets'} ${guardian(row)} see their page`,
  ),
  'family made': forAdmins('families', (row) => `created a family for ${guardian(row)}`),
  'family undone': forAdmins('families', (row) => `undid the family of ${guardian(row)}`),
  'family suggestion dismissed': forAdmins(
    'families',
    (row) => `said that ${studentCount(row)} are not one family`,
  ),

  'log-in invitation sent': forAdmins(
    'log_ins',
    (row) => `invited ${person(row)} to create a login`,
  ),
  'log-in made by invitation': forAdmins('log_ins', 'created a login from an invitation'),
  'log-in allowed by guardian': forAdmins(
    'log_ins',
    (row) =>
      `${row.details.allowed === false ? 'no longer allows' : 'allowed'} ${student(row)} a login`,
  ),
  'log-in disallowed by guardian': forAdmins(
    'log_ins',
    (row) => `no longer allows ${student(row)} a login`,
  ),
  'student log-in closed': forAdmins('log_ins', (row) => `closed the login of ${student(row)}`),
  'student log-in opened again': forAdmins(
    'log_ins',
    (row) => `reopened the login of ${student(row)}`,
  ),
  'student log-in ended': forAdmins('log_ins', (row) => `ended the login of ${student(row)}`),
  'email changed': forAdmins('log_ins', (row) => `changed ${possessive(row)} email`),
  'password changed': forAdmins('log_ins', (row) => `changed ${possessive(row)} password`),
  'email and password changed': forAdmins(
    'log_ins',
    (row) => `changed ${possessive(row)} email and password`,
  ),
  'password chosen by link': forAdmins(
    'log_ins',
    (row) => `reset ${possessive(row)} password with a link`,
  ),
  'account taken back': forAdmins(
    'log_ins',
    (row) => `recovered ${possessive(row)} account with a link`,
  ),
  'sensei activated': forAdmins('log_ins', (row) => `activated ${person(row)}`),
  'sensei deactivated': forAdmins('log_ins', (row) => `deactivated ${person(row)}`),
  'sensei password reset': forAdmins('log_ins', (row) => `set a new password for ${person(row)}`),
  'own password chosen': forAdmins(
    'log_ins',
    (row) => `replaced the password that was set for ${person(row)}`,
  ),
  'passkey added': forAdmins('log_ins', 'added a passkey'),
  'passkey removed': forAdmins('log_ins', 'removed a passkey'),
  'authenticator app added': forAdmins('log_ins', 'turned on an authenticator app'),
  'authenticator app removed': forAdmins('log_ins', 'turned off the authenticator app'),
  'recovery codes renewed': forAdmins('log_ins', 'created new recovery codes'),
  'recovery code used': forAdmins('log_ins', 'logged in with a recovery code'),
  'session ended': forAdmins('log_ins', 'logged out another device'),
  'other sessions ended': forAdmins('log_ins', 'logged out all other devices'),
  'second factor removed': forAdmins(
    'log_ins',
    (row) => `removed the second factor of ${person(row)}`,
  ),
  'second factor required': forAdmins('log_ins', secondFactorRule),
  'common passwords switched': forAdmins('log_ins', (row) =>
    turnedOnOrOff(row, 'refuses_common', 'the ban on common passwords'),
  ),
  'super admin recovered': forAdmins(
    'log_ins',
    (row) => `recovered the account of ${person(row)} on the server`,
  ),
  'calendar address made': forAdmins('log_ins', 'created a private calendar address'),
  'calendar address ended': forAdmins('log_ins', 'ended a private calendar address'),
  'check-in code renewed': forDojo('log_ins', 'created a new check-in code'),
  ...STAFF_ACTIONS,
  ...PLAN_ACTIONS,
  ...DOCUMENT_ACTIONS,
  'payment marked': forDojo('payments', markedPayment),
  'month reset': forAdmins('payments', (row) => {
    const payers = count(row, 'total_paying_students', 'student')
    return `reset ${month(row)} to unpaid for ${row.details.students_reset} of ${payers}`
  }),
  'payments marked': forDojo(
    'payments',
    (row) =>
      `marked ${count(row, 'paid', 'month')} paid and ${row.details.unpaid} unpaid, ${money(row)}`,
  ),
  'payment taken': forDojo(
    'payments',
    (row) => `took a payment of ${money(row)} for ${students(row)}`,
  ),
  'students charged': forDojo(
    'payments',
    (row) =>
      `charged ${students(row)} ${money(row)}${Number(row.details.students) === 1 ? '' : ' each'}`,
  ),
  'charge written off': forDojo(
    'payments',
    (row) => `wrote off ${money(row)} that ${students(row)} owed`,
  ),
  'money given back': forDojo('payments', (row) => `refunded ${money(row)} to ${student(row)}`),
  'payments taken back': forDojo('payments', (row) => `undid an entry for ${students(row)}`),
  'sibling prices set': forAdmins(
    'payments',
    (row) => `set sibling prices (${count(row, 'places', 'price')})`,
  ),
  'receipt issued': forDojo(
    'payments',
    (row) => `issued receipt ${row.details.number}, ${money(row, 'total')}`,
  ),
  'receipt sent': forDojo(
    'payments',
    ({ details }) =>
      `sent receipt ${details.number} by ${details.by === 'mail' ? 'email' : 'text message'}`,
  ),
  'cash counted': forDojo(
    'payments',
    (row) => `counted the cash drawer for ${date(row, 'date')}: ${money(row, 'counted')}`,
  ),
  'payment promise noted': forDojo(
    'payments',
    (row) => `noted that ${studentCount(row)} will pay by ${date(row)}`,
  ),
  'payment promise ended': forDojo(
    'payments',
    (row) => `removed the “will pay by” date of ${studentCount(row)}`,
  ),
  'late fee rule set': forAdmins('payments', ({ details }) =>
    details.is_on === true ? 'changed the late fee rule' : 'turned off late fees',
  ),
  'sales tax set': forAdmins('payments', ({ details }) =>
    details.taxes === 0 ? 'removed the sales tax' : 'changed the sales tax',
  ),
  'late fees charged': forDojo(
    'payments',
    (row) => `charged ${studentCount(row)} a late fee for ${month(row)}, ${money(row)}`,
  ),

  'style added': forDojo('belts', ({ details }) => `added the style ${details.name}`),
  'style changed': forDojo('belts', ({ details }) => `changed the style ${details.name}`),
  'style removed': forDojo('belts', ({ details }) => `removed the style ${details.name}`),
  'ladder added': forDojo('belts', ({ details }) => `added the ladder ${details.name}`),
  'ladder changed': forDojo('belts', ({ details }) => `changed the ladder ${details.name}`),
  'ladder removed': forDojo('belts', ({ details }) => `removed the ladder ${details.name}`),
  'belts converted': forDojo(
    'belts',
    (row) => `moved ${studentCount(row)} to the ladder ${row.details.name}`,
  ),
  'grading planned': forDojo(
    'belts',
    (row) => `planned the ${row.beltTest} ${row.details.grading} on ${date(row)}`,
  ),
  'grading changed': forDojo(
    'belts',
    (row) => `changed the ${row.beltTest} ${row.details.grading} on ${date(row)}`,
  ),
  'grading candidates changed': forDojo(
    'belts',
    (row) => `changed who tests at ${row.details.grading}${changedCandidates(row)}`,
  ),
  'students invited to a grading': forDojo(
    'belts',
    (row) => `invited ${studentCount(row)} to the ${row.beltTest} ${row.details.grading}`,
  ),
  'grading finished': forDojo('belts', (row) => {
    const promotedCount = count(row, 'promoted', 'student')
    return `finished the ${row.beltTest} ${row.details.grading}, promoting ${promotedCount}`
  }),
  'grading removed': forDojo(
    'belts',
    (row) => `removed the ${row.beltTest} ${row.details.grading} on ${date(row)}`,
  ),
  'certificates printed': forDojo('belts', (row) =>
    Number(row.details.certificates) === 1
      ? `printed the certificate of ${student(row)}`
      : `printed ${count(row, 'certificates', 'certificate')}`,
  ),

  'class deleted': forDojo('classes', ({ details }) => `deleted the class ${details.class_name}`),
  'class places set': forDojo('classes', (row) =>
    Number(row.details.places) === 0
      ? 'removed the limit of a class'
      : `limited a class to ${count(row, 'places', 'place')}`,
  ),
  'class date cancelled': forDojo('classes', (row) => `canceled ${classDate(row)}`),
  'class date restored': forDojo('classes', (row) => `restored ${classDate(row)}`),
  'class date moved': forDojo(
    'classes',
    (row) => `moved ${classDate(row)} to ${date(row, 'to_day')}`,
  ),
  'class date moved back': forDojo('classes', (row) => `moved ${classDate(row)} back`),
  'class date added': forDojo('classes', (row) => `added ${classDate(row)}`),
  'class date removed': forDojo('classes', (row) => `removed ${classDate(row)}`),
  'substitute set': forDojo(
    'classes',
    (row) =>
      `${row.details.is_set === true ? 'set a' : 'removed the'} substitute for ${classDate(row)}`,
  ),
  'holiday added': forDojo('classes', (row) => `added a ${holiday(row)}`),
  'holiday changed': forDojo('classes', (row) => `changed a ${holiday(row)}`),
  'holiday removed': forDojo('classes', (row) => `removed a ${holiday(row)}`),
  'checked in at a kiosk': forDojo('classes', (row) => `checked in ${students(row)}`),
  'kiosk check-in taken back': forDojo(
    'classes',
    (row) => `undid the check-in of ${students(row)}`,
  ),

  'announcement sent': forDojo('texts', (row) => `sent an announcement to ${studentCount(row)}`),
  'texts sent': forDojo('texts', (row) => `sent texts to ${studentCount(row)}`),
  'texts sent again': forDojo('texts', (row) => `resent failed texts to ${studentCount(row)}`),
  'text consent recorded': forDojo(
    'texts',
    ({ details }) =>
      `recorded that someone ${details.event === 'given' ? 'agreed' : 'no longer agrees'} to texts`,
  ),
  'end of texts undone': forDojo('texts', 'restored a consent to texts'),
  ...ONLINE_PAYMENT_ACTIONS,
  ...VISITOR_ACTIONS,
  'own texting account saved': forAdmins(
    'texts',
    'set up the Twilio account that the school texts with',
  ),
  'own texting account removed': forAdmins(
    'texts',
    'removed the Twilio account that the school texted with',
  ),
  'phone linked': forAdmins('texts', (row) => `linked a phone to ${person(row)}`),
  'phone unlinked': forAdmins('texts', (row) => `unlinked a phone from ${person(row)}`),
  'template deleted': forDojo('texts', 'deleted a template'),

  'kiosk switched on': forAdmins(
    'settings',
    ({ details }) => `turned on the kiosk ${details.kiosk}`,
  ),
  'kiosk link made': forAdmins(
    'settings',
    ({ details }) => `created a link that turns on the kiosk ${details.kiosk}`,
  ),
  'kiosk ended': forAdmins('settings', ({ details }) => `ended the kiosk ${details.kiosk}`),
  'kiosk settings changed': forAdmins('settings', (row) =>
    turnedOnOrOff(row, 'asks_pin', 'the kiosk’s PIN question'),
  ),
  'own phone changed': forDojo('log_ins', 'changed their own phone number'),
  'dojo settings changed': forDojo('settings', 'changed the settings of the school'),
  'logo set': forDojo('settings', 'set the school’s logo'),
  'logo removed': forDojo('settings', 'removed the school’s logo'),
  'school color set': forDojo('settings', 'changed the school’s color'),
  'welcome texts switched': forDojo('settings', (row) => turnedOnOrOff(row, 'on', 'welcome texts')),
  'reminders switched': forDojo('settings', (row) =>
    turnedOnOrOff(row, 'on', 'automatic reminders'),
  ),
  'reply words switched': forDojo(
    'settings',
    (row) =>
      `${turnedOnOrOff(row, 'out_enabled', 'OUT replies')} and ${turnedOnOrOff(row, 'ok_enabled', 'OK replies')}`,
  ),
  'daily limit set': forAdmins(
    'settings',
    ({ details }) =>
      `set the daily message limit to ${Number(details.daily_message_limit).toLocaleString()}`,
  ),

  'everything exported': forAdmins('exports', 'downloaded all of the dojo’s data'),
  'student exported': forDojo('exports', exportedStudent),
  'student list exported': forDojo(
    'exports',
    (row) =>
      `downloaded a list of ${row.details.all === true ? 'all students' : studentCount(row)}`,
  ),
  'attendance exported': forDojo(
    'exports',
    ({ details }) => `downloaded ${details.all === true ? 'all' : 'some'} attendance records`,
  ),
  'payments exported': forDojo(
    'exports',
    (row) => `downloaded the payments of ${row.details.all === true ? 'all months' : month(row)}`,
  ),
  'bookkeeping exported': forDojo(
    'exports',
    (row) => `downloaded payments from ${date(row, 'from')} to ${date(row, 'to')} for bookkeeping`,
  ),
}
export type AuditAction = keyof typeof AUDIT_ACTIONS

const isAuditAction = (action: string): action is AuditAction =>
  Object.hasOwn(AUDIT_ACTIONS, action)
const ACTIONS = Object.keys(AUDIT_ACTIONS).filter(isAuditAction)

export const actionsOfKind = (kind: AuditKind): AuditAction[] =>
  ACTIONS.filter((action) => AUDIT_ACTIONS[action].kind === kind)
export const EVERYDAY_ACTIONS = ACTIONS.filter((action) => AUDIT_ACTIONS[action].isEveryday)

/** Describes an action. If this version does not know the action, returns its name. */
export function actionPhrase(action: string, row: DescribedAction): string {
  if (!isAuditAction(action)) return action
  const { phrase }: { phrase: Phrase } = AUDIT_ACTIONS[action]
  return typeof phrase === 'string' ? phrase : phrase(row)
}
