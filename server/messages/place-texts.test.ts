import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const MONDAY = '2027-03-01'
const WEDNESDAY = '2027-03-03'
const FAMILY_PHONE = '(512) 555-7700'

// A Monday at 9 AM in Austin.
beforeEach(() => setClock('2027-03-01T15:00:00Z'))
const runJobs = () =>
  runDueJobs(server.db, (error) => {
    throw error
  })

/** Creates a full class of two students. Two siblings with one phone and Bo are on its waitlist. */
async function createFullClass(day = MONDAY, class_start_time = '4:00 PM') {
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei, {
    class_start_time,
    class_end_time: '8:00 PM',
  })
  await sensei.put(`/classes/${class_id}/places`, { places: 2 })
  const ken = await server.createStudent(sensei, {
    name: 'Ken Adams',
    enrolled_classes: [class_id],
  })
  const eva = await server.createStudent(sensei, { name: 'Eva Moss', enrolled_classes: [class_id] })
  const mia = await server.createStudent(sensei, { name: 'Mia Chen', phone_number: FAMILY_PHONE })
  const leo = await server.createStudent(sensei, { name: 'Leo Chen', phone_number: FAMILY_PHONE })
  const bo = await server.createStudent(sensei, { name: 'Bo Diaz' })
  for (const student of [mia, leo, bo]) await student.post('/class-dates/places', { class_id, day })
  const runSql = (query: ReturnType<typeof sql>) =>
    server.db.inDojo(sensei.dojoId, (tx) => tx.execute(query))
  const excuse = (student: typeof ken) => student.post('/excuses', { class_id, class_date: day })
  return {
    sensei,
    class_id,
    ken,
    eva,
    mia,
    leo,
    bo,
    runSql,
    excuse,
    freeBothPlaces: async () => {
      for (const student of [ken, eva]) await excuse(student)
    },
    readTexts: async () => {
      const { rows } = await runSql(sql`select m.phone, m.text from messages m
          join message_batches b on b.dojo_id = m.dojo_id and b.id = m.batch_id
        where b.kind = 'place_given' and m.sent_with is null order by m.id`)
      return (rows as { phone: string; text: string }[]).map(
        ({ phone, text }) => `${phone.slice(-4)} ${text}`,
      )
    },
    readNotices: async () =>
      ((await sensei.get('/notifications')).body as { title: string; message: string }[])
        .map(({ title, message }) => `${title}: ${message}`)
        .filter((notice) => notice.startsWith('A place is free')),
  }
}

describe('a free place for a student on the waitlist', () => {
  test('is announced to two siblings in one text, which is counted and listed', async () => {
    const { sensei, class_id, bo, eva, ken, excuse, freeBothPlaces, readTexts } =
      await createFullClass()
    await freeBothPlaces()
    expect(await readTexts()).toEqual([])
    await runJobs()
    const text =
      '7700 A place is free: Mia and Leo can come to Kids Judo today, 4:00 PM. If you ' +
      'cannot make it, please tell us.'
    expect(await readTexts()).toEqual([text])
    await runJobs()
    expect(await readTexts()).toEqual([text])
    expect((await sensei.get('/daily-message-usage')).body.message_count).toBe(1)
    expect((await sensei.get('/sms/batches')).body).toMatchObject([
      { message_type: 'place_given', counts: { total: 2 } },
    ])
    // Bo sees this place when asking for it, so it is not announced.
    await ken.post('/excuses', { class_id, class_date: WEDNESDAY })
    expect((await bo.post('/class-dates/places', { class_id, day: WEDNESDAY })).body.state).toBe(
      'has_place',
    )
    await excuse(eva)
    await runJobs()
    expect(await readTexts()).toEqual([text])
  })

  test('is announced to guardians who get texts, but not to phones that opted out', async () => {
    const { sensei, mia, leo, bo, runSql, freeBothPlaces, readTexts } = await createFullClass()
    await server.createGuardian(sensei, [mia], { phone: '(512) 555-7711' })
    await runSql(sql`insert into phone_opt_outs (phone, created_at) values ('+15125557700', now())`)
    await runSql(sql`update students set awaits_approval = true where id = ${bo.id}`)
    await sensei.delete(`/students/${leo.id}`)
    await freeBothPlaces()
    await runJobs()
    expect(await readTexts()).toEqual([
      '7711 A place is free: Mia can come to Kids Judo today, 4:00 PM. If you ' +
        'cannot make it, please tell us.',
    ])
    await runSql(sql`delete from phone_opt_outs where phone = '+15125557700'`)
  })

  test.each([
    ['in the evening, for a class two days later', '2027-03-02T03:30:00Z', '4:00 PM', 0],
    ['after midnight, for the afternoon', '2027-03-03T07:30:00Z', '4:00 PM', 0],
    ['after midnight, for a class at six', '2027-03-03T07:30:00Z', '6:00 AM', 1],
    ['at eight in the morning', '2027-03-03T14:00:00Z', '4:00 PM', 1],
  ])(
    'is announced at night only if the class starts before nine: %s',
    async (_, currentTime, startTime, expectedTexts) => {
      const { freeBothPlaces, readTexts } = await createFullClass(WEDNESDAY, startTime)
      setClock(currentTime)
      await freeBothPlaces()
      await runJobs()
      expect(await readTexts()).toHaveLength(expectedTexts)
      setClock('2027-03-03T14:00:00Z') // 8 AM in Austin
      await runJobs()
      expect(await readTexts()).toHaveLength(startTime === '4:00 PM' ? 1 : expectedTexts)
    },
  )

  test('waits if the day’s texts are used up, or is reported if the class is today', async () => {
    const superAdmin = await server.signInSuperAdmin()
    const todaysClass = await createFullClass()
    const laterClass = await createFullClass(WEDNESDAY)
    await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 1 })
    for (const { sensei, ken, freeBothPlaces } of [todaysClass, laterClass]) {
      const lastText = {
        message_type: 'weather_cancel',
        custom_message: 'Rain.',
        selected_students: [ken.id],
      }
      expect((await sensei.post('/sms/send-bulk-message', lastText)).status).toBe(200)
      await freeBothPlaces()
    }
    await runJobs()
    await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 10_000 })
    await runJobs()
    expect(await todaysClass.readTexts()).toEqual([])
    expect(await todaysClass.readNotices()).toEqual([
      'A place is free: Mia Chen, Leo Chen: Kids Judo today, 4:00 PM. All of today’s texts ' +
        'are used, so please tell them.',
    ])
    expect(await laterClass.readTexts()).toHaveLength(1)
    expect(await laterClass.readNotices()).toEqual([])
  })

  test('is reported to instructors for students without a login and without texts', async () => {
    const { sensei, mia, leo, runSql, ken, excuse, readTexts, readNotices } =
      await createFullClass()
    await runSql(
      sql`update students set email = null, phone_number = '12' where id in (${mia.id}, ${leo.id})`,
    )
    await excuse(ken)
    await runJobs()
    expect(await readTexts()).toEqual([])
    const miaNotice =
      'A place is free: Mia Chen has a place: Kids Judo today, 4:00 PM. They have no ' +
      'login and no phone that gets texts, so please tell them.'
    expect(await readNotices()).toEqual([miaNotice])
    await runJobs()
    expect(await readNotices()).toEqual([miaNotice])
    expect((await sensei.get('/sms/batches')).body).toEqual([])
  })

  test('is not announced for a class that is canceled or over', async () => {
    const canceledClass = await createFullClass(WEDNESDAY)
    const movedClass = await createFullClass(WEDNESDAY)
    const pastClass = await createFullClass()
    for (const { freeBothPlaces } of [canceledClass, movedClass, pastClass]) await freeBothPlaces()
    await canceledClass.sensei.put('/class-dates/cancelled', {
      class_id: canceledClass.class_id,
      day: WEDNESDAY,
      reason: 'Weather',
    })
    await movedClass.sensei.put('/class-dates/moved', {
      class_id: movedClass.class_id,
      day: WEDNESDAY,
      to_day: '2027-03-04',
    })
    setClock('2027-03-02T15:00:00Z') // The next day
    await runJobs()
    expect(await canceledClass.readTexts()).toEqual([])
    expect(await pastClass.readTexts()).toEqual([])
    expect(await movedClass.readTexts()).toEqual([
      '7700 A place is free: Mia and Leo can come to Kids Judo on Thursday, March 4, 4:00 ' +
        'PM. If you cannot make it, please tell us.',
    ])
  })
})
