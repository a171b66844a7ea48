import { type DateOrder, parseDate } from './dates.ts'
import { VISITS_LEFT } from './patterns.ts'

/** What a cell says about a class pack, such as "10 classes, 4 left, until 5/1/2027". */
export type PackCell = {
  /** "10 classes": cells with the same name are one membership. */
  name: string
  visitsLeft: number | null
  expiresOn: string | null
}

const EXPIRY =
  /\b(?:until|expires?(?: on)?|good (?:until|through)|valid (?:until|through|to))\s+(.+)$/i

export function readPackCell(text: string, order: DateOrder, today: string): PackCell {
  const [expiryText = '', dateText = ''] = EXPIRY.exec(text) ?? []
  const [leftText = '', count] = VISITS_LEFT.exec(text) ?? []
  const name = text
    .replace(expiryText, '')
    .replace(leftText, '')
    .replace(/[\s,;:()/-]+$/, '')
    .replace(/\(\s*,?\s*$/, '')
    .trim()
  return {
    // A cell that says nothing else is named by all of its text.
    name: name === '' ? text : name,
    visitsLeft: count === undefined ? null : Number(count),
    expiresOn: dateText === '' ? null : parseDate(dateText.replace(/[).\s]+$/, ''), order, today),
  }
}
