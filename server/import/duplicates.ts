import type { DuplicateReason } from '@tatami/contract/import/import-plan'
import { nameWords } from '../families/likeness.ts'
import { validPhone } from '../lib/phone.ts'

type IdentityGuardian = { name: string | null; phone: string | null }

/** What identifies a person; `phone` as typed. */
export type Identity = {
  name: string
  email: string | null
  /** The guardians' emails, which siblings share. */
  familyEmails: string[]
  phone: string | null
  guardians: IdentityGuardian[]
  /** The guardians' numbers that are one family's. */
  familyPhones: string[]
  date_of_birth: string | null
}

/** Sure if nobody needs to be asked. */
type Match<P> = { same: P; reasons: DuplicateReason[]; isSure: boolean }

/** Longer first names than this are compared by their beginning. */
const MAX_PREFIX = 12

type Likeness = { keys: string[]; isSure: boolean; needsBirthday?: boolean }

function likenessesOf(person: Identity): { own: Likeness[]; sought: Likeness[] } {
  const words = nameWords(person.name)
  const fullName = words.join(' ')
  const sortedName = words.toSorted().join(' ')
  const phones = phonesOf(person)
  const emails = [...new Set([person.email, ...person.familyEmails])].filter(
    (email) => email !== null,
  )
  const facts = [
    ...emails.map((email) => `email ${email}`),
    ...phones.map((phone) => `phone ${phone}`),
    ...(person.date_of_birth === null ? [] : [`born ${person.date_of_birth}`]),
  ]
  const sure = [
    { keys: emails.map((email) => `same ${fullName} email ${email}`), isSure: true },
    {
      keys: phones.map((phone) => `same ${fullName} phone ${phone}`),
      isSure: true,
      needsBirthday: true,
    },
  ]
  const sameName = { keys: [`sorted ${sortedName}`], isSure: false }
  const sameEmail = { keys: person.email === null ? [] : [`own ${person.email}`], isSure: false }
  const [first = '', ...laterNames] = words
  const surname = laterNames.at(-1) ?? ''
  const prefixes = prefixesOf(first)
  const whole = first.slice(0, MAX_PREFIX)
  const withFacts = (kind: string, names: string[]) =>
    names.flatMap((name) => facts.map((fact) => `${kind} ${name} ${surname} ${fact}`))
  // Sam may be Samantha, so first names also match by their beginning.
  const ownNames = [
    { keys: withFacts('first', [whole]), isSure: false },
    { keys: withFacts('begins', prefixes), isSure: false },
  ]
  const sought = [
    { keys: withFacts('first', prefixes.toReversed()), isSure: false },
    { keys: withFacts('begins', [whole]), isSure: false },
  ]
  return {
    own: [...sure, sameName, ...ownNames, sameEmail],
    sought: [...sure, sameName, ...sought, sameEmail],
  }
}

/** Includes the guardians' numbers, by which a child is reached. */
const phonesOf = ({ phone, familyPhones }: Identity): string[] => [
  ...new Set([phone, ...familyPhones].map(validPhone).filter((number) => number !== null)),
]

function haveDifferentPhones(person: Identity, otherPerson: Identity): boolean {
  const phone = validPhone(person.phone)
  const otherPhone = validPhone(otherPerson.phone)
  return phone !== null && otherPhone !== null && phone !== otherPhone
}

function prefixesOf(first: string): string[] {
  const longest = Math.min(first.length, MAX_PREFIX)
  const shortest = Math.min(2, longest)
  return Array.from({ length: longest - shortest + 1 }, (_, index) =>
    first.slice(0, shortest + index),
  )
}

/**
 * Finds the person whom somebody seems to be, with a handful of look-ups. It is sure if the full
 * name and an email agree, or the full name, a phone and the birthday, unless both have phones of
 * their own that differ. Twins and namesakes are asked about. Different birthdays are two people.
 */
export function personFinder<P extends Identity>() {
  const byKey = new Map<string, P>()
  const remember = (key: string, person: P) => {
    if (!byKey.has(key)) byKey.set(key, person)
  }
  const lookUp = (key: string, born: string | null, needsBirthday = false): P | undefined => {
    if (needsBirthday) return born === null ? undefined : byKey.get(`${key} ${born}`)
    if (born === null) return byKey.get(`${key} any`)
    return byKey.get(`${key} ${born}`) ?? byKey.get(`${key} none`)
  }
  return {
    add(person: P): void {
      for (const { keys } of likenessesOf(person).own)
        for (const key of keys) {
          remember(`${key} ${person.date_of_birth ?? 'none'}`, person)
          remember(`${key} any`, person)
        }
    },
    find(person: Identity): Match<P> | null {
      for (const { keys, isSure, needsBirthday } of likenessesOf(person).sought)
        for (const key of keys) {
          const match = lookUp(key, person.date_of_birth, needsBirthday)
          if (!match) continue
          const isPhoneDifferent = needsBirthday && haveDifferentPhones(person, match)
          const reasons = reasonsOf(person, match)
          return { same: match, isSure: isSure && !isPhoneDifferent, reasons }
        }
      return null
    },
  }
}

function reasonsOf(person: Identity, match: Identity): DuplicateReason[] {
  const sortedName = (name: string) => nameWords(name).toSorted().join(' ')
  const emailsOf = ({ email, familyEmails }: Identity) => [email, ...familyEmails]
  const phones = phonesOf(match)
  const reasons: DuplicateReason[] = []
  if (sortedName(person.name) === sortedName(match.name)) reasons.push('name')
  if (emailsOf(person).some((email) => email !== null && emailsOf(match).includes(email)))
    reasons.push('email')
  if (phonesOf(person).some((phone) => phones.includes(phone))) reasons.push('phone')
  if (person.date_of_birth !== null && person.date_of_birth === match.date_of_birth)
    reasons.push('birthday')
  return reasons
}
