import type { FamilyQuestion } from '@tatami/contract/import/import-plan'
import { Groups } from '../families/groups.ts'
import { isFullName, lastNames, nameKey, surnameKeys } from '../families/likeness.ts'
import { sha256 } from '../lib/secrets.ts'

/** With more sides than this, nobody is asked, and they stay apart. */
export const MAX_SIDES = 6
/** So many names, emails and phones are shown of each side. */
const MAX_SHOWN = 10

export type Party = {
  row: number | null
  students: string[]
  guardian: string | null
  /** Other contacts, who may connect two parties. */
  contacts: string[]
  emails: string[]
  /** As typed. */
  phones: string[]
}
export type UsablePhone = (typed: string | null) => string | null
export type FamilyAnswers = ReadonlyMap<string, { is_one: boolean; sides?: number[] | undefined }>

/**
 * Separates the parties that have no surname and no parent in common, no phone in common, or
 * different guardians. A missing value separates nobody.
 */
export function sidesOf(parties: readonly Party[], usablePhone: UsablePhone): Party[][] {
  const bySurname = new Groups<Party>()
  const byPhone = new Groups<Party>()
  const keys = surnameKeys(parties.flatMap(({ students }) => students))
  let name = 0
  for (const party of parties) {
    const sameStudent = party.students.map((student) => `student ${nameKey(student)}`)
    const surnames = party.students.flatMap(() => keys[name++]!.map((word) => `surname ${word}`))
    const parents = [party.guardian, ...party.contacts].filter((parent) => parent !== null)
    const parentKeys = parents.filter(isFullName).map((parent) => `parent ${nameKey(parent)}`)
    bySurname.addKeys(party, [...sameStudent, ...surnames, ...parentKeys])
    const phones = party.phones.map(usablePhone).filter((phone) => phone !== null)
    if (phones.length > 0) byPhone.addKeys(party, [...sameStudent, ...phones])
  }
  const phoneOf = (party: Party) =>
    party.phones.some((phone) => usablePhone(phone) !== null) ? byPhone.rootOf(party) : null
  const guardianOf = ({ guardian }: Party) =>
    guardian !== null && isFullName(guardian) ? nameKey(guardian) : null
  const families = [...Map.groupBy(parties, (party) => bySurname.rootOf(party)).values()]
  return families
    .flatMap((family) => partedBy(family, phoneOf))
    .flatMap((family) => partedBy(family, guardianOf))
}

/** Parties without a value join the others if those have only one. */
function partedBy(parties: Party[], valueOf: (party: Party) => unknown): Party[][] {
  const groups = Map.groupBy(parties, valueOf)
  const withoutValue = groups.get(null)
  return withoutValue && groups.size <= 2 ? [parties] : [...groups.values()]
}

export const countSurnames = (names: Iterable<string>): number =>
  new Set([...names].map((name) => lastNames(name).join(' '))).size

const shownOf = (values: (string | null)[]): string[] =>
  [...new Set(values.filter((value) => value !== null))].slice(0, MAX_SHOWN)

/** The sides are one only if somebody has said so of exactly these sides. */
export function askAbout(
  topic: FamilyQuestion['about'],
  partySides: readonly Party[][],
  answers: FamilyAnswers,
): FamilyQuestion {
  const sides = partySides.map((parties) => ({
    rows: parties.flatMap(({ row }) => row ?? []).toSorted((a, b) => a - b),
    is_here: parties.some(({ row }) => row === null),
    students_here: shownOf(
      parties.filter(({ row }) => row === null).flatMap(({ students }) => students),
    ),
    students: shownOf(parties.flatMap(({ students }) => students)),
    guardians: shownOf(parties.map(({ guardian }) => guardian)),
    emails: shownOf(parties.flatMap(({ emails }) => emails)),
    phones: shownOf(parties.flatMap(({ phones }) => phones)),
  }))
  const id = sha256(JSON.stringify([topic, sides]))
  const joined_sides = joinedSides({ about: topic, sides }, answers.get(id))
  return { id, about: topic, sides, is_one: joined_sides.length > 0, joined_sides }
}

/** If somebody of the dojo has the email, nobody shares it without them. */
function joinedSides(
  { about, sides }: Pick<FamilyQuestion, 'about' | 'sides'>,
  answer: { is_one: boolean; sides?: number[] | undefined } | undefined,
): number[] {
  if (!answer?.is_one) return []
  const joinedIndexes = [...sides.keys()].filter((side) => answer.sides?.includes(side) ?? true)
  const hasOwner = sides.every(({ is_here }, side) => !is_here || joinedIndexes.includes(side))
  return joinedIndexes.length > 1 && (about === 'guardian' || hasOwner) ? joinedIndexes : []
}
