import type { FamilySuggestion } from '@tatami/contract/families/families'
import { FAMILY_REASONS, type FamilyReason } from '@tatami/contract/guardians/guardians'
import { normalize } from '@tatami/contract/lib/name-search'
import { eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import { byName } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { parsePhones, validPhone } from '../lib/phone.ts'
import { notFound } from '../lib/refusal.ts'
import { instructors } from '../sensei/tables.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { isActiveLink } from '../guardians/guardian-records.ts'
import {
  isFullName,
  isRoleEmail,
  isPlaceholderEmail,
  isPlaceholderPhone,
  toMailbox,
  MAX_SURNAMES,
} from './names-and-contacts.ts'
import { getOrThrow, pick } from '../lib/rows.ts'
import { guardians, guardianships, unrelatedStudents } from '../guardians/tables.ts'

/** A number that more students than this share belongs to a club, not to a parent. */
const MAX_FAMILY_SIZE = 8

type StudentRow = {
  student_id: string
  name: string
  email: string | null
  phone_number: string | null
  emergency_contact_name: string | null
  emergency_contact_phone: string | null
  guardian_ids: string[]
}
type GuardianContact = { id: string; name: string; phone: string | null; email: string | null }
type StudentPair = { firstId: string; secondId: string }

const normalizeName = (text: string) => normalize(text).trim().replace(/\s+/g, ' ')
const getSurname = (name: string) => normalizeName(name).replace(/.* /, '')
type StaffContacts = { mailboxes: ReadonlySet<string>; phones: ReadonlySet<string> }

/** Lists contact details that relatives may share, but not placeholders or contacts of offices and
 *  staff. */
function listMatchKeys(student: StudentRow, staff: StaffContacts): [FamilyReason, string][] {
  const { name, email, emergency_contact_name: contactName } = student
  const parseFamilyPhone = (typedPhone: string | null) => {
    const phone = validPhone(typedPhone)
    return phone !== null && !isPlaceholderPhone(phone) && !staff.phones.has(phone) ? phone : null
  }
  const isFamilyEmail = (address: string) =>
    !isPlaceholderEmail(address) &&
    !isRoleEmail(address) &&
    !staff.mailboxes.has(toMailbox(address))
  const ownPhone = parseFamilyPhone(student.phone_number)
  const emergencyPhone = parseFamilyPhone(student.emergency_contact_phone)
  const keys: [FamilyReason, string][] = []
  if (ownPhone) keys.push(['phone', ownPhone])
  // One child's own number may be another child's emergency number.
  for (const phone of new Set([ownPhone, emergencyPhone]))
    if (phone) keys.push(['emergency_phone', phone])
  if (contactName && isFullName(contactName))
    keys.push(['emergency_contact', `${normalizeName(contactName)} of ${getSurname(name)}`])
  if (email && isFamilyEmail(email)) keys.push(['email', toMailbox(email)])
  return keys
}

/** `strangers` are the ids of students who, according to an instructor, are unrelated to a member.
 *  */
type Group = { members: StudentRow[]; strangers: Set<string> }
/** Students who share a contact, or a guardian if the reason is null. */
type SharedTrait = { reason: FamilyReason | null; members: StudentRow[] }

/** Suggests families of students who share a contact or a guardian. A family never includes two
 *  students who, according to an instructor, are unrelated. */
export function suggestFamilies(
  studentRows: StudentRow[],
  guardianContacts: GuardianContact[],
  unrelatedPairs: StudentPair[],
  staff: StaffContacts,
): FamilySuggestion[] {
  const traits = findSharedTraits(studentRows, staff)
  const groupByStudent = new Map(
    studentRows.map((student) => [student.student_id, createGroup(student)]),
  )
  for (const { student_id, stranger_id } of listBothDirections(unrelatedPairs))
    groupByStudent.get(student_id)?.strangers.add(stranger_id)
  for (const { members } of traits) mergeMembers(members, groupByStudent)
  const guardianById = new Map(guardianContacts.map((guardian) => [guardian.id, guardian]))
  const reasons = findReasons(traits, groupByStudent)
  const groups = [...new Set<Group>(groupByStudent.values())].filter(
    ({ members }) => members.length > 1 && !haveCommonGuardian(members),
  )
  return groups.map((group) => {
    const relatives = group.members.toSorted(compareStudents)
    return {
      students: relatives,
      reasons: FAMILY_REASONS.filter((reason) => reasons.get(group)?.has(reason)),
      guardian: suggestGuardian(relatives, guardianById),
    }
  })
}

const compareNames = new Intl.Collator('en').compare
const compareStudents = (first: StudentRow, second: StudentRow) =>
  compareNames(first.name, second.name) || (first.student_id < second.student_id ? -1 : 1)
const createGroup = (student: StudentRow) => ({ members: [student], strangers: new Set<string>() })
const listBothDirections = (pairs: StudentPair[]) =>
  pairs.flatMap(({ firstId, secondId }) => [
    { student_id: firstId, stranger_id: secondId },
    { student_id: secondId, stranger_id: firstId },
  ])

function findSharedTraits(studentRows: StudentRow[], staff: StaffContacts): SharedTrait[] {
  const guardianMatches = studentRows.flatMap((student) =>
    student.guardian_ids.map((key) => ({ reason: null, key, student })),
  )
  const contactMatches = studentRows.flatMap((student) =>
    listMatchKeys(student, staff).map(([reason, value]) => ({
      reason,
      key: `${reason} ${value}`,
      student,
    })),
  )
  const matchesByKey = Map.groupBy([...guardianMatches, ...contactMatches], ({ key }) => key)
  const traits = [...matchesByKey.values()].map((matches) => ({
    reason: matches[0]?.reason ?? null,
    members: matches.map(({ student }) => student),
  }))
  return traits.filter(
    ({ reason, members }) => members.length > 1 && (reason === null || isFamilySized(members)),
  )
}

const isFamilySized = (members: StudentRow[]) =>
  members.length <= MAX_FAMILY_SIZE &&
  new Set(members.map(({ name }) => getSurname(name))).size <= MAX_SURNAMES

/** Puts the members into one group. Members who cannot join it may form another group. */
function mergeMembers(members: StudentRow[], groupByStudent: Map<string, Group>): void {
  const [firstMember, ...otherMembers] = members
  if (!firstMember) return
  const separateMembers = otherMembers.filter(
    (member) => !mergeGroups(firstMember, member, groupByStudent),
  )
  mergeMembers(separateMembers, groupByStudent)
}

/** Returns false if a member of one group is a stranger to the other group. */
function mergeGroups(
  student: StudentRow,
  otherStudent: StudentRow,
  groupByStudent: Map<string, Group>,
): boolean {
  const group = getOrThrow(groupByStudent, student.student_id)
  const otherGroup = getOrThrow(groupByStudent, otherStudent.student_id)
  if (group === otherGroup) return true
  const isSmaller = group.members.length < otherGroup.members.length
  const [smallerGroup, largerGroup] = isSmaller ? [group, otherGroup] : [otherGroup, group]
  if (smallerGroup.members.some(({ student_id }) => largerGroup.strangers.has(student_id)))
    return false
  largerGroup.members.push(...smallerGroup.members)
  for (const stranger of smallerGroup.strangers) largerGroup.strangers.add(stranger)
  for (const { student_id } of smallerGroup.members) groupByStudent.set(student_id, largerGroup)
  return true
}

/** If two students have the same phone number, the same emergency number is not another reason. */
function findReasons(traits: SharedTrait[], groupByStudent: Map<string, Group>) {
  const reasons = new Map<Group, Set<FamilyReason>>()
  const pairsWithSamePhone = new Set<string>()
  for (const { reason, members } of traits) {
    if (reason === null) continue
    for (const pair of listPairs(members)) {
      if (reason === 'phone') pairsWithSamePhone.add(pair.key)
      if (reason === 'emergency_phone' && pairsWithSamePhone.has(pair.key)) continue
      const group = getOrThrow(groupByStudent, pair.first.student_id)
      if (group === getOrThrow(groupByStudent, pair.second.student_id))
        reasons.set(group, (reasons.get(group) ?? new Set()).add(reason))
    }
  }
  return reasons
}

const listPairs = (members: StudentRow[]) =>
  members.flatMap((first, index) =>
    members.slice(index + 1).map((second) => ({
      first,
      second,
      key: [first.student_id, second.student_id].toSorted().join(' '),
    })),
  )

const haveCommonGuardian = ([firstMember, ...otherMembers]: StudentRow[]) =>
  firstMember?.guardian_ids.some((id) =>
    otherMembers.every(({ guardian_ids }) => guardian_ids.includes(id)),
  )

/** Suggests the guardian of most members, or the most frequent emergency contact. */
function suggestGuardian(
  members: StudentRow[],
  guardianById: ReadonlyMap<string, GuardianContact>,
) {
  const guardianId = findMostFrequent(members.flatMap(({ guardian_ids }) => guardian_ids))
  const guardian = guardianId && guardianById.get(guardianId)
  if (guardian) return guardian
  const name = findMostFrequent(
    members.flatMap(({ emergency_contact_name }) => emergency_contact_name ?? []),
  )
  if (!name) return null
  const memberWithContact = members.find(
    ({ emergency_contact_name }) => emergency_contact_name === name,
  )
  const phone = memberWithContact?.emergency_contact_phone ?? null
  // A parent may use one mailbox with a tag for each child: ann+leo@home.org, ann+mia@home.org.
  const mailboxes = members.flatMap(({ email }) => (email?.includes('+') ? toMailbox(email) : []))
  return { id: null, name, phone, email: findMostFrequent(mailboxes) ?? null }
}

function findMostFrequent(values: string[]): string | undefined {
  const groups = [...Map.groupBy(values, (value) => value).values()]
  return groups.toSorted((first, second) => second.length - first.length)[0]?.[0]
}

export async function listSuggestions(tx: Tx): Promise<FamilySuggestion[]> {
  const rows = await tx
    .select({
      student_id: students.id,
      ...pick(students, 'name', 'email', 'phone_number', 'emergency_contact_name'),
      emergency_contact_phone: students.emergency_contact_phone,
    })
    .from(students)
    .where(isCurrentStudent)
    .orderBy(...byName(students))
  const links = await tx
    .select({
      student_id: guardianships.student_id,
      ...pick(guardians, 'id', 'name', 'phone', 'email'),
    })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(isActiveLink)
  const unrelatedPairs = await tx
    .select({ firstId: unrelatedStudents.student_id, secondId: unrelatedStudents.other_id })
    .from(unrelatedStudents)
  // Parses the numbers in another thread, so that `validPhone` finds them in its cache below.
  await parsePhones(
    rows.flatMap(({ phone_number, emergency_contact_phone }) => [
      phone_number,
      emergency_contact_phone,
    ]),
  )
  const linksByStudent = Map.groupBy(links, ({ student_id }) => student_id)
  const studentRows = rows.map((row) => ({
    ...row,
    guardian_ids: (linksByStudent.get(row.student_id) ?? []).map(({ id }) => id),
  }))
  return suggestFamilies(
    studentRows,
    links.map(({ student_id: _, ...guardian }) => guardian),
    unrelatedPairs,
    await findStaffContacts(tx),
  )
}

async function findStaffContacts(tx: Tx): Promise<StaffContacts> {
  const rows = await tx
    .select(pick(instructors, 'email', 'phone_number', 'contact_number'))
    .from(instructors)
  const phones = rows.flatMap((row) => [row.phone_number, row.contact_number]).map(validPhone)
  return {
    mailboxes: new Set(rows.map(({ email }) => toMailbox(email))),
    phones: new Set(phones.filter((phone) => phone !== null)),
  }
}

export async function dismissSuggestion(tx: Tx, caller: DojoCaller, ids: string[]): Promise<void> {
  const studentIds = [...new Set(ids)].toSorted()
  const studentRows = await tx
    .select({ id: students.id })
    .from(students)
    .where(equalsAny(students.id, studentIds))
  if (studentRows.length < studentIds.length) throw notFound('Student')
  const pairs = studentIds.flatMap((student_id, index) =>
    studentIds.slice(index + 1).map((other_id) => ({ student_id, other_id })),
  )
  if (pairs.length > 0) await tx.insert(unrelatedStudents).values(pairs).onConflictDoNothing()
  await auditAction(tx, caller, 'family suggestion dismissed', {
    details: { students: studentIds.length },
  })
}
