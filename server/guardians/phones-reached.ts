import { validPhone } from '../lib/phone.ts'

/** What a text is about: fees go to whoever pays for the student, everything else to whoever gets texts about them. */
export type Topic = 'dues' | 'classes'
export type ReachedPhone = {
  phone: string
  holder: 'student' | 'guardian'
  holder_name: string | null
}

/** `typed` is a number as somebody typed it, valid or not. */
export type TextedGuardian = {
  name: string
  typed: string | null
  gets_texts: boolean
  pays: boolean
}
type Reachable = { typed: string | null; isUnderAge: boolean; guardians: readonly TextedGuardian[] }

/**
 * The phones that a text about a student goes to, each once: the student's own and those of guardians who get texts; of a child under
 * thirteen only the guardians', where one has a phone. Fees go to the payer alone, where there is one.
 */
export function phonesReached(
  topic: Topic,
  { typed, isUnderAge: isChild, guardians: guardianList }: Reachable,
): ReachedPhone[] {
  const payers = topic === 'dues' ? guardianList.filter(({ pays }) => pays) : []
  const theirs = (
    payers.length > 0 ? payers : guardianList.filter(({ gets_texts }) => gets_texts)
  ).flatMap(({ name, typed: number }) => {
    const phone = validPhone(number)
    return phone === null ? [] : [{ phone, holder: 'guardian' as const, holder_name: name }]
  })
  const ownPhone = validPhone(typed)
  const isOwnUsed = payers.length === 0 && !(isChild && theirs.length > 0)
  const phones: ReachedPhone[] =
    ownPhone !== null && isOwnUsed
      ? [{ phone: ownPhone, holder: 'student', holder_name: null }, ...theirs]
      : theirs
  return phones.filter(
    ({ phone }, index) => phones.findIndex((candidate) => candidate.phone === phone) === index,
  )
}
