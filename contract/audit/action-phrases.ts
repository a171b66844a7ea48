/** Builds parts of the audit log's sentences (actions.ts). */
import { firstDayOf } from '../lib/calendar-day.ts'
import { formatMoney } from '../lib/money.ts'
import { ALL_RIGHTS, RIGHTS } from '../rights.ts'

export type ActionDetails = Record<string, string | number | boolean>

export type DescribedAction = {
  actor: string | null
  subject: string | null
  student: string | null
  details: ActionDetails
  beltTest: string
  formatDate: (day: string) => string
  formatMonth: (firstDay: string) => string
}

const FIELD_LABELS: Record<string, string> = {
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
const fieldLabel = (field: string) => FIELD_LABELS[field] ?? field.replaceAll('_', ' ')

const withName = (noun: string, name: string | null) => (name ? `the ${noun} ${name}` : `a ${noun}`)
export const student = ({ subject }: DescribedAction) => withName('student', subject)
export const guardian = ({ subject }: DescribedAction) => withName('guardian', subject)
export const ofStudent = (row: DescribedAction) => (row.student ? ` of ${row.student}` : '')
export const person = ({ subject }: DescribedAction) => subject ?? 'someone'
export const possessive = (row: DescribedAction) =>
  row.actor === row.subject ? 'their' : `${person(row)}’s`

export const count = ({ details }: DescribedAction, field: string, noun: string) => {
  const number = Number(details[field] ?? 0)
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
export const studentCount = (row: DescribedAction) => count(row, 'students', 'student')
export const students = (row: DescribedAction) =>
  Number(row.details.students ?? 1) === 1 ? student(row) : studentCount(row)
export const promotedStudents = (row: DescribedAction) =>
  row.subject ? student(row) : studentCount(row)

export const date = (row: DescribedAction, field = 'day') =>
  row.formatDate(String(row.details[field]))
export const month = ({ details, formatMonth }: DescribedAction) =>
  formatMonth(firstDayOf({ month: Number(details.month), year: Number(details.year) }))
export const money = ({ details }: DescribedAction, field = 'amount') =>
  formatMoney(Number(details[field]))
export const turnedOnOrOff = ({ details }: DescribedAction, field: string, subject: string) =>
  `turned ${subject} ${details[field] === true ? 'on' : 'off'}`

export const changedFields = ({ details }: DescribedAction) => {
  const fields = Object.keys(details).map(fieldLabel)
  return fields.length > 0 ? `: ${fields.join(', ')}` : ' (no changes)'
}
/** For example "now sees fees", "no longer sees the page" or "relation mother" */
const describeRight = ([right, value]: [string, string | number | boolean]) => {
  if (right === 'note') return 'note'
  if (typeof value !== 'boolean') return `${fieldLabel(right)} ${value}`
  return `${value ? 'now' : 'no longer'} ${fieldLabel(right)}`
}
export const changedRights = ({ details }: DescribedAction) => {
  const rights = Object.entries(details).map(describeRight)
  return rights.length > 0 ? `: ${rights.join(', ')}` : ''
}
/** For example "may now take payments, may no longer see private notes" */
export const changedStaffRights = ({ details }: DescribedAction) => {
  const changes = Object.entries(details).map(([name, isGiven]) => {
    const right = ALL_RIGHTS.find((knownRight) => knownRight === name)
    const allows = right ? RIGHTS[right].allows : name
    return `may ${isGiven === true ? 'now' : 'no longer'} ${allows}`
  })
  return changes.length > 0 ? `: ${changes.join(', ')}` : ''
}
export const grantedRights = ({ details }: DescribedAction) => {
  const rights = Object.keys(details).filter((right) => details[right] === true && right !== 'note')
  return rights.length > 0 ? `, who ${rights.map(fieldLabel).join(', ')}` : ''
}

export function changedCandidates({ details }: DescribedAction): string {
  const changes = [
    [details.added, 'added'],
    [details.removed, 'removed'],
    [details.waived, 'without a fee'],
  ].filter(([number]) => Number(number) > 0)
  return changes.length > 0 ? `: ${changes.map((change) => change.join(' ')).join(', ')}` : ''
}

export const classDate = (row: DescribedAction) =>
  `the class ${row.details.class_name} on ${date(row)}`
export const holiday = (row: DescribedAction) => {
  const firstDay = date(row, 'first_day')
  const lastDay = date(row, 'last_day')
  return firstDay === lastDay ? `holiday on ${firstDay}` : `holiday from ${firstDay} to ${lastDay}`
}
export const markedPayment = (row: DescribedAction) => {
  const amount = row.details.status === 'paid' ? `, ${money(row)}` : ''
  return `marked ${month(row)} ${row.details.status} for ${student(row)}${amount}`
}

export const secondFactorRule = ({ details }: DescribedAction) => {
  const roles = [
    ...(details.super_admins === true ? ['super admins'] : []),
    ...(details.instructors === true ? ['instructors'] : []),
  ]
  return roles.length > 0
    ? `now requires a second factor from ${roles.join(' and ')}`
    : 'no longer requires a second factor'
}

export const exportedStudent = (row: DescribedAction) => {
  const { reader } = row.details
  const scope = reader === 'instructor' ? 'with notes' : `as a ${reader} sees it`
  return `downloaded the data of ${student(row)}, ${scope}`
}
