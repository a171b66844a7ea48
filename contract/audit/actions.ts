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

/** What the audit log can be filtered by. */
export const AUDIT_KINDS = [
  'students',
  'families',
  'log_ins',
  'payments',
  'classes',
  'belts',
  'texts',
  'settings',
  'exports',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

/** What follows the actor's name: "approved the student Maya Lopez". */
type Phrase = string | ((act: DescribedAction) => string)

/** An everyday act, which only the dojo's own instructors read. */
const forDojo = (kind: AuditKind, words: Phrase) => ({ kind, words, isEveryday: true })
/** An act that the super admin reads as well. */
const forAdmins = (kind: AuditKind, words: Phrase) => ({ kind, words, isEveryday: false })

/** Every act that the audit log records: its kind, who reads it, and its words. */
export const AUDIT_ACTIONS = {
  'student added': forDojo(
    'students',
    (act) => `added ${student(act)}${act.details.log_in === true ? ' with a login' : ''}`,
  ),
  'student approved': forDojo('students', (act) => `approved ${student(act)}`),
  'student changed': forDojo('students', (act) => `changed ${student(act)}${changedFields(act)}`),
  'student deleted': forAdmins('students', (act) => `deleted ${student(act)}`),
  'students imported': forAdmins('students', (act) => `imported ${studentCount(act)}`),
  'import undone': forAdmins('students', (act) => `undid the import of ${studentCount(act)}`),
  'student notes changed': forDojo(
    'students',
    (act) => `changed the notes on ${student(act)}${changedFields(act)}`,
  ),
  'vacation changed': forDojo(
    'students',
    (act) => `${act.details.planned === true ? 'planned' : 'ended'} a vacation for ${student(act)}`,
  ),
  'students promoted': forDojo('students', (act) => `promoted ${promotedStudents(act)}`),
  'stripes given': forDojo('students', (act) =>
    act.subject ? `gave a stripe to ${student(act)}` : `gave stripes to ${studentCount(act)}`,
  ),
  'promotions taken back': forDojo(
    'students',
    (act) =>
      `undid ${count(act, 'promotions', 'promotion')}${act.subject ? ` of ${student(act)}` : ''}`,
  ),
  'skill checked': forDojo('students', (act) => `checked off a skill for ${student(act)}`),
  'skill unchecked': forDojo('students', (act) => `unchecked a skill for ${student(act)}`),
  'promotion approved': forDojo('students', (act) => `approved the next rank for ${student(act)}`),
  'approval withdrawn': forDojo(
    'students',
    (act) => `withdrew approval of the next rank for ${student(act)}`,
  ),
  'contact changed by guardian': forAdmins(
    'students',
    (act) => `changed the contacts of ${student(act)}`,
  ),
  'check-in PIN changed': forDojo(
    'students',
    (act) =>
      `${act.details.removed === true ? 'removed' : 'set'} the check-in PIN of ${student(act)}`,
  ),

  'guardian added': forAdmins('families', (act) => `added ${guardian(act)}`),
  'guardian changed': forAdmins('families', (act) => `changed ${guardian(act)}`),
  'guardian deleted': forAdmins('families', (act) => `deleted ${guardian(act)}`),
  'guardian linked': forAdmins(
    'families',
    (act) => `made ${person(act)} a guardian${ofStudent(act)}${grantedRights(act)}`,
  ),
  'guardian rights changed': forAdmins(
    'families',
    (act) => `changed what ${guardian(act)}${ofStudent(act)} may do${changedRights(act)}`,
  ),
  'guardian rights ended by age': forAdmins(
    'families',
    (act) => `ended the rights of ${guardian(act)}${ofStudent(act)}, who came of age`,
  ),
  'guardian link ended': forAdmins(
    'families',
    (act) => `unlinked ${guardian(act)}${ofStudent(act)}`,
  ),
  'guardian agreed to by student': forAdmins(
    'families',
    (act) =>
      `${act.details.agreed === true ? 'lets' : 'no longer lets'} ${guardian(act)} see their page`,
  ),
  'family made': forAdmins('families', (act) => `made a family for ${guardian(act)}`),
  'family undone': forAdmins('families', (act) => `ended the family of ${guardian(act)}`),
  'family suggestion dismissed': forAdmins(
    'families',
    (act) => `said that ${studentCount(act)} are not one family`,
  ),

  'log-in invitation sent': forAdmins(
    'log_ins',
    (act) => `invited ${person(act)} to create a login`,
  ),
  'log-in made by invitation': forAdmins('log_ins', 'created a login from an invitation'),
  'log-in allowed by guardian': forAdmins(
    'log_ins',
    (act) =>
      `${act.details.allowed === false ? 'no longer allows' : 'allowed'} ${student(act)} a login`,
  ),
  'log-in disallowed by guardian': forAdmins(
    'log_ins',
    (act) => `no longer allows ${student(act)} a login`,
  ),
  'student log-in closed': forAdmins('log_ins', (act) => `closed the login of ${student(act)}`),
  'student log-in opened again': forAdmins(
    'log_ins',
    (act) => `reopened the login of ${student(act)}`,
  ),
  'student log-in ended': forAdmins('log_ins', (act) => `ended the login of ${student(act)}`),
  'email changed': forAdmins('log_ins', (act) => `changed ${possessive(act)} email`),
  'password changed': forAdmins('log_ins', (act) => `changed ${possessive(act)} password`),
  'email and password changed': forAdmins(
    'log_ins',
    (act) => `changed ${possessive(act)} email and password`,
  ),
  'password chosen by link': forAdmins(
    'log_ins',
    (act) => `reset ${possessive(act)} password with a link`,
  ),
  'account taken back': forAdmins(
    'log_ins',
    (act) => `recovered ${possessive(act)} account with a link`,
  ),
  'sensei activated': forAdmins('log_ins', (act) => `activated ${person(act)}`),
  'sensei deactivated': forAdmins('log_ins', (act) => `deactivated ${person(act)}`),
  'sensei password reset': forAdmins('log_ins', (act) => `set a new password for ${person(act)}`),
  'own password chosen': forAdmins(
    'log_ins',
    (act) => `replaced the password that was set for ${person(act)}`,
  ),
  'passkey added': forAdmins('log_ins', 'added a passkey'),
  'passkey removed': forAdmins('log_ins', 'removed a passkey'),
  'authenticator app added': forAdmins('log_ins', 'turned on an authenticator app'),
  'authenticator app removed': forAdmins('log_ins', 'turned off the authenticator app'),
  'recovery codes renewed': forAdmins('log_ins', 'made new recovery codes'),
  'recovery code used': forAdmins('log_ins', 'logged in with a recovery code'),
  'session ended': forAdmins('log_ins', 'logged out another device'),
  'other sessions ended': forAdmins('log_ins', 'logged out all other devices'),
  'second factor removed': forAdmins(
    'log_ins',
    (act) => `removed the second factor of ${person(act)}`,
  ),
  'second factor required': forAdmins('log_ins', secondFactorRule),
  'common passwords switched': forAdmins('log_ins', (act) =>
    turnedOnOrOff(act, 'refuses_common', 'the ban on common passwords'),
  ),
  'super admin recovered': forAdmins(
    'log_ins',
    (act) => `recovered the account of ${person(act)} at the server`,
  ),
  'calendar address made': forAdmins('log_ins', 'made a private calendar address'),
  'calendar address ended': forAdmins('log_ins', 'ended a private calendar address'),
  'check-in code renewed': forDojo('log_ins', 'made a new check-in code'),

  'payment marked': forDojo('payments', markedPayment),
  'month reset': forAdmins('payments', (act) => {
    const payers = count(act, 'total_paying_students', 'student')
    return `reset ${month(act)} to unpaid for ${act.details.students_reset} of ${payers}`
  }),
  'payments marked': forDojo(
    'payments',
    (act) =>
      `marked ${count(act, 'paid', 'month')} paid and ${act.details.unpaid} unpaid, ${money(act)}`,
  ),
  'payment taken': forDojo(
    'payments',
    (act) => `took a payment of ${money(act)} for ${students(act)}`,
  ),
  'students charged': forDojo(
    'payments',
    (act) =>
      `charged ${students(act)} ${money(act)}${Number(act.details.students) === 1 ? '' : ' each'}`,
  ),
  'charge written off': forDojo(
    'payments',
    (act) => `wrote off ${money(act)} that ${students(act)} owed`,
  ),
  'money given back': forDojo('payments', (act) => `refunded ${money(act)} to ${student(act)}`),
  'payments taken back': forDojo('payments', (act) => `undid an entry for ${students(act)}`),
  'sibling prices set': forAdmins(
    'payments',
    (act) => `set sibling prices (${count(act, 'places', 'price')})`,
  ),
  'receipt issued': forDojo(
    'payments',
    (act) => `issued receipt ${act.details.number}, ${money(act, 'total')}`,
  ),
  'receipt sent': forDojo(
    'payments',
    ({ details }) =>
      `sent receipt ${details.number} by ${details.by === 'mail' ? 'email' : 'text message'}`,
  ),
  'cash counted': forDojo(
    'payments',
    (act) => `counted the cash drawer for ${date(act, 'date')}: ${money(act, 'counted')}`,
  ),
  'payment promise noted': forDojo(
    'payments',
    (act) => `noted that ${studentCount(act)} will pay by ${date(act)}`,
  ),
  'payment promise ended': forDojo(
    'payments',
    (act) => `removed the “will pay by” date of ${studentCount(act)}`,
  ),
  'late fee rule set': forAdmins('payments', ({ details }) =>
    details.is_on === true ? 'changed the late fee rule' : 'turned off late fees',
  ),
  'late fees charged': forDojo(
    'payments',
    (act) => `charged ${studentCount(act)} a late fee for ${month(act)}, ${money(act)}`,
  ),

  'style added': forDojo('belts', ({ details }) => `added the style ${details.name}`),
  'style changed': forDojo('belts', ({ details }) => `changed the style ${details.name}`),
  'style removed': forDojo('belts', ({ details }) => `removed the style ${details.name}`),
  'ladder added': forDojo('belts', ({ details }) => `added the ladder ${details.name}`),
  'ladder changed': forDojo('belts', ({ details }) => `changed the ladder ${details.name}`),
  'ladder removed': forDojo('belts', ({ details }) => `removed the ladder ${details.name}`),
  'belts converted': forDojo(
    'belts',
    (act) => `moved ${studentCount(act)} to the ladder ${act.details.name}`,
  ),
  'grading planned': forDojo(
    'belts',
    (act) => `planned the ${act.beltTest} ${act.details.grading} on ${date(act)}`,
  ),
  'grading changed': forDojo(
    'belts',
    (act) => `changed the ${act.beltTest} ${act.details.grading} on ${date(act)}`,
  ),
  'grading candidates changed': forDojo(
    'belts',
    (act) => `changed who tests at ${act.details.grading}${changedCandidates(act)}`,
  ),
  'students invited to a grading': forDojo(
    'belts',
    (act) => `invited ${studentCount(act)} to the ${act.beltTest} ${act.details.grading}`,
  ),
  'grading finished': forDojo('belts', (act) => {
    const promotedCount = count(act, 'promoted', 'student')
    return `finished the ${act.beltTest} ${act.details.grading}, promoting ${promotedCount}`
  }),
  'grading removed': forDojo(
    'belts',
    (act) => `removed the ${act.beltTest} ${act.details.grading} on ${date(act)}`,
  ),
  'certificates printed': forDojo('belts', (act) =>
    Number(act.details.certificates) === 1
      ? `printed the certificate of ${student(act)}`
      : `printed ${count(act, 'certificates', 'certificate')}`,
  ),

  'class deleted': forDojo('classes', ({ details }) => `deleted the class ${details.class_name}`),
  'class places set': forDojo('classes', (act) =>
    Number(act.details.places) === 0
      ? 'removed the limit of a class'
      : `limited a class to ${count(act, 'places', 'place')}`,
  ),
  'class date cancelled': forDojo('classes', (act) => `canceled ${classDate(act)}`),
  'class date restored': forDojo('classes', (act) => `restored ${classDate(act)}`),
  'class date moved': forDojo(
    'classes',
    (act) => `moved ${classDate(act)} to ${date(act, 'to_day')}`,
  ),
  'class date moved back': forDojo('classes', (act) => `moved ${classDate(act)} back`),
  'class date added': forDojo('classes', (act) => `added ${classDate(act)}`),
  'class date removed': forDojo('classes', (act) => `removed ${classDate(act)}`),
  'substitute set': forDojo(
    'classes',
    (act) =>
      `${act.details.is_set === true ? 'named a' : 'removed the'} substitute for ${classDate(act)}`,
  ),
  'holiday added': forDojo('classes', (act) => `added a ${holiday(act)}`),
  'holiday changed': forDojo('classes', (act) => `changed a ${holiday(act)}`),
  'holiday removed': forDojo('classes', (act) => `removed a ${holiday(act)}`),
  'checked in at a kiosk': forDojo('classes', (act) => `checked in ${students(act)}`),
  'kiosk check-in taken back': forDojo(
    'classes',
    (act) => `undid the check-in of ${students(act)}`,
  ),

  'announcement sent': forDojo('texts', (act) => `sent an announcement to ${studentCount(act)}`),
  'texts sent': forDojo('texts', (act) => `sent texts to ${studentCount(act)}`),
  'texts sent again': forDojo('texts', (act) => `sent failed texts again to ${studentCount(act)}`),
  'text consent recorded': forDojo(
    'texts',
    ({ details }) =>
      `recorded that someone ${details.event === 'given' ? 'agreed' : 'no longer agrees'} to texts`,
  ),
  'end of texts undone': forDojo('texts', 'undid that someone no longer agrees to texts'),
  'phone linked': forAdmins('texts', (act) => `linked a phone to ${person(act)}`),
  'phone unlinked': forAdmins('texts', (act) => `unlinked a phone from ${person(act)}`),
  'template deleted': forDojo('texts', 'deleted a template'),

  'kiosk switched on': forAdmins(
    'settings',
    ({ details }) => `turned on the kiosk ${details.kiosk}`,
  ),
  'kiosk link made': forAdmins(
    'settings',
    ({ details }) => `made a link that turns on the kiosk ${details.kiosk}`,
  ),
  'kiosk ended': forAdmins('settings', ({ details }) => `ended the kiosk ${details.kiosk}`),
  'kiosk settings changed': forAdmins('settings', (act) =>
    turnedOnOrOff(act, 'asks_pin', 'the kiosk’s PIN question'),
  ),
  'dojo settings changed': forDojo('settings', 'saved the instructor settings'),
  'invitation replaced': forDojo('settings', 'replaced the student invitation'),
  'welcome texts switched': forDojo('settings', (act) => turnedOnOrOff(act, 'on', 'welcome texts')),
  'reminders switched': forDojo('settings', (act) =>
    turnedOnOrOff(act, 'on', 'automatic reminders'),
  ),
  'reply words switched': forDojo(
    'settings',
    (act) =>
      `${turnedOnOrOff(act, 'out_enabled', 'OUT replies')} and ${turnedOnOrOff(act, 'ok_enabled', 'OK replies')}`,
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
    (act) =>
      `downloaded a list of ${act.details.all === true ? 'all students' : studentCount(act)}`,
  ),
  'attendance exported': forDojo(
    'exports',
    ({ details }) => `downloaded ${details.all === true ? 'all' : 'some'} attendance records`,
  ),
  'payments exported': forDojo(
    'exports',
    (act) => `downloaded the payments of ${act.details.all === true ? 'all months' : month(act)}`,
  ),
  'bookkeeping exported': forDojo(
    'exports',
    (act) => `downloaded payments from ${date(act, 'from')} to ${date(act, 'to')} for bookkeeping`,
  ),
}
export type AuditAction = keyof typeof AUDIT_ACTIONS

const ACTIONS = Object.keys(AUDIT_ACTIONS) as AuditAction[]
export const actionsOfKind = (kind: AuditKind): AuditAction[] =>
  ACTIONS.filter((action) => AUDIT_ACTIONS[action].kind === kind)
export const EVERYDAY_ACTIONS = ACTIONS.filter((action) => AUDIT_ACTIONS[action].isEveryday)

/** The words of an act; its name if it comes from a newer server and is not in the table. */
export function actionPhrase(action: string, act: DescribedAction): string {
  const row = (AUDIT_ACTIONS as Partial<Record<string, { words: Phrase }>>)[action]
  if (!row) return action
  return typeof row.words === 'string' ? row.words : row.words(act)
}
