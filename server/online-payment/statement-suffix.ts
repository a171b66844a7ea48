import { MONTHS } from '@tatami/contract/lib/calendar-day'
import { monthOfLine } from './line-months.ts'

/** Stripe puts up to ten characters of the school and two others before it, and allows 22. */
const MAX_LENGTH = 10

type NamedLine = { name: string; pays_for: string }

/** "Leo: April 2026" begins with the first name. Banks print only plain Latin letters. */
const plainFirstName = ({ name }: NamedLine): string =>
  (name.split(':', 1)[0] ?? '')
    .normalize('NFD')
    .replaceAll(/[^A-Za-z0-9 ]/g, '')
    .trim()

/** What a bank statement says after the school's name, such as "APR LEO". Undefined if there is
 *  nothing that a bank can print. */
export function statementSuffix(lines: readonly NamedLine[]): string | undefined {
  const months = lines.flatMap(({ pays_for }) => monthOfLine(pays_for) ?? [])
  const monthName = months[0] ? (MONTHS[months[0].month] ?? '').slice(0, 3) : ''
  const firstNames = [...new Set(lines.map(plainFirstName))]
  const suffix = [monthName, ...firstNames].filter(Boolean).join(' ').toUpperCase()
  return suffix.slice(0, MAX_LENGTH).trim() || undefined
}
