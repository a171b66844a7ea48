import { describe, expect, test } from 'vitest'
import { setClock } from '../../test/clock.ts'
import { createKioskToken } from '../../test/fixtures.ts'
import { createStaffedDojo, enterHours, FRIDAY, FRIDAY_EVENING } from '../../test/staff-hours.ts'
import type { ApiClient } from '../../test/test-server.ts'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()

async function createWorkplace(time?: string) {
  const dojo = await createStaffedDojo(server, time)
  const kiosk = server.clientFor(await createKioskToken(server.db, dojo.owner))
  const pin: string = (await dojo.desk.put('/my/work-pin')).body.pin
  const record = (action: 'start' | 'end') => kiosk.put('/kiosk/work', { pin, action })
  return { ...dojo, kiosk, pin, record }
}
const readHours = async (person: ApiClient) => (await person.get('/my/hours')).body

describe('a work PIN', () => {
  test('starts and ends a shift', async () => {
    const { desk, kiosk, pin, record } = await createWorkplace()
    expect((await kiosk.post('/kiosk/work', { pin })).body).toEqual({
      first_name: 'Kim',
      started: null,
    })
    expect((await record('start')).body).toEqual({
      outcome: 'started',
      first_name: 'Kim',
      minutes: null,
    })
    expect((await kiosk.post('/kiosk/work', { pin })).body.started).toBe('20:00')
    expect((await readHours(desk)).shifts).toMatchObject([{ from: '20:00', needs_times: false }])
    setClock('2026-11-21T04:15:30Z')
    expect((await record('end')).body).toMatchObject({ outcome: 'ended', minutes: 135 })
    const { entries, shifts } = await readHours(desk)
    expect(shifts).toEqual([])
    expect(entries).toMatchObject([
      {
        day: FRIDAY,
        from: '20:00',
        until: '22:15',
        minutes: 135,
        source: 'kiosk',
        task: 'Desk',
        is_approved: false,
      },
    ])
  })

  test('counts an hour less in the night when the clocks go forward', async () => {
    const { desk, record } = await createWorkplace('2026-03-08T05:00:00Z') // Saturday, 11 PM
    await record('start')
    setClock('2026-03-08T09:00:00Z') // 4 AM
    expect((await record('end')).body.minutes).toBe(240)
    expect((await readHours(desk)).entries).toMatchObject([
      { day: '2026-03-08', from: '00:00', until: '04:00', minutes: 180 },
      { day: '2026-03-07', from: '23:00', until: '00:00', minutes: 60 },
    ])
  })

  test('counts an hour more in the night when the clocks go back', async () => {
    const { desk, record } = await createWorkplace('2026-11-01T06:30:00Z') // 1:30 AM
    await record('start')
    setClock('2026-11-01T07:15:00Z') // 1:15 AM
    expect((await record('end')).body.minutes).toBe(45)
    expect((await readHours(desk)).entries).toMatchObject([
      { from: '01:30', until: '01:15', minutes: 45 },
    ])
  })

  test('cannot start work twice, or end work that has not started', async () => {
    const { record } = await createWorkplace()
    expect(await record('end')).toMatchObject({
      status: 409,
      body: { detail: 'You haven’t started work.' },
    })
    await record('start')
    expect(await record('start')).toMatchObject({
      status: 409,
      body: { detail: 'You already started work at 8:00 PM.' },
    })
  })

  test('records nothing for less than a minute', async () => {
    const { desk, record } = await createWorkplace()
    await record('start')
    expect((await record('end')).body).toMatchObject({ outcome: 'ended', minutes: 0 })
    expect(await readHours(desk)).toMatchObject({ entries: [], shifts: [] })
  })

  test('does not check in students, and students’ PINs do not start work', async () => {
    const { owner, kids, kiosk, pin } = await createWorkplace()
    const ken = await server.createStudent(owner, { enrolled_classes: [kids.id] })
    const checkIn = { id: kids.id, class_id: kids.id, pin }
    expect((await kiosk.post('/kiosk/check-ins', checkIn)).status).toBe(422)
    await owner.put(`/students/${ken.id}/pin`, { pin: '4711' })
    expect(await kiosk.post('/kiosk/work', { pin: '4711' })).toMatchObject({
      status: 422,
      body: { detail: 'Nobody on the staff has this PIN. Please try again.' },
    })
  })

  test('cannot be guessed, because wrong PINs are counted', async () => {
    const { kiosk, pin } = await createWorkplace()
    const wrongPin = pin === '0000' ? '1111' : '0000'
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect((await kiosk.post('/kiosk/work', { pin: wrongPin })).status).toBe(422)
    expect((await kiosk.post('/kiosk/work', { pin })).status).toBe(429)
  })

  test('stops working when it is removed or replaced, or the person’s work ends', async () => {
    const { owner, desk, kiosk, pin } = await createWorkplace()
    const { body } = await desk.put('/my/work-pin')
    if (body.pin !== pin) expect((await kiosk.post('/kiosk/work', { pin })).status).toBe(422)
    const lookUp = async () => (await kiosk.post('/kiosk/work', { pin: body.pin })).status
    expect(await lookUp()).toBe(200)
    await owner.post(`/staff/${desk.id}/end`, {})
    expect(await lookUp()).toBe(422)
    const ownPin = (await owner.put('/my/work-pin')).body.pin
    expect((await owner.get('/my/hours')).body).toMatchObject({ has_pin: true, has_kiosk: true })
    await owner.delete('/my/work-pin')
    expect((await kiosk.post('/kiosk/work', { pin: ownPin })).status).toBe(422)
  })
})

describe('a shift that was never ended', () => {
  test('needs times, and a new shift can start', async () => {
    const { desk, owner, record } = await createWorkplace()
    await record('start')
    setClock('2026-11-21T18:01:00Z') // 16 hours and a minute later
    expect((await record('end')).status).toBe(409)
    expect((await record('start')).status).toBe(200)
    const { shifts, entries } = await readHours(desk)
    expect(entries).toEqual([])
    expect(shifts).toMatchObject([{ needs_times: false }, { day: FRIDAY, needs_times: true }])
    expect((await owner.get('/pay')).body.shifts).toMatchObject([
      { person_name: 'Kim Park', day: FRIDAY, from: '20:00', until: null },
    ])
    const times = { day: FRIDAY, from: '20:00', until: '21:30', task: 'Desk' }
    const settledShift = await desk.put(`/staff-shifts/${shifts[1].id}`, times)
    expect(settledShift.body.entries).toMatchObject([{ minutes: 90, source: 'kiosk' }])
    expect((await readHours(desk)).shifts).toHaveLength(1)
  })

  test('can only be changed by the person and by staff managers', async () => {
    const { coach, desk, owner, record } = await createWorkplace()
    await record('start')
    const [shift] = (await readHours(desk)).shifts
    const times = { day: FRIDAY, from: '19:00', until: '20:00', task: 'Desk' }
    expect((await coach.put(`/staff-shifts/${shift.id}`, times)).status).toBe(404)
    expect((await coach.delete(`/staff-shifts/${shift.id}`)).status).toBe(404)
    expect((await owner.delete(`/staff-shifts/${shift.id}`)).status).toBe(200)
    expect((await readHours(desk)).shifts).toEqual([])
  })
})

test('a shift that overlaps other hours needs new times', async () => {
  const { desk, record } = await createWorkplace()
  await record('start')
  setClock('2026-11-21T03:30:00Z')
  await enterHours(desk, { from: '20:30', until: '21:00', task: 'Class' })
  setClock('2026-11-21T04:00:00Z')
  expect((await record('end')).body).toMatchObject({ outcome: 'check', minutes: 120 })
  const [shift] = (await readHours(desk)).shifts
  expect(shift).toMatchObject({ from: '20:00', until: '22:00', needs_times: true })
  const fullShift = { day: FRIDAY, from: '20:00', until: '22:00', task: 'Desk' }
  const refusal = await desk.put(`/staff-shifts/${shift.id}`, fullShift)
  expect(refusal.body.detail).toContain('This overlaps hours on Friday, November 20: Class')
  const remainingHours = await desk.put(`/staff-shifts/${shift.id}`, {
    ...fullShift,
    from: '21:00',
  })
  expect(remainingHours.body.entries).toMatchObject([{ minutes: 60 }])
})

test('work cannot start after the person’s last day', async () => {
  const { owner, desk, kiosk, pin } = await createWorkplace()
  await owner.put(`/staff/${desk.id}`, {
    rights: ['roll'],
    preset: null,
    class_ids: null,
    ends_on: FRIDAY,
  })
  expect((await kiosk.post('/kiosk/work', { pin })).status).toBe(200)
  setClock(FRIDAY_EVENING.replace('21T02', '21T12'))
  expect((await kiosk.post('/kiosk/work', { pin })).status).toBe(422)
})
