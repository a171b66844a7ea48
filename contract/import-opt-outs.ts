import type { ImportField } from './import-columns.ts'
import { DATE_ORDERS, parseDate } from './import-dates.ts'
import type { FilledCell, RowReader } from './import-row-reader.ts'
import { fold, parseFlag } from './import-values.ts'

const OPTED_IN =
  /^(opt(ed)? ?in|subscribed|consent(ed|s)?|agree[sd]?|allow(ed|s)?|ok|okay|granted|given|enabled|accepted|authorized)$/
/** An answer to whether, or how, somebody may be written to. */
const BY_TEXT = /^(yes|texts?|sms)( (ok|okay|please|only|me|allowed|(and|or) e ?mail))?$/

/** The words of a column of "do not text" that keep texts away; whatever is not clearly no does. */
function refuses({ text }: FilledCell): boolean {
  const flag = parseFlag(text)
  return flag ?? !OPTED_IN.test(fold(text))
}

/** The words of a column of consents that keep texts away; whatever is not clearly yes, or the day of a yes, does. */
function withholds({ text }: FilledCell, today: string): boolean {
  const flag = parseFlag(text)
  if (flag !== null) return !flag
  const isDay = DATE_ORDERS.some((order) => parseDate(text, order, today) !== null)
  return !isDay && !OPTED_IN.test(fold(text)) && !BY_TEXT.test(fold(text))
}

/** "Email only" and "No texts"; "Text only" and "Any" allow texts. */
function prefersNoTexts({ text }: FilledCell): boolean {
  const words = fold(text)
  if (NO_TEXTS_IN_WORDS.test(words)) return true
  const hasOnly = /\b(only|just|solely)\b/.test(words)
  return (
    (hasOnly && !/\b(texts?|sms)\b/.test(words)) ||
    /^(none|no|nothing|never|do not contact|dnc)$/.test(words)
  )
}

/** Words that ask for no texts, wherever they stand. */
export const NO_TEXTS_IN_WORDS =
  /\b(do not|dont|don t|no|not|never|stop|without)( (send|receive|want|wants|please|any|more|call or|by|via|to))* ?(texts?|texting|sms|text messages?|contact|messages?)\b|\bopt(ed|s)? ?out\b|\bunsubscribed?\b|\b(dnt|dnc)\b/

/**
 * In which words a row says that nobody may text, "Do Not Text: Yes"; null where it does not. `whose` is the beginning of a
 * guardian's fields, or '' for the student.
 */
export function optOutWords(
  reader: RowReader,
  whose: '' | 'guardian_' | 'guardian_2_',
  today: string,
): string | null {
  const noTexts: ImportField = `${whose}no_texts`
  const consent: ImportField = `${whose}text_consent`
  const refusal = reader.filled(noTexts).find(refuses)
  if (refusal) return wordsOf(refusal, 'Do not text')
  if (whose === '') {
    const preference = reader.filled('contact_preference', /^none$/i).find(prefersNoTexts)
    if (preference) return wordsOf(preference, 'Contact preference')
  }
  // "None" in a column of consents is an answer.
  const withheld = reader.filled(consent, /^none$/i).find((cell) => withholds(cell, today))
  if (withheld) return wordsOf(withheld, 'Text consent')
  const blank = reader.blankTick(consent)
  return blank === null ? null : `${blank || 'Text consent'}: blank`.slice(0, 200)
}

const wordsOf = ({ heading, text }: FilledCell, fallback: string) =>
  `${heading || fallback}: ${text}`.slice(0, 200)
