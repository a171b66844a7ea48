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

/** The part of the sentence after the actor's name: "approved the student Maya Lopez". */
type Phrase = string | ((entry: DescribedAction) => string)

/** An everyday action, which only the dojo's own instructors can read. */
const forDojo = (kind: AuditKind, phrase: Phrase) => ({ kind, phrase, isEveryday: true })
/** An action that the super admin can read as well. */
const forAdmins = (kind: AuditKind, phrase: Phrase) => ({ kind, phrase, isEveryday: false })

/** Every action that the audit log records: its kind, who can read it, and how it is described. */
export const AUDIT_ACTIONS = {
  'student added': forDojo(
    'students',
    (entry) => `added ${student(entry)}${entry.details.log_in === true ? ' with a login' : ''}`,
  ),
  'student approved': forDojo('students', (entry) => `approved ${student(entry)}`),
  'student changed': forDojo(
    'students',
    (entry) => `changed ${student(entry)}${changedFields(entry)}`,
  ),
  'student deleted': forAdmins('students', (entry) => `deleted ${student(entry)}`),
  'students imported': forAdmins('students', (entry) => `imported ${studentCount(entry)}`),
  'import undone': forAdmins('students', (entry) => `undid the import of ${studentCount(entry)}`),
  'student notes changed': forDojo(
    'students',
    (entry) => `changed the notes on ${student(entry)}${changedFields(entry)}`,
  ),
  'vacation changed': forDojo(
    'students',
    (entry) =>
      `${entry.details.planned === true ? 'planned' : 'ended'} a vacation for ${student(entry)}`,
  ),
  'students promoted': forDojo('students', (entry) => `promoted ${promotedStudents(entry)}`),
  'stripes given': forDojo('students', (entry) =>
    entry.subject ? `gave a stripe to ${student(entry)}` : `gave stripes to ${studentCount(entry)}`,
  ),
  'promotions taken back': forDojo(
    'students',
    (entry) =>
      `undid ${count(entry, 'promotions', 'promotion')}${entry.subject ? ` of ${student(entry)}` : ''}`,
  ),
  'skill checked': forDojo('students', (entry) => `checked off a skill for ${student(entry)}`),
  'skill unchecked': forDojo('students', (entry) => `unchecked a skill for ${student(entry)}`),
  'promotion approved': forDojo(
    'students',
    (entry) => `approved the next rank for ${student(entry)}`,
  ),
  'approval withdrawn': forDojo(
    'students',
    (entry) => `withdrew approval of the next rank for ${student(entry)}`,
  ),
  'contact changed by guardian': forAdmins(
    'students',
    (entry) => `changed the contacts of ${student(entry)}`,
  ),
  'check-in PIN changed': forDojo(
    'students',
    (entry) =>
      `${entry.details.removed === true ? 'removed' : 'set'} the check-in PIN of ${student(entry)}`,
  ),

  'guardian added': forAdmins('families', (entry) => `added ${guardian(entry)}`),
  'guardian changed': forAdmins('families', (entry) => `changed ${guardian(entry)}`),
  'guardian deleted': forAdmins('families', (entry) => `deleted ${guardian(entry)}`),
  'guardian linked': forAdmins(
    'families',
    (entry) => `made ${person(entry)} a guardian${ofStudent(entry)}${grantedRights(entry)}`,
  ),
  'guardian rights changed': forAdmins(
    'families',
    (entry) => `changed what ${guardian(entry)}${ofStudent(entry)} may do${changedRights(entry)}`,
  ),
  'guardian rights ended by age': forAdmins(
    'families',
    (entry) => `ended the rights of ${guardian(entry)}${ofStudent(entry)}, who came of age`,
  ),
  'guardian link ended': forAdmins(
    'families',
    (entry) => `unlinked ${guardian(entry)}${ofStudent(entry)}`,
  ),
  'guardian agreed to by student': forAdmins(
    'families',
    (entry) =>
      `${entry.details.agreed === true ? 'lets' : 'no longer lets'} ${guardian(entry)} see their page`,
  ),
  'family made': forAdmins('families', (entry) => `made a family for ${guardian(entry)}`),
  'family undone': forAdmins('families', (entry) => `ended the family of ${guardian(entry)}`),
  'family suggestion dismissed': forAdmins(
    'families',
    (entry) => `said that ${studentCount(entry)} are not one family`,
  ),

  'log-in invitation sent': forAdmins(
    'log_ins',
    (entry) => `invited ${person(entry)} to create a login`,
  ),
  'log-in made by invitation': forAdmins('log_ins', 'created a login from an invitation'),
  'log-in allowed by guardian': forAdmins(
    'log_ins',
    (entry) =>
      `${entry.details.allowed === false ? 'no longer allows' : 'allowed'} ${student(entry)} a login`,
  ),
  'log-in disallowed by guardian': forAdmins(
    'log_ins',
    (entry) => `no longer allows ${student(entry)} a login`,
  ),
  'student log-in closed': forAdmins('log_ins', (entry) => `closed the login of ${student(entry)}`),
  'student log-in opened again': forAdmins(
    'log_ins',
    (entry) => `reopened the login of ${student(entry)}`,
  ),
  'student log-in ended': forAdmins('log_ins', (entry) => `ended the login of ${student(entry)}`),
  'email changed': forAdmins('log_ins', (entry) => `changed ${possessive(entry)} email`),
  'password changed': forAdmins('log_ins', (entry) => `changed ${possessive(entry)} password`),
  'email and password changed': forAdmins(
    'log_ins',
    (entry) => `changed ${possessive(entry)} email and password`,
  ),
  'password chosen by link': forAdmins(
    'log_ins',
    (entry) => `reset ${possessive(entry)} password with a link`,
  ),
  'account taken back': forAdmins(
    'log_ins',
    (entry) => `recovered ${possessive(entry)} account with a link`,
  ),
  'sensei activated': forAdmins('log_ins', (entry) => `activated ${person(entry)}`),
  'sensei deactivated': forAdmins('log_ins', (entry) => `deactivated ${person(entry)}`),
  'sensei password reset': forAdmins(
    'log_ins',
    (entry) => `set a new password for ${person(entry)}`,
  ),
  'own password chosen': forAdmins(
    'log_ins',
    (entry) => `replaced the password that was set for ${person(entry)}`,
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
    (entry) => `removed the second factor of ${person(entry)}`,
  ),
  'second factor required': forAdmins('log_ins', secondFactorRule),
  'common passwords switched': forAdmins('log_ins', (entry) =>
    turnedOnOrOff(entry, 'refuses_common', 'the ban on common passwords'),
  ),
  'super admin recovered': forAdmins(
    'log_ins',
    (entry) => `recovered the account of ${person(entry)} at the server`,
  ),
  'calendar address made': forAdmins('log_ins', 'made a private calendar address'),
  'calendar address ended': forAdmins('log_ins', 'ended a private calendar address'),
  'check-in code renewed': forDojo('log_ins', 'made a new check-in code'),

  'payment marked': forDojo('payments', markedPayment),
  'month reset': forAdmins('payments', (entry) => {
    const payers = count(entry, 'total_paying_students', 'student')
    return `reset ${month(entry)} to unpaid for ${entry.details.students_reset} of ${payers}`
  }),
  'payments marked': forDojo(
    'payments',
    (entry) =>
      `marked ${count(entry, 'paid', 'month')} paid and ${entry.details.unpaid} unpaid, ${money(entry)}`,
  ),
  'payment taken': forDojo(
    'payments',
    (entry) => `took a payment of ${money(entry)} for ${students(entry)}`,
  ),
  'students charged': forDojo(
    'payments',
    (entry) =>
      `charged ${students(entry)} ${money(entry)}${Number(entry.details.students) === 1 ? '' : ' each'}`,
  ),
  'charge written off': forDojo(
    'payments',
    (entry) => `wrote off ${money(entry)} that ${students(entry)} owed`,
  ),
  'money given back': forDojo(
    'payments',
    (entry) => `refunded ${money(entry)} to ${student(entry)}`,
  ),
  'payments taken back': forDojo('payments', (entry) => `undid an entry for ${students(entry)}`),
  'sibling prices set': forAdmins(
    'payments',
    (entry) => `set sibling prices (${count(entry, 'places', 'price')})`,
  ),
  'receipt issued': forDojo(
    'payments',
    (entry) => `issued receipt ${entry.details.number}, ${money(entry, 'total')}`,
  ),
  'receipt sent': forDojo(
    'payments',
    ({ details }) =>
      `sent receipt ${details.number} by ${details.by === 'mail' ? 'email' : 'text message'}`,
  ),
  'cash counted': forDojo(
    'payments',
    (entry) => `counted the cash drawer for ${date(entry, 'date')}: ${money(entry, 'counted')}`,
  ),
  'payment promise noted': forDojo(
    'payments',
    (entry) => `noted that ${studentCount(entry)} will pay by ${date(entry)}`,
  ),
  'payment promise ended': forDojo(
    'payments',
    (entry) => `removed the “will pay by” date of ${studentCount(entry)}`,
  ),
  'late fee rule set': forAdmins('payments', ({ details }) =>
    details.is_on === true ? 'changed the late fee rule' : 'turned off late fees',
  ),
  'late fees charged': forDojo(
    'payments',
    (entry) => `charged ${studentCount(entry)} a late fee for ${month(entry)}, ${money(entry)}`,
  ),

  'style added': forDojo('belts', ({ details }) => `added the style ${details.name}`),
  'style changed': forDojo('belts', ({ details }) => `changed the style ${details.name}`),
  'style removed': forDojo('belts', ({ details }) => `removed the style ${details.name}`),
  'ladder added': forDojo('belts', ({ details }) => `added the ladder ${details.name}`),
  'ladder changed': forDojo('belts', ({ details }) => `changed the ladder ${details.name}`),
  'ladder removed': forDojo('belts', ({ details }) => `removed the ladder ${details.name}`),
  'belts converted': forDojo(
    'belts',
    (entry) => `moved ${studentCount(entry)} to the ladder ${entry.details.name}`,
  ),
  'grading planned': forDojo(
    'belts',
    (entry) => `planned the ${entry.beltTest} ${entry.details.grading} on ${date(entry)}`,
  ),
  'grading changed': forDojo(
    'belts',
    (entry) => `changed the ${entry.beltTest} ${entry.details.grading} on ${date(entry)}`,
  ),
  'grading candidates changed': forDojo(
    'belts',
    (entry) => `changed who tests at ${entry.details.grading}${changedCandidates(entry)}`,
  ),
  'students invited to a grading': forDojo(
    'belts',
    (entry) => `invited ${studentCount(entry)} to the ${entry.beltTest} ${entry.details.grading}`,
  ),
  'grading finished': forDojo('belts', (entry) => {
    const promotedCount = count(entry, 'promoted', 'student')
    return `finished the ${entry.beltTest} ${entry.details.grading}, promoting ${promotedCount}`
  }),
  'grading removed': forDojo(
    'belts',
    (entry) => `removed the ${entry.beltTest} ${entry.details.grading} on ${date(entry)}`,
  ),
  'certificates printed': forDojo('belts', (entry) =>
    Number(entry.details.certificates) === 1
      ? `printed the certificate of ${student(entry)}`
      : `printed ${count(entry, 'certificates', 'certificate')}`,
  ),

  'class deleted': forDojo('classes', ({ details }) => `deleted the class ${details.class_name}`),
  'class places set': forDojo('classes', (entry) =>
    Number(entry.details.places) === 0
      ? 'removed the limit of a class'
      : `limited a class to ${count(entry, 'places', 'place')}`,
  ),
  'class date cancelled': forDojo('classes', (entry) => `canceled ${classDate(entry)}`),
  'class date restored': forDojo('classes', (entry) => `restored ${classDate(entry)}`),
  'class date moved': forDojo(
    'classes',
    (entry) => `moved ${classDate(entry)} to ${date(entry, 'to_day')}`,
  ),
  'class date moved back': forDojo('classes', (entry) => `moved ${classDate(entry)} back`),
  'class date added': forDojo('classes', (entry) => `added ${classDate(entry)}`),
  'class date removed': forDojo('classes', (entry) => `removed ${classDate(entry)}`),
  'substitute set': forDojo(
    'classes',
    (entry) =>
      `${entry.details.is_set === true ? 'named a' : 'removed the'} substitute for ${classDate(entry)}`,
  ),
  'holiday added': forDojo('classes', (entry) => `added a ${holiday(entry)}`),
  'holiday changed': forDojo('classes', (entry) => `changed a ${holiday(entry)}`),
  'holiday removed': forDojo('classes', (entry) => `removed a ${holiday(entry)}`),
  'checked in at a kiosk': forDojo('classes', (entry) => `checked in ${students(entry)}`),
  'kiosk check-in taken back': forDojo(
    'classes',
    (entry) => `undid the check-in of ${students(entry)}`,
  ),

  'announcement sent': forDojo(
    'texts',
    (entry) => `sent an announcement to ${studentCount(entry)}`,
  ),
  'texts sent': forDojo('texts', (entry) => `sent texts to ${studentCount(entry)}`),
  'texts sent again': forDojo(
    'texts',
    (entry) => `sent failed texts again to ${studentCount(entry)}`,
  ),
  'text consent recorded': forDojo(
    'texts',
    ({ details }) =>
      `recorded that someone ${details.event === 'given' ? 'agreed' : 'no longer agrees'} to texts`,
  ),
  'end of texts undone': forDojo('texts', 'undid that someone no longer agrees to texts'),
  'phone linked': forAdmins('texts', (entry) => `linked a phone to ${person(entry)}`),
  'phone unlinked': forAdmins('texts', (entry) => `unlinked a phone from ${person(entry)}`),
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
  'kiosk settings changed': forAdmins('settings', (entry) =>
    turnedOnOrOff(entry, 'asks_pin', 'the kiosk’s PIN question'),
  ),
  'dojo settings changed': forDojo('settings', 'saved the instructor settings'),
  'invitation replaced': forDojo('settings', 'replaced the student invitation'),
  'welcome texts switched': forDojo('settings', (entry) =>
    turnedOnOrOff(entry, 'on', 'welcome texts'),
  ),
  'reminders switched': forDojo('settings', (entry) =>
    turnedOnOrOff(entry, 'on', 'automatic reminders'),
  ),
  'reply words switched': forDojo(
    'settings',
    (entry) =>
      `${turnedOnOrOff(entry, 'out_enabled', 'OUT replies')} and ${turnedOnOrOff(entry, 'ok_enabled', 'OK replies')}`,
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
    (entry) =>
      `downloaded a list of ${entry.details.all === true ? 'all students' : studentCount(entry)}`,
  ),
  'attendance exported': forDojo(
    'exports',
    ({ details }) => `downloaded ${details.all === true ? 'all' : 'some'} attendance records`,
  ),
  'payments exported': forDojo(
    'exports',
    (entry) =>
      `downloaded the payments of ${entry.details.all === true ? 'all months' : month(entry)}`,
  ),
  'bookkeeping exported': forDojo(
    'exports',
    (entry) =>
      `downloaded payments from ${date(entry, 'from')} to ${date(entry, 'to')} for bookkeeping`,
  ),
}
export type AuditAction = keyof typeof AUDIT_ACTIONS

const isAuditAction = (action: string): action is AuditAction =>
  Object.hasOwn(AUDIT_ACTIONS, action)
const ACTIONS = Object.keys(AUDIT_ACTIONS).filter(isAuditAction)

export const actionsOfKind = (kind: AuditKind): AuditAction[] =>
  ACTIONS.filter((action) => AUDIT_ACTIONS[action].kind === kind)
export const EVERYDAY_ACTIONS = ACTIONS.filter((action) => AUDIT_ACTIONS[action].isEveryday)

/** Describes an action. One that only a newer server knows is described by its name. */
export function actionPhrase(action: string, entry: DescribedAction): string {
  if (!isAuditAction(action)) return action
  const { phrase }: { phrase: Phrase } = AUDIT_ACTIONS[action]
  return typeof phrase === 'string' ? phrase : phrase(entry)
}
