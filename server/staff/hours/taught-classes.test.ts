import { describe, expect, test } from 'vitest'
import { setClock } from '../../test/clock.ts'
import { createStaffedDojo, enterHours, FRIDAY } from '../../test/staff-hours.ts'
import { startTestServer } from '../../test/test-server.ts'
import type { ApiClient } from '../../test/test-server.ts'

const server = await startTestServer()
const createDojo = async () => {
  const dojo = await createStaffedDojo(server)
  const ken = await server.createStudent(dojo.owner, { enrolled_classes: [dojo.kids.id] })
  const classDay = { class_id: dojo.kids.id, day: FRIDAY }
  const takeRoll = (person: ApiClient) =>
    person.post('/attendance', {
      student_id: ken.id,
      class_id: dojo.kids.id,
      class_date: FRIDAY,
      present: true,
    })
  return { ...dojo, classDay, takeRoll }
}
const readSuggestions = async (person: ApiClient) =>
  (await person.get('/my/hours')).body.suggested_classes

describe('a class is suggested', () => {
  test('to the person who took the roll, and added with one tap', async () => {
    const { coach, desk, classDay, takeRoll } = await createDojo()
    expect(await readSuggestions(coach)).toEqual([])
    await takeRoll(coach)
    expect(await readSuggestions(coach)).toEqual([
      { ...classDay, class_name: 'Kids', from: '17:00', until: '18:00' },
    ])
    expect(await readSuggestions(desk)).toEqual([])
    expect((await desk.post('/my/hours/classes', classDay)).status).toBe(404)
    expect((await coach.get('/my/hours')).body.entries).toEqual([])
    const { body } = await coach.post('/my/hours/classes', classDay)
    expect(body.entries).toMatchObject([
      { minutes: 60, task: 'Class', class_name: 'Kids', source: 'class', is_approved: false },
    ])
    expect(await readSuggestions(coach)).toEqual([])
    expect((await coach.post('/my/hours/classes', classDay)).status).toBe(404)
  })

  test('to the substitute instead of the person who took the roll', async () => {
    const { owner, coach, desk, classDay, takeRoll } = await createDojo()
    await takeRoll(coach)
    const substitute = { ...classDay, substitute_id: desk.id }
    expect((await owner.put('/class-dates/substitute', substitute)).status).toBe(200)
    expect(await readSuggestions(coach)).toEqual([])
    expect(await readSuggestions(desk)).toMatchObject([classDay])
    const byName = { ...classDay, substitute: 'Mr. Sato' }
    expect((await owner.put('/class-dates/substitute', byName)).status).toBe(200)
    expect(await readSuggestions(desk)).toEqual([])
  })

  test('to a substitute who usually sees only other classes', async () => {
    const { owner, classDay } = await createDojo()
    const adults = await server.createClass(owner, { class_name: 'Adults' })
    const helper = await server.createStaff(owner, { rights: ['roll'], class_ids: [adults.id] })
    await owner.put('/class-dates/substitute', { ...classDay, substitute_id: helper.id })
    setClock('2026-11-23T18:00:00Z')
    expect(await readSuggestions(helper)).toMatchObject([classDay])
    expect((await helper.post('/my/hours/classes', classDay)).status).toBe(200)
    expect((await helper.get('/my/hours')).body.entries).toMatchObject([{ class_name: 'Kids' }])
  })

  test('and can be added with other times', async () => {
    const { coach, classDay, takeRoll } = await createDojo()
    await takeRoll(coach)
    const times = { ...classDay, from: '16:45', until: '18:15' }
    const { body } = await coach.post('/my/hours/classes', times)
    expect(body.entries).toMatchObject([{ from: '16:45', until: '18:15', minutes: 90 }])
  })

  test('until it is declined', async () => {
    const { coach, classDay, takeRoll } = await createDojo()
    await takeRoll(coach)
    const query = new URLSearchParams(classDay)
    expect((await coach.delete(`/my/hours/classes?${query}`)).status).toBe(200)
    expect(await readSuggestions(coach)).toEqual([])
    expect((await coach.get('/my/hours')).body.entries).toEqual([])
  })

  test('only after it begins, and for a month', async () => {
    const { coach, takeRoll } = await createDojo()
    setClock('2026-11-20T22:59:00Z') // 4:59 PM
    await takeRoll(coach)
    expect(await readSuggestions(coach)).toEqual([])
    setClock('2026-11-20T23:00:00Z')
    expect(await readSuggestions(coach)).toHaveLength(1)
    setClock('2026-12-21T18:00:00Z')
    const laterSession = await server.signIn(coach.email)
    expect(await readSuggestions(laterSession)).toEqual([])
  })
})

test('a class that overlaps other hours is refused and stays suggested', async () => {
  const { coach, classDay, takeRoll } = await createDojo()
  await takeRoll(coach)
  await enterHours(coach, { from: '17:30', until: '19:00' })
  expect((await coach.post('/my/hours/classes', classDay)).status).toBe(409)
  expect(await readSuggestions(coach)).toHaveLength(1)
})
