import type { DuplicateReason } from '@tatami/contract/import'
import { fold } from '@tatami/contract/import-values'
import { validPhone } from '../lib/phone.ts'

/** What tells one person from another; `phone` as it was typed. */
export type Identity = {
  name: string
  email: string | null
  phone: string | null
  date_of_birth: string | null
}

const words = (name: string) => fold(name).split(' ').filter(Boolean)
const sortedName = (name: string) => words(name).toSorted().join(' ')
/** Kenneth Adams and Ken Adams have this in common. */
const nameStart = (name: string) =>
  `${words(name).at(-1) ?? ''} ${(words(name)[0] ?? '').slice(0, 2)}`

/** Ken is Kenneth, where the surname is the same. */
function isSimilar(one: string, other: string): boolean {
  const [a = '', b = ''] = [words(one)[0], words(other)[0]]
  return nameStart(one) === nameStart(other) && (a.startsWith(b) || b.startsWith(a))
}

type Sameness = { reasons: DuplicateReason[]; isSure: boolean }

/**
 * By what two seem to be one person; null where they do not. Siblings share a number, twins a birthday as well, so that neither is enough under
 * another name; an email of their own is, but is not sure. A different birthday says that they are two.
 */
export function samenessOf(one: Identity, other: Identity): Sameness | null {
  const hasBirthdays = one.date_of_birth !== null && other.date_of_birth !== null
  if (hasBirthdays && one.date_of_birth !== other.date_of_birth) return null
  const number = validPhone(one.phone)
  const reasons: DuplicateReason[] = []
  if (sortedName(one.name) === sortedName(other.name)) reasons.push('name')
  if (one.email !== null && one.email === other.email) reasons.push('email')
  if (number !== null && number === validPhone(other.phone)) reasons.push('phone')
  if (hasBirthdays) reasons.push('birthday')
  const isSure = reasons.includes('name') || (reasons.length > 0 && isSimilar(one.name, other.name))
  return isSure || reasons.includes('email') ? { reasons, isSure } : null
}

const keysOf = ({ name, email }: Identity) => [
  `name ${sortedName(name)}`,
  `start ${nameStart(name)}`,
  ...(email === null ? [] : [`email ${email}`]),
]

/** Finds among known people the one whom somebody seems to be; only those with a name or an email alike are compared. */
export function personFinder<P extends Identity>() {
  const byKey = new Map<string, P[]>()
  return {
    add: (person: P): void => {
      for (const key of keysOf(person)) {
        const alike = byKey.get(key)
        if (alike) alike.push(person)
        else byKey.set(key, [person])
      }
    },
    find: (person: Identity): (Sameness & { same: P }) | null => {
      const alike = new Set(keysOf(person).flatMap((key) => byKey.get(key) ?? []))
      const found = [...alike].flatMap((same) => {
        const sameness = samenessOf(person, same)
        return sameness ? [{ ...sameness, same }] : []
      })
      return (
        found.toSorted(
          (one, other) =>
            Number(other.isSure) - Number(one.isSure) || other.reasons.length - one.reasons.length,
        )[0] ?? null
      )
    },
  }
}
