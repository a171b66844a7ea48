import { classesApi, type DojoClass } from '@tatami/contract/classes/classes'
import type { senseiApi } from '@tatami/contract/sensei/sensei'
import type { studentsApi } from '@tatami/contract/students/students'
import type { Input } from '@tatami/contract/lib/endpoint'
import type { Database, Tx } from '../server/db/database.ts'
import {
  connectForFixtures,
  createSensei,
  createStudent,
  exampleSensei,
  nextPhone,
  PASSWORD,
  type StudentWithLogIn,
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

/** A dojo of a test's own: its sensei is signed in, and more can be put into it through the API. */
export type Dojo = Omit<Person, 'user'> & {
  createClass: (overrides?: Partial<Input<typeof classesApi.create>['body']>) => Promise<DojoClass>
  createStudent: (
    overrides?: Partial<Input<typeof studentsApi.create>['body']>,
  ) => Promise<StudentWithLogIn>
  /** A student of this dojo signs in with the password that createStudent gave. */
  createSession: (student: StudentWithLogIn) => Promise<Person>
  /** Does something in the dojo's database beside the server, as another server would. */
  inDatabase: <T>(work: (tx: Tx, dojoId: string) => Promise<T>) => Promise<T>
}

/** One for each server under test: a spec may start its own. Open until the worker ends. */
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
    // Beside the server, because it would hash a password for each.
    createStudent: (fields = {}) =>
      createStudent(databaseUnderTest(), dojoId, {
        phone_number: nextPhone(dojoId),
        class_preferences: ['saturday'],
        belt_level: undefined,
        gender: undefined,
        ...fields,
      }),
    createSession: (student) => createSession(student.email, PASSWORD),
    inDatabase: (work) => databaseUnderTest().inDojo(dojoId, (tx) => work(tx, dojoId)),
  }
}
