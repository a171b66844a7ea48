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

/** The list of families mentions it this many days ahead. */
const SOON_DAYS = 90

export const isSoon = ({ adult_on }: Pick<Link, 'adult_on'>, now = today()): boolean =>
  adult_on !== null && adult_on > now && adult_on <= addDays(now, SOON_DAYS)

/** Rights that end on the 18th birthday unless the student agrees. */
const RIGHTS: { words: string; has: (link: Link) => boolean; stays: (link: Link) => boolean }[] = [
  {
    words: 'seeing the page',
    has: ({ sees }) => sees,
    stays: ({ student_agreed }) => student_agreed,
  },
  {
    words: 'seeing fees',
    has: ({ sees_fees }) => sees_fees,
    stays: ({ student_agreed, agrees_to_fees }) => student_agreed && agrees_to_fees,
  },
  {
    words: 'changing contacts',
    has: ({ may_edit }) => may_edit,
    stays: ({ student_agreed, agrees_to_edit }) => student_agreed && agrees_to_edit,
  },
]

const list = new Intl.ListFormat('en-US', { type: 'conjunction' })

/** "Leo turns 18 on Mar 1, 2027. Then seeing the page and seeing fees end, unless Leo agrees." */
export function adulthoodWords(link: Link, now = today()): string {
  const { student_name, adult_on, ended_by_age, sees } = link
  const first = firstName(student_name)
  if (adult_on === null)
    return `${first} has no date of birth, so nothing ends automatically at ${ADULT_AGE}.`
  const day = formatDate(adult_on)
  if (adult_on <= now) {
    if (!ended_by_age) return `${first} turned ${ADULT_AGE} on ${day}.`
    return sees
      ? `${first} turned ${ADULT_AGE} on ${day}.`
      : `Ended on ${day}, when ${first} turned ${ADULT_AGE}.`
  }
  const rights = RIGHTS.filter(({ has }) => has(link))
  const ending = rights.filter(({ stays }) => !stays(link)).map(({ words }) => words)
  const staying = rights.filter(({ stays }) => stays(link)).map(({ words }) => words)
  const verb = ending.length === 1 ? 'ends' : 'end'
  return joinNonEmpty(
    [
      `${first} turns ${ADULT_AGE} on ${day}.`,
      ending.length > 0 && `Then ${list.format(ending)} ${verb}, unless ${first} agrees.`,
      staying.length > 0 && `${first} has agreed to ${list.format(staying)}.`,
    ],
    ' ',
  )
}
