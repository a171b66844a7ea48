import { describe, expect, test } from 'vitest'
import { approveHours, createStaffedDojo, enterHours, FRIDAY } from '../../test/staff-hours.ts'
import { type ApiClient, startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()
const statusAndDetail = ({ status, body }: { status: number; body: { detail?: string } }) => [
  status,
  body.detail,
]
const HOUR = { day: FRIDAY, from: '17:00', until: '18:00', task: 'Desk' }

describe('entering hours', () => {
  test('shows them to the person, with real minutes', async () => {
    const { desk } = await createStaffedDojo(server)
    await enterHours(desk, { from: '09:00', until: '10:30' })
    await enterHours(desk, { minutes: 45, task: 'Laundry' })
    const { body } = await desk.get('/my/hours')
    expect(body).toMatchObject({ today: FRIDAY, from: '2026-11-01', until: '2026-11-30' })
    expect(body.entries).toHaveLength(2)
    expect(body.entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          day: FRIDAY,
          from: '09:00',
          until: '10:30',
          minutes: 90,
          task: 'Desk',
          source: 'own',
          is_approved: false,
        }),
        expect.objectContaining({ from: null, until: null, minutes: 45, task: 'Laundry' }),
      ]),
    )
  })

  test('past midnight makes two entries', async () => {
    const { desk } = await createStaffedDojo(server)
    const form = { day: '2026-11-19', from: '22:00', until: '01:00' }
    const entries = await enterHours(desk, form)
    expect(entries.map(({ day, minutes }) => [day, minutes])).toEqual([
      ['2026-11-20', 60],
      ['2026-11-19', 120],
    ])
  })

  test('is refused while the same person has other hours', async () => {
    const { desk, owner } = await createStaffedDojo(server)
    await enterHours(desk, { from: '17:00', until: '18:00' })
    const overlap = await desk.post('/my/hours', { ...HOUR, from: '17:59', until: '19:00' })
    expect(statusAndDetail(overlap)).toEqual([
      409,
      'This overlaps hours on Friday, November 20: Desk, 5:00 PM to 6:00 PM.',
    ])
    await enterHours(desk, { from: '18:00', until: '19:00' })
    await enterHours(owner, { from: '17:00', until: '18:00' })
    expect((await desk.get('/my/hours')).body.entries).toHaveLength(2)
  })

  test('several times at the same moment stores one entry', async () => {
    const { desk } = await createStaffedDojo(server)
    const replies = await Promise.all(Array.from({ length: 5 }, () => desk.post('/my/hours', HOUR)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(4)
  })

  test('needs a day that is not in the future, and either times or minutes', async () => {
    const { desk } = await createStaffedDojo(server)
    const send = async (changes: object) =>
      statusAndDetail(await desk.post('/my/hours', { ...HOUR, ...changes }))
    expect(await send({ day: '2026-11-21' })).toEqual([422, 'The day must not be in the future'])
    expect(await send({ minutes: 30 })).toEqual([
      422,
      'Enter the start and the end, or only the minutes',
    ])
    expect(await send({ from: '10:00', until: '09:00' })).toEqual([
      422,
      'Enter at most 16 hours at once',
    ])
    expect(await send({ from: '25:00' })).toEqual([422, 'Start must be a time such as 18:30'])
  })

  test('is refused if the day would have too many hours', async () => {
    const { desk } = await createStaffedDojo(server)
    await enterHours(desk, { minutes: 16 * 60 })
    const fullDayRefusal = await desk.post('/my/hours', {
      day: FRIDAY,
      minutes: 8 * 60 + 1,
      task: 'Desk',
    })
    expect(statusAndDetail(fullDayRefusal)).toEqual([
      409,
      'Friday, November 20 doesn’t have that many hours.',
    ])
    await enterHours(desk, { minutes: 8 * 60 })
  })
})

describe('hours of other people', () => {
  test('are hidden from everybody without the right to manage staff', async () => {
    const { coach, desk } = await createStaffedDojo(server)
    const [entry] = await enterHours(desk, { from: '09:00', until: '10:00' })
    expect((await coach.get('/my/hours')).body.entries).toEqual([])
    expect((await coach.put(`/staff-hours/${entry?.id}`, HOUR)).status).toBe(404)
    expect((await coach.delete(`/staff-hours/${entry?.id}`)).status).toBe(404)
    expect((await coach.post('/approved-staff-hours', { hours_ids: [entry?.id] })).status).toBe(403)
    expect((await coach.get('/pay')).status).toBe(403)
  })

  test('are approved and changed by staff managers', async () => {
    const { owner, desk } = await createStaffedDojo(server)
    const [entry] = await enterHours(desk, { from: '09:00', until: '10:00' })
    const { body } = await owner.put(`/staff-hours/${entry?.id}`, { ...HOUR, task: 'Cleaning' })
    expect(body.entries).toMatchObject([
      { id: entry?.id, minutes: 60, task: 'Cleaning', is_approved: true },
    ])
    const { body: log } = await owner.get('/audit-log?kind=staff')
    expect(log).toMatchObject([{ action: 'hours changed', details: { day: FRIDAY } }])
  })
})

describe('approved hours', () => {
  test('can no longer be changed by the person', async () => {
    const { owner, desk } = await createStaffedDojo(server)
    const entries = await enterHours(desk, { from: '09:00', until: '10:00' })
    const path = `/staff-hours/${entries[0]?.id}`
    expect((await desk.put(path, { ...HOUR, until: '17:30' })).status).toBe(200)
    expect((await approveHours(owner, entries)).status).toBe(200)
    const message = 'These hours are approved. Please ask a staff manager to change them.'
    expect(statusAndDetail(await desk.put(path, HOUR))).toEqual([409, message])
    expect(statusAndDetail(await desk.delete(path))).toEqual([409, message])
    expect((await owner.delete(path)).status).toBe(200)
    expect((await desk.get('/my/hours')).body.entries).toEqual([])
  })

  test('need approval by another person, unless the person is an owner', async () => {
    const { owner } = await createStaffedDojo(server)
    const manager = await server.createStaff(owner, { rights: ['staff'] })
    const ownEntries = await enterHours(manager, { from: '09:00', until: '10:00' })
    expect(statusAndDetail(await approveHours(manager, ownEntries))).toEqual([
      403,
      'Somebody else has to approve your hours.',
    ])
    expect((await approveHours(owner, ownEntries)).status).toBe(200)
    const ownersEntries = await enterHours(owner, { from: '09:00', until: '10:00' })
    expect((await approveHours(owner, ownersEntries)).status).toBe(200)
  })
})

test('staff see only their own hours, even if they see all classes', async () => {
  const { coach, desk, owner } = await createStaffedDojo(server)
  await enterHours(coach, { from: '09:00', until: '10:00', task: 'Class' })
  await enterHours(desk, { from: '11:00', until: '12:00' })
  const readTasks = async (person: ApiClient) =>
    (await person.get('/my/hours')).body.entries.map(({ task }: { task: string }) => task)
  expect([await readTasks(coach), await readTasks(desk), await readTasks(owner)]).toEqual([
    ['Class'],
    ['Desk'],
    [],
  ])
})

test('an owner cannot enter hours while previewing as somebody else', async () => {
  const { owner, desk } = await createStaffedDojo(server)
  expect((await owner.put('/staff/view', { person_id: desk.id })).status).toBe(200)
  expect((await owner.get('/my/hours')).status).toBe(200)
  expect((await owner.post('/my/hours', HOUR)).status).toBe(403)
})

test('a rehired person still has their earlier hours', async () => {
  const { owner, desk } = await createStaffedDojo(server)
  const entries = await enterHours(desk, { from: '09:00', until: '10:00' })
  expect((await owner.post(`/staff/${desk.id}/end`, {})).status).toBe(200)
  expect((await approveHours(owner, entries)).status).toBe(200)
  const grant = { rights: ['roll'], preset: null, class_ids: null }
  expect((await owner.post(`/staff/${desk.id}/rehire`, grant)).status).toBe(200)
  const returnedMember = await server.signIn(desk.email)
  expect((await returnedMember.get('/my/hours')).body.entries).toMatchObject([
    { id: entries[0]?.id, is_approved: true },
  ])
})
