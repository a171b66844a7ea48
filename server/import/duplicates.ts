import type { DuplicateReason } from '@tatami/contract/import/import-plan'
import { nameWords } from '../families/names-and-contacts.ts'
import { validPhone } from '../lib/phone.ts'

type IdentityGuardian = { name: string | null; phone: string | null }

/** The details by which two rows can be recognized as the same person. `phone` is as typed. */
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

type Match<Person> = { person: Person; reasons: DuplicateReason[]; isCertain: boolean }

/** First names are compared only up to this length. */
const MAX_PREFIX_LENGTH = 12

type IdentityKeys = { keys: string[]; isCertain: boolean; needsBirthday?: boolean }

/** `ownKeys` are the keys under which a person is stored. A search tries `searchKeys` in order, the
 *  most certain first. */
function buildIdentityKeys(person: Identity): {
  ownKeys: IdentityKeys[]
  searchKeys: IdentityKeys[]
} {
  const words = nameWords(person.name)
  const fullName = words.join(' ')
  const sortedName = words.toSorted().join(' ')
  const phones = listFamilyPhones(person)
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
  const buildFirstNameKeys = (kind: 'whole' | 'prefix', firstNames: string[]) => ({
    keys: firstNames.flatMap((name) =>
      detailKeys.map((detail) => `${kind} ${name} ${surname} ${detail}`),
    ),
    isCertain: false,
  })
  // Sam may be short for Samantha, so one first name may be a prefix of the other.
  const ownFirstNameKeys = [
    buildFirstNameKeys('whole', [shortenedFirstName]),
    buildFirstNameKeys('prefix', prefixes),
  ]
  const searchFirstNameKeys = [
    buildFirstNameKeys('whole', prefixes.toReversed()),
    buildFirstNameKeys('prefix', [shortenedFirstName]),
  ]
  return {
    ownKeys: [...certainKeys, nameKeys, ...ownFirstNameKeys, emailKeys],
    searchKeys: [...certainKeys, nameKeys, ...searchFirstNameKeys, emailKeys],
  }
}

/** Includes the guardians' numbers, because a child often has none. */
const listFamilyPhones = ({ phone, familyPhones }: Identity): string[] => [
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
 * Finds people who are probably the same person. A match is certain if these are the same:
 * - the full name and an email, or
 * - the full name, the birthday and a phone of the family, unless the two people have different
 *   phones of their own.
 *
 * People with different birthdays never match.
 */
export function createPersonFinder<Person extends Identity>() {
  const personByKey = new Map<string, Person>()
  const addKey = (key: string, person: Person) => {
    if (!personByKey.has(key)) personByKey.set(key, person)
  }
  // Each key ends with a birthday, with "none" for an unknown birthday, or with "any".
  const lookUp = (
    key: string,
    birthday: string | null,
    needsBirthday = false,
  ): Person | undefined => {
    if (needsBirthday) return birthday === null ? undefined : personByKey.get(`${key} ${birthday}`)
    if (birthday === null) return personByKey.get(`${key} any`)
    return personByKey.get(`${key} ${birthday}`) ?? personByKey.get(`${key} none`)
  }
  return {
    add(person: Person): void {
      for (const { keys } of buildIdentityKeys(person).ownKeys)
        for (const key of keys) {
          addKey(`${key} ${person.date_of_birth ?? 'none'}`, person)
          addKey(`${key} any`, person)
        }
    },
    find(person: Identity): Match<Person> | null {
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
  const matchPhones = listFamilyPhones(match)
  const reasons: DuplicateReason[] = []
  if (sortedName(person.name) === sortedName(match.name)) reasons.push('name')
  if (listEmails(person).some((email) => email !== null && listEmails(match).includes(email)))
    reasons.push('email')
  if (listFamilyPhones(person).some((phone) => matchPhones.includes(phone))) reasons.push('phone')
  if (person.date_of_birth !== null && person.date_of_birth === match.date_of_birth)
    reasons.push('birthday')
  return reasons
}
