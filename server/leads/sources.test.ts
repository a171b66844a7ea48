import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { signInAs } from '../test/fixtures.ts'
import {
  CHILD_FORM,
  MONDAY_MORNING,
  olderKey,
  startServerWithTrials,
  WEDNESDAY,
} from '../test/trial-dojo.ts'

const { server, createDojo, open, openForm, post, book } = await startServerWithTrials()

const FLYER = { name: 'Flyer', monthly_cost: 30 }
const pathOf = (link: string): string => new URL(link).pathname

async function createSource(form: object = FLYER) {
  setClock(MONDAY_MORNING)
  const dojo = await createDojo()
  const { body: source } = await dojo.sensei.post('/lead-sources', form)
  return { ...dojo, source, path: pathOf(source.link) }
}

describe('a source link', () => {
  test('leads to the form for trials, without a cookie', async () => {
    const { slug, path } = await createSource()
    expect(path).toMatch(/^\/t\/flyer-[a-z0-9]{6}$/)
    const { status, headers } = await open(path)
    const code = path.slice('/t/'.length)
    expect([status, headers.location]).toEqual([302, `/d/${slug}/trial?from=${code}`])
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('is not found if the code is unknown or the page is off', async () => {
    const { sensei, path } = await createSource()
    expect((await open('/t/nothing-abcdef')).status).toBe(404)
    const page = (await sensei.get('/public-page')).body
    await sensei.put('/public-page', { ...page, is_on: false })
    expect((await open(path)).status).toBe(404)
  })

  test('sets the source of a lead. The first source stays, and the last one is kept', async () => {
    const dojo = await createSource()
    const { body: poster } = await dojo.sensei.post('/lead-sources', {
      name: 'Poster',
      monthly_cost: null,
    })
    const bookFrom = async (link: string, day: string) => {
      const { headers } = await open(pathOf(link))
      const { key, ...fields } = await openForm(dojo.slug, dojo.class_id, day)
      const form = { ...fields, ...CHILD_FORM, key: olderKey(key) }
      expect((await post(`${headers.location}`, form)).status).toBe(303)
    }
    await bookFrom(dojo.source.link, WEDNESDAY)
    const [lead] = (await dojo.sensei.get('/leads')).body
    expect(lead.source).toBe('Flyer')
    await bookFrom(poster.link, '2027-03-08')
    expect((await dojo.sensei.get(`/leads/${lead.id}`)).body).toMatchObject({
      source: 'Flyer',
      last_source: 'Poster',
    })
  })

  test('has a name of its own, and stays the same after a change', async () => {
    const { sensei, source } = await createSource()
    expect((await sensei.post('/lead-sources', FLYER)).status).toBe(409)
    const { body: poster } = await sensei.post('/lead-sources', { ...FLYER, name: 'Poster' })
    expect((await sensei.put(`/lead-sources/${poster.id}`, FLYER)).status).toBe(409)
    const { body } = await sensei.put(`/lead-sources/${source.id}`, {
      name: 'Yellow flyer',
      monthly_cost: null,
    })
    expect(body).toEqual({ ...source, name: 'Yellow flyer', monthly_cost: null })
    expect((await sensei.get('/lead-sources')).body).toHaveLength(2)
    expect(source.qr).toMatch(/^data:image\/png;base64,/)
  })

  test.each([
    ['name', { name: '', monthly_cost: null }, 'Name is required'],
    ['monthly_cost', { name: 'Ad', monthly_cost: -1 }, 'Cost must be 0 or more'],
  ])('is refused for a wrong %s', async (field, form, message) => {
    const sensei = await server.createSensei()
    const { status, body } = await sensei.post('/lead-sources', form)
    expect([status, body.errors]).toEqual([422, [{ field, message }]])
  })
})

describe('the figures', () => {
  test('say what a student cost, and who is still there after 90 days', async () => {
    const { sensei } = await createSource()
    const join = async (name: string) => {
      const { body: lead } = await sensei.post('/leads', {
        name,
        phone: '',
        email: `${name}@example.com`,
        visitors: [{ name, age: null }],
        source: 'Flyer',
      })
      const student = await server.createStudent(sensei, { name })
      const body = { visitor_name: name, student_id: student.id }
      expect((await sensei.post(`/leads/${lead.id}/join`, body)).status).toBe(200)
      return student
    }
    await join('Leo')
    const mia = await join('Mia')
    await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute(sql`update students set left_on = '2027-04-01', left_reason = 'cost'
        where id = ${mia.id}`),
    )
    const figures = async () => {
      const client = server.clientFor(await signInAs(server.db, sensei.id))
      return (await client.get('/lead-figures')).body
    }
    expect(await figures()).toMatchObject([
      { source: 'Flyer', joined: 2, enrolled_90_days_ago: 0, stayed_90_days: 0 },
    ])
    setClock('2027-06-10T18:00:00Z')
    // $30 for each of the four months that have begun, for two leads.
    expect(await figures()).toMatchObject([
      { joined: 2, enrolled_90_days_ago: 2, stayed_90_days: 1, cost_per_joined: 60 },
    ])
  })

  test('count a booked trial after it was canceled, while the stage falls back', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const { sensei } = dojo
    await book(dojo, WEDNESDAY)
    const [lead] = (await sensei.get('/leads')).body
    expect(lead.stage).toBe('booked')
    const [trial] = (await sensei.get(`/trials?from=${WEDNESDAY}&until=${WEDNESDAY}`)).body
    await sensei.post(`/trials/${trial.id}/cancel`)
    expect((await sensei.get('/lead-figures')).body).toMatchObject([{ leads: 1, booked: 1 }])
    const { stage, events } = (await sensei.get(`/leads/${lead.id}`)).body
    expect(stage).toBe('new')
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'cancelled',
        note: 'Leo, Kids Judo',
        by_name: 'Aiko Tanaka',
      }),
    )
  })

  test('say how long people who booked waited for the first contact', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    await book(dojo, WEDNESDAY)
    const [lead] = (await dojo.sensei.get('/leads')).body
    const times = async () => (await dojo.sensei.get('/lead-response-times')).body
    const monday = { weekday: 1, leads: 1 }
    expect(await times()).toEqual([{ ...monday, contacted: 0, minutes: null }])
    setClock('2027-03-01T15:35:00Z')
    await dojo.sensei.post(`/leads/${lead.id}/events`, { kind: 'call', note: '' })
    expect(await times()).toEqual([{ ...monday, contacted: 1, minutes: 35 }])
  })
})
