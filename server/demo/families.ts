import type { Relation } from '@tatami/contract/guardians/guardians'
import { eq } from 'drizzle-orm'
import { createAccount } from '../accounts/accounts.ts'
import type { Tx } from '../db/database.ts'
import { findNextClasses } from '../calendar/timetable/next-classes.ts'
import { excuseStudent } from '../calendar/excuses/excuses.ts'
import { createGuardian, linkGuardian } from '../guardians/guardianships.ts'
import { recordLoginConsent } from '../families/login-consents.ts'
import { guardians } from '../guardians/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { firstRow, getOrThrow } from '../lib/rows.ts'

export const MOTHERS_EMAIL = 'ann.adams@cedarpark.com'
export const MOTHERS_PHONE = '(512) 555-0310'

type DemoGuardian = {
  name: string
  relation: Relation
  phone: string
  email: string | null
  pays: boolean
  students: string[]
}

const GUARDIANS: DemoGuardian[] = [
  {
    name: 'Ann Adams',
    relation: 'mother',
    phone: MOTHERS_PHONE,
    email: MOTHERS_EMAIL,
    pays: true,
    students: ['Ken Adams', 'Ruby Adams', 'Finn Adams'],
  },
  {
    name: 'Isabel Cruz',
    relation: 'mother',
    phone: '(512) 555-0320',
    email: null,
    pays: true,
    students: ['Mateo Cruz'],
  },
  {
    name: 'Rafael Cruz',
    relation: 'father',
    phone: '(512) 555-0321',
    email: null,
    pays: false,
    students: ['Mateo Cruz'],
  },
]

export const STUDENTS_WITHOUT_LOGIN = ['Ruby Adams', 'Finn Adams']
export const SIBLING_PRICES = {
  ordered_by: 'highest_fee' as const,
  prices: [
    { nth: 2, percent: 10 },
    { nth: 3, percent: 20 },
  ],
}
const EXCUSED_CHILD = 'Ruby Adams'

type IdsByName = Map<string, string>

export async function joinFamily(
  tx: Tx,
  sensei: DojoCaller,
  student: { id: string; name: string },
  guardianIds: IdsByName,
  passwordHash: string,
) {
  for (const guardian of GUARDIANS.filter(({ students }) => students.includes(student.name))) {
    const id =
      guardianIds.get(guardian.name) ?? (await addGuardian(tx, sensei, guardian, passwordHash))
    guardianIds.set(guardian.name, id)
    const { relation, pays } = guardian
    await linkGuardian(tx, sensei, id, student.id, {
      relation,
      pays,
      sees_fees: pays,
      may_edit: pays,
      picks_up: true,
    })
    // Children under 13 need their mother's permission to log in.
    if (guardian.email && !STUDENTS_WITHOUT_LOGIN.includes(student.name))
      await recordLoginConsent(
        tx,
        { ...sensei, id },
        student.id,
        { guardian_id: id, is_given: true },
        'guardian',
      )
  }
}

async function addGuardian(
  tx: Tx,
  sensei: DojoCaller,
  { name, phone, email }: DemoGuardian,
  password_hash: string,
): Promise<string> {
  const { id } = await createGuardian(tx, sensei, { name, phone, email })
  if (email) {
    await createAccount(tx, {
      id,
      email,
      password_hash,
      role: 'guardian',
      dojo_id: sensei.dojoId,
      is_active: true,
    })
    await tx.update(guardians).set({ account_id: id }).where(eq(guardians.id, id))
  }
  return id
}

export async function excuseOneChild(
  tx: Tx,
  { dojoId }: DojoCaller,
  students: { id: string; name: string }[],
  guardianIds: IdsByName,
) {
  const child = mustExist(
    students.find(({ name }) => name === EXCUSED_CHILD),
    'The excused child',
  )
  const classesByStudent = await findNextClasses(tx, dojoId, [child.id])
  const { class_id, day } = firstRow(classesByStudent.get(child.id) ?? [])
  const target = { student_id: child.id, class_id, class_date: day }
  await excuseStudent(tx, dojoId, target, {
    source: 'guardian',
    created_by: getOrThrow(guardianIds, 'Ann Adams'),
  })
}
