import { endpoints } from '@tatami/contract/api'
import { type Endpoint, ROLES_BY_ACCESS } from '@tatami/contract/lib/endpoint'
import { missingRight } from '@tatami/contract/needed-rights'
import {
  ALL_RIGHTS,
  PRESETS,
  type Preset,
  refusalWithout,
  type Right,
  rightsOfPreset,
} from '@tatami/contract/rights'
import { describe, expect, test } from 'vitest'
import { openSession } from '../accounts/sessions.ts'
import { newId } from '../db/columns.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
const sensei = await server.createSensei()

const staffCalls = endpoints.filter(
  ({ access }) =>
    access !== 'public' && (ROLES_BY_ACCESS[access] as readonly string[]).includes('instructor'),
)
const presets = Object.keys(PRESETS) as Preset[]
const combinations: [name: string, rights: Right[]][] = [
  ['no right', []],
  ...presets.map((preset): [string, Right[]] => [preset, rightsOfPreset(preset)]),
  ...ALL_RIGHTS.map((removedRight): [string, Right[]] => [
    `all rights except ${removedRight}`,
    ALL_RIGHTS.filter((right) => right !== removedRight),
  ]),
]

const BROKEN_BODY = '{"broken":'

describe.each(combinations)('staff with %s', async (_, rights) => {
  const member = await server.createStaff(sensei, { rights })

  const call = async ({ method, path, body }: Endpoint) => {
    // Each call has its own session, because some calls end the session.
    const token = await server.db.withoutDojo((tx) => openSession(tx, member.id))
    return server.http.inject({
      method,
      url: `/api${path.replaceAll(/:\w+/g, newId)}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { payload: BROKEN_BODY }),
    })
  }

  test('can make exactly the calls that their rights allow, and are told which right is missing', async () => {
    const refusals: [call: string, status: number, detail: unknown][] = []
    const expectedRefusals: typeof refusals = []
    for (const endpoint of staffCalls) {
      const { statusCode, body } = await call(endpoint)
      const name = `${endpoint.method} ${endpoint.path}`
      const lackingRight = missingRight(endpoint.right ?? 'any', new Set(rights))
      if (lackingRight) {
        refusals.push([name, statusCode, JSON.parse(body).detail])
        expectedRefusals.push([name, 403, refusalWithout(lackingRight)])
      } else expect([name, statusCode]).not.toEqual([name, 403])
    }
    expect(refusals).toEqual(expectedRefusals)
  })
})

describe('staff who see only their own classes', async () => {
  const kids = await server.createClass(sensei, { class_name: 'Kids' })
  const adults = await server.createClass(sensei, { class_name: 'Adults' })
  const ken = await server.createStudent(sensei, { name: 'Ken Adams', enrolled_classes: [kids.id] })
  const mia = await server.createStudent(sensei, {
    name: 'Mia Lund',
    enrolled_classes: [adults.id],
  })
  const coach = await server.createStaff(sensei, {
    rights: ['roll', 'students.read'],
    class_ids: [kids.id],
  })
  const helper = await server.createStaff(sensei, { rights: ['roll'], class_ids: [kids.id] })
  const mark = { class_id: kids.id, class_date: '2026-11-02', present: true }

  test('see only their own classes and students', async () => {
    const { body: classes } = await coach.get('/classes')
    expect(classes.map(({ class_name }: { class_name: string }) => class_name)).toEqual(['Kids'])
    const { body: students } = await coach.get('/students')
    expect(students.map(({ name }: { name: string }) => name)).toEqual(['Ken Adams'])
    expect((await coach.get(`/students/${mia.id}`)).status).toBe(404)
    expect((await coach.get(`/students/${ken.id}`)).status).toBe(200)
  })

  test('can mark only their own students', async () => {
    expect((await coach.post('/attendance', { ...mark, student_id: ken.id })).status).toBe(200)
    const refusal = await coach.post('/attendance', {
      ...mark,
      class_id: adults.id,
      student_id: mia.id,
    })
    expect(refusal.status).toBe(404)
  })

  test('see only first names, without contacts and money, if they lack the rights', async () => {
    const { body: students } = await helper.get('/students')
    expect(students).toEqual([
      expect.objectContaining({
        name: 'Ken',
        email: null,
        phone_number: null,
        emergency_contact_name: null,
        date_of_birth: null,
        monthly_payment_amount: null,
        current_month_paid: null,
        guardians: [],
      }),
    ])
  })
})

describe('staff without rights about money or settings', async () => {
  const office = await server.createStaff(sensei, {
    rights: ['students.read', 'students.contact', 'students.edit'],
  })
  const ken = await server.createStudent(sensei, {
    name: 'Ken Fee',
    monthly_payment_amount: 90,
    price_note: 'Friend of the house',
  })

  test('can change a student without changing the fee, which they cannot see', async () => {
    const { body: students } = await office.get('/students')
    const visibleKen = students.find(({ id }: { id: string }) => id === ken.id)
    expect(visibleKen).toMatchObject({ monthly_payment_amount: null, price_note: null })
    const { status } = await office.put(`/students/${ken.id}`, {
      ...visibleKen,
      name: 'Ken Fees',
      class_preferences: ['saturday'],
      monthly_payment_amount: 0,
      price_note: '',
    })
    expect(status).toBe(200)
    const { body: page } = await sensei.get(`/students/${ken.id}`)
    expect(page.student).toMatchObject({
      name: 'Ken Fees',
      monthly_payment_amount: 90,
      price_note: 'Friend of the house',
    })
  })

  test('can change their own email and phone, but nothing about the school', async () => {
    const { body: profile } = await office.get('/profile')
    const form = {
      email: 'kim.office@example.com',
      phone_number: '512-555-0177',
      dojo_name: profile.dojo_name,
      city: profile.city,
      state: profile.state,
    }
    const refusal = await office.put('/profile', { ...form, dojo_name: 'Kim’s Dojo' })
    expect([refusal.status, refusal.body.detail]).toEqual([403, refusalWithout('settings')])
    expect((await office.put('/profile', form)).status).toBe(200)
    const { body: owner } = await sensei.get('/profile')
    expect(owner.dojo_name).toBe(profile.dojo_name)
  })
})
