import type { DuplicateReason } from '@tatami/contract/import/import-plan'
import { nameWords } from '../families/names-and-contacts.ts'
import { validPhone } from '../lib/phone.ts'

type IdentityGuardian = { name: string | null; phone: string | null }

/** What identifies a person. `phone` is as typed. */
export type Identity = {
  name: string
  email: string | null
  /** The guardians' emails, which siblings share. */
  familyEmails: string[]
  phone: string | null
  guardians: IdentityGuardian[]
  /** The guardians' numbers, without those that many families share. */
  familyPhones: string[]
  date_of_birth: string | null
}

type Match<P> = { person: P; reasons: DuplicateReason[]; isCertain: boolean }

/** First names are compared up to this length. */
const MAX_PREFIX_LENGTH = 12

type IdentityKeys = { keys: string[]; isCertain: boolean; needsBirthday?: boolean }

/** A person is stored under the own keys and found by the search keys, the most certain first. */
function buildIdentityKeys(person: Identity): {
  ownKeys: IdentityKeys[]
  searchKeys: IdentityKeys[]
} {
  const words = nameWords(person.name)
  const fullName = words.join(' ')
  const sortedName = words.toSorted().join(' ')
  const phones = listPhones(person)
  const emails = [...new Set([person.email, ...person.familyEmails])].filter(
    (email) => email !== null,
  )
  const detailKeys = [
    ...emails.map((email) => `email ${email}`),
    ...phones.map((phone) => `phone ${phone}`),
    ...(person.date_of_birth === null ? [] : [`born ${person.date_of_birth}`]),
  ]
  const certainKeys = [
    { keys: emails.map((email) => `same ${fullName} email ${email}`), isCertain: true },
    {
      keys: phones.map((phone) => `same ${fullName} phone ${phone}`),
      isCertain: true,
      needsBirthday: true,
    },
  ]
  const nameKeys = { keys: [`sorted ${sortedName}`], isCertain: false }
  const emailKeys = { keys: person.email === null ? [] : [`own ${person.email}`], isCertain: false }
  const [firstName = '', ...laterNames] = words
  const surname = laterNames.at(-1) ?? ''
  const prefixes = listPrefixes(firstName)
  const shortenedFirstName = firstName.slice(0, MAX_PREFIX_LENGTH)
  const withDetails = (kind: string, names: string[]) =>
    names.flatMap((name) => detailKeys.map((detail) => `${kind} ${name} ${surname} ${detail}`))
  // Sam may be short for Samantha, so one first name may be the beginning of the other.
  const ownFirstNameKeys = [
    { keys: withDetails('first', [shortenedFirstName]), isCertain: false },
    { keys: withDetails('begins', prefixes), isCertain: false },
  ]
  const searchFirstNameKeys = [
    { keys: withDetails('first', prefixes.toReversed()), isCertain: false },
    { keys: withDetails('begins', [shortenedFirstName]), isCertain: false },
  ]
  return {
    ownKeys: [...certainKeys, nameKeys, ...ownFirstNameKeys, emailKeys],
    searchKeys: [...certainKeys, nameKeys, ...searchFirstNameKeys, emailKeys],
  }
}

/** Includes the guardians' numbers, because a child often has none. */
const listPhones = ({ phone, familyPhones }: Identity): string[] => [
  ...new Set([phone, ...familyPhones].map(validPhone).filter((number) => number !== null)),
]

function haveDifferentPhones(person: Identity, otherPerson: Identity): boolean {
  const phone = validPhone(person.phone)
  const otherPhone = validPhone(otherPerson.phone)
  return phone !== null && otherPhone !== null && phone !== otherPhone
}

function listPrefixes(firstName: string): string[] {
  const longest = Math.min(firstName.length, MAX_PREFIX_LENGTH)
  const shortest = Math.min(2, longest)
  return Array.from({ length: longest - shortest + 1 }, (_, index) =>
    firstName.slice(0, shortest + index),
  )
}

/**
 * A match is certain if the full name and the email are the same, or the name, birthday and phone of
 * the family, unless each person has a different phone. People with different birthdays never match.
 */
export function personFinder<P extends Identity>() {
  const personByKey = new Map<string, P>()
  const addKey = (key: string, person: P) => {
    if (!personByKey.has(key)) personByKey.set(key, person)
  }
  // Each key ends with a birthday, "none" for an unknown one, or "any".
  const lookUp = (key: string, birthday: string | null, needsBirthday = false): P | undefined => {
    if (needsBirthday) return birthday === null ? undefined : personByKey.get(`${key} ${birthday}`)
    if (birthday === null) return personByKey.get(`${key} any`)
    return personByKey.get(`${key} ${birthday}`) ?? personByKey.get(`${key} none`)
  }
  return {
    add(person: P): void {
      for (const { keys } of buildIdentityKeys(person).ownKeys)
        for (const key of keys) {
          addKey(`${key} ${person.date_of_birth ?? 'none'}`, person)
          addKey(`${key} any`, person)
        }
    },
    find(person: Identity): Match<P> | null {
      for (const { keys, isCertain, needsBirthday } of buildIdentityKeys(person).searchKeys)
        for (const key of keys) {
          const match = lookUp(key, person.date_of_birth, needsBirthday)
          if (!match) continue
          const isPhoneDifferent = needsBirthday && haveDifferentPhones(person, match)
          const reasons = findReasons(person, match)
          return { person: match, isCertain: isCertain && !isPhoneDifferent, reasons }
        }
      return null
    },
  }
}

function findReasons(person: Identity, match: Identity): DuplicateReason[] {
  const sortedName = (name: string) => nameWords(name).toSorted().join(' ')
  const listEmails = ({ email, familyEmails }: Identity) => [email, ...familyEmails]
  const phones = listPhones(match)
  const reasons: DuplicateReason[] = []
  if (sortedName(person.name) === sortedName(match.name)) reasons.push('name')
  if (listEmails(person).some((email) => email !== null && listEmails(match).includes(email)))
    reasons.push('email')
  if (listPhones(person).some((phone) => phones.includes(phone))) reasons.push('phone')
  if (person.date_of_birth !== null && person.date_of_birth === match.date_of_birth)
    reasons.push('birthday')
  return reasons
}
