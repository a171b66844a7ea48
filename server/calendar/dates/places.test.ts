import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { beforeEach, describe, expect, test } from 'vitest'
import { setClock } from '../../test/clock.ts'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()
const MONDAY = '2027-03-01'
const WEDNESDAY = '2027-03-03'

// 9 AM in Austin
beforeEach(() => setClock('2027-03-01T15:00:00Z'))

/** Creates a class with two places and two students, and three students who are not enrolled. */
async function setUpDojo() {
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  expect((await sensei.put(`/classes/${class_id}/places`, { places: 2 })).body).toEqual({
    places: 2,
  })
  const createEnrolledStudent = (name: string) =>
    server.createStudent(sensei, { name, enrolled_classes: [class_id] })
  const ken = await createEnrolledStudent('Ken Adams')
  const mia = await createEnrolledStudent('Mia Ortiz')
  const ana = await server.createStudent(sensei, { name: 'Ana Reyes' })
  const bo = await server.createStudent(sensei, { name: 'Bo Chen' })
  const cy = await server.createStudent(sensei, { name: 'Cy Diaz' })
  type Person = typeof ken
  return {
    sensei,
    class_id,
    ken,
    mia,
    ana,
    bo,
    cy,
    askForPlace: async (person: Person, day = MONDAY) =>
      (await person.post('/class-dates/places', { class_id, day })).body,
    giveBack: (person: Person, day = MONDAY) =>
      person.delete(`/class-dates/places?class_id=${class_id}&day=${day}`),
    excuse: (person: Person, day = MONDAY) =>
      person.post('/excuses', { class_id, class_date: day }),
    undoExcuse: (person: Person, day = MONDAY) =>
      person.delete(`/excuses?class_id=${class_id}&class_date=${day}`),
    async readMonday(): Promise<
      Pick<DatedClass, 'free_places' | 'expected' | 'waiting'> & { people: string[] }
    > {
      const [date] = (await sensei.get(`/class-dates?class_id=${class_id}&until=${MONDAY}`))
        .body as DatedClass[]
      const { free_places, expected, waiting, students } = date!
      return {
        free_places,
        expected,
        waiting,
        people: students.map((student) =>
          `${student.student_name} ${student.state} ${student.position ?? ''}`.trim(),
        ),
      }
    },
  }
}
const readNotices = async (reader: {
  get: (path: string) => Promise<{ body: { title: string; message: string }[] }>
}) => (await reader.get('/notifications')).body.map(({ title, message }) => `${title}: ${message}`)

describe('a class with a limit', () => {
  test('has a waitlist when full, and gives a free place to the first student on it', async () => {
    const { sensei, class_id, ken, ana, bo, askForPlace, excuse, readMonday } = await setUpDojo()
    const guardian = await server.createGuardian(sensei, [ana])
    expect(await askForPlace(ana)).toMatchObject({
      student_name: 'Ana Reyes',
      state: 'waiting',
      position: 1,
    })
    const replyForAna = await guardian.post('/class-dates/places', {
      class_id,
      day: MONDAY,
      student_id: ana.id,
    })
    expect(replyForAna.body).toMatchObject({ state: 'waiting', position: 1 })
    expect(await askForPlace(bo)).toMatchObject({ state: 'waiting', position: 2 })
    expect(await readMonday()).toMatchObject({ free_places: 0, expected: 2, waiting: 2 })
    await excuse(ken)
    expect(await readMonday()).toEqual({
      free_places: 0,
      expected: 2,
      waiting: 1,
      people: ['Ana Reyes has_place', 'Bo Chen waiting 1'],
    })
    for (const person of [ana, guardian])
      expect(await readNotices(person)).toEqual([
        'A place is free: Ana Reyes has a place: Kids Judo today, 4:00 PM.',
      ])
    expect(await readNotices(bo)).toEqual([])
  })

  test('gives a free place immediately, and a returned place to the next student', async () => {
    const { ken, ana, bo, askForPlace, excuse, giveBack, readMonday } = await setUpDojo()
    await excuse(ken)
    expect(await askForPlace(ana)).toMatchObject({ state: 'has_place', position: null })
    expect(await askForPlace(ana)).toMatchObject({ state: 'has_place' })
    await askForPlace(bo)
    expect((await giveBack(ana)).body).toEqual({ success: true })
    expect((await readMonday()).people).toEqual(['Bo Chen has_place'])
    expect((await giveBack(ana)).body).toEqual({ success: true })
  })

  test('does not take a place away from another student when an excuse is undone', async () => {
    const {
      sensei,
      class_id,
      ken,
      mia,
      ana,
      askForPlace,
      excuse,
      undoExcuse,
      giveBack,
      readMonday,
    } = await setUpDojo()
    await excuse(ken)
    await askForPlace(ana)
    expect((await undoExcuse(ken)).body.detail).toBe(
      'Someone else has this place now. Ask for a place to join the waitlist.',
    )
    expect(await askForPlace(ken)).toMatchObject({ state: 'waiting', position: 1 })
    await giveBack(ana)
    expect(await readMonday()).toMatchObject({ expected: 2, waiting: 0, people: [] })
    await excuse(mia)
    await askForPlace(ana)
    const target = `student_id=${mia.id}&class_id=${class_id}&class_date=${MONDAY}`
    expect((await sensei.delete(`/excuses?${target}`)).status).toBe(200)
    expect(await readMonday()).toMatchObject({ free_places: 0, expected: 3 })
  })

  test('gives each place once, even if many students ask at the same time', async () => {
    const { ken, ana, bo, cy, askForPlace, excuse, readMonday } = await setUpDojo()
    await excuse(ken)
    const replies = await Promise.all([ana, bo, cy].map((person) => askForPlace(person)))
    expect(replies.filter(({ state }) => state === 'has_place')).toHaveLength(1)
    expect(await readMonday()).toMatchObject({ expected: 2, waiting: 2 })
  })

  test('has free places after a vacation, an excuse by text or a higher limit', async () => {
    const { sensei, class_id, ken, mia, ana, bo, cy, askForPlace, readMonday } = await setUpDojo()
    for (const person of [ana, bo, cy]) await askForPlace(person)
    await sensei.put(`/students/${ken.id}/vacation`, {
      vacation_from: MONDAY,
      vacation_until: MONDAY,
    })
    expect((await readMonday()).people[0]).toBe('Ana Reyes has_place')
    await sensei.post('/sms/simulated/incoming', { phone_number: mia.phone_number, text: 'OUT' })
    expect((await readMonday()).people).toEqual([
      'Ana Reyes has_place',
      'Bo Chen has_place',
      'Cy Diaz waiting 1',
    ])
    await sensei.put(`/classes/${class_id}/places`, { places: 3 })
    expect((await readMonday()).waiting).toBe(0)
    await sensei.put(`/classes/${class_id}/places`, { places: null })
    expect(await readMonday()).toMatchObject({ free_places: null, expected: 3 })
  })

  test('counts a guest only once after they enroll', async () => {
    const { sensei, class_id, ken, ana, bo, askForPlace, excuse, readMonday } = await setUpDojo()
    for (const person of [ana, bo]) await askForPlace(person)
    await sensei.post(`/students/${ana.id}/enroll/${class_id}`)
    expect(await readMonday()).toEqual({
      free_places: 0,
      expected: 3,
      waiting: 1,
      people: ['Bo Chen waiting 1'],
    })
    await excuse(ken)
    expect((await readMonday()).waiting).toBe(1)
    await excuse(ana)
    expect((await readMonday()).people).toEqual(['Bo Chen has_place'])
  })

  test('lets only instructors give places out of turn or beyond the limit', async () => {
    const { sensei, class_id, ken, ana, bo, cy, askForPlace, excuse, readMonday } =
      await setUpDojo()
    setClock('2027-03-01T15:00:01.000Z')
    expect(await askForPlace(ana)).toMatchObject({
      asked_at: expect.stringMatching(/^2027-03-01T15:00:01/),
    })
    setClock('2027-03-01T15:00:02.000Z')
    await askForPlace(bo)
    const givePlace = (client: typeof sensei | typeof ana, student_id: string) =>
      client.put('/class-dates/places', { class_id, day: MONDAY, student_id })
    expect((await givePlace(ana, ana.id)).status).toBe(403)
    expect((await givePlace(sensei, cy.id)).body.detail).toBe('This student is not on the waitlist')
    for (const _ of ['first call', 'second call'])
      expect((await givePlace(sensei, bo.id)).body).toMatchObject({
        student_name: 'Bo Chen',
        state: 'has_place',
        position: null,
      })
    expect(await readMonday()).toEqual({
      free_places: 0,
      expected: 3,
      waiting: 1,
      people: ['Bo Chen has_place', 'Ana Reyes waiting 1'],
    })
    expect(await readNotices(bo)).toEqual([
      'A place is free: Bo Chen has a place: Kids Judo today, 4:00 PM.',
    ])
    // The class already has a student too many, so Ken's excuse frees no place.
    await excuse(ken)
    expect(await readMonday()).toMatchObject({ expected: 2, waiting: 1 })
    setClock('2027-03-01T23:00:00Z')
    expect((await givePlace(sensei, ana.id)).body.detail).toBe('This class is over')
  })

  test('moves with its waitlist, and gives no places while it is canceled', async () => {
    const { sensei, class_id, ken, ana, bo, askForPlace, excuse, readMonday } = await setUpDojo()
    await askForPlace(ana)
    await sensei.put('/class-dates/cancelled', { class_id, day: MONDAY, reason: 'Weather' })
    expect(await readNotices(ana)).toEqual([
      'Class canceled: Kids Judo today, 4:00 PM is canceled: weather.',
    ])
    await sensei.post('/excuses', { student_id: ken.id, class_id, class_date: MONDAY })
    expect((await readMonday()).waiting).toBe(1)
    await sensei.delete(`/class-dates/cancelled?class_id=${class_id}&day=${MONDAY}`)
    expect((await readMonday()).people).toEqual(['Ana Reyes has_place'])
    await askForPlace(bo)
    await sensei.put('/class-dates/moved', { class_id, day: MONDAY, to_day: '2027-03-02' })
    const [movedDate] = (await bo.get('/class-dates?from=2027-03-02&until=2027-03-02'))
      .body as DatedClass[]
    // No one is excused from the new day, so the waitlist stays.
    expect(movedDate).toMatchObject({
      free_places: 0,
      students: [{ student_id: bo.id, state: 'waiting', position: 1 }],
    })
    expect((await excuse(ken, '2027-03-02')).status).toBe(200)
    expect((await askForPlace(bo, '2027-03-02')).state).toBe('waiting')
    expect((await excuse(ana, '2027-03-02')).status).toBe(404)
  })

  test('lets families ask only for places for themselves, on upcoming days', async () => {
    const { sensei, class_id, ana, bo, askForPlace, giveBack } = await setUpDojo()
    const guardian = await server.createGuardian(sensei, [bo])
    const askAs = (client: typeof ana | typeof guardian, fields: object) =>
      client.post('/class-dates/places', { class_id, day: MONDAY, ...fields })
    expect((await askAs(guardian, { student_id: ana.id })).status).toBe(404)
    expect((await askAs(guardian, {})).body.detail).toBe('Student is required')
    expect((await askAs(ana, { day: '2027-03-02' })).body.detail).toBe(
      'This class does not take place on that day',
    )
    expect((await askAs(ana, { day: '2027-02-24' })).body.detail).toBe('This class is over')
    expect((await askAs(ana, { day: '2027-05-03' })).body.detail).toBe(
      'The day must be within the next 60 days',
    )
    const classWithoutLimit = await server.createClass(sensei, { class_name: 'Teens' })
    expect((await askAs(ana, { class_id: classWithoutLimit.id })).body.detail).toBe(
      'This class has no limit, so there is no need to ask for a place',
    )
    expect((await ana.get('/class-dates?until=2027-03-03')).body).toEqual([])
    const shownDates = (await ana.get('/class-dates?until=2027-03-03&with_places=true'))
      .body as DatedClass[]
    expect(
      shownDates.map((date) => [date.class_id, date.day, date.free_places, date.students]),
    ).toEqual([
      [class_id, MONDAY, 0, []],
      [class_id, WEDNESDAY, 0, []],
    ])
    await askForPlace(ana)
    await giveBack(ana)
    setClock('2027-03-01T22:00:00Z')
    expect((await askAs(ana, {})).body.detail).toBe('This class has already begun')
    setClock('2027-03-01T23:00:00Z')
    expect((await askAs(ana, {})).body.detail).toBe('This class is over')
    expect((await sensei.put(`/classes/${class_id}/places`, { places: 0 })).body.detail).toBe(
      'Places must be a whole number from 1 to 500',
    )
  })
})
