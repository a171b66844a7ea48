import { SKIP_REASON_LABELS } from '@tatami/contract/texting/message-types'
import type { BatchText } from '@tatami/contract/texting/text-history'

export type UnreachedFamily = {
  students: { student_id: string; name: string }[]
  names: string
  phones: string[]
  reason: string | null
}

/** Skips students who were not supposed to come. */
const isExpected = ({ state, reason }: BatchText) =>
  state !== 'skipped' ||
  reason === SKIP_REASON_LABELS.no_valid_phone ||
  reason === SKIP_REASON_LABELS.opted_out

const unique = <T>(values: T[]) => [...new Set(values)]

/** A student is reached once one of their phones has answered OK. */
export function notReached(texts: readonly BatchText[]): UnreachedFamily[] {
  const byStudent = [
    ...Map.groupBy(texts.filter(isExpected), ({ student_id, id }) => student_id ?? id).values(),
  ]
  const unread = byStudent.filter((rows) =>
    rows.every(({ acknowledged_at }) => acknowledged_at === null),
  )
  const families: UnreachedFamily[] = []
  const familyOf = new Map<string, UnreachedFamily>()
  for (const rows of unread) {
    const [{ student_id, name, state, reason }] = rows as [BatchText, ...BatchText[]]
    const phones = unique(rows.flatMap(({ call_phone }) => call_phone ?? []))
    const students = student_id ? [{ student_id, name }] : []
    const why = state === 'skipped' ? reason : null
    const existingFamily = familyOf.get(phones.find((phone) => familyOf.has(phone)) ?? '')
    const family = existingFamily ?? { students, names: name, phones, reason: why }
    if (existingFamily) {
      existingFamily.students.push(...students)
      existingFamily.names = `${existingFamily.names}, ${name}`
      existingFamily.phones = unique([...existingFamily.phones, ...phones])
      existingFamily.reason &&= why
    } else families.push(family)
    for (const phone of phones) familyOf.set(phone, family)
  }
  return families
}
