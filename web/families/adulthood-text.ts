import { addDays } from '@tatami/contract/lib/calendar-day'
import { firstName } from '@tatami/contract/lib/name-parts'
import { ADULT_AGE, type Guardianship } from '@tatami/contract/guardians/guardians'
import { formatDate, today } from '../lib/dates.ts'
import { joinNonEmpty } from '../lib/text.ts'

type Link = Pick<
  Guardianship,
  | 'student_name'
  | 'sees'
  | 'sees_fees'
  | 'may_edit'
  | 'adult_on'
  | 'student_agreed'
  | 'agrees_to_fees'
  | 'agrees_to_edit'
  | 'ended_by_age'
>

/** The 18th birthday is first mentioned this many days ahead. */
const SOON_DAYS = 90

export const isAdultSoon = ({ adult_on }: Pick<Link, 'adult_on'>, day = today()): boolean =>
  adult_on !== null && adult_on > day && adult_on <= addDays(day, SOON_DAYS)

type Right = {
  label: string
  isGranted: (link: Link) => boolean
  /** True if the student agreed that the guardian keeps the right. */
  hasStudentAgreed: (link: Link) => boolean
}

const RIGHTS: Right[] = [
  {
    label: 'seeing the page',
    isGranted: ({ sees }) => sees,
    hasStudentAgreed: ({ student_agreed }) => student_agreed,
  },
  {
    label: 'seeing fees',
    isGranted: ({ sees_fees }) => sees_fees,
    hasStudentAgreed: ({ student_agreed, agrees_to_fees }) => student_agreed && agrees_to_fees,
  },
  {
    label: 'changing contacts',
    isGranted: ({ may_edit }) => may_edit,
    hasStudentAgreed: ({ student_agreed, agrees_to_edit }) => student_agreed && agrees_to_edit,
  },
]

const listFormat = new Intl.ListFormat('en-US', { type: 'conjunction' })

/** Returns for example "Leo turns 18 on Mar 1, 2027. Then seeing the page and seeing fees end,
 *  unless Leo agrees." */
export function describeAdulthood(link: Link, day = today()): string {
  const { student_name, adult_on, ended_by_age, sees } = link
  const name = firstName(student_name)
  if (adult_on === null)
    return `${name} has no date of birth, so nothing ends automatically at ${ADULT_AGE}.`
  const birthday = formatDate(adult_on)
  if (adult_on <= day)
    return ended_by_age && !sees
      ? `Ended on ${birthday}, when ${name} turned ${ADULT_AGE}.`
      : `${name} turned ${ADULT_AGE} on ${birthday}.`
  const rights = RIGHTS.filter(({ isGranted }) => isGranted(link))
  const endingRights = rights
    .filter(({ hasStudentAgreed }) => !hasStudentAgreed(link))
    .map(({ label }) => label)
  const agreedRights = rights
    .filter(({ hasStudentAgreed }) => hasStudentAgreed(link))
    .map(({ label }) => label)
  const verb = endingRights.length === 1 ? 'ends' : 'end'
  return joinNonEmpty(
    [
      `${name} turns ${ADULT_AGE} on ${birthday}.`,
      endingRights.length > 0 &&
        `Then ${listFormat.format(endingRights)} ${verb}, unless ${name} agrees.`,
      agreedRights.length > 0 && `${name} has agreed to ${listFormat.format(agreedRights)}.`,
    ],
    ' ',
  )
}
