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
import { createAccount, superAdminIds } from '../accounts/accounts.ts'
import { instructorIds } from '../accounts/instructors.ts'
import { openSession } from '../accounts/sessions.ts'
import { accounts } from '../accounts/tables.ts'
import { auditAction } from '../audit/audit.ts'
import { addClass } from '../classes/classes.ts'
import { newId } from '../db/columns.ts'
import { connect, type Database } from '../db/database.ts'
import { createKiosk } from '../kiosk/kiosks.ts'
import { guardianById } from '../guardians/guardian-records.ts'
import { createGuardian as addGuardian } from '../guardians/guardianships.ts'
import { guardians } from '../guardians/tables.ts'
import { addSensei } from '../sensei/registration.ts'
import { addStudent } from '../students/students.ts'

/** Dojos, classes and students for tests and benches, written by the domain's own functions without
 *  HTTP calls or hashing. Everyone has the same password. */
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
  description: 'For the small ones',
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

export function connectBeside(databaseUrl: string): Database {
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', 'fixtures')
  return connect(url.href, { maxConnections: 4 })
}

/** Works if the path is short enough for the socket to lie in the data folder. */
export function embeddedDatabaseUrl(dataDir: string): string {
  const { postgres } = JSON.parse(
    readFileSync(join(dataDir, 'postgres-passwords.json'), 'utf8'),
  ) as { postgres: string }
  return `postgresql://postgres:${postgres}@localhost/tatami?host=${encodeURIComponent(join(dataDir, 'postgres-socket'))}`
}

export const signInAs = (db: Database, accountId: string): Promise<string> =>
  db.withoutDojo((tx) => openSession(tx, accountId))

export type StudentWithLogIn = Student & { email: string }
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
    const [admin] = await superAdminIds(tx)
    await auditAction(tx, { id: admin!, dojoId }, 'sensei activated', { subject_id: id })
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

const studentsOfDojo = new Map<string, number>()
/** Unique, because students with one phone share their texts. The first of a dojo has (512)
 *  555-0142. */
export function nextPhone(dojoId: string): string {
  const studentCount = studentsOfDojo.get(dojoId) ?? 0
  studentsOfDojo.set(dojoId, studentCount + 1)
  return `(512) 555-${String(142 + studentCount).padStart(4, '0')}`
}

/** Has a login and a phone of their own, and prefers Cedar Park by default. */
export const createStudent = (
  db: Database,
  dojoId: string,
  changes: StudentFields = {},
): Promise<StudentWithLogIn> =>
  db.inDojo(dojoId, async (tx) => {
    const [instructorId] = await instructorIds(tx)
    const form = studentsApi.create.body.parse(
      exampleStudent({
        phone_number: nextPhone(dojoId),
        class_preferences: ['cedar_park'],
        ...changes,
      }),
    )
    const student = await addStudent(
      tx,
      { id: instructorId!, dojoId },
      await dojoById(tx, dojoId),
      form,
      PASSWORD_HASH,
    )
    return { ...student, email: student.email! }
  })

export type GuardianFields = Partial<Input<typeof familiesApi.createGuardian>['body']>

/** Has a login and is linked to these students, by default with default rights. */
export const createGuardian = (
  db: Database,
  dojoId: string,
  students: { id: string }[],
  changes: GuardianFields = {},
): Promise<Guardian> =>
  db.inDojo(dojoId, async (tx) => {
    const [instructorId] = await instructorIds(tx)
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
      { id: instructorId!, dojoId },
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
    return guardianById(tx, id)
  })

export async function dojoIdOf(db: Database, accountId: string): Promise<string> {
  const { rows } = await db.withoutDojo((tx) =>
    tx.execute<{ dojo_id: string }>(sql`select dojo_id from accounts where id = ${accountId}`),
  )
  return rows[0]!.dojo_id
}

export const announceReminders = (db: Database, dojoId: string): Promise<unknown> =>
  db.inDojo(dojoId, (tx) =>
    tx.execute(sql`insert into message_settings (reminders_announced_on) values ('2020-01-01')
      on conflict (dojo_id) do update set reminders_announced_on =
        excluded.reminders_announced_on`),
  )

/** Two statements. Each student has a phone, but every `sharing`-th has the phone and name of the
 *  student before. */
export async function createStudents(
  db: Database,
  dojoId: string,
  count: number,
  { sharing = Infinity, from = 0 } = {},
): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const place = from + ((index + 1) % sharing === 0 ? index - 1 : index)
    return {
      id: newId(),
      email: `${newId()}@home.org`,
      name: `${letters(place)} Adams`,
      phone: `+1512${String(2_000_000 + place)}`,
    }
  })
  const peopleRows = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, email text, name text, phone text)`
  await db.inDojo(dojoId, async (tx) => {
    await tx.execute(
      sql`insert into accounts (id, email, password_hash, role, dojo_id, is_active, created_at) select id, email, 'none', 'student', ${dojoId}, true, now() from ${peopleRows}`,
    )
    await tx.execute(
      sql`insert into students (id, email, name, phone_number, monthly_payment_amount, created_at) select id, email, name, phone, 8550, now() from ${peopleRows}`,
    )
  })
}

const letters = (place: number): string =>
  `${place >= 26 ? letters(Math.floor(place / 26) - 1) : ''}${String.fromCharCode(97 + (place % 26))}`
