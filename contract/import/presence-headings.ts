import type { ImportField } from './import-fields.ts'
import { joinLines, regex } from './patterns.ts'

type PresenceField = Extract<
  ImportField,
  'status' | 'is_active' | 'has_left' | 'left_on' | 'left_reason'
>

const LEAVING = joinLines`
  cancel|cancel+(ed|ing|ations?)|left|leav(e|es|ing)|quit|drop(ped)?( ?out)?|withdr(ew|awn|awal)
  |terminat(ed?|ion)|deactivat(ed?|ion)|inactiv(e|ated|ation)|in active|delet(ed|ion)|archived?
  |removed|removal|deceased|died|death|dead|passed away|resign(ed|ation)|exit(ed)?|unenroll?(ed
  |ment)|disenroll?(ed|ment)|lapsed?|ended|stop(ped)?|discontinued|expired|depart(ed|ure)|former
  |formerly|gone|alumn[aie]|alumnus|alum|churn(ed)?|banned|expelled|moved away|out|disabled`
const MENTIONS_LEAVING = new RegExp(String.raw`\b(${LEAVING})\b`)
const NOT_HERE = String.raw`ex|non ?member|non|past|previous|no longer|not`
const FILLER = joinLines`
  is|has|was|a|the|are|they|member|members|membership|student|students|participant|client|customer
  |account|enrolled|enrollment|active|current|here|training|from`
/** Headings that only say that a person left: "Ex-Member", "No longer active". */
const ONLY_LEAVING = new RegExp(String.raw`^((${LEAVING}|${NOT_HERE}|${FILLER})( |$))+$`)
const MENTIONS_LEFT = new RegExp(String.raw`\b(${LEAVING}|${NOT_HERE})\b`)

const DAY = /\b(dates?|on|at|since|day|effective|as of|time)\b/
const ENDING = /\b(end|ends|ended|ending|expir(es|y|ation|ed)|until|till|thru)\b/
const MENTIONS_MEMBERSHIP =
  /\b(membership|member|contract|agreement|subscription|plan|program|term|enroll?ment|package)\b/
const UNRELATED_TOPIC = regex()`
  \b(cards?|cc|credit|waiver|insurance|trial|certificat\w*|licen[sc]e|visa|password|link
  |background|physical|medical|freeze|hold|pause|vacation|discount|payments?|billing|invoices?
  |class|event|session|hours?|drop (in|off)|pick up|hand(ed)?|foot|side|opt(ed)?|check|belt|rank
  |texts?|sms|e ?mail|phone|balance|school year|notice)\b`
const REASON = /\b(reasons?|why|because|comments?|notes?|survey|explanation)\b/

const ONLY_TRAINING = regex()`
  ^((is|are|still|current|currently|active|actively|enrolled|attending|training|a|member|student
  |participant|client|account|presently)( |$))+$`
const SAYS_ACTIVE = /\b(active|current|currently|still|enrolled|attending|is)\b|^training$/
const OTHER_STATUS = regex()`
  \b(marital|payments?|billing|pay|invoices?|cards?|waiver|medical|background|belt|rank|texts?
  |sms|e ?mail|vaccin\w*|covid|immigration|military|insurance|custody|legal|test|testing|order
  |loan|tax|autopay)\b`

export function parsePresenceHeading(words: string): PresenceField | undefined {
  if (/^active (or )?inactive$/.test(words)) return 'status'
  if (/\bstatus\b/.test(words) && !DAY.test(words))
    return OTHER_STATUS.test(words) ? undefined : 'status'
  if (UNRELATED_TOPIC.test(words)) return undefined
  if (MENTIONS_LEAVING.test(words) && REASON.test(words)) return 'left_reason'
  if (MENTIONS_LEAVING.test(words) && DAY.test(words)) return 'left_on'
  if (MENTIONS_MEMBERSHIP.test(words) && ENDING.test(words)) return 'left_on'
  if (ONLY_LEAVING.test(words) && MENTIONS_LEFT.test(words)) return 'has_left'
  return ONLY_TRAINING.test(words) && SAYS_ACTIVE.test(words) ? 'is_active' : undefined
}
