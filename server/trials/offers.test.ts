import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { MONDAY_MORNING, startServerWithTrials, WEDNESDAY } from '../test/trial-dojo.ts'

const { server, createDojo, open, book } = await startServerWithTrials()

type Dojo = Awaited<ReturnType<typeof createDojo>>

const listTrials = async ({ sensei }: Dojo) =>
  (await sensei.get(`/trials?from=${WEDNESDAY}&until=2027-03-31`)).body

describe('the birthday', () => {
  test('is asked for only if the offer says so, and gives the age on the day of the class', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo({ offer: { asks_birthday: true, min_age: 8, max_age: 12 } })
    const path = `/d/${dojo.slug}/trial?class=${dojo.class_id}&day=${WEDNESDAY}`
    const { html } = await open(path)
    expect(html).toContain('type="date" autocomplete="off"')
    expect(html).not.toContain('name="age"')
    const tooYoung = await book(dojo, WEDNESDAY, { birthday: '2019-03-04' })
    expect(tooYoung.status).toBe(422)
    expect(tooYoung.html).toContain('This class is for other ages')
    expect(tooYoung.html).toContain('value="2019-03-04"')
    for (const birthday of ['', '2019-02-30', '2030-01-01', '1800-01-01']) {
      const answer = await book(dojo, WEDNESDAY, { birthday })
      expect([answer.status, answer.html.includes('id="birthday-error"')]).toEqual([422, true])
    }
    expect((await book(dojo, WEDNESDAY, { birthday: '2019-03-03' })).status).toBe(303)
    expect(await listTrials(dojo)).toMatchObject([{ visitor_age: 8 }])
    const otherDojo = await createDojo()
    const otherPath = `/d/${otherDojo.slug}/trial?class=${otherDojo.class_id}&day=${WEDNESDAY}`
    expect((await open(otherPath)).html).not.toContain('birthday')
  })

  test('of a child who fills in the form leads to the form for parents, without what was typed', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo({ offer: { asks_birthday: true } })
    const form = { for: 'self', birthday: '2018-01-01', name: 'Leo Ruiz' }
    const { html } = await book(dojo, WEDNESDAY, form)
    expect(html).toContain('A parent or guardian has to book')
    expect(html).not.toMatch(/Leo|2018-01/)
  })
})

test('all trials of a person are within the days of the offer, and later ones are approved', async () => {
  setClock(MONDAY_MORNING)
  const dojo = await createDojo({ offer: { visits: 3, within_days: 7, days_ahead: 30 } })
  for (const day of [WEDNESDAY, '2027-03-08', '2027-03-10'])
    expect((await book(dojo, day)).status).toBe(303)
  const states = (await listTrials(dojo)).map(({ state }: { state: string }) => state)
  expect(states).toEqual(['booked', 'booked', 'held'])
})

test('the limits of bookings are settings of the school', async () => {
  setClock(MONDAY_MORNING)
  const dojo = await createDojo({ page: { bookings_per_hour: 1, bookings_per_day: 2 } })
  const { sensei, page } = dojo
  expect(page).toMatchObject({ bookings_per_hour: 1, bookings_per_day: 2 })
  const bookAs = (name: string, address: string) =>
    book(dojo, WEDNESDAY, { visitor: name, email: `${name.toLowerCase()}@home.org` }, address)
  expect((await bookAs('Ada', '192.0.2.10')).status).toBe(303)
  expect((await bookAs('Bea', '192.0.2.10')).status).toBe(429)
  expect((await bookAs('Cam', '192.0.2.11')).status).toBe(303)
  expect((await bookAs('Dov', '192.0.2.12')).headers.location).toContain('state=held')
  const refusal = await sensei.put('/public-page', { ...page, bookings_per_hour: 0 })
  expect(refusal.status).toBe(422)
  expect(refusal.body.errors).toMatchObject([{ field: 'bookings_per_hour' }])
})

test('an offer without the new fields asks for signatures and for no birthday', async () => {
  setClock(MONDAY_MORNING)
  const { offer } = await createDojo()
  expect(offer).toMatchObject({ within_days: null, asks_birthday: false, asks_signature: true })
  expect(server).toBeDefined()
})
