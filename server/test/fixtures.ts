/** Creates dojos, classes, students and guardians for tests and benchmarks. Calls the modules'
 *  functions directly, because HTTP calls are slower. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { classesApi, type DojoClass } from '@tatami/contract/classes/classes'
import type { Input } from '@tatami/contract/lib/endpoint'
import { familiesApi } from '@tatami/contract/families/families'
import type { Guardian } from '@tatami/contract/guardians/guardians'
import { senseiApi } from '@tatami/contract/sensei/sensei'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { eq, sql } from 'drizzle-orm'
import { dojoById } from '../dojos/dojos.ts'
import { z } from 'zod'
import { createAccount, listSuperAdminIds } from '../accounts/accounts.ts'
import { listStaffWithRight } from '../accounts/instructors.ts'
import { openSession } from '../accounts/sessions.ts'
import { accounts } from '../accounts/tables.ts'
import { auditAction } from '../audit/audit.ts'
import { addClass } from '../classes/classes.ts'
import { newId } from '../db/columns.ts'
import { firstRow } from '../lib/rows.ts'
import { connect, type Database, type Tx } from '../db/database.ts'
import { createKiosk } from '../kiosk/kiosks.ts'
import { readGuardianById } from '../guardians/guardian-records.ts'
import { createGuardian as addGuardian } from '../guardians/guardianships.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { guardians } from '../guardians/tables.ts'
import { addSensei } from '../sensei/registration.ts'
import { instructors } from '../sensei/tables.ts'
import { staffMembers } from '../staff/tables.ts'
import { addStudent } from '../students/students.ts'

/** The password of every account. Its hash is stored directly, because hashing is slow. */
export const PASSWORD = 'Kiai2026!'
const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$h0lH62e7DI6Y+JV1ltbU7g$DpcrzChL9a/UzOtZ4E25HU6QSVjY9Js2oEuIgTSV+iw'

export const ADMIN = { email: 'admin@tatami.test', password: PASSWORD }

export const uniqueEmail = (name: string) => `${name}-${newId()}@example.com`

export const exampleSensei = (changes: object = {}) => ({
  first_name: 'Aiko',
  last_name: 'Tanaka',
  email: uniqueEmail('aiko'),
  contact_area_code: '512',
  contact_number: '5550100',
  password: PASSWORD,
  retype_password: PASSWORD,
  city: 'Austin',
  state: 'Texas',
  dojo_name: 'Cedar Park Judo',
  ...changes,
})
export const exampleClass = (changes: object = {}) => ({
  class_name: 'Kids Judo',
  description: 'Ages 5 to 8',
  class_days: ['monday', 'wednesday'],
  class_start_time: '4:00 PM',
  class_end_time: '5:00 PM',
  ...changes,
})
export const exampleStudent = (changes: object = {}) => ({
  name: 'Ken Adams',
  email: uniqueEmail('ken'),
  password: PASSWORD,
  belt_level: 'white',
  date_of_birth: '2010-03-01',
  gender: 'male',
  phone_number: '(512) 555-0142',
  emergency_contact_name: 'Ann Adams',
  emergency_contact_phone: '512 555 0143',
  class_preferences: [] as string[],
  enrolled_classes: [] as string[],
  is_trial: false,
  monthly_payment_amount: 85.5,
  ...changes,
})

export type SenseiFields = Partial<Input<typeof senseiApi.register>['body']>
export type ClassFields = Partial<Input<typeof classesApi.create>['body']>
export type StudentFields = Partial<Input<typeof studentsApi.create>['body']>

export function connectForFixtures(databaseUrl: string): Database {
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', 'fixtures')
  return connect(url.href, { maxConnections: 4 })
}

/** Works only if the path of the data folder is short. Otherwise, the socket is in another
 *  folder. */
export function embeddedDatabaseUrl(dataDir: string): string {
  const socketFolder = encodeURIComponent(join(dataDir, 'postgres-socket'))
  const password = readSuperuserPassword(dataDir)
  return `postgresql://postgres:${password}@localhost/tatami?host=${socketFolder}`
}

export function readSuperuserPassword(dataDir: string): string {
  const json: unknown = JSON.parse(readFileSync(join(dataDir, 'postgres-passwords.json'), 'utf8'))
  return z.object({ postgres: z.string() }).parse(json).postgres
}

export const signInAs = (db: Database, accountId: string): Promise<string> =>
  db.withoutDojo((tx) => openSession(tx, accountId))

export type StudentWithLogin = Student & { email: string }
export type FixtureSensei = {
  id: string
  dojoId: string
  name: string
  email: string
  token: string
}

export async function createSensei(
  db: Database,
  changes: SenseiFields = {},
): Promise<FixtureSensei> {
  const form = senseiApi.register.body.parse(exampleSensei(changes))
  const { id, dojoId } = await addSensei(db, form, PASSWORD_HASH)
  await db.withoutDojo(async (tx) => {
    await tx.update(accounts).set({ is_active: true }).where(eq(accounts.id, id))
    const [admin] = await listSuperAdminIds(tx)
    await auditAction(tx, { id: mustExist(admin, 'The super admin'), dojoId }, 'sensei activated', {
      subject_id: id,
    })
  })
  return {
    id,
    dojoId,
    name: `${form.first_name} ${form.last_name}`,
    email: form.email,
    token: await signInAs(db, id),
  }
}

export const createKioskToken = async (
  db: Database,
  sensei: { id: string; dojoId: string },
): Promise<string> =>
  (await db.inDojo(sensei.dojoId, (tx) => createKiosk(tx, sensei, 'Front door'))).token

export const createClass = (
  db: Database,
  dojoId: string,
  changes: ClassFields = {},
): Promise<DojoClass> =>
  db.inDojo(dojoId, (tx) => addClass(tx, classesApi.create.body.parse(exampleClass(changes))))

const studentCounts = new Map<string, number>()
/** Returns a new phone number each time, because students with the same phone share their texts.
 *  The first student of a dojo gets (512) 555-0142. */
export function nextPhone(dojoId: string): string {
  const studentCount = studentCounts.get(dojoId) ?? 0
  studentCounts.set(dojoId, studentCount + 1)
  return `(512) 555-${String(142 + studentCount).padStart(4, '0')}`
}

/** Creates a student with a login, their own phone and, by default, the class preference Cedar
 *  Park. */
export const createStudent = (
  db: Database,
  dojoId: string,
  changes: StudentFields = {},
): Promise<StudentWithLogin> =>
  db.inDojo(dojoId, async (tx) => {
    const instructorId = await firstInstructorId(tx)
    const form = studentsApi.create.body.parse(
      exampleStudent({
        phone_number: nextPhone(dojoId),
        class_preferences: ['cedar_park'],
        ...changes,
      }),
    )
    const student = await addStudent(
      tx,
      { id: instructorId, dojoId },
      await dojoById(tx, dojoId),
      form,
      PASSWORD_HASH,
    )
    return { ...student, email: mustExist(student.email, 'The email') }
  })

export type StaffFields = Partial<
  Pick<
    typeof staffMembers.$inferInsert,
    'rights' | 'class_ids' | 'starts_on' | 'ends_on' | 'is_owner'
  >
>

/** Creates a member of staff with a login, by default without any rights. */
export const createStaff = (
  db: Database,
  dojoId: string,
  { rights = [], ...fields }: StaffFields = {},
): Promise<{ id: string; email: string }> =>
  db.inDojo(dojoId, async (tx) => {
    const id = newId()
    const email = uniqueEmail('kim')
    const account = { id, email, dojo_id: dojoId, role: 'instructor', is_active: true } as const
    await createAccount(tx, { ...account, password_hash: PASSWORD_HASH })
    await tx.insert(instructors).values({ id, name: 'Kim Park', email, contact_number: '' })
    const invited_by = await firstInstructorId(tx)
    await tx.insert(staffMembers).values({ instructor_id: id, rights, invited_by, ...fields })
    return { id, email }
  })

const firstInstructorId = async (tx: Tx): Promise<string> =>
  mustExist((await listStaffWithRight(tx, 'staff'))[0], 'The instructor')

export type GuardianFields = Partial<Input<typeof familiesApi.createGuardian>['body']>

/** Creates a guardian with a login and links to the students. */
export const createGuardian = (
  db: Database,
  dojoId: string,
  students: { id: string }[],
  changes: GuardianFields = {},
): Promise<Guardian> =>
  db.inDojo(dojoId, async (tx) => {
    const instructorId = await firstInstructorId(tx)
    const email = uniqueEmail('ann')
    const form = {
      name: 'Ann Adams',
      email,
      phone: '512 555 0143',
      students: students.map(({ id }) => ({ student_id: id })),
      ...changes,
    }
    const { id } = await addGuardian(
      tx,
      { id: instructorId, dojoId },
      familiesApi.createGuardian.body.parse(form),
    )
    await createAccount(tx, {
      id,
      email,
      password_hash: PASSWORD_HASH,
      role: 'guardian',
      dojo_id: dojoId,
      is_active: true,
    })
    await tx.update(guardians).set({ email, account_id: id }).where(eq(guardians.id, id))
    return readGuardianById(tx, id)
  })

export async function dojoIdOf(db: Database, accountId: string): Promise<string> {
  const { rows } = await db.withoutDojo((tx) =>
    tx.execute<{ dojo_id: string }>(sql`select dojo_id from accounts where id = ${accountId}`),
  )
  return firstRow(rows).dojo_id
}

/** Backdates the notice about automatic reminders, because reminders start days after the
 *  notice. */
export const backdateReminderNotice = (db: Database, dojoId: string): Promise<unknown> =>
  db.inDojo(dojoId, (tx) =>
    tx.execute(sql`insert into message_settings (reminders_announced_on) values ('2020-01-01')
      on conflict (dojo_id) do update set reminders_announced_on =
        excluded.reminders_announced_on`),
  )

/** Creates many students with only two statements. `firstNumber` determines their names and phone
 *  numbers. Every `sharingInterval`-th student has the phone and name of the previous one. */
export async function createStudents(
  db: Database,
  dojoId: string,
  count: number,
  { sharingInterval = Infinity, firstNumber = 0 } = {},
): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const isSharing = (index + 1) % sharingInterval === 0
    const number = firstNumber + (isSharing ? index - 1 : index)
    return {
      id: newId(),
      email: `${newId()}@home.org`,
      name: `${spellNumber(number)} Adams`,
      phone: `+1512${String(2_000_000 + number)}`,
    }
  })
  const students = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as r(id uuid, email text, name text, phone text)`
  await db.inDojo(dojoId, async (tx) => {
    await tx.execute(
      sql`insert into accounts
          (id, email, password_hash, role, dojo_id, is_active, created_at)
        select id, email, 'none', 'student', ${dojoId}, true, now() from ${students}`,
    )
    await tx.execute(
      sql`insert into students
          (id, email, name, phone_number, monthly_payment_amount, created_at)
        select id, email, name, phone, 8550, now() from ${students}`,
    )
  })
}

/** Writes a number in letters, because names must not contain digits. 0 is a and 26 is aa, like the
 *  columns of a spreadsheet. */
function spellNumber(number: number): string {
  const prefix = number >= 26 ? spellNumber(Math.floor(number / 26) - 1) : ''
  return `${prefix}${String.fromCharCode(97 + (number % 26))}`
}
