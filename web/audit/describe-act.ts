import { firstDayOf } from '@tatami/contract/lib/calendar-day'
import { formatMoney } from '@tatami/contract/lib/money'
import type { AuditAction, AuditEntry } from '@tatami/contract/audit/audit'
import { beltTest } from '../lib/belt-test.ts'
import { formatDate, formatMonthOfDate } from '../lib/dates.ts'
import { pluralize } from '../lib/text.ts'

type Act = Omit<AuditEntry, 'id' | 'created_at' | 'student_id'>
type Describe = (act: Act) => string

/** The rights of a guardian, and what of a student may change, as one says them. */
const WORDS: Record<string, string> = {
  sees: 'sees the page',
  sees_fees: 'sees fees',
  gets_texts: 'gets texts',
  pays: 'pays',
  may_edit: 'edits contacts',
  picks_up: 'picks up',
  emergency_rank: 'order in an emergency',
  phone_number: 'phone',
  date_of_birth: 'date of birth',
  belt_level: 'belt',
  is_trial: 'trial',
  on_vacation: 'vacation',
  monthly_payment_amount: 'monthly fee',
  class_preferences: 'preferred classes',
  enrolled_classes: 'classes',
  app_returned: 'application',
  sibling_exempt: 'sibling price',
}
const wordOf = (field: string) => WORDS[field] ?? field.replaceAll('_', ' ')

/** Who has been deleted since is not named any more. */
const a = (what: string, name: string | null) => (name ? `the ${what} ${name}` : `a ${what}`)
const student = ({ subject }: Act) => a('student', subject)
const guardian = ({ subject }: Act) => a('guardian', subject)
const ofStudent = ({ student: name }: Act) => (name ? ` of ${name}` : '')
const person = ({ subject }: Act) => subject ?? 'somebody'
const own = ({ actor, subject }: Act) =>
  actor === subject ? 'their' : `${person({ subject } as Act)}’s`
const count = (details: Act['details'], field: string, what: string) =>
  pluralize(Number(details[field] ?? 0), what)
const studentsIn = (details: Act['details']) => count(details, 'students', 'student')
/** The only student by name, several as a number. */
const students = (act: Act) =>
  Number(act.details.students ?? 1) === 1 ? student(act) : studentsIn(act.details)
const dayIn = ({ day }: Act['details']) => formatDate(String(day))
const monthIn = ({ month, year }: Act['details']) =>
  formatMonthOfDate(firstDayOf({ month: Number(month), year: Number(year) }))
const beltTestIn = ({ grading }: Act['details']) => `the ${beltTest().singular} ${grading}`
const amountIn = ({ amount }: Act['details']) => formatMoney(Number(amount))
const onOrOff = (is: unknown) => (is === true ? 'on' : 'off')

const changedFields = ({ details }: Act) => {
  const fields = Object.keys(details).map(wordOf)
  return fields.length > 0 ? `: ${fields.join(', ')}` : ', and nothing was other than before'
}
/** "now sees fees", "no longer sees the page", "relation mother" */
const rightWords = ([right, value]: [string, string | number | boolean]) =>
  right === 'note'
    ? 'note'
    : typeof value === 'boolean'
      ? `${value ? 'now' : 'no longer'} ${wordOf(right)}`
      : `${wordOf(right)} ${value}`
const changedRights = ({ details }: Act) => {
  const rights = Object.entries(details).map(rightWords)
  return rights.length > 0 ? `: ${rights.join(', ')}` : ''
}
/** Of a new link what it grants. */
const grantedRights = ({ details }: Act) => {
  const rights = Object.entries(details).flatMap(([right, value]) =>
    value === true && right !== 'note' ? [wordOf(right)] : [],
  )
  return rights.length > 0 ? `, who ${rights.join(', ')}` : ''
}

/** ": 3 added, 1 without a fee" */
function changedCandidates({ added, removed, waived }: Act['details']): string {
  const parts = [
    ...(Number(added) > 0 ? [`${added} added`] : []),
    ...(Number(removed) > 0 ? [`${removed} removed`] : []),
    ...(Number(waived) > 0 ? [`${waived} without a fee`] : []),
  ]
  return parts.length > 0 ? `: ${parts.join(', ')}` : ''
}

/** "the class Kids Judo of Mar 1, 2027" */
const dateOf = ({ details }: Act) => `the class ${details.class_name} of ${dayIn(details)}`
const daysIn = ({ first_day, last_day }: Act['details']) =>
  first_day === last_day
    ? `on ${formatDate(String(first_day))}`
    : `from ${formatDate(String(first_day))} to ${formatDate(String(last_day))}`

const ACTS: Record<AuditAction, Describe> = {
  'student added': (act) =>
    `added ${student(act)}${act.details.log_in === true ? ' with a log-in' : ''}`,
  'student approved': (act) => `approved ${student(act)}`,
  'student changed': (act) => `changed ${student(act)}${changedFields(act)}`,
  'student deleted': (act) => `deleted ${student(act)}`,
  'students imported': ({ details }) => `brought ${studentsIn(details)} from a sheet`,
  'import undone': ({ details }) => `took the import of ${studentsIn(details)} back`,
  'student notes changed': (act) => `changed the notes of ${student(act)}${changedFields(act)}`,
  'vacation changed': (act) =>
    `${act.details.planned === true ? 'planned the vacation' : 'ended the vacation'} of ${student(act)}`,
  'students promoted': (act) => `promoted ${act.subject ? student(act) : studentsIn(act.details)}`,
  'stripes given': (act) =>
    `gave ${act.subject ? `a stripe to ${student(act)}` : `stripes to ${studentsIn(act.details)}`}`,
  'promotions taken back': (act) =>
    `took ${count(act.details, 'promotions', 'promotion')} back${act.subject ? ` of ${student(act)}` : ''}`,
  'skill checked': (act) => `checked a skill off ${student(act)}`,
  'skill unchecked': (act) => `unchecked a skill of ${student(act)}`,
  'promotion approved': (act) => `approved the next rank of ${student(act)}`,
  'approval withdrawn': (act) => `withdrew the approval of the next rank of ${student(act)}`,
  'contact changed by guardian': (act) => `changed the contacts of ${student(act)}`,
  'guardian added': (act) => `added ${guardian(act)}`,
  'guardian changed': (act) => `changed ${guardian(act)}`,
  'guardian deleted': (act) => `deleted ${guardian(act)}`,
  'guardian linked': (act) =>
    `made ${person(act)} a guardian${ofStudent(act)}${grantedRights(act)}`,
  'guardian rights changed': (act) =>
    `changed what ${guardian(act)}${ofStudent(act)} may do${changedRights(act)}`,
  'guardian rights ended by age': (act) =>
    `ended the rights of ${guardian(act)}${ofStudent(act)}, who came of age`,
  'guardian link ended': (act) => `ended the link of ${guardian(act)}${ofStudent(act)}`,
  'guardian agreed to by student': (act) =>
    `${act.details.agreed === true ? 'agreed that' : 'no longer agrees that'} ${guardian(act)} sees their page`,
  'family made': (act) => `made a family of ${guardian(act)}`,
  'family undone': (act) => `undid the family of ${guardian(act)}`,
  'family suggestion dismissed': ({ details }) =>
    `said that ${studentsIn(details)} are not one family`,
  'log-in invitation sent': (act) => `invited ${person(act)} to make a log-in`,
  'log-in made by invitation': () => 'made a log-in by invitation',
  'log-in allowed by guardian': (act) =>
    `${act.details.allowed === false ? 'no longer allows' : 'allowed'} ${student(act)} a log-in`,
  'log-in disallowed by guardian': (act) => `no longer allows ${student(act)} a log-in`,
  'student log-in closed': (act) => `closed the log-in of ${student(act)}`,
  'student log-in opened again': (act) => `opened the log-in of ${student(act)} again`,
  'student log-in ended': (act) => `ended the log-in of ${student(act)}`,
  'email changed': (act) => `changed ${own(act)} email`,
  'password changed': (act) => `changed ${own(act)} password`,
  'email and password changed': (act) => `changed ${own(act)} email and password`,
  'password chosen by link': (act) => `chose a new password for ${own(act)} log-in by a link`,
  'account taken back': (act) => `took ${own(act)} account back by a link`,
  'sensei activated': (act) => `activated ${person(act)}`,
  'sensei deactivated': (act) => `deactivated ${person(act)}`,
  'sensei password reset': (act) => `set a new password for ${person(act)}`,
  'own password chosen': (act) =>
    `chose a password of their own after it was set for ${person(act)}`,
  'passkey added': () => 'added a passkey',
  'passkey removed': () => 'removed a passkey',
  'authenticator app added': () => 'switched an authenticator app on',
  'authenticator app removed': () => 'switched the authenticator app off',
  'recovery codes renewed': () => 'made new recovery codes',
  'recovery code used': () => 'signed in with a recovery code',
  'session ended': () => 'signed out another device',
  'other sessions ended': () => 'signed out all other devices',
  'second factor removed': (act) => `removed the second factor of ${person(act)}`,
  'second factor required': () => 'changed who needs a second factor',
  'common passwords switched': ({ details }) =>
    `switched the refusal of common passwords ${onOrOff(details.refuses_common)}`,
  'super admin recovered': (act) => `recovered the account of ${person(act)} at the server`,
  'payment marked': (act) =>
    `marked ${monthIn(act.details)} of ${student(act)} ${act.details.status}${act.details.status === 'paid' ? `, ${formatMoney(Number(act.details.amount))}` : ''}`,
  'month reset': ({ details }) =>
    `reset ${monthIn(details)} to unpaid for ${details.students_reset} of ${count(details, 'total_paying_students', 'student')}`,
  'payments marked': ({ details }) =>
    `marked ${count(details, 'paid', 'month')} paid and ${Number(details.unpaid)} unpaid, ${amountIn(details)}`,
  'payment taken': (act) => `took a payment of ${amountIn(act.details)} for ${students(act)}`,
  'students charged': (act) =>
    `charged ${students(act)} ${amountIn(act.details)}${Number(act.details.students) === 1 ? '' : ' each'}`,
  'charge written off': (act) => `wrote off ${amountIn(act.details)} that ${students(act)} owed`,
  'money given back': (act) => `gave ${amountIn(act.details)} back to ${student(act)}`,
  'payments taken back': (act) => `took back what was entered for ${students(act)}`,
  'sibling prices set': ({ details }) =>
    `set the prices of siblings (${count(details, 'places', 'price')})`,
  'receipt issued': ({ details }) =>
    `issued the receipt ${details.number}, ${formatMoney(Number(details.total))}`,
  'receipt sent': ({ details }) =>
    `sent the receipt ${details.number} ${details.by === 'mail' ? 'by mail' : 'as a text'}`,
  'cash counted': ({ details }) =>
    `counted the cash of ${formatDate(String(details.date))}: ${formatMoney(Number(details.counted))}`,
  'payment promise noted': ({ details }) =>
    `noted that ${studentsIn(details)} will pay by ${dayIn(details)}`,
  'payment promise ended': ({ details }) => `ended the promise to pay of ${studentsIn(details)}`,
  'late fee rule set': ({ details }) =>
    details.is_on === true ? 'changed the rule for late fees' : 'switched late fees off',
  'late fees charged': ({ details }) =>
    `charged late fees of ${formatMoney(Number(details.amount))} for ${monthIn(details)} to ${studentsIn(details)}`,
  'style added': ({ details }) => `added the style ${details.name}`,
  'style changed': ({ details }) => `changed the style ${details.name}`,
  'style removed': ({ details }) => `removed the style ${details.name}`,
  'ladder added': ({ details }) => `added the ladder ${details.name}`,
  'ladder changed': ({ details }) => `changed the ladder ${details.name}`,
  'ladder removed': ({ details }) => `removed the ladder ${details.name}`,
  'belts converted': ({ details }) =>
    `brought ${studentsIn(details)} to the ladder ${details.name}`,
  'grading planned': ({ details }) => `planned ${beltTestIn(details)} on ${dayIn(details)}`,
  'grading changed': ({ details }) => `changed ${beltTestIn(details)} on ${dayIn(details)}`,
  'grading candidates changed': ({ details }) =>
    `changed the candidates of ${beltTestIn(details)}${changedCandidates(details)}`,
  'students invited to a grading': ({ details }) =>
    `invited ${studentsIn(details)} to ${beltTestIn(details)}`,
  'grading finished': ({ details }) =>
    `finished ${beltTestIn(details)}, and promoted ${count(details, 'promoted', 'student')}`,
  'grading removed': ({ details }) => `removed ${beltTestIn(details)} on ${dayIn(details)}`,
  'certificates printed': (act) =>
    Number(act.details.certificates) === 1
      ? `printed the certificate of ${student(act)}`
      : `printed ${count(act.details, 'certificates', 'certificate')}`,
  'checked in at a kiosk': (act) =>
    `checked ${act.details.students === undefined ? student(act) : studentsIn(act.details)} in`,
  'kiosk check-in taken back': (act) =>
    `took the check-in of ${act.details.students === undefined ? student(act) : studentsIn(act.details)} back`,
  'kiosk switched on': ({ details }) => `switched the kiosk ${details.kiosk} on`,
  'kiosk link made': ({ details }) => `made a link that switches the kiosk ${details.kiosk} on`,
  'kiosk ended': ({ details }) => `ended the kiosk ${details.kiosk}`,
  'kiosk settings changed': ({ details }) =>
    `switched the question for a PIN at the kiosk ${onOrOff(details.asks_pin)}`,
  'check-in PIN changed': (act) =>
    `${act.details.removed === true ? 'removed' : 'set'} the check-in PIN of ${student(act)}`,
  'check-in code renewed': () => 'made a new check-in code',
  'class deleted': ({ details }) => `deleted the class ${details.class_name}`,
  'class places set': ({ details }) =>
    Number(details.places) === 0
      ? 'ended the limit of a class'
      : `limited a class to ${count(details, 'places', 'place')}`,
  'class date cancelled': (act) => `cancelled ${dateOf(act)}`,
  'class date restored': (act) => `let ${dateOf(act)} take place after all`,
  'class date moved': (act) => `moved ${dateOf(act)} to ${formatDate(String(act.details.to_day))}`,
  'class date moved back': (act) => `moved ${dateOf(act)} back`,
  'class date added': (act) => `added ${dateOf(act)}`,
  'class date removed': (act) => `removed ${dateOf(act)}`,
  'substitute set': (act) =>
    `${act.details.is_set === true ? 'named a substitute' : 'named no substitute any more'} for ${dateOf(act)}`,
  'holiday added': ({ details }) => `added a holiday ${daysIn(details)}`,
  'holiday changed': ({ details }) => `changed a holiday, now ${daysIn(details)}`,
  'holiday removed': ({ details }) => `removed a holiday ${daysIn(details)}`,
  'calendar address made': () => 'made a private calendar address',
  'calendar address ended': () => 'ended a private calendar address',
  'announcement sent': ({ details }) => `sent an announcement to ${studentsIn(details)}`,
  'texts sent': ({ details }) => `sent texts to ${studentsIn(details)}`,
  'texts sent again': ({ details }) => `sent failed texts again, to ${studentsIn(details)}`,
  'text consent recorded': ({ details }) =>
    `recorded that somebody ${details.event === 'given' ? 'agreed' : 'no longer agrees'} to texts`,
  'end of texts undone': () => 'took back that somebody no longer agrees to texts',
  'phone linked': (act) => `linked a phone to ${person(act)}`,
  'phone unlinked': (act) => `took a phone away from ${person(act)}`,
  'template deleted': () => 'deleted a template',
  'dojo settings changed': () => 'saved the instructor settings',
  'invitation replaced': () => 'replaced the invitation for students',
  'welcome texts switched': ({ details }) => `switched welcome texts ${onOrOff(details.on)}`,
  'reminders switched': ({ details }) => `switched automatic reminders ${onOrOff(details.on)}`,
  'reply words switched': ({ details }) =>
    `switched the reply OUT ${onOrOff(details.out_enabled)} and OK ${onOrOff(details.ok_enabled)}`,
  'daily limit set': ({ details }) =>
    `set the daily message limit to ${Number(details.daily_message_limit).toLocaleString()}`,
  'everything exported': () => 'downloaded everything of the dojo',
  'student exported': (act) =>
    `downloaded the data of ${student(act)}, ${act.details.reader === 'instructor' ? 'notes too' : `as a ${act.details.reader} sees it`}`,
  'student list exported': ({ details }) =>
    `downloaded the list of ${details.all === true ? 'all students' : studentsIn(details)}`,
  'attendance exported': ({ details }) =>
    `downloaded ${details.all === true ? 'all' : 'some'} attendance records`,
  'payments exported': ({ details }) =>
    `downloaded the payments of ${details.all === true ? 'all months' : monthIn(details)}`,
  'bookkeeping exported': ({ details }) =>
    `downloaded what was paid from ${formatDate(String(details.from))} to ${formatDate(String(details.to))} for a bookkeeper`,
}

const ACTORS: Record<Act['actor_kind'], string> = {
  instructor: '',
  guardian: '',
  student: '',
  kiosk: '',
  admin: 'The admin team',
  system: 'Tatami',
  gone: 'Somebody who has left',
}

/** "Kenji Sato approved the student Maya Lopez". An act without words is shown by its own name. */
export function describeAct(act: Act): { who: string; what: string } {
  const describe = ACTS[act.action as AuditAction] as Describe | undefined
  return { who: act.actor ?? ACTORS[act.actor_kind], what: describe?.(act) ?? act.action }
}
