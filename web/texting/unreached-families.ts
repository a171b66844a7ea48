import { mustExist } from '@tatami/contract/lib/must-exist'
import { SKIP_REASON_LABELS } from '@tatami/contract/texting/message-types'
import type { BatchText } from '@tatami/contract/texting/text-history'

export type UnreachedFamily = {
  students: { student_id: string; name: string }[]
  names: string
  phones: string[]
  reason: string | null
}

/** False for students who would not have come to the class, such as those on vacation. */
const wouldHaveCome = ({ state, reason }: BatchText) =>
  state !== 'skipped' ||
  reason === SKIP_REASON_LABELS.no_valid_phone ||
  reason === SKIP_REASON_LABELS.opted_out

const removeDuplicates = (values: string[]) => [...new Set(values)]

/** A student is reached if one phone replied OK. Students with a phone in common are one family. */
export function listUnreachedFamilies(texts: readonly BatchText[]): UnreachedFamily[] {
  const textsByStudent = Map.groupBy(
    texts.filter(wouldHaveCome),
    ({ student_id, id }) => student_id ?? id,
  )
  const families: UnreachedFamily[] = []
  const familyByPhone = new Map<string, UnreachedFamily>()
  for (const studentTexts of textsByStudent.values()) {
    if (studentTexts.some(({ acknowledged_at }) => acknowledged_at !== null)) continue
    const student = describeUnreachedStudent(studentTexts)
    const family = student.phones.map((phone) => familyByPhone.get(phone)).find(Boolean)
    if (family) addToFamily(family, student)
    else families.push(student)
    for (const phone of student.phones) familyByPhone.set(phone, family ?? student)
  }
  return families
}

function describeUnreachedStudent(texts: BatchText[]): UnreachedFamily {
  const { student_id, name, state, reason } = mustExist(texts[0], 'The text')
  return {
    students: student_id ? [{ student_id, name }] : [],
    names: name,
    phones: removeDuplicates(texts.flatMap(({ call_phone }) => call_phone ?? [])),
    reason: state === 'skipped' ? reason : null,
  }
}

function addToFamily(family: UnreachedFamily, student: UnreachedFamily) {
  family.students.push(...student.students)
  family.names = `${family.names}, ${student.names}`
  family.phones = removeDuplicates([...family.phones, ...student.phones])
  // If one of the students got the text, the family has no reason.
  family.reason &&= student.reason
}
