import { describe, expect, test } from 'vitest'
import { accounts } from '../accounts/tables.ts'
import { textConsents } from '../consent/tables.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { students } from '../students/tables.ts'
import { setClock } from '../test/clock.ts'
import { PASSWORD, uniqueEmail } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const LEO = { name: 'Leo Diaz', date_of_birth: '2017-03-01' }
const MIA = { name: 'Mia Diaz', date_of_birth: '2012-05-04' }

async function createTestDojo() {
  const sensei = await server.createSensei()
  const kids = await server.createClass(sensei)
  const { invite_code } = (await sensei.get('/invitation')).body
  const createForm = (changes: object = {}) => ({
    invite_code,
    email: uniqueEmail('rosa'),
    password: PASSWORD,
    guardian: { name: 'Rosa Diaz', relation: 'mother', phone: '512 555 0177' },
    children: [LEO],
    ...changes,
  })
  const join = (changes: object = {}) =>
    server.anonymous.post('/register/guardian', createForm(changes))
  const listStudents = async () => (await sensei.get('/students')).body
  const countRows = () =>
    server.db.inDojo(sensei.dojoId, async (tx) =>
      Promise.all(
        [accounts, guardians, guardianships, students, textConsents].map((table) =>
          tx.$count(table),
        ),
      ),
    )
  return { sensei, kids, invite_code, createForm, join, listStudents, countRows }
}

describe('a guardian who joins', () => {
  test('is signed in with their children, who have no login and await approval', async () => {
    const { kids, join, listStudents } = await createTestDojo()
    const email = uniqueEmail('rosa')
    const { status, body } = await join({
      email,
      children: [
        { ...LEO, class_preferences: [kids.id] },
        { ...MIA, phone_number: '512 555 0178' },
      ],
    })
    expect([status, body.user]).toMatchObject([
      200,
      {
        name: 'Rosa Diaz',
        email,
        is_guardian: true,
        is_instructor: false,
        belt_level: null,
        students: [{ name: 'Leo Diaz' }, { name: 'Mia Diaz' }],
      },
    ])
    expect(await listStudents()).toMatchObject([
      {
        name: 'Leo Diaz',
        email: null,
        awaits_approval: true,
        is_trial: true,
        class_preferences: [kids.id],
        enrolled_classes: [],
        emergency_contact_name: 'Rosa Diaz',
        emergency_contact_phone: '512 555 0177',
        guardians: [
          {
            name: 'Rosa Diaz',
            relation: 'mother',
            phone: '512 555 0177',
            email,
            pays: true,
            gets_texts: true,
          },
        ],
      },
      { name: 'Mia Diaz', email: null, phone_number: '512 555 0178', awaits_approval: true },
    ])
    expect((await server.signIn(email, PASSWORD)).id).toBe(body.user.id)
  })

  test('has every right over the children except editing and allowing a login', async () => {
    const { sensei, join } = await createTestDojo()
    const { body } = await join({ children: [LEO, MIA] })
    const links = await server.db.inDojo(sensei.dojoId, (tx) => tx.select().from(guardianships))
    expect(links).toHaveLength(2)
    for (const link of links)
      expect(link).toMatchObject({
        guardian_id: body.user.id,
        relation: 'mother',
        sees: true,
        sees_fees: true,
        gets_texts: true,
        pays: true,
        picks_up: true,
        may_edit: false,
        allows_log_in: false,
        ended_at: null,
      })
    const home = (await server.clientFor(body.token).get('/family/home')).body
    expect(home.children).toMatchObject([
      { name: 'Leo Diaz', awaits_approval: true, has_log_in: false },
      { name: 'Mia Diaz', awaits_approval: true },
    ])
  })

  test('is notified when an instructor approves a child, who is then enrolled', async () => {
    const { sensei, kids, join, listStudents } = await createTestDojo()
    const { body } = await join({ children: [{ ...LEO, class_preferences: [kids.id] }, MIA] })
    const [leo] = await listStudents()
    expect(
      (await sensei.get('/notifications')).body
        .map(({ message }: { message: string }) => message)
        .toSorted(),
    ).toEqual([
      'Leo Diaz joined by invitation. Please approve them.',
      'Mia Diaz joined by invitation. Please approve them.',
    ])
    const approval = await sensei.post(`/students/${leo.id}/approve`)
    expect(approval.body.student).toMatchObject({
      awaits_approval: false,
      enrolled_classes: [kids.id],
      email: null,
    })
    const rosa = server.clientFor(body.token)
    expect((await rosa.get('/notifications')).body).toMatchObject([
      { message: 'Your instructor has approved Leo. See you in class.' },
    ])
    expect(
      (await rosa.get('/family/home')).body.children.map(
        (student: { awaits_approval: boolean }) => student.awaits_approval,
      ),
    ).toEqual([false, true])
    expect(
      (await listStudents()).map(
        (student: { awaits_approval: boolean }) => student.awaits_approval,
      ),
    ).toEqual([false, true])
  })

  test('may have children without a phone, whose fee an instructor enters', async () => {
    const { sensei, kids, join, listStudents } = await createTestDojo()
    await join({ children: [{ ...LEO, class_preferences: [kids.id] }] })
    const [leo] = await listStudents()
    const changeLeo = (changes: object) =>
      sensei.put(`/students/${leo.id}`, {
        ...leo,
        gender: '',
        monthly_payment_amount: 80,
        ...changes,
      })
    expect((await changeLeo({})).body.student).toMatchObject({
      monthly_payment_amount: 80,
      phone_number: null,
      class_preferences: [kids.id],
    })
    expect((await changeLeo({ phone_number: '512 555 0143' })).status).toBe(200)
    const reply = await changeLeo({ phone_number: '' })
    expect([reply.status, reply.body.errors]).toEqual([
      422,
      [{ field: 'phone_number', message: 'Phone number is required' }],
    ])
  })

  test('gets no text before an instructor has approved a child', async () => {
    const { sensei, join, listStudents } = await createTestDojo()
    await join()
    const sendText = async () => {
      const { body } = await sensei.post('/sms/send-bulk-message', {
        message_type: 'weather_cancel',
        custom_message: 'No class.',
        selected_classes: null,
      })
      return body
    }
    expect(await sendText()).toMatchObject({
      success_count: 0,
      skipped: [{ reason: 'awaits_approval' }],
    })
    await sensei.post(`/students/${(await listStudents())[0].id}/approve`)
    expect(await sendText()).toMatchObject({ success_count: 1, skipped: [] })
  })

  test('can allow a child to have a login, which lets the instructor invite the child', async () => {
    const { sensei, join, listStudents } = await createTestDojo()
    const { body } = await join()
    const [leo] = await listStudents()
    const invite = () =>
      sensei.post(`/students/${leo.id}/log-in-invitation`, { email: uniqueEmail('leo') })
    expect((await invite()).status).toBe(422)
    await server
      .clientFor(body.token)
      .put(`/family/students/${leo.id}/log-in`, { is_allowed: true })
    expect((await invite()).status).toBe(200)
  })
})

describe('refuses and changes nothing for', () => {
  test.each([
    ['no child', { children: [] }, 422, 'Name at least one child'],
    [
      'eleven children',
      { children: Array.from({ length: 11 }, () => LEO) },
      422,
      'At most 10 children',
    ],
    [
      'a child without a birthday',
      { children: [{ name: 'Leo Diaz' }] },
      422,
      'Date of birth is required',
    ],
    [
      'a child without a name',
      { children: [{ date_of_birth: '2017-03-01' }] },
      422,
      'Name is required',
    ],
    [
      'a guardian without a phone',
      { guardian: { name: 'Rosa Diaz' } },
      422,
      'Phone number is required',
    ],
    ['no guardian', { guardian: null }, 422, 'The guardian is not valid'],
    [
      'a consent wording that no form has shown',
      { text_consent: { wording_version: '2026-11-21' } },
      422,
      'Wording is not valid',
    ],
    ['an unknown invitation', { invite_code: 'none' }, 400, 'This invitation is not valid'],
  ])('%s', async (_, changes, status, detail) => {
    const { join, countRows } = await createTestDojo()
    const initialCounts = await countRows()
    const response = await join(changes)
    expect([response.status, response.body.detail]).toEqual([status, detail])
    expect(await countRows()).toEqual(initialCounts)
  })

  test('an adult and a future date of birth, in the dojo’s time zone', async () => {
    const { join, countRows } = await createTestDojo()
    // In Austin, it is still the evening of March 1.
    setClock('2027-03-02T03:00:00Z')
    const initialCounts = await countRows()
    const response = await join({
      children: [
        LEO,
        { name: 'Ben Diaz', date_of_birth: '2009-03-01' },
        { name: 'Ana Diaz', date_of_birth: '2027-03-02' },
      ],
    })
    expect([response.status, response.body.errors]).toEqual([
      422,
      [
        {
          field: 'children.1.date_of_birth',
          message: 'Students 18 and older need their own account',
        },
        { field: 'children.2.date_of_birth', message: 'Date of birth must not be after today' },
      ],
    ])
    expect(await countRows()).toEqual(initialCounts)
    expect(
      (await join({ children: [{ name: 'Ben Diaz', date_of_birth: '2009-03-02' }] })).status,
    ).toBe(200)
  })

  test('a taken email, and says what to do', async () => {
    const { sensei, join, countRows } = await createTestDojo()
    const initialCounts = await countRows()
    const response = await join({ email: sensei.email })
    expect([response.status, response.body.detail]).toEqual([
      409,
      'An account with this email already exists. If it is yours, ask your instructor to ' +
        'add the child to your family.',
    ])
    expect(await countRows()).toEqual(initialCounts)
  })

  test('a class of another dojo', async () => {
    const { join, countRows } = await createTestDojo()
    const otherDojosClass = await server.createClass(await server.createSensei())
    const initialCounts = await countRows()
    expect(
      (await join({ children: [LEO, { ...MIA, class_preferences: [otherDojosClass.id] }] })).status,
    ).toBe(422)
    expect(await countRows()).toEqual(initialCounts)
  })
})

describe('consent to texts', () => {
  const listConsents = (dojoId: string) =>
    server.db.inDojo(dojoId, (tx) => tx.select().from(textConsents).orderBy(textConsents.phone))
  const AGREEMENT = { text_consent: { wording_version: 'join-2026-11-22' } }

  test('is recorded once for each valid phone, with name, IP address and wording', async () => {
    const { sensei, join } = await createTestDojo()
    setClock('2027-03-01T12:00:00Z')
    const children = [
      { ...LEO, phone_number: '+1 (512) 555-0177' },
      { ...MIA, phone_number: '512-555-0178' },
      { ...LEO, phone_number: '12' },
    ]
    await join({ ...AGREEMENT, children })
    const givenConsent = {
      event: 'given',
      source: 'form',
      given_by: 'Rosa Diaz',
      wording_version: 'join-2026-11-22',
      topics: ['dues', 'classes', 'promotions'],
      address: '127.0.0.1',
      recorded_by: null,
      at: expect.stringMatching(/^2027-03-01T12:00:/),
    }
    expect(await listConsents(sensei.dojoId)).toMatchObject([
      { ...givenConsent, phone: '+15125550177' },
      { ...givenConsent, phone: '+15125550178' },
    ])
  })

  test('is not recorded without agreement, and not twice', async () => {
    const { sensei, createForm, join } = await createTestDojo()
    await join()
    expect(await listConsents(sensei.dojoId)).toEqual([])
    const sameForm = createForm(AGREEMENT)
    const responses = await Promise.all(
      [1, 2, 3].map(() => server.anonymous.post('/register/guardian', sameForm)),
    )
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    expect(await listConsents(sensei.dojoId)).toHaveLength(1)
  })

  test('of a student with a login is only for their own phone', async () => {
    const { sensei, invite_code } = await createTestDojo()
    const join = (changes: object) =>
      server.anonymous.post('/register', {
        name: 'Mia Diaz',
        email: uniqueEmail('mia'),
        password: PASSWORD,
        invite_code,
        ...AGREEMENT,
        ...changes,
      })
    const guardian = { name: 'Rosa Diaz', phone: '512 555 0177' }
    setClock('2027-03-01T12:00:00Z')
    expect(
      (await join({ date_of_birth: '2012-05-04', phone_number: '512 555 0178', guardian })).status,
    ).toBe(200)
    expect((await join({ date_of_birth: '2012-05-04', guardian })).status).toBe(200)
    expect(await listConsents(sensei.dojoId)).toMatchObject([
      { phone: '+15125550178', given_by: 'Mia Diaz', source: 'form' },
    ])
  })
})
