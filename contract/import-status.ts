import { DATE_ORDERS, parseDate } from './import-dates.ts'
import { fold } from './import-values.ts'

/** What a column that says who is still there means for a student: on trial, away for a while, there, or gone (or never come). */
export const STATUSES = ['active', 'trial', 'vacation', 'left'] as const
export type Status = (typeof STATUSES)[number]

/** Words of somebody who trains no more, or not yet, as `fold` writes them. */
const LEFT_WORDS = [
  'inactiv[eoa]?|inaktiv\\w*|inactif|deactivated|disabled|deleted|removed|archived?|closed|void|dormant|retired',
  'cancell?(ed|ing)?|cancell?ations?|terminated|expired|lapsed|ended|discontinued|stopped|resigned|churned',
  'former(ly)?|ex|exmember|alum|alumn[iae]|alumnus|past (student|member|participant)|previous(ly)?|old (student|member)',
  'left|leaver|gone|departed|quit|dropped|dropout|drop out|withdrew|withdrawn|graduated|transferred|moved|relocated',
  'unenrolled|disenrolled|unregistered|deregistered|unsubscribed|nonmember|banned|expelled|lost|no shows?|noshow',
  'deceased|died|dead|passed( away| on)?|rip|verstorben',
  'lead|prospect|prospective|inquiry|enquiry|declined|not interested|did not|didn t',
  'ehemalig\\w*|gekundigt|ausgetreten|abgemeldet|nicht mehr|baja|ancien(ne)?|resilie|desactivado',
].join('|')
const LEFT = new RegExp(`\\b(${LEFT_WORDS})\\b|^(past|old|finished|completed)$`)
const NOT_THERE =
  /\b(not|no|no longer|never|non|isn t|isnt|without|nicht|kein)\b.*\b(active|members?|memberships?|enrolled|enrollment|current|currently|students?|training|attending|joined|started|registered|renew\w*|returning|coming|aktiv|mitglied|activ[oa]|actif)\b/
const AWAY =
  /\b(frozen|freeze|hold|paused?|vacation|suspended|on leave|leave of absence|(medical|maternity|military|sick) leave|hiatus|on break|temporarily)\b|^away$/
const TRIAL = /\b(trial|intro|introductory|probe)\b/
/** What has not happened yet, so that the word beside it does not hold. */
const TO_COME = /\b(pending|requested|scheduled|upcoming|will|soon)\b/

const THERE =
  /\b(active|current|currently|member|student|regular|enrolled|paying|attending|training|yes|aktiv|mitglied|activ[oa]|actif|good standing)\b/
/** Words that say nothing against it. Any other word makes the whole unclear. */
const BESIDE =
  /^(a|an|the|in|is|and|with|full|fully|part|time|paid|new|good|standing|monthly|annual|annually|yearly|weekly|unlimited|basic|premium|recurring|auto|renew|renewing|membership|program|plan|adults?|child|children|kids?|teens?|youth|juniors?|seniors?|family)$/

const UNTIL =
  /\b(?:until|till?|thru|through|expires?|expired|ends?|ended|ending|bis|hasta)\b\W*(.*)$/i

/** Null for what is not clear, which is never taken as active. `today` is YYYY-MM-DD. */
export function parseStatus(text: string, today: string): Status | null {
  const until = UNTIL.exec(text)?.[1]
  if (until && /\d/.test(until)) return hasPassed(until, today)
  const words = fold(text.replace(/\bsince\b.*$/i, ''))
  const hasLeft = LEFT.test(words) || NOT_THERE.test(words)
  if (TO_COME.test(words) || (hasLeft && AWAY.test(words))) return null
  if (hasLeft) return 'left'
  if (AWAY.test(words)) return 'vacation'
  if (TRIAL.test(words)) return 'trial'
  const isThere = THERE.test(words)
  const isClear = words.split(' ').every((word) => THERE.test(word) || BESIDE.test(word))
  return isThere && isClear ? 'active' : null
}

/** "Active until 2019" has left in 2026, "until 2030" has not; of the year in between nobody knows. */
function hasPassed(until: string, today: string): Status | null {
  const year = /^\D*(\d{4})\D*$/.exec(until)?.[1]
  const thisYear = today.slice(0, 4)
  if (year) return year < thisYear ? 'left' : year > thisYear ? 'active' : null
  const dates = DATE_ORDERS.flatMap((order) => parseDate(until, order, today) ?? [])
  if (dates.length === 0) return null
  if (dates.every((date) => date < today)) return 'left'
  return dates.every((date) => date >= today) ? 'active' : null
}
