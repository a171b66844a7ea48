import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { signInAs } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

async function createSchool() {
  setClock('2027-03-10T18:00:00Z')
  const sensei = await server.createSensei()
  /** A session ends after some months, so each call has its own. */
  const openClient = async () => server.clientFor(await signInAs(server.db, sensei.id))
  const addLead = async (name: string, contact: object = { email: `${name}@example.com` }) => {
    const form = { name, visitors: [{ name, age: null }], source: 'Walk-in', ...contact }
    const { status, body } = await sensei.post('/leads', form)
    expect(status).toBe(200)
    return body
  }
  const runJobsOn = async (day: string) => {
    setClock(`${day}T18:00:00Z`)
    await runDueJobs(server.db, (error) => {
      throw error
    })
  }
  const listLeads = async (list = 'open'): Promise<string[]> => {
    const { body } = await (await openClient()).get(`/leads?list=${list}`)
    return body.map(({ name }: { name: string }) => name)
  }
  const listNotices = async (): Promise<string[]> => {
    const { body } = await (await openClient()).get('/notifications')
    return body
      .filter(({ opens }: { opens: string }) => opens === '/leads')
      .map(({ title, message }: Record<string, string>) => `${title}: ${message}`)
  }
  return { sensei, openClient, addLead, runJobsOn, listLeads, listNotices }
}

describe('leads with whom nothing happens', () => {
  test('are deleted after a year, and the school is told 14 days before', async () => {
    const { sensei, addLead, runJobsOn, listLeads, listNotices } = await createSchool()
    const { id } = await addLead('Ana')
    await sensei.post(`/leads/${id}/events`, { kind: 'lost', note: 'Too far away' })
    await runJobsOn('2028-02-24')
    expect(await listNotices()).toEqual([])
    await runJobsOn('2028-02-25')
    expect(await listNotices()).toEqual([
      'A lead will be deleted: On March 10, 2028: Ana. Nothing has happened with them for almost ' +
        '12 months. To keep somebody, call or write a note.',
    ])
    await runJobsOn('2028-03-09')
    expect(await listLeads('lost')).toEqual(['Ana'])
    await runJobsOn('2028-03-10')
    expect(await listLeads('lost')).toEqual([])
  })

  test('stay if somebody contacts them after the notice', async () => {
    const { openClient, addLead, runJobsOn, listLeads, listNotices } = await createSchool()
    const { id } = await addLead('Ana')
    await runJobsOn('2028-02-25')
    await (await openClient()).post(`/leads/${id}/events`, { kind: 'call', note: '' })
    await runJobsOn('2028-03-15')
    expect(await listLeads()).toEqual(['Ana'])
    await runJobsOn('2029-02-15')
    expect(await listNotices()).toHaveLength(2)
    expect(await listLeads()).toEqual(['Ana'])
  })

  test('are deleted as early as the school chooses, but not without a notice', async () => {
    const { openClient, addLead, runJobsOn, listLeads, listNotices } = await createSchool()
    await addLead('Ana')
    await runJobsOn('2027-12-01')
    expect(await listNotices()).toEqual([])
    const change = await (await openClient()).put('/lead-settings', { kept_months: 6 })
    expect([change.status, change.body]).toEqual([200, { kept_months: 6 }])
    await runJobsOn('2027-12-02')
    expect(await listNotices()).toHaveLength(1)
    expect(await listLeads()).toEqual(['Ana'])
    await runJobsOn('2027-12-16')
    expect(await listLeads()).toEqual([])
  })

  test('are named in one notice, at most five of them', async () => {
    const { addLead, runJobsOn, listNotices } = await createSchool()
    for (const name of ['Ana', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gil']) await addLead(name)
    await runJobsOn('2028-03-01')
    expect(await listNotices()).toEqual([
      expect.stringMatching(/^7 leads will be deleted: .*: Ana, Ben, Cleo, Dan, Eva and 2 more\./),
    ])
  })

  test('are deleted silently if they joined', async () => {
    const { sensei, addLead, runJobsOn, listLeads, listNotices } = await createSchool()
    const { id } = await addLead('Ana')
    const student = await server.createStudent(sensei, { name: 'Ana' })
    await sensei.post(`/leads/${id}/join`, { visitor_name: 'Ana', student_id: student.id })
    await runJobsOn('2028-03-01')
    expect(await listNotices()).toEqual([])
    await runJobsOn('2028-03-15')
    expect(await listLeads('joined')).toEqual([])
  })
})

test('the time for which leads are kept is 6, 12 or 24 months', async () => {
  const { sensei } = await createSchool()
  expect((await sensei.get('/lead-settings')).body).toEqual({ kept_months: 12 })
  const { status, body } = await sensei.put('/lead-settings', { kept_months: 36 })
  expect([status, body.errors]).toEqual([
    422,
    [{ field: 'kept_months', message: 'Months must be 6, 12 or 24' }],
  ])
})

describe('a lead who asks for deletion', () => {
  const PHONE = '+15125550177'

  async function deleteLeadWhoStoppedTexts() {
    const { sensei, addLead } = await createSchool()
    await sensei.post('/sms/simulated/incoming', { phone_number: PHONE, text: 'Any classes?' })
    const { id } = await addLead('Ana', { phone: PHONE })
    await sensei.post(`/leads/${id}/events`, { kind: 'call', note: '' })
    await sensei.post('/sms/simulated/incoming', { phone_number: PHONE, text: 'STOP' })
    expect((await sensei.delete(`/leads/${id}`)).status).toBe(200)
    const count = async (table: string) => {
      const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
        tx.execute<{ count: number }>(sql`select count(*)::int from ${sql.identifier(table)}`),
      )
      return rows[0]?.count
    }
    return { sensei, addLead, count }
  }

  test('is gone with the story, the texts and the phone, but STOP stays in force', async () => {
    const { count, addLead } = await deleteLeadWhoStoppedTexts()
    for (const table of ['leads', 'lead_events', 'lead_visitors', 'incoming_texts'])
      expect([table, await count(table)]).toEqual([table, 0])
    expect(await count('conversations')).toBe(0)
    const { rows } = await server.db.withoutDojo((tx) =>
      tx.execute(sql`select phone from phone_opt_outs where phone = ${PHONE}`),
    )
    expect(rows).toEqual([])
    expect(await addLead('Ana', { phone: PHONE })).toMatchObject({ has_stopped_texts: true })
  })

  test('leaves the texts of a student who has the same phone', async () => {
    const { sensei, addLead } = await createSchool()
    await server.createStudent(sensei, { name: 'Mia', phone_number: PHONE })
    await sensei.post('/sms/simulated/incoming', { phone_number: PHONE, text: 'See you' })
    const { id } = await addLead('Ana', { phone: PHONE })
    await sensei.delete(`/leads/${id}`)
    const { body } = await sensei.get(`/sms/conversations/${encodeURIComponent(PHONE)}/messages`)
    expect(JSON.stringify(body)).toContain('See you')
  })
})
