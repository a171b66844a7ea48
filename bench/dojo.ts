import { classesApi } from '@tatami/contract/classes'
import type { Endpoint, Reply, Sent } from '@tatami/contract/endpoint'
import { profileApi } from '@tatami/contract/profile'
import { senseiApi } from '@tatami/contract/sensei'
import { type Student, studentsApi } from '@tatami/contract/students'
import { SUPER_ADMIN } from './servers.ts'

type Asked<E extends Endpoint> = Partial<{ params: Record<string, string>; body: Sent<E>['body' & keyof Sent<E>] }>

const PASSWORD = 'Kiai2026!'
const AT_ONCE = 10

const letters = (number: number) => String(number).replace(/\d/g, (digit) => 'ABCDEFGHIJ'[Number(digit)]!)

/** Calls the server at `url`; throws what it answers where that is not 200. */
export const callerOf =
  (url: string) =>
  async <const E extends Endpoint>({ method, path }: E, { params = {}, body }: Asked<E>, token?: string): Promise<Reply<E>> => {
    const answer = await fetch(`${url}/api${path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Reply<E>
  }

/** A dojo with so many students in one class; its sensei is signed in. */
export async function aDojo(url: string, size: number, email = 'aiko@bench.com') {
  const call = callerOf(url)
  const admin = await call(profileApi.login, { body: SUPER_ADMIN })
  await call(senseiApi.register, {
    body: {
      first_name: 'Aiko',
      last_name: 'Tanaka',
      email,
      contact_area_code: '512',
      contact_number: '5550100',
      password: PASSWORD,
      retype_password: PASSWORD,
      city: 'Austin',
      state: 'Texas',
      dojo_name: 'Bench Dojo',
    },
  })
  const { sensei_list } = await call(senseiApi.list, {}, admin.token)
  await call(senseiApi.toggleActive, { params: { id: sensei_list.find((sensei) => sensei.email === email)!.sensei_id } }, admin.token)
  const { token, user } = await call(profileApi.login, { body: { email, password: PASSWORD } })
  const { id: class_id } = await call(
    classesApi.create,
    {
      body: {
        class_name: 'Little Dragons',
        description: 'Ages 5 to 8',
        class_days: ['monday'],
        class_start_time: '4:00 PM',
        class_end_time: '5:00 PM',
      },
    },
    token,
  )
  const students: Student[] = []
  const enrol = async (number: number) => {
    const { student } = await call(
      studentsApi.create,
      {
        body: {
          name: `Ken ${letters(number)}`,
          email: `ken${number}@bench.com`,
          password: PASSWORD,
          phone_number: '512 555 0142',
          date_of_birth: '2015-03-01',
          emergency_contact_name: 'Ann Adams',
          emergency_contact_phone: '512 555 0143',
          monthly_payment_amount: 85.5,
          class_preferences: [class_id],
          enrolled_classes: [class_id],
        },
      },
      token,
    )
    students.push(student)
  }
  for (let next = 0; next < size; next += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => enrol(next + index)))
  return { token, sensei_id: user.id, class_id, students }
}
