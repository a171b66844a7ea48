import type { ImportField } from './import-fields.ts'
import { consentAnswer } from './opt-outs.ts'
import { cellText, isNothing, parseFlag } from './values.ts'

const CONSENTS: ReadonlySet<ImportField> = new Set<ImportField>([
  'text_consent',
  'guardian_text_consent',
  'guardian_2_text_consent',
])

/**
 * The columns in which a blank is a no because others are ticked: Active if somebody has a yes,
 * consents if also nobody has a no.
 */
export function tickColumns(
  columns: readonly ImportField[],
  rows: readonly (readonly string[])[],
): Set<number> {
  const tickedColumns = new Set<number>()
  for (const [index, field] of columns.entries()) {
    const isConsent = CONSENTS.has(field)
    if (!isConsent && field !== 'is_active') continue
    const texts = rows.map((row) => cellText(row[index] ?? '')).filter((text) => !isNothing(text))
    const says = (answer: 'yes' | 'no') =>
      texts.some((text) => answerIn(text, isConsent) === answer)
    const hasYes = says('yes')
    const hasNo = says('no')
    if (hasYes && !(isConsent && hasNo)) tickedColumns.add(index)
  }
  return tickedColumns
}

function answerIn(text: string, isConsent: boolean): 'yes' | 'no' | null {
  if (isConsent) return consentAnswer(text, '2000-01-01')
  const flag = parseFlag(text)
  if (flag === null) return null
  return flag ? 'yes' : 'no'
}
