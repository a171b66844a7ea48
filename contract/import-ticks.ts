import type { ImportField } from './import-columns.ts'
import { DATE_ORDERS, parseDate } from './import-dates.ts'
import { cellText, isNothing, parseFlag } from './import-values.ts'

const CONSENTS: ReadonlySet<ImportField> = new Set<ImportField>([
  'text_consent',
  'guardian_text_consent',
  'guardian_2_text_consent',
])

/**
 * The columns in which a blank is a no, because others are ticked there: of Active wherever somebody has a yes, and of
 * consents where nobody has a no. A column that is blank for everybody says nothing.
 */
export function tickColumns(
  columns: readonly ImportField[],
  rows: readonly (readonly string[])[],
): Set<number> {
  const ticked = new Set<number>()
  for (const [at, field] of columns.entries()) {
    const isConsent = CONSENTS.has(field)
    if (!isConsent && field !== 'is_active') continue
    const texts = rows.map((row) => cellText(row[at] ?? '')).filter((text) => !isNothing(text))
    const hasYes = texts.some((text) => parseFlag(text) === true || (isConsent && isDay(text)))
    const hasNo = texts.some((text) => parseFlag(text) === false)
    if (hasYes && !(isConsent && hasNo)) ticked.add(at)
  }
  return ticked
}

const isDay = (text: string) =>
  DATE_ORDERS.some((order) => parseDate(text, order, '2000-01-01') !== null)
