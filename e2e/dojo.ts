import { classesApi, type DojoClass } from '@tatami/contract/classes/classes'
import type { senseiApi } from '@tatami/contract/sensei/sensei'
import type { studentsApi } from '@tatami/contract/students/students'
import type { Input } from '@tatami/contract/lib/endpoint'
import type { Database, Tx } from '../server/db/database.ts'
import {
  connectForFixtures,
  createSensei,
  createStaff,
  createStudent,
  exampleSensei,
  nextPhone,
  PASSWORD,
  signInAs,
  type StaffFields,
  type StudentWithLogin,
  uniqueEmail,
} from '../server/test/fixtures.ts'
import { call, createSession, type Person } from './api.ts'

export { PASSWORD, uniqueEmail }

export const registrationForm = (
  overrides: Partial<Input<typeof senseiApi.register>['body']> = {},
) => ({
  ...exampleSensei(),
  city: 'Cedar Park',
  state: 'Texas' as const,
  dojo_name: 'Tanaka Dojo',
  ...overrides,
})

/** A dojo for one test, with a session of its sensei and functions that add data. */
export type Dojo = Omit<Person, 'user'> & {
  createClass: (overrides?: Partial<Input<typeof classesApi.create>['body']>) => Promise<DojoClass>
  createStudent: (
    overrides?: Partial<Input<typeof studentsApi.create>['body']>,
  ) => Promise<StudentWithLogin>
  /** Adds Kim Park to the staff, by default without any right, and logs them in. */
  createStaff: (fields?: StaffFields) => Promise<Pick<Person, 'email' | 'token'>>
  /** Logs a student in. */
  createSession: (student: StudentWithLogin) => Promise<Person>
  /** Runs `work` on the database directly, without the server under test. */
  inDatabase: <Result>(work: (tx: Tx, dojoId: string) => Promise<Result>) => Promise<Result>
}

/** The database connections by URL. A spec that starts its own server has another database. */
const databases = new Map<string, Database>()

function databaseUnderTest(): Database {
  const url = process.env.E2E_DATABASE_URL ?? ''
  const db = databases.get(url) ?? connectForFixtures(url)
  databases.set(url, db)
  return db
}

export async function createDojo(
  overrides: Parameters<typeof registrationForm>[0] = {},
): Promise<Dojo> {
  const { email, token, dojoId } = await createSensei(
    databaseUnderTest(),
    registrationForm(overrides),
  )
  const sensei = { email, token, password: PASSWORD }
  return {
    ...sensei,
    createClass: (fields = {}) =>
      call(
        classesApi.create,
        {
          body: {
            class_name: 'Little Dragons',
            description: 'Ages 5 to 8',
            class_days: ['monday', 'wednesday'],
            class_start_time: '4:00 PM',
            class_end_time: '5:00 PM',
            ...fields,
          },
        },
        sensei.token,
      ),
    // Does not call the server, because the server would hash a password, which is slow.
    createStudent: (fields = {}) =>
      createStudent(databaseUnderTest(), dojoId, {
        phone_number: nextPhone(dojoId),
        class_preferences: ['saturday'],
        belt_level: undefined,
        gender: undefined,
        ...fields,
      }),
    createStaff: async (fields) => {
      const { id, email: staffEmail } = await createStaff(databaseUnderTest(), dojoId, fields)
      return { email: staffEmail, token: await signInAs(databaseUnderTest(), id) }
    },
    createSession: (student) => createSession(student.email, PASSWORD),
    inDatabase: (work) => databaseUnderTest().inDojo(dojoId, (tx) => work(tx, dojoId)),
  }
}
