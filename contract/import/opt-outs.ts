import type { ImportField } from './import-fields.ts'
import { DATE_ORDERS, parseDate } from './dates.ts'
import { type FilledCell, quoteCell, type RowReader } from './row-reader.ts'
import { normalizeText, parseFlag } from './values.ts'
import { regex } from './patterns.ts'

const CONSENT_WORDS = regex()`
  ^(opt(ed)? ?in|subscribed|consent(ed|s)?|agree[sd]?|allow(ed|s)?|ok|okay|granted|given|enabled
  |accepted|authorized)$`

/** In a column such as "Do not text", every answer that is not clearly a no counts as a yes. */
function asksForNoTexts({ text }: FilledCell): boolean {
  const flag = parseFlag(text)
  return flag ?? !CONSENT_WORDS.test(normalizeText(text))
}

const BEGINS_WITH_YES = regex()`
  ^(i |we |please |you )*(yes\w*|y|yep|yeah|yup|sure|ok|okay|agree[sd]?|accept(s|ed)?|consent(s
  |ed)?|allow(s|ed)?|authori[sz]ed?|approved?|confirm(s|ed)?|permit(s|ted)?|grant(s|ed)?|given
  |give|checked|selected|enabled|subscribed?|opt(s|ed)? ?in|opted|true|on|1|x|of course
  |absolutely|definitely|certainly|always|fine|granted|signed|received?|want|would like|can|may
  |do text|si|ja|oui)\b`
const BEGINS_WITH_NO = regex()`
  ^(i |we |please |you )*(no\w?|nope|n|not|non|nein|never|none|nothing|do not|don t|dont|cannot
  |can not|can t|cant|may not|would not|will not|won t|wont|declin(e|es|ed)|refus(e|es|ed)|den(y
  |ies|ied)|disagree[sd]?|opt(s|ed)? ?out|unsubscribed?|unchecked|disabled|revoked?|withdr\w+
  |stop|remove[sd]?|disallow\w*|false|off|0)\b`
const CONTAINS_YES = regex()`
  \b(agree[sd]?|accept(s|ed)?|consent(s|ed)?|authori[sz]ed?|texts?|texting|sms)\b|^(any|all|both
  |either)\b`
const CONTAINS_NO =
  /\b(no|not|don t|dont|never|without|except|but|unless|stop|won t|cannot|can t)\b/

/** The answer in a consent column, or null if it is unclear. A date counts as a yes. */
export function consentAnswer(text: string, today: string): 'yes' | 'no' | null {
  const flag = parseFlag(text)
  if (flag !== null) return flag ? 'yes' : 'no'
  if (DATE_ORDERS.some((order) => parseDate(text, order, today) !== null)) return 'yes'
  const words = normalizeText(text)
  if (NO_TEXTS.test(words) || BEGINS_WITH_NO.test(words) || isOnlyAnotherChannel(words)) return 'no'
  const hasYes = CONTAINS_YES.test(words) && !CONTAINS_NO.test(words)
  return BEGINS_WITH_YES.test(words) || hasYes ? 'yes' : null
}

const isOnlyAnotherChannel = (words: string) =>
  /\b(only|just|solely)\b/.test(words) &&
  /\b(e ?mails?|calls?|phone|voice|mail|letter)\b/.test(words) &&
  !/\b(texts?|texting|sms)\b/.test(words)

/** True for "Email only" and "No texts". "Text only" and "Any" allow texts. */
function prefersNoTexts({ text }: FilledCell): boolean {
  const words = normalizeText(text)
  if (NO_TEXTS.test(words)) return true
  const hasOnly = /\b(only|just|solely)\b/.test(words)
  return (
    (hasOnly && !/\b(texts?|sms)\b/.test(words)) ||
    /^(none|no|nothing|never|do not contact|dnc)$/.test(words)
  )
}

export const NO_TEXTS = regex()`
  \b(do not|dont|don t|no|not|never|stop|without)( (send|receive|want|wants|please|any|more
  |call or|by|via|to))* ?(texts?|texting|sms|text messages?|contact|messages?)\b|\bopt(ed
  |s)? ?out\b|\bunsubscribed?\b|\b(dnt|dnc)\b`

/** Quotes the cell that says no to texts: "Do Not Text: Yes". */
export function findOptOut(
  reader: RowReader,
  prefix: '' | 'guardian_' | 'guardian_2_',
  today: string,
): string | null {
  const noTextsField: ImportField = `${prefix}no_texts`
  const consentField: ImportField = `${prefix}text_consent`
  const refusal = reader.filledCells(noTextsField).find(asksForNoTexts)
  if (refusal) return quoteCell(refusal.heading || 'Do not text', refusal.text)
  if (prefix === '') {
    const preference = reader.filledCells('contact_preference', /^none$/i).find(prefersNoTexts)
    if (preference) return quoteCell(preference.heading || 'Contact preference', preference.text)
    const note = findOptOutInNotes(reader)
    if (note !== null) return note
  }
  // "None" is an answer in a consent column.
  const answers = reader
    .filledCells(consentField, /^none$/i)
    .map((cell) => ({ cell, answer: consentAnswer(cell.text, today) }))
  const consentRefusal = answers.find(({ answer }) => answer === 'no')
  if (consentRefusal)
    return quoteCell(consentRefusal.cell.heading || 'Text consent', consentRefusal.cell.text)
  for (const { cell, answer } of answers)
    if (answer === null)
      reader.problems.push({
        field: consentField,
        message: `Is “${cell.text}” a yes or a no? Please enter yes or no`,
      })
  const blankHeading = reader.blankCheckMark(consentField)
  return blankHeading === null ? null : quoteCell(blankHeading || 'Text consent', 'blank')
}

const OPT_OUT_NOTE = regex()`
  ^(stop|stop all|(please )?(do not|don t|dont|no|never|stop) (text(s|ing)?|sms
  |text messages?)( (me|him|her|them|please|mom|dad|parents?|ever|at all))*|dnt
  |opt(ed)? ?out( of texts?)?|unsubscribed?( from texts?)?)$`
/** Finds a note that is only an opt-out: "STOP", but not "do not text after 9pm". */
function findOptOutInNotes(reader: RowReader): string | null {
  const note = reader
    .filledCells('private_notes')
    .find(({ text }) => OPT_OUT_NOTE.test(normalizeText(text)))
  return note ? quoteCell(note.heading || 'Notes', note.text) : null
}
