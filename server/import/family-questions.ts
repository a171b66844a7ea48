import type { FamilyQuestion } from '@tatami/contract/import/import-plan'
import { Groups } from '../families/groups.ts'
import { isFullName, splitLastName, nameKey, listSurnames } from '../families/names-and-contacts.ts'
import { sha256 } from '../lib/secrets.ts'

/** If there are more sides, we do not ask, and treat them as different families or guardians. */
export const MAX_SIDES = 6
const MAX_LISTED = 10

/** The people in one row of the sheet, or one person in the dojo with their relatives. */
export type Party = {
  /** Null for people who are already in the dojo. */
  row: number | null
  students: string[]
  guardian: string | null
  /** Other contacts, who may connect two parties. */
  contacts: string[]
  emails: string[]
  phones: string[]
}
export type ToUsablePhone = (typed: string | null) => string | null
export type FamilyAnswers = ReadonlyMap<string, { is_one: boolean; sides?: number[] | undefined }>

/** Splits parties into families. Parties are different families if they have neither a surname nor a
 *  parent in common, or if their phones or guardians differ. */
export function splitIntoSides(parties: readonly Party[], toUsablePhone: ToUsablePhone): Party[][] {
  const bySurname = new Groups<Party>()
  const byPhone = new Groups<Party>()
  const keys = listSurnames(parties.flatMap(({ students }) => students))
  let studentIndex = 0
  for (const party of parties) {
    const sameStudent = party.students.map((student) => `student ${nameKey(student)}`)
    const surnames = party.students.flatMap(() =>
      keys[studentIndex++]!.map((word) => `surname ${word}`),
    )
    const parents = [party.guardian, ...party.contacts].filter((parent) => parent !== null)
    const parentKeys = parents.filter(isFullName).map((parent) => `parent ${nameKey(parent)}`)
    bySurname.addKeys(party, [...sameStudent, ...surnames, ...parentKeys])
    const phones = party.phones.map(toUsablePhone).filter((phone) => phone !== null)
    if (phones.length > 0) byPhone.addKeys(party, [...sameStudent, ...phones])
  }
  const findPhoneGroup = (party: Party) =>
    party.phones.some((phone) => toUsablePhone(phone) !== null) ? byPhone.findRoot(party) : null
  const findGuardianKey = ({ guardian }: Party) =>
    guardian !== null && isFullName(guardian) ? nameKey(guardian) : null
  const families = [...Map.groupBy(parties, (party) => bySurname.findRoot(party)).values()]
  return families
    .flatMap((family) => splitBy(family, findPhoneGroup))
    .flatMap((family) => splitBy(family, findGuardianKey))
}

/** Splits parties by a value. Those without a value join the others if there is only one value. */
function splitBy(parties: Party[], getValue: (party: Party) => unknown): Party[][] {
  const groups = Map.groupBy(parties, getValue)
  const withoutValue = groups.get(null)
  return withoutValue && groups.size <= 2 ? [parties] : [...groups.values()]
}

export const countSurnames = (names: Iterable<string>): number =>
  new Set([...names].map((name) => splitLastName(name).join(' '))).size

const listUnique = (values: (string | null)[]): string[] =>
  [...new Set(values.filter((value) => value !== null))].slice(0, MAX_LISTED)

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
  const joinedIndexes = [...sides.keys()].filter((side) => answer.sides?.includes(side) ?? true)
  const hasOwner = sides.every(({ is_here }, side) => !is_here || joinedIndexes.includes(side))
  return joinedIndexes.length > 1 && (about === 'guardian' || hasOwner) ? joinedIndexes : []
}
