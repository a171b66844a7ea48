import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import type { FamilyQuestion, UnusedEmail } from '@tatami/contract/import/import-plan'
import type { CellRemark, ImportedGuardian, ImportedPerson } from '@tatami/contract/import/rows'
import { hadBirthday } from '../guardians/ages.ts'
import {
  isOfficeEmail,
  isPlaceholderEmail,
  letterbox,
  MAX_SURNAMES,
  nameKey,
  surnameKeys,
} from '../families/likeness.ts'
import { mapInSlices } from '../lib/event-loop.ts'
import {
  askAbout,
  countSurnames,
  type FamilyAnswers,
  MAX_SIDES,
  type Party,
  sidesOf,
  type UsablePhone,
} from './family-questions.ts'
import type { KnownDojo } from './known.ts'

export type FamilyRow = { row: number; person: ImportedPerson }
type Use = { address: string; row: FamilyRow; guardian: ImportedGuardian | null }
type Reason = UnusedEmail['reason']

/** The rows without emails that are nobody's or unclear. */
export type JudgedEmails = {
  rows: FamilyRow[]
  familyEmails: Set<string>
  notices: { row: number; remark: CellRemark }[]
  keptEmails: Map<number, string[]>
  questions: FamilyQuestion[]
  unused: UnusedEmail[]
}

const WORDS: Record<Reason, string> = {
  placeholder: 'Skipped: placeholder address',
  staff: 'Skipped: instructor’s address',
  office: 'Saved in notes: looks like an office address',
  crowd: 'Saved in notes: shared by too many families',
  shared: 'Saved in notes: these students may not be one family',
}

/**
 * Decides whose the emails are. A shared one is a family's only if nothing speaks against it, or if
 * somebody says so.
 */
export async function judgeEmails(
  rows: readonly FamilyRow[],
  dojo: KnownDojo,
  answers: FamilyAnswers,
  usablePhone: UsablePhone,
  today: string,
): Promise<JudgedEmails> {
  const judgedEmails: JudgedEmails = {
    rows: await mapInSlices(rows, ({ row, person }) => ({
      row,
      person: withOwnContacts(person, today),
    })),
    familyEmails: new Set(),
    notices: [],
    keptEmails: new Map(),
    questions: [],
    unused: [],
  }
  const uses = await mapInSlices(judgedEmails.rows, usesOf)
  const usesByLetterbox = Map.groupBy(uses.flat(), ({ address }) => letterbox(address))
  await mapInSlices([...usesByLetterbox], ([box, group]) => {
    const verdict = verdictOn(box, group, dojo, usablePhone)
    if (verdict.question) {
      const question = askAbout('family', verdict.question, answers)
      judgedEmails.questions.push(question)
      const joinedRows = new Set(
        question.joined_sides.flatMap((side) => question.sides[side]!.rows),
      )
      const { joined = [], apart = [] } = Object.groupBy(group, ({ row }) =>
        joinedRows.has(row.row) ? 'joined' : 'apart',
      )
      if (joined.length > 0) shareAddress(box, joined, judgedEmails)
      if (apart.length > 0 && verdict.reason !== null)
        leaveOut(box, apart, verdict.reason, judgedEmails)
      return
    }
    if (verdict.reason === null) shareAddress(box, group, judgedEmails)
    else leaveOut(box, group, verdict.reason, judgedEmails)
  })
  return judgedEmails
}

/** In an adult's row, guardian columns without another name are their own contacts. */
function withOwnContacts(person: ImportedPerson, today: string): ImportedPerson {
  const isAdult = hadBirthday(person.date_of_birth, ADULT_AGE, today, { unknown: false })
  const isOneself = ({ name }: ImportedGuardian) =>
    isAdult && (name === null || nameKey(name) === nameKey(person.name))
  const guardians = person.guardians
    .filter((guardian) => !isOneself(guardian))
    .map((guardian) => ({ ...guardian }))
  const [first, ...otherGuardians] = guardians
  for (const otherGuardian of otherGuardians)
    if (otherGuardian.email === first?.email) otherGuardian.email = null
  const email = person.email ?? person.guardians.find(isOneself)?.email ?? null
  return { ...person, email, guardians }
}

function usesOf(row: FamilyRow): Use[] {
  const { email, guardians } = row.person
  const ofGuardians = guardians.flatMap((guardian) =>
    guardian.email === null ? [] : [{ address: guardian.email, row, guardian }],
  )
  return email === null ? ofGuardians : [{ address: email, row, guardian: null }, ...ofGuardians]
}

type Verdict = { reason: Reason | null; question?: Party[][] }

function verdictOn(box: string, uses: Use[], dojo: KnownDojo, usablePhone: UsablePhone): Verdict {
  if (isPlaceholderEmail(box, peopleOf(uses))) return { reason: 'placeholder' }
  const names = new Map(uses.map(({ row: { person } }) => [nameKey(person.name), person.name]))
  if (countSurnames(names.values()) > MAX_SURNAMES) return { reason: 'crowd' }
  const ofSheet = partiesOf(uses)
  const ofDojo = dojo.partiesByEmail.get(box) ?? []
  const linkedNames = new Set(ofDojo.flatMap(({ students }) => students.map(nameKey)))
  const isAllLinked = [...names.keys()].every((name) => linkedNames.has(name))
  const instructor = dojo.instructorByEmail.get(box)
  const isInstructor = [...names.keys()].every(
    (name) => name === nameKey(instructor?.guardian ?? ''),
  )
  if (instructor !== undefined && !isInstructor && !isAllLinked)
    return verdictOnInstructor(instructor, ofSheet)
  if (isAllLinked || (names.size <= 1 && ofDojo.length === 0)) return { reason: null }
  const sides = sidesOf([...ofDojo, ...ofSheet], usablePhone)
  if (isOfficeEmail(box)) return verdictOnOffice(sides, ofSheet)
  if (sides.length === 1) return { reason: null }
  return sides.length > MAX_SIDES ? { reason: 'crowd' } : { reason: 'shared', question: sides }
}

const peopleOf = (uses: Use[]): string[] =>
  uses.flatMap(({ row: { person } }) => [
    person.name,
    ...person.guardians.flatMap(({ name }) => name ?? []),
  ])

/** Children with the instructor's surname may be the instructor's own. */
function verdictOnInstructor(instructor: Party, ofSheet: Party[]): Verdict {
  const [ownSurnames = [], ...keys] = surnameKeys([
    instructor.guardian ?? '',
    ...ofSheet.flatMap(({ students }) => students),
  ])
  const isOfOneSurname = keys.every((words) => words.some((word) => ownSurnames.includes(word)))
  return isOfOneSurname && ofSheet.length < MAX_SIDES
    ? { reason: 'staff', question: [[instructor], ofSheet] }
    : { reason: 'staff' }
}

/** An office email may be that of a family's business. */
function verdictOnOffice(sides: Party[][], ofSheet: Party[]): Verdict {
  const byStudent = [...Map.groupBy(ofSheet, ({ students }) => students.join()).values()]
  const isAsked = sides.length === 1 && byStudent.length > 1 && byStudent.length <= MAX_SIDES
  return isAsked ? { reason: 'office', question: byStudent } : { reason: 'office' }
}

function partiesOf(uses: Use[]): Party[] {
  return [...Map.groupBy(uses, ({ row }) => row)].map(([{ row, person }, ofRow]) => ({
    row,
    students: [person.name],
    guardian: ofRow.find(({ guardian }) => guardian?.name)?.guardian?.name ?? null,
    contacts: [...person.guardians.map(({ name }) => name), person.emergency_contact_name].filter(
      (name) => name !== null,
    ),
    emails: [...new Set(ofRow.map(({ address }) => address))],
    phones: [
      ...person.guardians.map(({ phone }) => phone),
      person.phone_number,
      person.emergency_contact_phone,
    ].filter((phone) => phone !== null),
  }))
}

/** If the family has written it in several ways, it becomes that of the letterbox. */
function shareAddress(box: string, uses: Use[], { familyEmails }: JudgedEmails): void {
  const names = new Set(uses.map(({ row: { person } }) => nameKey(person.name)))
  const addresses = new Set(uses.map(({ address }) => address))
  const [address = box] = addresses.size > 1 ? [box] : addresses
  if (names.size > 1) familyEmails.add(address)
  if (addresses.size <= 1) return
  for (const { row, guardian } of uses)
    if (guardian) guardian.email = box
    else row.person.email = box
}

function leaveOut(box: string, uses: Use[], reason: Reason, judgedEmails: JudgedEmails): void {
  judgedEmails.unused.push({ email: box, reason, rows: new Set(uses.map(({ row }) => row)).size })
  const isKept = reason !== 'placeholder' && reason !== 'staff'
  for (const { address, row, guardian } of uses) {
    if (guardian) guardian.email = null
    else row.person.email = null
    const field = guardian ? 'guardian_email' : 'email'
    judgedEmails.notices.push({ row: row.row, remark: { field, message: WORDS[reason] } })
    if (!isKept) continue
    const keptAddresses = judgedEmails.keptEmails.get(row.row) ?? []
    if (!keptAddresses.includes(address))
      judgedEmails.keptEmails.set(row.row, [...keptAddresses, address])
  }
}
