import { ANY_DAY } from './status.ts'
import type { ImportField } from './import-fields.ts'
import { consentAnswer } from './opt-outs.ts'
import { cellText, isBlankValue, parseFlag } from './values.ts'

const CONSENT_FIELDS: ReadonlySet<ImportField> = new Set<ImportField>([
  'text_consent',
  'guardian_text_consent',
  'guardian_2_text_consent',
])

/** Finds the columns in which a blank means no: "Active" columns with at least one yes, and consent
 *  columns with a yes and without a no. */
export function findCheckMarkColumns(
  columns: readonly ImportField[],
  rows: readonly (readonly string[])[],
): Set<number> {
  const checkMarkColumns = new Set<number>()
  for (const [index, field] of columns.entries()) {
    const isConsent = CONSENT_FIELDS.has(field)
    if (!isConsent && field !== 'is_active') continue
    const texts = rows
      .map((row) => cellText(row[index] ?? ''))
      .filter((text) => !isBlankValue(text))
    const hasAnswer = (answer: 'yes' | 'no') =>
      texts.some((text) => readAnswer(text, isConsent) === answer)
    const hasYes = hasAnswer('yes')
    const hasNo = hasAnswer('no')
    if (hasYes && !(isConsent && hasNo)) checkMarkColumns.add(index)
  }
  return checkMarkColumns
}

function readAnswer(text: string, isConsent: boolean): 'yes' | 'no' | null {
  if (isConsent) return consentAnswer(text, ANY_DAY)
  const flag = parseFlag(text)
  if (flag === null) return null
  return flag ? 'yes' : 'no'
}
