import { DATE_ORDERS, parseDate } from './dates.ts'
import { normalizeText } from './values.ts'
import { joinLines, regex } from './patterns.ts'

/** `left` includes people who never joined. */
export const STATUSES = ['active', 'trial', 'vacation', 'left'] as const
export type Status = (typeof STATUSES)[number]

/** For callers that only check whether a text is a status, which does not depend on the day. */
export const ANY_DAY = '2000-01-01'

/** Folded words that say a person has left, or never joined. */
const LEFT_WORDS = [
  // The account is closed.
  'inactiv[eoa]?|in active|inaktiv\\w*|inactif|deactivated|disabled|deleted|removed|archived?',
  'closed|void|dormant|retired',
  // The membership is over.
  'cancell?(ed|ing)?|cancell?ations?|terminated|expired|lapsed|ended|discontinued|resigned|churned',
  '(stopped|quit|left)( (training|attending))?',
  // They were members once.
  'former(ly)?|ex|exmember|alum|alumn[iae]|alumnus|previous(ly)?',
  'past (student|member|participant)|old (student|member)',
  // They went away.
  'leaver|gone|departed|dropped|dropout|drop out|withdrew|withdrawn|graduated|transfer+ed',
  'moved|relocated|lost (contact|touch|interest)',
  // They are not members, or were excluded.
  'unenrolled|disenrolled|unregistered|deregistered|unsubscribed|nonmember|banned|expelled',
  // They died.
  'deceased|died|dead|passed( away| on)?|rip|verstorben',
  // They never joined.
  joinLines`
    leads?(?! (instructor|coach|teacher|sensei|assistant|student|singer))|prospects?|prospective
    |inquiry|enquiry|declined|not interested|did not|didn t|no shows?|noshow`,
  // German, Spanish and French.
  'ehemalig\\w*|gekundigt|ausgetreten|abgemeldet|nicht mehr|baja|ancien(ne)?|resilie|desactivado',
].join('|')
const LEAVING = new RegExp(`\\b(${LEFT_WORDS})\\b|^(past|old|lost|finished|completed)$`, 'g')

const CLASS_WORDS = [
  joinLines`
    class(es)?|programs?|belts?|groups?|levels?|teams?|schedule|adults?|teens?|kids?|juniors?
    |seniors?`,
  joinLines`
    youth|advanced|intermediate|beginners?|basics|competition|leadership|evenings?|mornings?
    |afternoons?`,
  joinLines`
    (mon|tues|wednes|thurs|fri|satur|sun)days?|white|yellow|orange|green|blue|purple|brown|red
    |black|plan|membership|rank|location|dojo`,
].join('|')
/** Phrases that sound like leaving: left-handed, left message, moved to the adult class. */
const NOT_LEAVING = new RegExp(
  [
    joinLines`
      \b(moved|moving|moves|transfer+ed|graduated|promoted|switched|advanced|dropped
      |went) (up |down |over )*(to|into|from|in|back to) (\w+ ){0,3}(${CLASS_WORDS})\b`,
    joinLines`
      \b(moved|transfer+ed|relocated|came) (here |in )?from\b|\bgraduated (from )?(high|middle
      |elementary|college|university|kindergarten|preschool|school|\d)`,
    joinLines`
      \bleft (hand(ed)?|hander|footed|side|knee|leg|arm|wrist|shoulder|ankle|foot|eye|ear
      |(a )?(message|voicemail|voice mail|vm|msg|note))\b`,
    joinLines`
      \bdropped off\b|\blost (his|her|their|the|a|belt|gi|uniform|weight|card|key)\b
      |\bclosed toe\b|\bex (military|police|husband|wife|pro)\b`,
    joinLines`
      \b(not|never|didn t|did not|hasn t|has not|isn t|no) (yet |going to be )?(cancell?(ed|ing)?
      |left|quit(ting)?|inactive|dropped|withdrawn|leaving|terminated|expired|archived|deceased
      |dead|gone|lapsed)\b`,
  ].join('|'),
)
const CAME_BACK = regex()`
  \b(re ?activated|re ?joined|re ?instated|re ?enrolled|returned|came back|(is )?back|resumed
  |unfrozen|renewed)\b`
/** "No longer on hold" */
const NOT_ON_LEAVE = new RegExp(
  joinLines`
    \b(no longer|not|off|end(ed)? of|back from|returned from|came off|never) (on |a |the )*(frozen
    |freeze|hold|paused?|vacation|suspended|leave|break|hiatus)\b`,
)

const NEGATIONS = 'not|no|no longer|never|non|isn t|isnt|without|nicht|kein'
const FILLERS = 'a|an|the|any|our|yet|been|being|currently|really|in|is|was|has|have|longer'
const TRAINS = [
  'active|members?|memberships?|enrolled|enrollment|current|currently|students?|training',
  'attending|joined|started|registered|renew\\w*|returning|coming|aktiv|mitglied|activ[oa]|actif',
].join('|')
/** Matches "not active", but not "not paying, active", which is unclear. */
const NOT_TRAINING = new RegExp(`\\b(${NEGATIONS})( (${FILLERS}))* (${TRAINS})\\b`, 'g')
const STILL_TRAINING = regex()`
  \b(active|current|currently|enrolled|paying|attending|training|good standing|aktiv|activ[oa]
  |actif)\b`

const ON_LEAVE = regex()`
  \b(frozen|freeze|hold|paused?|vacation|suspended|on leave|leave of absence|(medical|maternity
  |military|sick) leave|hiatus|on break|temporarily)\b|^away$`
const TRIAL = /\b(trial|intro|introductory|probe)\b/
const PAST_TRIAL = regex()`
  \b(past|old|former|over|no sale|failed|not converted|not conver\w*|unconverted|completed?|used
  |finished|done|expired|ended|lost|didn t|did not|never|no)\b`
const FOR_GOOD =
  /\b(forever|permanent(ly)?|indefinite(ly)?|for good|quit\w*|leaving|not returning)\b/
/** The status is about the future, so it is unclear. */
const NOT_YET = /\b(pending|requested|scheduled|upcoming|will|soon)\b/

const TRAINING = regex()`
  \b(active|current|currently|member|student|regular|enrolled|paying|attending|training|yes
  |aktiv|mitglied|activ[oa]|actif|good standing)\b`
/** Words that do not change the status. Any other word makes it unclear. */
const NEUTRAL_WORD = regex()`
  ^(a|an|the|in|is|and|with|full|fully|part|time|paid|new|good|standing|monthly|annual|annually
  |yearly|weekly|unlimited|basic|premium|recurring|auto|renew|renewing|membership|program|plan
  |adults?|child|children|kids?|teens?|youth|juniors?|seniors?|family)$`

const UNTIL_DATE =
  /\b(?:until|till?|thru|through|expires?|expired|ends?|ended|ending|bis|hasta)\b\W*(.*)$/i

export function parseStatus(text: string, today: string): Status | null {
  const endText = UNTIL_DATE.exec(text)?.[1]
  if (endText && /\d/.test(endText)) return statusByEndDate(endText, today)
  const words = normalizeText(text.replace(/\bsince\b.*$/i, ''))
  if (NOT_LEAVING.test(words) || NOT_ON_LEAVE.test(words)) return null
  const otherWords = words.replaceAll(NOT_TRAINING, ' ').replaceAll(LEAVING, ' ')
  const hasLeft = otherWords !== words
  const isContradicted =
    ON_LEAVE.test(words) || STILL_TRAINING.test(otherWords) || CAME_BACK.test(otherWords)
  if (NOT_YET.test(words) || (hasLeft && isContradicted)) return null
  if (hasLeft) return 'left'
  if (ON_LEAVE.test(words)) return FOR_GOOD.test(words) ? null : 'vacation'
  if (TRIAL.test(words)) return PAST_TRIAL.test(words) ? 'left' : 'trial'
  const isTraining = TRAINING.test(words)
  const isClear = words.split(' ').every((word) => TRAINING.test(word) || NEUTRAL_WORD.test(word))
  return isTraining && isClear ? 'active' : null
}

const NEVER_TRAINED = regex()`
  \b(leads?|prospects?|prospective|inquir(y|ies|ed)|enquir(y|ies|ed)|no shows?|noshow)\b
  |\b(never|did not|didn t) (join|enrol|start|train|attend)`

/** True for a quote such as "Status: Lead", about somebody who was never a student. */
export const saysNeverTrained = (quote: string): boolean =>
  NEVER_TRAINED.test(normalizeText(quote.replace(/^[^:]*:/, '')))

export const isStatusWord = (text: string): boolean => STATUS_WORD.test(text)
const STATUS_WORD = regex('iu')`
  ^(in[ -]?active|active( \p{L}+)?|current( \p{L}+)?|former( \p{L}+)?|cancel+ed|terminated
  |archived|deactivated|ex[ -]?\p{L}+|alumn[ia]|frozen|on hold|lapsed|non[ -]?active|not active
  |prospect|withdrawn|aktiv|inaktiv|activo|inactivo)$`

/** True if words that sound like leaving mean something else. */
export const isNotDeparture = (words: string): boolean =>
  NOT_LEAVING.test(words) || NOT_ON_LEAVE.test(words) || CAME_BACK.test(words)

const FILLER_WORD = regex()`
  ^(a|an|the|is|was|has|have|been|on|in|as|of|since|at|from|member(ship)?|student|account
  |class(es)?|program|training|date|free|for|now|due|to|and|per|by|mom|dad|parent|phone|email
  |text|jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?
  |oct(ober)?|nov(ember)?|dec(ember)?|\d+|away|out|here|school|him|her|them|they|he|she|we)$`

/** Reads a text that is only a status: "CANCELLED 5/2024", but not "quit smoking". */
export function parseBareStatus(text: string, today: string): Status | null {
  const status = parseStatus(text, today)
  if (status === null || status === 'active') return null
  const words = normalizeText(text).replaceAll(NOT_TRAINING, ' ').replaceAll(LEAVING, ' ')
  const remainingWords = words.replaceAll(LEAVE_WORDS, ' ').replaceAll(TRIAL_WORDS, ' ')
  const isBare = remainingWords.split(' ').every((word) => word === '' || FILLER_WORD.test(word))
  return isBare ? status : null
}
const LEAVE_WORDS = regex('g')`
  \b(frozen|freeze|hold|paused?|vacation|suspended|leave( of absence)?|medical|maternity
  |military|sick|hiatus|break|temporarily)\b`
const TRIAL_WORDS = /\b(trial|intro|introductory|over|expired|ended|finished|completed?|no sale)\b/g

/** Returns null if the text has only the current year, because the end may be past or to come. */
function statusByEndDate(endText: string, today: string): Status | null {
  const year = /^\D*(\d{4})\D*$/.exec(endText)?.[1]
  const thisYear = today.slice(0, 4)
  if (year === thisYear) return null
  if (year) return year < thisYear ? 'left' : 'active'
  const dates = DATE_ORDERS.flatMap((order) => parseDate(endText, order, today) ?? [])
  if (dates.length === 0) return null
  if (dates.every((date) => date < today)) return 'left'
  return dates.every((date) => date >= today) ? 'active' : null
}
