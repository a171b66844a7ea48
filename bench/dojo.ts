import { join } from 'node:path'
import type { Endpoint, Reply, Input } from '@tatami/contract/lib/endpoint'
import {
  connectForFixtures,
  createClass,
  createSensei,
  createStudent,
} from '../server/test/fixtures.ts'

type CallInput<CalledEndpoint extends Endpoint> = Partial<{
  params: Record<string, string>
  body: Input<CalledEndpoint>['body' & keyof Input<CalledEndpoint>]
}>

/** Writes a number in letters, because students' names must not contain digits. */
const spellNumber = (number: number) =>
  String(number).replace(/\d/g, (digit) => 'ABCDEFGHIJ'.charAt(Number(digit)))

/** Returns a function that calls endpoints of the server at `url`, and throws if a call fails. */
export const createCaller =
  (url: string) =>
  async <const CalledEndpoint extends Endpoint>(
    { method, path }: CalledEndpoint,
    { params = {}, body }: CallInput<CalledEndpoint>,
    token?: string,
  ): Promise<Reply<CalledEndpoint>> => {
    const response = await fetch(
      `${url}/api${path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')}`,
      {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    )
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Reply<CalledEndpoint>
  }

export async function createDojo(databaseUrl: string, studentCount: number) {
  const db = connectForFixtures(databaseUrl)
  const sensei = await createSensei(db, { dojo_name: 'Bench Dojo' })
  const { id: class_id } = await createClass(db, sensei.dojoId, {
    class_name: 'Little Dragons',
    description: 'Ages 5 to 8',
    class_days: ['monday'],
  })
  const enrollment = { class_preferences: [class_id], enrolled_classes: [class_id] }
  const students = []
  for (let number = 0; number < studentCount; number += 1)
    students.push(
      await createStudent(db, sensei.dojoId, {
        name: `Ken ${spellNumber(number)}`,
        phone_number: '512 555 0142',
        ...enrollment,
      }),
    )
  await db.close()
  return { token: sensei.token, dojoId: sensei.dojoId, class_id, students }
}

/** Loads `createDojo` from another checkout, because the tables of that version may differ. */
export const loadCreateDojo = async (checkout: string): Promise<typeof createDojo> =>
  ((await import(join(checkout, 'bench/dojo.ts'))) as { createDojo: typeof createDojo }).createDojo
