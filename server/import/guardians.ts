import { ADULT_AGE, type Relation } from '@tatami/contract/guardians/guardians'
import { newId } from '../db/columns.ts'
import { hadBirthday } from '../guardians/ages.ts'
import type { RowOfFamily } from './families.ts'
import type { GuardianGroup } from './guardian-groups.ts'
import type { KnownDojo } from './known.ts'
import type { PlannedStudent } from './plan.ts'

export type GuardianInPlan = {
  id: string
  name: string
  relation: Relation | null
  email: string | null
  phone: string | null
  isNew: boolean
  /** Trains here, too, so the guardian has the student's id. */
  isStudent: boolean
  /** Trains or teaches here with a login, which also becomes the guardian's. */
  hasAccount: boolean
  rows: number[]
}

/** Finds or creates the guardians of the sheet, and gives them to their students. */
export function resolveGuardians(
  students: PlannedStudent[],
  studentOfRow: Map<number, PlannedStudent>,
  families: Map<number, RowOfFamily>,
  groups: Map<RowOfFamily['guardians'][number], GuardianGroup>,
  dojo: KnownDojo,
  today: string,
): GuardianInPlan[] {
  const guardianOfGroup = new Map<GuardianGroup, GuardianInPlan>()
  const byId = new Map<string, GuardianInPlan>()
  for (const student of students)
    for (const row of student.rows)
      for (const mention of families.get(row)?.guardians ?? []) {
        const guardian = guardianOf(groups.get(mention))
        if (!guardian || guardian.id === student.id || student.guardians.includes(guardian))
          continue
        student.guardians.push(guardian)
        student.payerId ??= guardian.id
        guardian.rows.push(row)
      }
  return [...byId.values()].filter(({ rows }) => rows.length > 0)

  function guardianOf(group: GuardianGroup | undefined): GuardianInPlan | null {
    if (!group) return null
    const earlierGuardian = guardianOfGroup.get(group)
    if (earlierGuardian) return earlierGuardian
    const resolvedGuardian = resolve(group)
    const guardian = byId.get(resolvedGuardian.id) ?? resolvedGuardian
    byId.set(guardian.id, guardian)
    guardianOfGroup.set(group, guardian)
    return guardian
  }

  function resolve(group: GuardianGroup): GuardianInPlan {
    const facts = factsOf(group)
    if (group.known) {
      const { id, name, email, phone } = group.known.row
      return { ...facts, id, name, email, phone, isNew: false }
    }
    const parentRow = group.mentions.find((mention) => mention.parentRow !== null)?.parentRow
    const parent = parentRow == null ? undefined : studentOfRow.get(parentRow)
    if (parent)
      return {
        ...facts,
        id: parent.id,
        name: parent.person.name,
        email: null,
        isNew: !dojo.guardianById.has(parent.id),
        isStudent: true,
        hasAccount: parent.known?.hasLogIn ?? false,
      }
    const accountId = accountOf(facts.email)
    return accountId === null
      ? { ...facts, id: newId() }
      : { ...facts, id: accountId, isStudent: true, hasAccount: true }
  }

  /** An account of the dojo that also becomes the guardian's. */
  function accountOf(email: string | null): string | null {
    const account = email === null ? undefined : dojo.accountByEmail.get(email)
    // Nothing is said about accounts of other dojos.
    if (!account?.dojo_id || account.dojo_id !== dojo.id || account.role === 'guardian') return null
    // A child's login may have the mother's email, but a sibling is no guardian.
    const birth = dojo.studentById.get(account.id)?.date_of_birth ?? null
    const isAdult = hadBirthday(birth, ADULT_AGE, today, { unknown: false })
    return account.role === 'student' && !isAdult ? null : account.id
  }
}

function factsOf({ mentions }: GuardianGroup): Omit<GuardianInPlan, 'id'> {
  const first = <K extends 'name' | 'relation' | 'email' | 'phone'>(field: K) =>
    mentions.find((mention) => mention[field] !== null)?.[field] ?? null
  return {
    name: first('name') ?? `Parent of ${mentions[0]?.child ?? ''}`,
    relation: first('relation'),
    email: first('email'),
    phone: first('phone'),
    isNew: true,
    isStudent: false,
    hasAccount: false,
    rows: [],
  }
}
