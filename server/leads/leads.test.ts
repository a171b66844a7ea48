import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { signInAs } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

const FORM = {
  name: 'Ana Ruiz',
  phone: '(512) 555-0143',
  email: 'ana@example.com',
  visitors: [{ name: 'Leo Ruiz', age: 7 }],
  interest: 'Kids judo',
  source: 'Walk-in',
  note: 'Asked about Saturdays',
}

async function createSchool() {
  const sensei = await server.createSensei()
  const addLead = async (changes: object = {}) => {
    const { status, body } = await sensei.post('/leads', { ...FORM, ...changes })
    expect(status).toBe(200)
    return body
  }
  const record = (id: string, kind: string, note = '') =>
    sensei.post(`/leads/${id}/events`, { kind, note })
  return { ...sensei, sensei, addLead, record }
}

describe('a lead', () => {
  test('is added with a note, and is found in the list', async () => {
    const { addLead, get, sensei } = await createSchool()
    const lead = await addLead()
    expect(lead).toMatchObject({
      name: 'Ana Ruiz',
      phone: '+15125550143',
      stage: 'new',
      visitors: [{ name: 'Leo Ruiz', age: 7, student_id: null }],
      events: [
        { kind: 'note', note: 'Asked about Saturdays', by_name: sensei.name },
        { kind: 'created', by_name: sensei.name },
      ],
    })
    expect((await get('/leads')).body).toMatchObject([{ id: lead.id }])
    expect((await get('/leads?list=lost')).body).toEqual([])
  })

  test.each([
    ['phone', { phone: '', email: '' }, 'Phone or email is required'],
    ['phone', { phone: '555' }, 'Phone must be a complete phone number'],
    ['visitors', { visitors: [] }, 'Say who would train'],
    ['visitors.0.age', { visitors: [{ name: 'Leo', age: 0 }] }, /whole number from 1 to 120/],
    ['source', { source: ' ' }, 'Source is required'],
  ])('is refused for a wrong %s', async (field, changes, message) => {
    const { post, get } = await createSchool()
    const { status, body } = await post('/leads', { ...FORM, ...changes })
    expect([status, body.errors]).toEqual([
      422,
      expect.arrayContaining([
        { field, message: typeof message === 'string' ? message : expect.stringMatching(message) },
      ]),
    ])
    expect((await get('/leads')).body).toEqual([])
  })

  test('asks if somebody with the same phone is the same person', async () => {
    const { addLead, post, get } = await createSchool()
    const first = await addLead()
    const { status, body } = await post('/leads', { ...FORM, email: '', name: 'Ana R.' })
    expect([status, body.detail]).toEqual([409, expect.stringMatching(/^Is this Ana Ruiz, a lead/)])
    const second = await addLead({ email: '', name: 'Ana R.', adds_anyway: true })
    expect(second.similar_leads).toMatchObject([{ id: first.id, name: 'Ana Ruiz' }])
    expect((await get('/leads')).body).toHaveLength(2)
  })

  test('says which student or guardian has the same phone', async () => {
    const { addLead, sensei } = await createSchool()
    await server.createStudent(sensei, { name: 'Mia Ruiz', phone_number: '512-555-0143' })
    expect((await addLead()).likely_person).toBe('Mia Ruiz, student')
  })

  test('says in words when a former student with the same phone left', async () => {
    setClock('2027-03-10T18:00:00Z')
    const { addLead, sensei, post } = await createSchool()
    const mia = await server.createStudent(sensei, {
      name: 'Mia Ruiz',
      phone_number: '512-555-0143',
    })
    const departure = { left_on: '2027-03-10', reason: 'cost' }
    expect((await post(`/students/${mia.id}/leave`, departure)).status).toBe(200)
    expect((await addLead()).likely_person).toBe('Mia Ruiz, left on March 10, 2027')
  })

  test('is in no list of students', async () => {
    const { addLead, get } = await createSchool()
    await addLead()
    expect((await get('/students')).body).toEqual([])
  })
})

describe('the next step', () => {
  test('needs a date, and orders the list', async () => {
    setClock('2030-04-30T18:00:00Z')
    const { addLead, put, get } = await createSchool()
    const ids = []
    for (const name of ['Ana', 'Ben', 'Cleo'])
      ids.push((await addLead({ name, phone: '', email: `${name}@example.com` })).id)
    const [ana, ben] = ids
    expect((await put(`/leads/${ana}/next-step`, { next_step: 'Call' })).status).toBe(422)
    await put(`/leads/${ana}/next-step`, { next_step: 'Call', next_step_on: '2030-05-02' })
    await put(`/leads/${ben}/next-step`, { next_step: 'Write', next_step_on: '2030-05-01' })
    const { body } = await get('/leads')
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['Ben', 'Ana', 'Cleo'])
  })

  test.each([
    ['2027-03-09', 422],
    ['2027-03-10', 200],
    ['2028-03-09', 200],
    ['2028-03-10', 422],
  ])('on %s, seen from March 10, 2027, is answered with %d', async (day, status) => {
    setClock('2027-03-10T18:00:00Z')
    const { addLead, put, get } = await createSchool()
    const { id } = await addLead()
    const reply = await put(`/leads/${id}/next-step`, { next_step: 'Call', next_step_on: day })
    expect(reply.status).toBe(status)
    expect((await get(`/leads/${id}`)).body.next_step_on).toBe(status === 200 ? day : null)
  })

  test('is due on its day, and ends when the lead is lost', async () => {
    setClock('2027-03-10T18:00:00Z')
    const { addLead, put, get, record } = await createSchool()
    const { id } = await addLead()
    const dueLeads = async () => (await get('/dashboard/stats')).body.due_leads
    expect(await dueLeads()).toEqual({ names: [], total: 0 })
    await put(`/leads/${id}/next-step`, { next_step: 'Call', next_step_on: '2027-03-11' })
    expect(await dueLeads()).toMatchObject({ total: 0 })
    setClock('2027-03-11T18:00:00Z')
    expect(await dueLeads()).toEqual({ names: ['Ana Ruiz'], total: 1 })
    await record(id, 'lost', 'Moved away')
    expect(await dueLeads()).toEqual({ names: [], total: 0 })
    expect((await get('/leads?list=lost')).body).toMatchObject([{ id, next_step: null }])
  })
})

describe('a lead that nobody looks after', () => {
  test('is marked after 14 days without a next step', async () => {
    setClock('2027-03-10T18:00:00Z')
    const { addLead, sensei } = await createSchool()
    const { id } = await addLead()
    const isForgotten = async () => {
      const client = server.clientFor(await signInAs(server.db, sensei.id))
      return (await client.get('/leads')).body[0].is_forgotten
    }
    expect(await isForgotten()).toBe(false)
    setClock('2027-03-24T18:05:00Z')
    expect(await isForgotten()).toBe(true)
    const client = server.clientFor(await signInAs(server.db, sensei.id))
    const step = { next_step: 'Call', next_step_on: '2027-03-30' }
    await client.put(`/leads/${id}/next-step`, step)
    expect(await isForgotten()).toBe(false)
  })

  test('says that its phone replied STOP', async () => {
    const { addLead, get, sensei } = await createSchool()
    const { id, has_stopped_texts } = await addLead({ phone: '512-555-0188' })
    expect(has_stopped_texts).toBe(false)
    const runSql = (query: SQL) => server.db.inDojo(sensei.dojoId, (tx) => tx.execute(query))
    await runSql(sql`insert into phone_opt_outs (phone, created_at)
      values ('+15125550188', now())`)
    expect((await get(`/leads/${id}`)).body.has_stopped_texts).toBe(true)
    await runSql(sql`delete from phone_opt_outs where phone = '+15125550188'`)
  })
})

describe('events', () => {
  test('move the lead to the next stage', async () => {
    const { addLead, record } = await createSchool()
    const { id } = await addLead()
    expect((await record(id, 'call')).body).toMatchObject({ stage: 'talking' })
    expect((await record(id, 'deciding')).body).toMatchObject({ stage: 'deciding' })
    expect((await record(id, 'lost')).status).toBe(422)
    expect((await record(id, 'lost', 'Too far')).body).toMatchObject({ stage: 'lost' })
    expect((await record(id, 'reopened')).body).toMatchObject({ stage: 'talking' })
  })
})

describe('a merge', () => {
  test('joins two stories, and can be undone for seven days', async () => {
    setClock('2027-03-10T18:00:00Z')
    const { addLead, post, get, record } = await createSchool()
    const first = await addLead()
    const second = await addLead({ adds_anyway: true, visitors: [{ name: 'Mia Ruiz', age: 9 }] })
    await record(second.id, 'call')
    const { body } = await post(`/leads/${second.id}/merge`, { into_id: first.id })
    expect(body).toMatchObject({
      id: first.id,
      stage: 'talking',
      similar_leads: [],
      merged_leads: [{ id: second.id }],
    })
    expect(body.visitors.map(({ name }: { name: string }) => name)).toEqual([
      'Leo Ruiz',
      'Mia Ruiz',
    ])
    expect((await get('/leads')).body).toHaveLength(1)
    expect((await get(`/leads/${second.id}`)).status).toBe(404)
    expect((await post(`/leads/${second.id}/unmerge`)).body).toMatchObject({ stage: 'talking' })
    expect((await get(`/leads/${first.id}`)).body).toMatchObject({ stage: 'new' })
    await post(`/leads/${second.id}/merge`, { into_id: first.id })
    setClock('2027-03-17T19:00:00Z')
    expect((await post(`/leads/${second.id}/unmerge`)).status).toBe(409)
    expect((await get(`/leads/${first.id}`)).body).toMatchObject({ merged_leads: [] })
  })

  test('into itself, or with a lead that is not there, is refused', async () => {
    const { addLead, post } = await createSchool()
    const { id } = await addLead()
    expect((await post(`/leads/${id}/merge`, { into_id: id })).status).toBe(422)
    const strangerId = '00000000-0000-4000-8000-000000000000'
    expect((await post(`/leads/${id}/merge`, { into_id: strangerId })).status).toBe(404)
  })
})

describe('joining', () => {
  test('leaves the other children open until all have joined', async () => {
    const { addLead, post, sensei } = await createSchool()
    const { id } = await addLead({
      visitors: [
        { name: 'Leo Ruiz', age: 7 },
        { name: 'Mia Ruiz', age: 9 },
      ],
    })
    const leo = await server.createStudent(sensei, { name: 'Leo Ruiz' })
    const mia = await server.createStudent(sensei, { name: 'Mia Ruiz' })
    const join = (visitor_name: string, student_id: string) =>
      post(`/leads/${id}/join`, { visitor_name, student_id })
    expect((await join('Leo Ruiz', leo.id)).body).toMatchObject({
      stage: 'new',
      visitors: [{ student_id: leo.id }, { student_id: null }],
    })
    expect((await join('leo ruiz', leo.id)).status).toBe(409)
    expect((await join('Tom Ruiz', leo.id)).status).toBe(404)
    expect((await join('Mia Ruiz', mia.id)).body).toMatchObject({ stage: 'joined' })
  })
})

describe('deletion', () => {
  test('removes the lead with its story and merged leads', async () => {
    const { addLead, post, get, sensei } = await createSchool()
    const first = await addLead()
    const second = await addLead({ adds_anyway: true })
    await post(`/leads/${second.id}/merge`, { into_id: first.id })
    expect((await sensei.delete(`/leads/${first.id}`)).status).toBe(200)
    expect((await get(`/leads/${first.id}`)).status).toBe(404)
    expect((await post(`/leads/${second.id}/unmerge`)).status).toBe(404)
  })
})

describe('figures', () => {
  test('count people by source', async () => {
    const { addLead, post, get, sensei } = await createSchool()
    await addLead({ email: '', phone: '512-555-0101', source: 'Friend' })
    const { id } = await addLead({ source: 'Friend' })
    await addLead({ email: 'tom@example.com', phone: '', source: 'Website' })
    const leo = await server.createStudent(sensei, { name: 'Leo Ruiz' })
    await post(`/leads/${id}/join`, { visitor_name: 'Leo Ruiz', student_id: leo.id })
    expect((await get(`/students/${leo.id}/lead`)).body).toEqual({ lead_id: id })
    expect((await get('/lead-figures')).body).toMatchObject([
      { source: 'Friend', leads: 2, booked: 0, came: 0, joined: 1 },
      { source: 'Website', leads: 1, booked: 0, came: 0, joined: 0 },
    ])
  })
})
