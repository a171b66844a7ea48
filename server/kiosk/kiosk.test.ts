import { randomUUID } from 'node:crypto'
import type { MarkReply } from '@tatami/contract/attendance/attendance'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { createKioskToken } from '../test/fixtures.ts'
import {
  readAuditLog,
  createKioskDojo,
  checkIn,
  findCheckInPass,
  readRoll,
  DURING_KIDS_CLASS,
} from '../test/kiosk-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const createDojo = () => createKioskDojo(server)

describe('a kiosk', () => {
  test('shows the dojo and today’s classes, but no students', async () => {
    const dojo = await createDojo()
    await dojo.enroll('Emma Johnson')
    const { status, body } = await dojo.kiosk.get('/kiosk')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      kiosk_name: 'Front door',
      dojo_name: 'Cedar Park Judo',
      today: '2026-03-02',
      asks_pin: false,
    })
    expect(
      body.classes.map(({ name, starts, ends }: Record<string, unknown>) => [name, starts, ends]),
    ).toEqual([
      ['Kids', 960, 1020],
      ['Teens', 1020, 1080],
    ])
    expect(JSON.stringify(body)).not.toContain('Emma')
    await dojo.sensei.put('/class-dates/cancelled', {
      class_id: dojo.teens.id,
      day: '2026-03-02',
      reason: 'Weather',
    })
    const pickNames = (classes: { name: string }[]) => classes.map(({ name }) => name)
    const afterCancellation = (await dojo.kiosk.get('/kiosk')).body
    expect([pickNames(afterCancellation.classes), pickNames(afterCancellation.cancelled)]).toEqual([
      ['Kids'],
      ['Teens'],
    ])
  })

  test('is switched on by a link, which works once and for ten minutes', async () => {
    const { sensei } = await createDojo()
    const createLink = async () => {
      const { body } = await sensei.post('/kiosk-links', { name: 'Mat 2' })
      return { path: String(body.link).split('#')[0], code: String(body.link).split('#')[1], body }
    }
    const { path, code, body } = await createLink()
    expect([path, body.qr.slice(0, 22)]).toEqual([
      'https://tatami.test/kiosk',
      'data:image/png;base64,',
    ])
    const switchOnReply = await server.anonymous.post('/kiosk-links/switch-on', { code })
    expect(switchOnReply.body).toMatchObject({ name: 'Mat 2' })
    expect((await server.clientFor(switchOnReply.body.token).get('/kiosk')).body.kiosk_name).toBe(
      'Mat 2',
    )
    expect(await server.anonymous.post('/kiosk-links/switch-on', { code })).toMatchObject({
      status: 400,
      body: { detail: 'This link is no longer valid. Make a new one in Settings, under Kiosk.' },
    })
    const unusedLink = await createLink()
    expect(
      (await sensei.get('/kiosks')).body.kiosks.map(
        ({ name, link_expires_at }: Record<string, unknown>) => [name, link_expires_at],
      ),
    ).toEqual([
      ['Front door', null],
      ['Mat 2', null],
      ['Mat 2', unusedLink.body.expires_at],
    ])
    setClock('2026-03-02T22:21:00Z') // Eleven minutes later
    expect(
      (await server.anonymous.post('/kiosk-links/switch-on', { code: unusedLink.code })).status,
    ).toBe(400)
    expect((await sensei.get('/kiosks')).body.kiosks).toHaveLength(2)
    for (const invalidCode of ['x', `${sensei.dojoId}.x`])
      expect(
        (await server.anonymous.post('/kiosk-links/switch-on', { code: invalidCode })).status,
      ).toBe(400)
  })

  test('ends immediately on every server, or when its instructor is deactivated', async () => {
    const { sensei, kiosk } = await createDojo()
    const otherServer = await server.openServer()
    const callOtherServer = () =>
      otherServer.http.inject({
        url: '/api/kiosk',
        headers: { authorization: `Bearer ${kiosk.token}` },
      })
    expect((await callOtherServer()).statusCode).toBe(200)
    const superAdmin = await server.signInSuperAdmin()
    const toggleSensei = () => superAdmin.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
    await toggleSensei()
    expect([(await callOtherServer()).statusCode, (await kiosk.get('/kiosk')).status]).toEqual([
      401, 401,
    ])
    await toggleSensei()
    expect((await callOtherServer()).statusCode).toBe(200)
    const signedInSensei = await server.signIn(sensei.email)
    const [{ id, last_used_at }] = (await signedInSensei.get('/kiosks')).body.kiosks
    expect(last_used_at).not.toBeNull()
    expect((await signedInSensei.delete(`/kiosks/${id}`)).status).toBe(200)
    expect([(await callOtherServer()).statusCode, (await kiosk.get('/kiosk')).status]).toEqual([
      401, 401,
    ])
    expect((await signedInSensei.delete(`/kiosks/${id}`)).status).toBe(404)
  })

  test('can use public endpoints, and its token is stored only as a hash', async () => {
    const { sensei, kiosk } = await createDojo()
    expect((await kiosk.post('/kiosk-links/switch-on', { code: 'x' })).status).toBe(400)
    const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute(sql`select k::text as row from kiosks k`),
    )
    expect(JSON.stringify(rows)).not.toContain(String(kiosk.token).slice(-43))
  })
})

describe('the search', () => {
  test('needs two letters, ignores case and accents, and finds at most five students', async () => {
    const dojo = await createDojo()
    // Only Emma Johnson has a class today, so she is listed first.
    for (const name of [
      'Emma Johnson',
      'Emma Jackson',
      'Emil Olsen',
      'Emilia Berg',
      'Emre Kaya',
      'Emmett Lee',
      'Leo Obrien',
    ])
      await dojo.enroll(name, name === 'Emma Johnson' ? [dojo.kids.id] : [])
    // Imported names may contain an apostrophe.
    await server.db.inDojo(dojo.sensei.dojoId, (tx) =>
      tx.execute(sql`update students set name = 'Leo O’Brien' where name = 'Leo Obrien'`),
    )
    const search = (text: string) => dojo.kiosk.post('/kiosk/search', { text })
    expect(await search('e')).toMatchObject({
      status: 422,
      body: { detail: 'Type at least 2 letters' },
    })
    expect((await search('e 1')).status).toBe(422)
    const { body } = await search('ÉM')
    expect(body.has_more).toBe(true)
    expect(body.students.map(({ name }: { name: string }) => name)).toEqual([
      'Emma Jo.',
      'Emil O.',
      'Emilia B.',
      'Emma Ja.',
      'Emmett L.',
    ])
    expect(Object.keys(body.students[0]).toSorted()).toEqual(['belt_level', 'name', 'pass'])
    const findNames = async (text: string) =>
      (await search(text)).body.students.map(({ name }: { name: string }) => name)
    expect(await findNames('j émma')).toEqual(['Emma Jo.', 'Emma Ja.'])
    expect(await findNames('obrien')).toEqual(['Leo O.'])
    expect(await findNames('mma')).toEqual([])
  })

  test('is limited to 40 times a minute, and leaves out students who await approval', async () => {
    const dojo = await createDojo()
    const { id } = await dojo.enroll('Emma Johnson')
    await server.db.inDojo(dojo.sensei.dojoId, (tx) =>
      tx.execute(sql`update students set awaits_approval = true where id = ${id}`),
    )
    const search = () => dojo.kiosk.post('/kiosk/search', { text: 'emma' })
    expect((await search()).body.students).toEqual([])
    for (let searchCount = 1; searchCount < 40; searchCount += 1) await search()
    expect(await search()).toMatchObject({
      status: 429,
      body: { detail: 'Too many searches. Please wait a minute.' },
      headers: { 'retry-after': expect.stringMatching(/^(60|5\d)$/) as string },
    })
    setClock('2026-03-02T22:12:00Z') // Two minutes later
    expect((await search()).status).toBe(200)
  })
})

describe('a check-in', () => {
  test('marks the student present once, on the roll and in the audit log', async () => {
    const dojo = await createDojo()
    await dojo.enroll('Emma Johnson')
    const id = randomUUID()
    const passes = [await findCheckInPass(dojo, 'emma')]
    for (const was_here of [false, true])
      expect((await checkIn(dojo, { id, passes })).body.greetings).toMatchObject([
        { first_name: 'Emma', class_name: 'Kids', was_here },
      ])
    expect(await readRoll(dojo)).toEqual(['Emma Johnson, Kids'])
    expect(
      (await readAuditLog(dojo)).filter(([action]: string[]) => action === 'checked in at a kiosk'),
    ).toEqual([['checked in at a kiosk', 'Kiosk Front door', 'Emma Johnson']])
  })

  test('is reported to an instructor who saves an outdated roll, unless it was undone', async () => {
    const dojo = await createDojo()
    const { sensei, kids, kiosk, enroll } = dojo
    const emma = await enroll('Emma Johnson'),
      leo = await enroll('Leo Diaz')
    const id = randomUUID()
    await checkIn(dojo, { id, passes: [await findCheckInPass(dojo, 'emma')] })
    const target = { class_id: kids.id, class_date: '2026-03-02' }
    await sensei.post('/attendance', { ...target, student_id: leo.id, present: true })
    // The instructor opened the roll before there were any marks, so a mark may replace only null.
    const replaces = [null]
    const saveRoll = async (present: boolean) => {
      const marks = [emma, leo].map(({ id: student_id }) => ({ student_id, present, replaces }))
      const { body } = await sensei.put('/attendance/roll', { ...target, marks })
      const savedMarks = (body as MarkReply[]).map(
        (record) => `${record.student_name} ${record.present} ${record.is_check_in}`,
      )
      return savedMarks.toSorted()
    }
    expect(await saveRoll(false)).toEqual(['Emma Johnson true true', 'Leo Diaz true false'])
    // A roll that agrees with the check-in does not report it.
    expect(await saveRoll(true)).toEqual(['Emma Johnson true false', 'Leo Diaz true false'])
    await kiosk.delete(`/kiosk/check-ins/${id}`)
    await sensei.post('/attendance', { ...target, student_id: emma.id, present: true })
    expect((await saveRoll(false))[0]).toBe('Emma Johnson true false')
  })

  test('counts for the student’s own class, or else for the class on the screen', async () => {
    const dojo = await createDojo()
    await dojo.enroll('Ken Adams', [dojo.teens.id])
    await dojo.enroll('Guest Miller', [])
    setClock('2026-03-02T22:35:00Z') // 4:35 PM, when check-in to Teens is open, too
    await checkIn(dojo, { passes: [await findCheckInPass(dojo, 'ken')] })
    await checkIn(dojo, { passes: [await findCheckInPass(dojo, 'guest')] })
    expect((await readRoll(dojo)).toSorted()).toEqual(['Guest Miller, Kids', 'Ken Adams, Teens'])
  })

  test('asks before it adds a student without a class to the class on the screen', async () => {
    const dojo = await createDojo()
    await dojo.enroll('Guest Miller', [])
    await dojo.enroll('Emma Johnson')
    const passes = [await findCheckInPass(dojo, 'guest')]
    expect(await checkIn(dojo, { passes, asks_first: true })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'asks_first', message: 'You’re not in Kids.' }] },
    })
    expect(await readRoll(dojo)).toEqual([])
    const emmaPasses = [await findCheckInPass(dojo, 'emma')]
    expect((await checkIn(dojo, { passes: emmaPasses, asks_first: true })).status).toBe(200)
    expect((await checkIn(dojo, { passes })).status).toBe(200)
    expect((await readRoll(dojo)).toSorted()).toEqual(['Emma Johnson, Kids', 'Guest Miller, Kids'])
  })

  test('never counts for a class that has ended', async () => {
    const dojo = await createDojo()
    await dojo.enroll('Emma Johnson')
    await dojo.enroll('Guest Miller', [])
    setClock('2026-03-02T23:00:00Z') // 5 PM, when Kids ends
    for (const name of ['emma', 'guest'])
      expect(await checkIn(dojo, { passes: [await findCheckInPass(dojo, name)] })).toMatchObject({
        status: 422,
        body: { detail: 'Kids is over. Please tell your instructor.' },
      })
    expect(await readRoll(dojo)).toEqual([])
  })

  test('can be undone within two minutes by the kiosk that made it', async () => {
    const dojo = await createDojo()
    const emma = await dojo.enroll('Emma Johnson')
    const absentMark = {
      student_id: emma.id,
      class_id: dojo.kids.id,
      class_date: '2026-03-02',
      present: false,
    }
    const passes = [await findCheckInPass(dojo, 'emma')]
    const undo = (id: string, kiosk = dojo.kiosk) => kiosk.delete(`/kiosk/check-ins/${id}`)
    const [firstId, secondId, thirdId] = [randomUUID(), randomUUID(), randomUUID()]
    await checkIn(dojo, { id: firstId, passes })
    const otherKiosk = server.clientFor(await createKioskToken(server.db, dojo.sensei))
    expect((await undo(firstId, otherKiosk)).status).toBe(404)
    expect((await undo(firstId)).status).toBe(200)
    expect(await readRoll(dojo)).toEqual([])
    expect((await undo(firstId)).status).toBe(404)
    // If a slow network delivers the check-in again, it stays undone.
    await checkIn(dojo, { id: firstId, passes })
    expect(await readRoll(dojo)).toEqual([])
    await dojo.sensei.post('/attendance', absentMark)
    await checkIn(dojo, { id: secondId, passes })
    expect(await readRoll(dojo)).toEqual(['Emma Johnson, Kids'])
    await undo(secondId)
    expect(await readRoll(dojo)).toEqual(['Emma Johnson, Kids: absent'])
    await checkIn(dojo, { id: thirdId, passes })
    setClock('2026-03-02T22:13:00Z') // Three minutes later
    expect((await undo(thirdId)).status).toBe(404)
    expect(
      (await readAuditLog(dojo)).filter(
        ([action]: string[]) => action === 'kiosk check-in taken back',
      ),
    ).toHaveLength(2)
  })

  test('accepts only passes of this kiosk and day, and today’s classes', async () => {
    const dojo = await createDojo()
    await dojo.enroll('Emma Johnson')
    const passes = [await findCheckInPass(dojo, 'emma')]
    // An "s" in the middle means that the student needs no PIN.
    const tamperedPasses = passes.map((pass) => `${pass.slice(0, 32)}s${pass.slice(33)}`)
    const otherKioskDojo = {
      ...dojo,
      kiosk: server.clientFor(await createKioskToken(server.db, dojo.sensei)),
    }
    expect(await checkIn(otherKioskDojo, { passes })).toMatchObject({
      status: 422,
      body: { detail: 'Please start again' },
    })
    expect((await checkIn(dojo, { passes: tamperedPasses })).status).toBe(422)
    const tuesdayClass = await server.createClass(dojo.sensei, {
      class_name: 'Adults',
      class_days: ['tuesday'],
    })
    expect(await checkIn(dojo, { passes, class_id: tuesdayClass.id })).toMatchObject({
      status: 404,
      body: { detail: 'Class not found' },
    })
    setClock('2026-03-09T22:10:00Z') // A week later
    expect((await checkIn(dojo, { passes })).status).toBe(422)
    expect(await readRoll(dojo)).toEqual([])
  })

  test('made offline counts for the time at which it was made', async () => {
    const dojo = await createDojo()
    await dojo.enroll('Emma Johnson')
    const passes = [await findCheckInPass(dojo, 'emma')]
    const came_at = DURING_KIDS_CLASS
    setClock('2026-03-05T10:00:00Z') // Three days later
    expect((await checkIn(dojo, { passes, came_at })).status).toBe(200)
    expect(await readRoll(dojo)).toEqual(['Emma Johnson, Kids'])
  })
})

test('accepts check-ins after midnight until a class ends, for the day of the class', async () => {
  const dojo = await createDojo()
  const lateClass = await server.createClass(dojo.sensei, {
    class_name: 'Late',
    class_days: ['monday'],
    class_start_time: '11:30 PM',
    class_end_time: '12:30 AM',
  })
  await dojo.enroll('Emma Johnson', [lateClass.id])
  const readShownClasses = async () => {
    const { today, classes } = (await dojo.kiosk.get('/kiosk')).body
    return [today, classes.map(({ name }: { name: string }) => name)]
  }
  // 12:15 AM on Tuesday in Chicago
  setClock('2026-03-03T06:15:00Z')
  expect(await readShownClasses()).toEqual(['2026-03-02', ['Kids', 'Teens', 'Late']])
  const passes = [await findCheckInPass(dojo, 'Emma')]
  const { status, body } = await checkIn(dojo, { passes, class_id: lateClass.id })
  expect([status, body.greetings]).toMatchObject([200, [{ class_name: 'Late' }]])
  expect(await readRoll(dojo)).toEqual(['Emma Johnson, Late'])
  setClock('2026-03-03T06:30:00Z') // The class is over.
  expect((await readShownClasses())[0]).toBe('2026-03-03')
})
