import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import {
  CHILD_FORM,
  MONDAY_MORNING,
  olderKey,
  startServerWithTrials,
  WEDNESDAY,
} from '../test/trial-dojo.ts'

const { server, createDojo, open, post, openForm, book } = await startServerWithTrials()

type Dojo = Awaited<ReturnType<typeof createDojo>>

const listTrials = async ({ sensei }: Dojo) =>
  (await sensei.get(`/trials?from=${WEDNESDAY}&until=2027-03-31`)).body

const setPlaces = ({ sensei, class_id }: Dojo, places: number) =>
  sensei.put(`/classes/${class_id}/places`, { places })

const freePlaces = async ({ sensei, class_id }: Dojo) => {
  const { body } = await sensei.get(
    `/class-dates?from=${WEDNESDAY}&until=${WEDNESDAY}&class_id=${class_id}`,
  )
  return body[0].free_places
}

/** As if they came from different phones. */
const addressOf = (index: number) => `198.51.100.${index}`

const visitor = (index: number) => ({ email: `visitor${index}@home.org`, name: 'Ana Ruiz' })

describe('the places of a class date', () => {
  test(
    'the last place goes to one of 20 visitors who ask at once',
    { timeout: 60_000 },
    async () => {
      setClock(MONDAY_MORNING)
      const dojo = await createDojo({ offer: { trial_places: 1 } })
      const form = await openForm(dojo.slug, dojo.class_id, WEDNESDAY)
      const key = olderKey(form.key)
      const keyOf = (index: number) => `${key.slice(0, -2)}${10 + index}`
      /** A busy server asks visitors to try again, and so they do. */
      const sendAs = async (index: number): ReturnType<typeof post> => {
        const fields = { ...form, ...CHILD_FORM, ...visitor(index), key: keyOf(index) }
        const answer = await post(`/d/${dojo.slug}/trial`, fields, addressOf(index))
        return answer.status === 503 ? sendAs(index) : answer
      }
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => sendAs(index)))
      const statuses = Map.groupBy(answers, ({ status }) => status)
      expect([statuses.get(303)?.length, statuses.get(409)?.length]).toEqual([1, 19])
      expect(await listTrials(dojo)).toHaveLength(1)
      const refusal = answers.find(({ status }) => status === 409)
      expect(refusal?.html).toContain('The last place has just been taken.')
      expect(refusal?.html).toContain('Monday, March 8')
      expect(refusal?.html).toContain('value="Leo"')
    },
  )

  test('students and trials share the places of a class, and the count is never shown', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const ken = await server.createStudent(dojo.sensei, { name: 'Ken Adams' })
    await setPlaces(dojo, 2)
    const page = () => open(`/d/${dojo.slug}/trial?class=${dojo.class_id}`)
    expect((await page()).html).toContain('Few places left')
    expect((await book(dojo, WEDNESDAY, visitor(1))).status).toBe(303)
    expect(await freePlaces(dojo)).toBe(1)
    await dojo.sensei.post('/class-dates/places', {
      class_id: dojo.class_id,
      day: WEDNESDAY,
      student_id: ken.id,
    })
    expect(await freePlaces(dojo)).toBe(0)
    const { html } = await page()
    expect(html).toContain('Full')
    expect(html).toContain(`day=${WEDNESDAY}&amp;wait=1`)
  })

  test('trials beside the class take none of its places', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo({ offer: { uses_class_places: false, trial_places: 1 } })
    await setPlaces(dojo, 1)
    expect((await book(dojo, WEDNESDAY, visitor(1))).status).toBe(303)
    expect(await freePlaces(dojo)).toBe(1)
  })

  test('a canceled trial gives its place to the first student on the waitlist', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    await setPlaces(dojo, 1)
    await book(dojo, WEDNESDAY, visitor(1))
    const ken = await server.createStudent(dojo.sensei, { name: 'Ken Adams' })
    const target = {
      class_id: dojo.class_id,
      day: WEDNESDAY,
      student_id: ken.id,
    }
    expect((await dojo.sensei.post('/class-dates/places', target)).body.state).toBe('waiting')
    const [trial] = await listTrials(dojo)
    await dojo.sensei.post(`/trials/${trial.id}/cancel`)
    const { body: dates } = await dojo.sensei.get(
      `/class-dates?from=${WEDNESDAY}&until=${WEDNESDAY}&class_id=${dojo.class_id}`,
    )
    expect(dates[0].students).toMatchObject([{ student_name: 'Ken Adams', state: 'has_place' }])
  })
})

describe('the same form or the same person again', () => {
  test('a form that is sent twice, or ten times at once, books once', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const form = await openForm(dojo.slug, dojo.class_id, WEDNESDAY)
    const fields = { ...form, ...CHILD_FORM, key: olderKey(form.key) }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(`/d/${dojo.slug}/trial`, fields)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
    expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1)
    expect(await listTrials(dojo)).toHaveLength(1)
  })

  test('the same contact on the same date gets the same answer, and one booking', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const first = await book(dojo, WEDNESDAY)
    const second = await book(dojo, WEDNESDAY, { visitor: 'LEO', phone: '512 555 0177' })
    expect([second.status, second.headers.location]).toEqual([303, first.headers.location])
    expect(await listTrials(dojo)).toHaveLength(1)
  })

  test('brothers and sisters of one parent are two bookings of one lead', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    await book(dojo, WEDNESDAY)
    await book(dojo, WEDNESDAY, { visitor: 'Mia', age: '10' })
    const trials = await listTrials(dojo)
    expect(trials.map(({ visitor_name }: { visitor_name: string }) => visitor_name)).toEqual([
      'Leo',
      'Mia',
    ])
  })

  test('another trial than allowed waits for an instructor, with the same answer', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo({ offer: { visits: 1 } })
    await book(dojo, WEDNESDAY)
    const secondAnswer = await book(dojo, '2027-03-08')
    expect(secondAnswer.headers.location).not.toContain('held')
    const trials = await listTrials(dojo)
    expect(
      trials.map(({ state, nth_visit }: { state: string; nth_visit: number }) => [
        state,
        nth_visit,
      ]),
    ).toEqual([
      ['booked', 1],
      ['held', 2],
    ])
    const approvedTrial = await dojo.sensei.post(`/trials/${trials[1].id}/approve`)
    expect(approvedTrial.body.state).toBe('booked')
  })
})
