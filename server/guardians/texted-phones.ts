import { validPhone } from '../lib/phone.ts'

export type Topic = 'dues' | 'classes'
export type TextedPhone = {
  phone: string
  holder: 'student' | 'guardian'
  holder_name: string | null
}

export type TextedGuardian = {
  name: string
  /** The phone number as somebody typed it, in any format. */
  typedPhone: string | null
  gets_texts: boolean
  pays: boolean
}
type TextedStudent = {
  typedPhone: string | null
  isUnderAge: boolean
  guardians: readonly TextedGuardian[]
}

/** Texts about fees go only to the payer. Other texts go to the student and to guardians who get
 *  texts. A child under 13 gets no texts if a guardian does. */
export function findTextedPhones(
  topic: Topic,
  { typedPhone, isUnderAge, guardians }: TextedStudent,
): TextedPhone[] {
  const payers = topic === 'dues' ? guardians.filter(({ pays }) => pays) : []
  const textedGuardians =
    payers.length > 0 ? payers : guardians.filter(({ gets_texts }) => gets_texts)
  const guardianPhones = textedGuardians.flatMap((guardian): TextedPhone[] => {
    const phone = validPhone(guardian.typedPhone)
    return phone === null ? [] : [{ phone, holder: 'guardian', holder_name: guardian.name }]
  })
  const studentPhone = validPhone(typedPhone)
  const isReachedByGuardian = payers.length > 0 || (isUnderAge && guardianPhones.length > 0)
  const studentPhones: TextedPhone[] =
    studentPhone === null || isReachedByGuardian
      ? []
      : [{ phone: studentPhone, holder: 'student', holder_name: null }]
  const phones = [...studentPhones, ...guardianPhones]
  // A phone that two people share gets only one text.
  return phones.filter(
    ({ phone }, index) => phones.findIndex((textedPhone) => textedPhone.phone === phone) === index,
  )
}
