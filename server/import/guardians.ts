import { ADULT_AGE, type Relation } from '@tatami/contract/guardians/guardians'
import { newId } from '../db/columns.ts'
import { hasReachedAge } from '../guardians/ages.ts'
import type { Mention, RowFamily } from './families.ts'
import type { GuardianGroup } from './guardian-groups.ts'
import type { DojoRecords } from './dojo-records.ts'
import type { PlannedStudent } from './plan.ts'

export type GuardianInPlan = {
  id: string
  name: string
  relation: Relation | null
  email: string | null
  phone: string | null
  isNew: boolean
  /** The guardian also trains here, and has the same id as a student. */
  isStudent: boolean
  /** The guardian trains or teaches here, and logs in with that account as a guardian, too. */
  hasAccount: boolean
  /** The rows of the sheet that name the guardian. */
  rows: number[]
}

/** Adds guardians to the students, and returns the guardians. The first guardian pays. */
export function resolveGuardians(
  students: PlannedStudent[],
  studentByRow: Map<number, PlannedStudent>,
  families: Map<number, RowFamily>,
  groupByMention: Map<Mention, GuardianGroup>,
  dojo: DojoRecords,
  today: string,
): GuardianInPlan[] {
  const guardianByGroup = new Map<GuardianGroup, GuardianInPlan>()
  const guardianById = new Map<string, GuardianInPlan>()
  for (const student of students)
    for (const row of student.rows)
      for (const mention of families.get(row)?.guardians ?? []) {
        const guardian = findOrCreateGuardian(groupByMention.get(mention))
        if (!guardian || guardian.id === student.id || student.guardians.includes(guardian))
          continue
        student.guardians.push(guardian)
        student.payerId ??= guardian.id
        guardian.rows.push(row)
      }
  return [...guardianById.values()].filter(({ rows }) => rows.length > 0)

  function findOrCreateGuardian(group: GuardianGroup | undefined): GuardianInPlan | null {
    if (!group) return null
    const earlierGuardian = guardianByGroup.get(group)
    if (earlierGuardian) return earlierGuardian
    const createdGuardian = createGuardian(group)
    const guardian = guardianById.get(createdGuardian.id) ?? createdGuardian
    guardianById.set(guardian.id, guardian)
    guardianByGroup.set(group, guardian)
    return guardian
  }

  function createGuardian(group: GuardianGroup): GuardianInPlan {
    const newGuardian = toNewGuardian(group)
    if (group.existing) {
      const { id, name, email, phone } = group.existing.row
      return { ...newGuardian, id, name, email, phone, isNew: false }
    }
    const parentRow = group.mentions.find((mention) => mention.parentRow !== null)?.parentRow
    const hasParentRow = parentRow !== undefined && parentRow !== null
    const parent = hasParentRow ? studentByRow.get(parentRow) : undefined
    if (parent)
      return {
        ...newGuardian,
        id: parent.id,
        name: parent.person.name,
        email: null,
        isNew: !dojo.guardianById.has(parent.id),
        isStudent: true,
        hasAccount: parent.existing?.hasLogin ?? false,
      }
    const accountId = findAccountId(dojo, newGuardian.email, today)
    return accountId === null
      ? { ...newGuardian, id: newId() }
      : { ...newGuardian, id: accountId, isStudent: true, hasAccount: true }
  }
}

/** Returns the account of a student or instructor who has the guardian's email. */
function findAccountId(dojo: DojoRecords, email: string | null, today: string): string | null {
  const account = email === null ? undefined : dojo.accountByEmail.get(email)
  // The import must not reveal accounts of other dojos.
  if (!account?.dojo_id || account.dojo_id !== dojo.id || account.role === 'guardian') return null
  // A child may log in with a parent's email, but is not the guardian.
  const birthday = dojo.studentById.get(account.id)?.date_of_birth ?? null
  const isAdult = hasReachedAge(birthday, ADULT_AGE, today, { unknown: false })
  return account.role === 'student' && !isAdult ? null : account.id
}

function toNewGuardian({ mentions }: GuardianGroup): Omit<GuardianInPlan, 'id'> {
  const findFirstValue = <K extends 'name' | 'relation' | 'email' | 'phone'>(field: K) =>
    mentions.find((mention) => mention[field] !== null)?.[field] ?? null
  return {
    name: findFirstValue('name') ?? `Parent of ${mentions[0]?.child ?? ''}`,
    relation: findFirstValue('relation'),
    email: findFirstValue('email'),
    phone: findFirstValue('phone'),
    isNew: true,
    isStudent: false,
    hasAccount: false,
    rows: [],
  }
}
