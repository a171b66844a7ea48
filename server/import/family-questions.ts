import type { FamilyQuestion } from '@tatami/contract/import/import-plan'
import { Groups } from '../families/groups.ts'
import { isFullName, splitLastName, nameKey, listSurnames } from '../families/names-and-contacts.ts'
import { sha256 } from '../lib/secrets.ts'

/** A question compares at most this many sides. If there are more, we do not ask, and treat them as
 *  different families or guardians. */
export const MAX_SIDES = 6
const MAX_LISTED_VALUES = 10

/** The names and contacts in one row of the sheet, or of one person in the dojo with relatives. */
export type Party = {
  /** Null for people who are already in the dojo. */
  row: number | null
  /** Names, as in `guardian` and `contacts`. */
  students: string[]
  guardian: string | null
  /** Other contacts, who may connect two parties. */
  contacts: string[]
  emails: string[]
  phones: string[]
}
/** Returns the number in E.164 format, or null if it is invalid or does not identify a family. */
export type ToUsablePhone = (typedPhone: string | null) => string | null
export type FamilyAnswers = ReadonlyMap<string, { is_one: boolean; sides?: number[] | undefined }>

/** Splits parties into families. Parties are different families if they have neither a surname nor
 *  a parent in common, or if their phones or guardians differ. */
export function splitIntoSides(parties: readonly Party[], toUsablePhone: ToUsablePhone): Party[][] {
  const nameGroups = new Groups<Party>()
  const phoneGroups = new Groups<Party>()
  const surnamesOfStudents = listSurnames(parties.flatMap(({ students }) => students))
  let studentIndex = 0
  for (const party of parties) {
    const nextIndex = studentIndex + party.students.length
    const surnames = surnamesOfStudents.slice(studentIndex, nextIndex).flat()
    studentIndex = nextIndex
    const parents = [party.guardian, ...party.contacts].filter((parent) => parent !== null)
    const studentKeys = party.students.map((student) => `student ${nameKey(student)}`)
    const surnameKeys = surnames.map((surname) => `surname ${surname}`)
    const parentKeys = parents.filter(isFullName).map((parent) => `parent ${nameKey(parent)}`)
    nameGroups.addKeys(party, [...studentKeys, ...surnameKeys, ...parentKeys])
    const phones = party.phones.map(toUsablePhone).filter((phone) => phone !== null)
    if (phones.length > 0) phoneGroups.addKeys(party, [...studentKeys, ...phones])
  }
  const findPhoneGroup = (party: Party) =>
    party.phones.some((phone) => toUsablePhone(phone) !== null) ? phoneGroups.findRoot(party) : null
  const findGuardianKey = ({ guardian }: Party) =>
    guardian !== null && isFullName(guardian) ? nameKey(guardian) : null
  const families = [...Map.groupBy(parties, (party) => nameGroups.findRoot(party)).values()]
  return families
    .flatMap((family) => splitBy(family, findPhoneGroup))
    .flatMap((family) => splitBy(family, findGuardianKey))
}

/** Splits parties by a value. Parties without a value (null) stay with the others if there is only
 *  one value. */
function splitBy(parties: Party[], findValue: (party: Party) => unknown): Party[][] {
  const groups = Map.groupBy(parties, findValue)
  return groups.has(null) && groups.size <= 2 ? [parties] : [...groups.values()]
}

export const countSurnames = (names: Iterable<string>): number =>
  new Set([...names].map((name) => splitLastName(name).join(' '))).size

const listUnique = (values: (string | null)[]): string[] =>
  [...new Set(values.filter((value) => value !== null))].slice(0, MAX_LISTED_VALUES)

export function buildFamilyQuestion(
  topic: FamilyQuestion['about'],
  partySides: readonly Party[][],
  answers: FamilyAnswers,
): FamilyQuestion {
  const sides = partySides.map((parties) => ({
    rows: parties.flatMap(({ row }) => row ?? []).toSorted((a, b) => a - b),
    is_here: parties.some(({ row }) => row === null),
    students_here: listUnique(
      parties.filter(({ row }) => row === null).flatMap(({ students }) => students),
    ),
    students: listUnique(parties.flatMap(({ students }) => students)),
    guardians: listUnique(parties.map(({ guardian }) => guardian)),
    emails: listUnique(parties.flatMap(({ emails }) => emails)),
    phones: listUnique(parties.flatMap(({ phones }) => phones)),
  }))
  const id = sha256(JSON.stringify([topic, sides]))
  const joined_sides = findJoinedSides({ about: topic, sides }, answers.get(id))
  return { id, about: topic, sides, is_one: joined_sides.length > 0, joined_sides }
}

/** If a person in the dojo already has the email, an answer without that person does not count. */
function findJoinedSides(
  { about, sides }: Pick<FamilyQuestion, 'about' | 'sides'>,
  answer: { is_one: boolean; sides?: number[] | undefined } | undefined,
): number[] {
  if (!answer?.is_one) return []
  const joinedIndexes = [...sides.keys()].filter((index) => answer.sides?.includes(index) ?? true)
  if (joinedIndexes.length <= 1) return []
  const hasExistingPeople = sides.every(
    ({ is_here }, index) => !is_here || joinedIndexes.includes(index),
  )
  return about === 'guardian' || hasExistingPeople ? joinedIndexes : []
}
