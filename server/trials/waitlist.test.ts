import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import {
  bookingPathIn,
  MONDAY,
  MONDAY_MORNING,
  startServerWithTrials,
  WEDNESDAY,
} from '../test/trial-dojo.ts'

const { server, createDojo, open, post, openForm, book, mailsTo, runSchedule } =
  await startServerWithTrials()

type Dojo = Awaited<ReturnType<typeof createDojo>>

const LATER_THAT_MORNING = '2027-03-01T15:30:00Z'

let visitorCount = 0
const newVisitor = () => {
  visitorCount += 1
  return { email: `waiting${visitorCount}@home.org` }
}

const listStates = async ({ sensei }: Dojo, day = WEDNESDAY): Promise<string[]> =>
  (await sensei.get(`/trials?from=${day}&until=${day}`)).body.map(
    ({ state }: { state: string }) => state,
  )

/** A school whose one place on Wednesday is taken. */
async function createFullDojo(offer: object = {}) {
  setClock(MONDAY_MORNING)
  const dojo = await createDojo({ offer: { trial_places: 1, ...offer } })
  const guest = newVisitor()
  await book(dojo, WEDNESDAY, guest)
  const [mail = ''] = await mailsTo(guest.email)
  return { dojo, guestPath: bookingPathIn(mail) }
}

const waitFor = (dojo: Dojo, form: Record<string, string>) =>
  book(dojo, WEDNESDAY, { day: `${WEDNESDAY} wait`, ...form })

const cancelByLink = (path: string) => post(path, { action: 'cancel' })

describe('the waitlist of a full date', () => {
  test('is offered on the day and in the form, and says so after the form', async () => {
    const { dojo } = await createFullDojo()
    const days = await open(`/d/${dojo.slug}/trial?class=${dojo.class_id}`)
    expect(days.html).toContain('Full · Waitlist')
    const form = await open(`/d/${dojo.slug}/trial?class=${dojo.class_id}&day=${WEDNESDAY}&wait=1`)
    expect(form.html).toContain('This class is full.')
    expect(form.html).toContain(`value="${WEDNESDAY} wait"`)
    const visitor = newVisitor()
    const answer = await waitFor(dojo, visitor)
    expect((await open(String(answer.headers.location))).html).toContain('You are on the waitlist')
    expect(await listStates(dojo)).toEqual(['booked', 'waiting'])
    const [mail = ''] = await mailsTo(visitor.email)
    expect(mail).toContain('is on the waitlist')
    expect((await open(bookingPathIn(mail))).html).toContain('Leave the waitlist')
  })

  test('is one of the choices when the last place was just taken, with the form kept', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo({
      offer: { trial_places: 1, days_ahead: 2, cutoff_minutes: 2880 },
    })
    await book(dojo, WEDNESDAY, newVisitor())
    const answer = await book(dojo, WEDNESDAY, { ...newVisitor(), visitor: 'Mia' })
    expect(answer.status).toBe(409)
    expect(answer.html).toContain('You can wait for a free place')
    expect(answer.html).toContain(`value="${WEDNESDAY} wait" checked`)
    expect(answer.html).toContain('value="Mia"')
  })

  test('keeps what was typed, and the choice to wait, after a mistake', async () => {
    const { dojo } = await createFullDojo()
    const answer = await waitFor(dojo, { ...newVisitor(), age: '' })
    expect(answer.status).toBe(422)
    expect(answer.html).toContain(`value="${WEDNESDAY} wait"`)
  })

  test('books the place at once if it has become free meanwhile', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo({ offer: { trial_places: 1 } })
    const answer = await waitFor(dojo, newVisitor())
    expect((await open(String(answer.headers.location))).html).toContain('You are booked')
    expect(await listStates(dojo)).toEqual(['booked'])
  })
})

describe('a place that becomes free', () => {
  test('goes to who has waited longest, who is told and need not confirm', async () => {
    const { dojo, guestPath } = await createFullDojo()
    const [firstVisitor, secondVisitor] = [newVisitor(), newVisitor()]
    await waitFor(dojo, firstVisitor)
    await waitFor(dojo, secondVisitor)
    await cancelByLink(guestPath)
    const stranger = await book(dojo, WEDNESDAY, newVisitor())
    expect(stranger.status).toBe(409)
    const [email] = await runSchedule(LATER_THAT_MORNING, firstVisitor.email)
    expect(email).toMatchObject({ subject: expect.stringContaining('You have a place at') })
    expect(email?.text).toContain('You need not confirm it')
    expect(email?.text).toContain('4:00 PM - 5:00 PM')
    expect(email?.calendar).toContain('BEGIN:VEVENT')
    expect(await listStates(dojo)).toEqual(['booked', 'waiting'])
    expect(await runSchedule(LATER_THAT_MORNING, secondVisitor.email)).toEqual([])
    await cancelByLink(bookingPathIn(email?.text ?? ''))
    expect(await runSchedule(LATER_THAT_MORNING, secondVisitor.email)).toHaveLength(1)
    expect(await listStates(dojo)).toEqual(['booked'])
  })

  test('goes to students on the waitlist of the class first', async () => {
    setClock(MONDAY_MORNING)
    const dojo = await createDojo()
    const { sensei, class_id } = dojo
    await sensei.put(`/classes/${class_id}/places`, { places: 1 })
    const guest = newVisitor()
    await book(dojo, WEDNESDAY, guest)
    await waitFor(dojo, newVisitor())
    const ken = await server.createStudent(sensei, { name: 'Ken Adams' })
    await sensei.post('/class-dates/places', { class_id, day: WEDNESDAY, student_id: ken.id })
    const [mail = ''] = await mailsTo(guest.email)
    await cancelByLink(bookingPathIn(mail))
    await runSchedule(LATER_THAT_MORNING, guest.email)
    expect(await listStates(dojo)).toEqual(['waiting'])
    await sensei.put(`/classes/${class_id}/places`, { places: 2 })
    await runSchedule(LATER_THAT_MORNING, guest.email)
    expect(await listStates(dojo)).toEqual(['booked'])
  })

  test('waits for an instructor if the visitor has had all trials', async () => {
    const { dojo, guestPath } = await createFullDojo()
    const visitor = newVisitor()
    await waitFor(dojo, visitor)
    await book(dojo, '2027-03-08', visitor)
    await cancelByLink(guestPath)
    await runSchedule(LATER_THAT_MORNING, visitor.email)
    expect(await listStates(dojo)).toEqual(['held'])
    expect(await listStates(dojo, '2027-03-08')).toEqual(['booked'])
  })

  test('is not given after the class has begun, and the wait ends', async () => {
    const { dojo, guestPath } = await createFullDojo()
    const visitor = newVisitor()
    await waitFor(dojo, visitor)
    await cancelByLink(guestPath)
    expect(await runSchedule(`${WEDNESDAY}T22:01:00Z`, visitor.email)).toEqual([])
    expect(await listStates(dojo)).toEqual([])
  })
})

test('who waits can leave the list, move to a free day, and is told if the class is canceled', async () => {
  const { dojo } = await createFullDojo()
  const [leaver, mover, waiter] = [newVisitor(), newVisitor(), newVisitor()]
  const paths: string[] = []
  for (const visitor of [leaver, mover, waiter]) {
    await waitFor(dojo, visitor)
    const [mail = ''] = await mailsTo(visitor.email)
    paths.push(bookingPathIn(mail))
  }
  const [leaverPath = '', moverPath = ''] = paths
  await cancelByLink(leaverPath)
  await post(moverPath, { action: 'move', date: `${dojo.class_id} 2027-03-08` })
  expect(await listStates(dojo)).toEqual(['booked', 'waiting'])
  expect(await listStates(dojo, '2027-03-08')).toEqual(['booked'])
  const canceledDate = { class_id: dojo.class_id, day: WEDNESDAY, reason: 'Storm' }
  await dojo.sensei.put('/class-dates/cancelled', canceledDate)
  const [email] = await runSchedule(LATER_THAT_MORNING, waiter.email)
  expect(email?.subject).toContain('is canceled')
})

test('a waiting visitor takes no place, and is in no count of the class', async () => {
  const { dojo } = await createFullDojo({ uses_class_places: true })
  await dojo.sensei.put(`/classes/${dojo.class_id}/places`, { places: 3 })
  await waitFor(dojo, newVisitor())
  const query = `from=${MONDAY}&until=${WEDNESDAY}&class_id=${dojo.class_id}`
  const { body } = await dojo.sensei.get(`/class-dates?${query}`)
  expect(body.at(-1)).toMatchObject({ day: WEDNESDAY, free_places: 2 })
  expect(await openForm(dojo.slug, dojo.class_id, '2027-03-08')).toBeDefined()
})
