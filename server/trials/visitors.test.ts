import { describe, expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import {
  CHILD_FORM,
  MONDAY_MORNING,
  olderKey,
  startServerWithTrials,
  WEDNESDAY,
} from '../test/trial-dojo.ts'

const { server, createDojo, open, post, openForm, book, mailsTo } = await startServerWithTrials()

/** What a school has until it changes it. */
const BOOKINGS_PER_HOUR = 5
const BOOKINGS_PER_DAY = 30

type Dojo = Awaited<ReturnType<typeof createDojo>>

const listTrials = async ({ sensei }: Dojo) =>
  (await sensei.get(`/trials?from=${WEDNESDAY}&until=2027-03-31`)).body
const countLeads = ({ sensei }: Dojo) =>
  server.db.inDojo(sensei.dojoId, async (tx) => (await tx.execute('select 1 from leads')).rowCount)

describe('the form', () => {
  test('asks a parent about a child, and an adult about themselves', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const path = `/d/${dojo.slug}/trial?class=${dojo.class_id}&day=${WEDNESDAY}`
    const parentForm = (await open(path)).html
    expect(parentForm).toContain('Your child’s first name')
    expect(parentForm).toContain('autocomplete="name"')
    expect(parentForm).not.toContain('checked')
    const ownForm = (await open(`${path}&for=self`)).html
    expect(ownForm).not.toContain('Your child’s')
    const { status } = await book(dojo, WEDNESDAY, { for: 'self', name: 'Sam Lee', age: '31' })
    expect(status).toBe(303)
    expect(await listTrials(dojo)).toMatchObject([
      { visitor_name: 'Sam Lee', contact_name: 'Sam Lee' },
    ])
  })

  test('keeps nothing that a child under 13 typed, and asks for a parent', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const ownForm = { for: 'self', name: 'Leo Ruiz', age: '12', email: 'leo@home.org' }
    const { status, html } = await book(dojo, WEDNESDAY, ownForm)
    expect(status).toBe(422)
    expect(html).toContain('A parent or guardian has to book for visitors under 18.')
    expect(html).toContain('Your child’s first name')
    expect(html).not.toMatch(/Leo Ruiz|leo@home/)
    expect([await listTrials(dojo), await countLeads(dojo)]).toEqual([[], 0])
  })

  test('asks for a guardian of a visitor of 13 to 17, and keeps the name', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const ownForm = { for: 'self', visitor: '', name: 'Leo', age: '15', email: 'leo@home.org' }
    const { status, html } = await book(dojo, WEDNESDAY, ownForm)
    expect(status).toBe(422)
    expect(html).toContain('value="Leo"')
    expect(html).toContain('value="15"')
    expect(html).not.toContain('leo@home.org')
  })

  test.each([
    [{ visitor: '' }, 'Please enter a first name.'],
    [{ age: 'eight' }, 'Please enter the age of your child.'],
    [{ age: '3' }, 'This class is for other ages (Ages 5–12).'],
    [{ name: '' }, 'Please enter your name.'],
    [{ email: '' }, 'Please enter an email or a phone number.'],
    [{ email: 'ana@home' }, 'Please check the email.'],
    [{ phone: '12' }, 'Please check the phone number.'],
  ])('says beside the field what is wrong with %j, and keeps the rest', async (fields, message) => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo({ offer: { min_age: 5, max_age: 12 } })
    const { status, html } = await book(dojo, WEDNESDAY, fields)
    expect(status).toBe(422)
    expect(html).toContain(message)
    expect(html).toMatch(/id="[a-z]+-error"/)
    const [keptField] = Object.entries(CHILD_FORM).filter(
      ([name]) => !(name in fields) && name !== 'for',
    )
    expect(html).toContain(`value="${keptField?.[1]}"`)
    expect(await countLeads(dojo)).toBe(0)
  })

  test('escapes what visitors type', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const { html } = await book(dojo, WEDNESDAY, { name: '"><script>alert(1)</script>', age: '' })
    expect(html).not.toContain('<script>alert')
  })

  test('stores each consent apart, and only if it was ticked', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    await book(dojo, WEDNESDAY)
    await book(dojo, WEDNESDAY, {
      visitor: 'Mia',
      email: 'mia.parent@home.org',
      phone: '512 555 0177',
      accepts_texts: 'yes',
      wants_news: 'yes',
    })
    const purposes = await server.db.inDojo(dojo.sensei.dojoId, async (tx) => {
      const { rows } = await tx.execute<{ email: string; purposes: string[] }>(
        'select email, purposes from leads order by created_at',
      )
      const consents = await tx.execute<{ purpose: string; contact_hash: string }>(
        'select purpose, contact_hash from lead_consents order by purpose',
      )
      return { rows, consents: consents.rows }
    })
    expect(purposes.rows).toEqual([
      { email: 'ana@home.org', purposes: [] },
      { email: 'mia.parent@home.org', purposes: ['service_text', 'marketing'] },
    ])
    expect(purposes.consents.map(({ purpose }) => purpose)).toEqual(['marketing', 'service_text'])
    expect(JSON.stringify(purposes.consents)).not.toMatch(/home\.org|555\D?0177/)
  })
})

describe('strangers and known people', () => {
  test('get the same answer, and only staff see who it may be', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const ken = await server.createStudent(dojo.sensei, { name: 'Ken Adams' })
    const guardian = await server.createGuardian(dojo.sensei, [ken])
    const knownAnswer = await book(dojo, WEDNESDAY, { email: guardian.email })
    const strangersAnswer = await book(dojo, WEDNESDAY, {
      visitor: 'Mia',
      email: 'nobody@home.org',
    })
    expect(knownAnswer.headers.location).toBe(strangersAnswer.headers.location)
    expect([knownAnswer.status, knownAnswer.html]).toEqual([
      strangersAnswer.status,
      strangersAnswer.html,
    ])
    const trials = await listTrials(dojo)
    expect(trials[0].likely_person).toContain('guardian')
    expect(trials[1].likely_person).toBeNull()
  })

  test('who adds a phone to somebody’s email gets none of their messages', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    await book(dojo, WEDNESDAY, { email: 'victim@home.org' })
    await book(dojo, WEDNESDAY, {
      visitor: 'Stranger',
      email: 'victim@home.org',
      phone: '512 555 0166',
      accepts_texts: 'yes',
    })
    const { class_id, sensei } = dojo
    await sensei.put('/class-dates/moved', { class_id, day: WEDNESDAY, to_day: '2027-03-04' })
    await runDueJobs(
      server.db,
      () => {},
      () => {},
      'https://tatami.test',
    )
    const texts = await server.db.inDojo(sensei.dojoId, async (tx) => {
      const { rows } = await tx.execute<{ text: string }>('select text from messages')
      return rows.map(({ text }) => text).join()
    })
    expect(texts).toContain('Stranger')
    expect(texts).not.toContain('Leo')
  })

  test('staff without the right to see contacts get the first name and no phone', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    await book(dojo, WEDNESDAY, { for: 'self', name: 'Sam Lee', age: '31', phone: '512 555 0177' })
    const helper = await server.createStaff(dojo.sensei, { rights: ['roll'] })
    const { body } = await helper.get(`/trials?from=${WEDNESDAY}&until=${WEDNESDAY}`)
    expect(body).toMatchObject([
      { visitor_name: 'Sam', contact_name: null, phone: null, email: null, likely_person: null },
    ])
    expect((await helper.post(`/trials/${body[0].id}/cancel`)).status).toBe(403)
    const otherClass = await server.createClass(dojo.sensei, { class_name: 'Adults' })
    const coach = await server.createStaff(dojo.sensei, {
      rights: ['roll'],
      class_ids: [otherClass.id],
    })
    expect((await coach.get(`/trials?from=${WEDNESDAY}&until=${WEDNESDAY}`)).body).toEqual([])
    expect((await coach.put(`/trials/${body[0].id}/mark`, { state: 'came' })).status).toBe(404)
  })

  test('another school sees and changes nothing', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const otherDojo = await createDojo()
    await book(dojo, WEDNESDAY)
    const [trial] = await listTrials(dojo)
    expect(await listTrials(otherDojo)).toEqual([])
    for (const path of ['approve', 'cancel'])
      expect((await otherDojo.sensei.post(`/trials/${trial.id}/${path}`)).status).toBe(404)
    const form = await openForm(otherDojo.slug, otherDojo.class_id, WEDNESDAY)
    const foreignClass = { ...form, ...CHILD_FORM, key: olderKey(form.key), class: dojo.class_id }
    expect((await post(`/d/${otherDojo.slug}/trial`, foreignClass)).status).toBe(409)
  })
})

describe('abuse', () => {
  test('a form that is filled faster than a person could is asked for again', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const form = await openForm(dojo.slug, dojo.class_id, WEDNESDAY)
    const { status, html } = await post(`/d/${dojo.slug}/trial`, { ...form, ...CHILD_FORM })
    expect([status, await listTrials(dojo)]).toEqual([422, []])
    expect(html).toContain('Please check your details and send them once more.')
    expect(html).toContain(`value="${form.key}"`)
  })

  test('a form with the hidden field filled, or without a key, books nothing', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const suspectForms: Record<string, string>[] = [
      { subject_line: 'Cheap pills' },
      { key: 'made up' },
    ]
    for (const fields of suspectForms)
      expect((await book(dojo, WEDNESDAY, fields)).status).toBe(422)
    expect(await listTrials(dojo)).toEqual([])
  })

  test('an address, or a contact, books five times an hour', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const bookAs = (index: number, address: string, email = `visitor${index}@home.org`) =>
      book(dojo, WEDNESDAY, { email, visitor: `Leo ${'abcdefgh'[index]}` }, address)
    for (let index = 0; index < BOOKINGS_PER_HOUR; index += 1)
      expect((await bookAs(index, '192.0.2.7')).status).toBe(303)
    const refusal = await bookAs(5, '192.0.2.7')
    expect(refusal.status).toBe(429)
    expect(refusal.html).toContain('Call 512 555 0100')
    for (let index = 0; index < BOOKINGS_PER_HOUR; index += 1)
      expect((await bookAs(index, `192.0.2.${50 + index}`, 'one@home.org')).status).toBe(303)
    expect((await bookAs(6, '192.0.2.60', 'one@home.org')).status).toBe(429)
    setClock('2027-03-01T16:01:00Z')
    expect((await bookAs(7, '192.0.2.7')).status).toBe(303)
  })

  test('in a flood, everybody waits for an instructor', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    await book(dojo, WEDNESDAY)
    await server.db.inDojo(dojo.sensei.dojoId, (tx) =>
      tx.execute(`insert into bookings (id, lead_id, offer_id, class_id, class_date, told_class,
          told_date, told_time, visitor_name, visitor_age, state, uses_class_places, source,
          language, form_key, address_hash, created_at)
        select gen_random_uuid(), lead_id, offer_id, class_id, class_date, told_class, told_date,
          told_time, 'Flood', 8, 'cancelled', true, 'page', 'en', gen_random_uuid()::text, 'hash',
          created_at from bookings, generate_series(2, ${BOOKINGS_PER_DAY})`),
    )
    await server.db.inDojo(dojo.sensei.dojoId, (tx) =>
      tx.execute(`update bookings set created_at = created_at - interval '2 hours'`),
    )
    const { headers } = await book(dojo, WEDNESDAY, { visitor: 'Mia', email: 'flood@home.org' })
    expect(headers.location).toContain('state=held')
    expect((await open(String(headers.location))).html).toContain('Your request has arrived')
    expect((await listTrials(dojo))[1]).toMatchObject({ visitor_name: 'Mia', state: 'held' })
    const [mail = ''] = await mailsTo('flood@home.org')
    expect(mail).toContain('The school will confirm it soon')
  })
})
