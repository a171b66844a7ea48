import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { PASSWORD, uniqueEmail } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

const PHONE = '(512) 555-0143'

async function createSchool() {
  setClock('2027-03-10T18:00:00Z')
  const sensei = await server.createSensei()
  const { invite_code } = (await sensei.get('/invitation')).body
  const addLead = async (changes: object = {}) => {
    const form = { name: 'Ana Ruiz', visitors: [{ name: 'Leo', age: 7 }], source: 'Flyer' }
    const { body } = await sensei.post('/leads', { ...form, phone: PHONE, ...changes })
    return body
  }
  const readLead = async (id: string) => (await sensei.get(`/leads/${id}`)).body
  const join = async (changes: object) => {
    const form = { name: 'Mia Chen', email: uniqueEmail('mia'), password: PASSWORD, invite_code }
    const { status, body } = await server.anonymous.post('/register', { ...form, ...changes })
    expect(status).toBe(200)
    return body.user.id
  }
  const joinWithChildren = async (names: string[], guardian: object = {}) => {
    const { status } = await server.anonymous.post('/register/guardian', {
      guardian: { name: 'Ana Ruiz', phone: PHONE, ...guardian },
      children: names.map((name) => ({ name, date_of_birth: '2019-05-01' })),
      email: uniqueEmail('ana'),
      password: PASSWORD,
      invite_code,
    })
    expect(status).toBe(200)
  }
  const approve = async (name: string) => {
    const { body: students } = await sensei.get('/students')
    const { id } = students.find((student: { name: string }) => student.name === name)
    expect((await sensei.post(`/students/${id}/approve`)).status).toBe(200)
    return id
  }
  return { sensei, addLead, readLead, join, joinWithChildren, approve }
}

describe('somebody who joins by invitation', () => {
  test('joins the lead with the same email, who keeps the story', async () => {
    const { sensei, addLead, readLead, join, approve } = await createSchool()
    const email = uniqueEmail('mia')
    const visitors = [{ name: 'Mia Chen', age: 30 }]
    const { id } = await addLead({ name: 'Mia Chen', phone: '', email, visitors })
    await sensei.post(`/leads/${id}/events`, { kind: 'call', note: 'Wants to start in May' })
    await sensei.put(`/leads/${id}/next-step`, { next_step: 'Call', next_step_on: '2027-04-01' })
    const studentId = await join({ email })
    expect(await readLead(id)).toMatchObject({ stage: 'talking' })
    await approve('Mia Chen')
    expect(await readLead(id)).toMatchObject({
      stage: 'joined',
      next_step: null,
      visitors: [{ name: 'Mia Chen', student_id: studentId }],
      events: [{ kind: 'joined', by_name: sensei.name }, { kind: 'call' }, { kind: 'created' }],
    })
    expect((await sensei.get(`/students/${studentId}/lead`)).body).toEqual({ lead_id: id })
    expect((await sensei.get('/lead-figures')).body).toMatchObject([{ source: 'Flyer', joined: 1 }])
  })

  test('joins nobody without the same phone or email', async () => {
    const { addLead, readLead, join, approve } = await createSchool()
    const visitors = [{ name: 'Mia Chen', age: 30 }]
    const { id } = await addLead({ name: 'Mia Chen', visitors })
    await join({ phone_number: '512 555 0199' })
    await approve('Mia Chen')
    expect(await readLead(id)).toMatchObject({ stage: 'new' })
  })

  test('becomes another visitor if the lead did not name them', async () => {
    const { addLead, readLead, join, approve } = await createSchool()
    const { id } = await addLead()
    await join({ phone_number: PHONE })
    await approve('Mia Chen')
    const { stage, visitors } = await readLead(id)
    expect(stage).toBe('new')
    expect(visitors).toMatchObject([
      { name: 'Leo', student_id: null },
      { name: 'Mia Chen', student_id: expect.any(String) },
    ])
  })

  test('joins the lead who named them, also if another lead is open or this one was lost', async () => {
    const { sensei, addLead, readLead, join, approve } = await createSchool()
    const first = await addLead()
    const visitors = [{ name: 'Mia Chen', age: 30 }]
    const second = await addLead({ name: 'Mia Chen', visitors, adds_anyway: true })
    await sensei.post(`/leads/${second.id}/events`, { kind: 'lost', note: 'Moved away' })
    await join({ phone_number: PHONE })
    await approve('Mia Chen')
    expect(await readLead(first.id)).toMatchObject({ stage: 'new' })
    expect(await readLead(second.id)).toMatchObject({ stage: 'joined' })
  })
})

describe('a parent who joins with children', () => {
  test('joins the lead for each child who is approved, and the others stay open', async () => {
    const { addLead, readLead, joinWithChildren, approve } = await createSchool()
    const visitors = [
      { name: 'Leo', age: 7 },
      { name: 'Nina', age: 9 },
    ]
    const { id } = await addLead({ visitors })
    await joinWithChildren(['Leo Ruiz', 'Nina Ruiz'])
    const leoId = await approve('Leo Ruiz')
    expect(await readLead(id)).toMatchObject({
      stage: 'new',
      visitors: [
        { name: 'Leo', student_id: leoId },
        { name: 'Nina', student_id: null },
      ],
    })
    await approve('Nina Ruiz')
    expect(await readLead(id)).toMatchObject({ stage: 'joined' })
  })

  test('joins no lead of another school', async () => {
    const { joinWithChildren, approve } = await createSchool()
    const otherSchool = await createSchool()
    const { id } = await otherSchool.addLead()
    await joinWithChildren(['Leo Ruiz'])
    await approve('Leo Ruiz')
    expect(await otherSchool.readLead(id)).toMatchObject({ stage: 'new' })
  })
})
