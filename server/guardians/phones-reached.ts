import { validPhone } from '../lib/phone.ts'

export type Topic = 'dues' | 'classes'
export type ReachedPhone = {
  phone: string
  holder: 'student' | 'guardian'
  holder_name: string | null
}

export type TextedGuardian = {
  name: string
  typed: string | null
  gets_texts: boolean
  pays: boolean
}
type Reachable = { typed: string | null; isUnderAge: boolean; guardians: readonly TextedGuardian[] }

/** Fees go to the payer alone, other texts to a child under 13 only through a guardian's phone. */
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
