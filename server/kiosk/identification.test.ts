import { createDecipheriv, createHmac, hash, pbkdf2Sync } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { exampleStudent } from '../test/fixtures.ts'
import {
  createKioskDojo,
  checkIn,
  type KioskDojo,
  findCheckInPass,
  readRoll,
  DURING_KIDS_CLASS,
} from '../test/kiosk-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const createDojo = () => createKioskDojo(server)

describe('the greeting', () => {
  test('shows a birthday and the classes since the last belt', async () => {
    const dojo = await createDojo()
    const emma = await dojo.enroll('Emma Johnson', [dojo.kids.id], { date_of_birth: '2015-03-02' })
    const passes = [await findCheckInPass(dojo, 'emma')]
    const { body } = await checkIn(dojo, { passes })
    expect(body.greetings[0]).toEqual({
      first_name: 'Emma',
      photo: null,
      class_name: 'Kids',
      class_time: '4:00 PM - 5:00 PM',
      is_birthday: true,
      was_here: false,
      entry_words: null,
      sees_instructor: false,
      progress: null,
      next: null,
      missing: [],
      is_ready: false,
      completion: null,
      instructor_decides: false,
      papers: null,
    })
    const form = exampleStudent({
      name: 'Emma Johnson',
      enrolled_classes: [dojo.kids.id],
      belt_level: 'yellow',
    })
    expect((await dojo.sensei.put(`/students/${emma.id}`, form)).status).toBe(200)
    setClock('2026-03-04T22:10:00Z') // Two days later
    const wednesday = await checkIn(dojo, { passes: [await findCheckInPass(dojo, 'emma')] })
    expect(wednesday.body.greetings[0]).toMatchObject({
      is_birthday: false,
      progress: { classes: 1, rank: null, belt_level: 'yellow' },
    })
  })

  test('lists the unmet requirements of the next rank, without the fee', async () => {
    const dojo = await createDojo()
    await dojo.enroll('Emma Johnson')
    const { styles } = (await dojo.sensei.get('/belts')).body
    const [ladder] = styles[0].ladders
    const ranks = ladder.ranks.map((rank: object, index: number) =>
      index === 1 ? { ...rank, min_classes: 3, needs_approval: true, needs_fee: true } : rank,
    )
    const reply = await dojo.sensei.put(`/ladders/${ladder.id}`, { ...ladder, ranks })
    expect([reply.status, reply.body.detail]).toEqual([200, undefined])
    setClock('2026-03-04T22:10:00Z') // Two days later
    const { body } = await checkIn(dojo, { passes: [await findCheckInPass(dojo, 'emma')] })
    expect(body.greetings[0].missing.map(({ rule }: { rule: string }) => rule)).toEqual([
      'classes',
      'approval',
    ])
    expect(body.greetings[0]).toMatchObject({ progress: { classes: 1 }, next: { name: 'Yellow' } })
  })
})

describe('a PIN', () => {
  test('identifies a student, is unique in the dojo, and is stored only as a hash', async () => {
    const dojo = await createDojo()
    const emma = await dojo.enroll('Emma Johnson')
    const ken = await dojo.enroll('Ken Adams')
    const otherDojo = await createDojo()
    const stranger = await otherDojo.enroll('Mia Ortiz')
    for (const pin of ['471', '4711111', '47a1', '']) {
      const response = await dojo.sensei.put(`/students/${emma.id}/pin`, { pin })
      expect([pin, response.status]).toEqual([pin, 422])
    }
    expect((await dojo.sensei.put(`/students/${emma.id}/pin`, { pin: '4711' })).status).toBe(200)
    expect((await dojo.sensei.get(`/students/${emma.id}/pin`)).body).toEqual({
      has_pin: true,
      has_kiosk: true,
    })
    expect(await dojo.sensei.put(`/students/${ken.id}/pin`, { pin: '4711' })).toMatchObject({
      status: 422,
      body: { detail: 'Someone else has this PIN. Please choose another.' },
    })
    expect(
      (await otherDojo.sensei.put(`/students/${stranger.id}/pin`, { pin: '4711' })).status,
    ).toBe(200)
    expect((await otherDojo.sensei.put(`/students/${emma.id}/pin`, { pin: '1234' })).status).toBe(
      404,
    )
    expect((await checkIn(dojo, { pin: '4711' })).body.greetings).toMatchObject([
      { first_name: 'Emma' },
    ])
    const { rows } = await server.db.inDojo(dojo.sensei.dojoId, (tx) =>
      tx.execute<{ row: string }>(sql`select p::text as row from check_in_pins p`),
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]!.row.split(',').slice(2)).not.toContain('4711')
    // Ignores these digits within an id.
    expect(JSON.stringify((await dojo.sensei.get('/audit-log')).body)).not.toMatch(
      /(?<![-\w])4711(?![-\w])/,
    )
    expect((await emma.delete(`/my/students/${emma.id}/pin`)).status).toBe(200)
    expect((await checkIn(dojo, { pin: '4711' })).status).toBe(422)
  })

  test('is random for families, so that they learn nothing about other PINs', async () => {
    const dojo = await createDojo()
    const [emma, ken] = [await dojo.enroll('Emma Johnson'), await dojo.enroll('Ken Adams')]
    await dojo.sensei.put(`/students/${emma.id}/pin`, { pin: '4711' })
    // The PIN in the request is ignored. Refusing it would reveal that someone has it.
    const reply = await ken.put(`/my/students/${ken.id}/pin`, { pin: '4711' })
    expect(reply).toMatchObject({ status: 200, body: { pin: expect.stringMatching(/^\d{4}$/) } })
    expect(reply.body.pin).not.toBe('4711')
    expect((await checkIn(dojo, { pin: reply.body.pin })).body.greetings).toMatchObject([
      { first_name: 'Ken' },
    ])
    const secondReply = await ken.put(`/my/students/${ken.id}/pin`)
    expect(secondReply.body.pin).not.toBe(reply.body.pin)
    expect((await checkIn(dojo, { pin: reply.body.pin })).status).toBe(422)
  })

  test('is longer if many students have a PIN, so that at most 1% of guesses are right', async () => {
    const dojo = await createDojo()
    const ken = await dojo.enroll('Ken Adams')
    const pinLengthAfterAdding = async (pins: number) => {
      await server.db.inDojo(dojo.sensei.dojoId, (tx) =>
        tx.execute(sql`with new_students as (
            insert into students (id, name, created_at)
            select gen_random_uuid(), 'Kim Adams', now()
            from generate_series(1, ${pins}::int) returning id)
          insert into check_in_pins (student_id, pin_hash, offline_key, changed_at)
            select id, id::text, 'none', now() from new_students`),
      )
      return (await ken.put(`/my/students/${ken.id}/pin`)).body.pin.length
    }
    expect([
      await pinLengthAfterAdding(99),
      await pinLengthAfterAdding(1),
      await pinLengthAfterAdding(900),
    ]).toEqual([4, 5, 6])
  })

  test('can be drawn only by people who may see the student', async () => {
    const dojo = await createDojo()
    const [emma, ken] = [await dojo.enroll('Emma Johnson'), await dojo.enroll('Ken Adams')]
    const guardian = await server.createGuardian(dojo.sensei, [emma])
    expect((await guardian.put(`/my/students/${emma.id}/pin`)).status).toBe(200)
    for (const member of [guardian, emma])
      expect((await member.put(`/my/students/${ken.id}/pin`)).status).toBe(404)
    expect((await guardian.get('/my/check-in')).body.students).toEqual([
      { student_id: emma.id, name: 'Emma Johnson', has_pin: true },
    ])
  })

  test('can be entered incorrectly at most ten times a minute', async () => {
    const dojo = await createDojo()
    const emma = await dojo.enroll('Emma Johnson')
    await dojo.sensei.put(`/students/${emma.id}/pin`, { pin: '4711' })
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(await checkIn(dojo, { pin: `000${attempt}` })).toMatchObject({
        status: 422,
        body: { detail: 'We don’t recognize this PIN. Please try again.' },
      })
    expect(await checkIn(dojo, { pin: '4711' })).toMatchObject({
      status: 429,
      body: { detail: 'Too many wrong PINs. Please wait a minute.' },
    })
    expect(await readRoll(dojo)).toEqual([])
    setClock('2026-03-02T22:12:00Z') // Two minutes later
    expect((await checkIn(dojo, { pin: '4711' })).status).toBe(200)
  })

  test('is required from students found by name if the dojo asks for it', async () => {
    const dojo = await createDojo()
    const [emma, ken] = [await dojo.enroll('Emma Johnson'), await dojo.enroll('Ken Adams')]
    await dojo.sensei.put(`/students/${emma.id}/pin`, { pin: '4711' })
    await dojo.sensei.put(`/students/${ken.id}/pin`, { pin: '1234' })
    expect((await dojo.sensei.put('/kiosk-settings', { asks_pin: true })).body).toEqual({
      asks_pin: true,
    })
    expect((await dojo.kiosk.get('/kiosk')).body.asks_pin).toBe(true)
    const passes = [await findCheckInPass(dojo, 'emma')]
    expect(await checkIn(dojo, { passes })).toMatchObject({
      status: 422,
      body: { detail: 'Please enter your PIN' },
    })
    expect(await checkIn(dojo, { passes, pin: '1234' })).toMatchObject({
      status: 422,
      body: { detail: 'That is not your PIN. Please try again.' },
    })
    expect((await checkIn(dojo, { passes, pin: '4711' })).status).toBe(200)
    expect(await readRoll(dojo)).toEqual(['Emma Johnson, Kids'])
  })
})

describe('a check-in code', () => {
  test('lists family members with a class today first, and checks them in together', async () => {
    const dojo = await createDojo()
    const emma = await dojo.enroll('Emma Johnson'),
      ken = await dojo.enroll('Ken Johnson', [dojo.teens.id]),
      leo = await dojo.enroll('Leo Johnson', []),
      unseenStudent = await dojo.enroll('Mia Johnson')
    const guardian = await server.createGuardian(dojo.sensei, [emma, ken, leo])
    await dojo.sensei.put(`/guardians/${guardian.id}/students/${unseenStudent.id}`, { sees: false })
    const { code, qr } = (await guardian.get('/my/check-in/code')).body
    expect([code, qr.slice(0, 22)]).toEqual([
      expect.stringMatching(/^[0-9A-F]{48}$/),
      'data:image/png;base64,',
    ])
    const { body } = await dojo.kiosk.post('/kiosk/code', {
      code: code.toLowerCase(),
      class_id: dojo.kids.id,
    })
    expect(
      body.people.map(({ pass: _, ...person }: { pass: string }) => Object.values(person)),
      // name, class_name, class_time, has_class, is_here
    ).toEqual([
      ['Emma J.', 'Kids', '4:00 PM - 5:00 PM', true, false],
      ['Ken J.', 'Teens', '5:00 PM - 6:00 PM', true, false],
      ['Leo J.', 'Kids', '4:00 PM - 5:00 PM', false, false],
    ])
    const passes = body.people.slice(0, 2).map(({ pass }: { pass: string }) => pass)
    const checkInReply = await checkIn(dojo, { passes })
    expect(
      checkInReply.body.greetings.map((greeting: Record<string, string>) => [
        greeting.first_name,
        greeting.class_name,
      ]),
    ).toEqual([
      ['Emma', 'Kids'],
      ['Ken', 'Teens'],
    ])
    expect((await readRoll(dojo)).toSorted()).toEqual(['Emma Johnson, Kids', 'Ken Johnson, Teens'])
  })

  test('does not work in another dojo, after a renewal or after its account is deleted', async () => {
    const dojo = await createDojo(),
      otherDojo = await createDojo()
    const emma = await dojo.enroll('Emma Johnson')
    const readCode = async () => (await emma.get('/my/check-in/code')).body.code
    const scan = (scanningDojo: KioskDojo, code: string) =>
      scanningDojo.kiosk.post('/kiosk/code', { code, class_id: scanningDojo.kids.id })
    const firstCode = await readCode()
    expect(
      (await scan(dojo, firstCode)).body.people.map(({ name }: { name: string }) => name),
    ).toEqual(['Emma J.'])
    const forgedCode = `${firstCode.slice(0, -1)}${firstCode.endsWith('0') ? '1' : '0'}`
    for (const [scanningDojo, code] of [
      [otherDojo, firstCode],
      [dojo, forgedCode],
    ] as const)
      expect(await scan(scanningDojo, code)).toMatchObject({
        status: 404,
        body: { detail: 'Code not found' },
      })
    await emma.post('/my/check-in/code')
    expect((await scan(dojo, firstCode)).status).toBe(404)
    const secondCode = await readCode()
    expect((await scan(dojo, secondCode)).status).toBe(200)
    await dojo.sensei.delete(`/students/${emma.id}`)
    expect((await scan(dojo, secondCode)).status).toBe(404)
  })

  test('is not shown without a kiosk, or to an account without students', async () => {
    const sensei = await server.createSensei()
    const student = await server.createStudent(sensei)
    expect((await student.get('/my/check-in')).body).toMatchObject({
      has_kiosk: false,
      students: [{ student_id: student.id }],
    })
    expect((await student.get('/my/check-in/code')).status).toBe(404)
    const dojo = await createDojo()
    expect((await dojo.sensei.get('/my/check-in')).body).toEqual({ has_kiosk: true, students: [] })
    expect((await dojo.sensei.get('/my/check-in/code')).status).toBe(404)
  })
})

describe('an offline kiosk', () => {
  const NONCE_BYTES = 12
  const TAG_BYTES = 16
  type Entry = { tag: string; sealed: string }
  const deriveKey = (key: Buffer, purpose: string) =>
    createHmac('sha256', key).update(purpose).digest()
  /** Decrypts the entry that the key opens, like a kiosk. */
  function openEntry(
    entries: Entry[],
    key: Buffer,
  ): { name: string; pass: string; class_name: string }[] | undefined {
    const entry = entries.find(({ tag }) => tag === deriveKey(key, 'tag').toString('base64url'))
    if (!entry) return undefined
    const sealedBytes = Buffer.from(entry.sealed, 'base64url')
    const decipher = createDecipheriv(
      'aes-256-gcm',
      deriveKey(key, 'seal'),
      sealedBytes.subarray(0, NONCE_BYTES),
    ).setAuthTag(sealedBytes.subarray(-TAG_BYTES))
    const encryptedBytes = sealedBytes.subarray(NONCE_BYTES, -TAG_BYTES)
    return JSON.parse(decipher.update(encryptedBytes, undefined, 'utf8') + decipher.final('utf8'))
  }

  test('gets encrypted entries, and checks people in with a PIN or code', async () => {
    const dojo = await createDojo()
    const emma = await dojo.enroll('Emma Johnson')
    const ken = await dojo.enroll('Ken Johnson', [dojo.teens.id])
    const mia = await dojo.enroll('Mia Johnson', [])
    for (const [student, pin] of [
      [emma, '4711'],
      [mia, '1234'],
    ] as const)
      await dojo.sensei.put(`/students/${student.id}/pin`, { pin })
    const guardian = await server.createGuardian(dojo.sensei, [emma, ken, mia])
    const { code } = (await guardian.get('/my/check-in/code')).body
    const { status, body } = await dojo.kiosk.get('/kiosk/offline')
    // One entry for Emma's PIN, and one each for the codes of Emma, Ken and Ann.
    expect([status, body.day, body.entries.length]).toEqual([200, '2026-03-02', 4])
    expect(JSON.stringify(body)).not.toMatch(/Emma|Johnson|(?<![-\w])4711(?![-\w])/)
    for (const student of [emma, ken, mia])
      expect(JSON.stringify(body)).not.toContain(student.id.replaceAll('-', ''))
    const openWithPin = (pin: string) =>
      openEntry(body.entries, pbkdf2Sync(pin, body.salt, body.rounds, 32, 'sha256'))
    expect(openWithPin('4711')).toMatchObject([{ name: 'Emma J.', class_name: 'Kids' }])
    expect([openWithPin('1234'), openWithPin('0000')]).toEqual([undefined, undefined])
    const family = openEntry(body.entries, hash('sha256', code, 'buffer'))!
    expect(family.map(({ name, class_name }) => `${name}, ${class_name}`).toSorted()).toEqual([
      'Emma J., Kids',
      'Ken J., Teens',
    ])
    setClock('2026-03-03T15:00:00Z') // The next day
    await checkIn(dojo, { passes: family.map(({ pass }) => pass), came_at: DURING_KIDS_CLASS })
    expect((await readRoll(dojo)).toSorted()).toEqual(['Emma Johnson, Kids', 'Ken Johnson, Teens'])
  })
})
