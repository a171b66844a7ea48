import { describe, expect, test } from 'vitest'
import { exampleClass } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

async function setUpDojo() {
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const student = await server.createStudent(sensei, { enrolled_classes: [class_id] })
  const mark = {
    student_id: student.id,
    class_id,
    class_date: '2026-01-02T00:00:00.000Z',
    present: true,
  }
  return { sensei, student, class_id, mark }
}

test('returns the new mark with the names of the student and the class', async () => {
  const { sensei, mark } = await setUpDojo()
  expect((await sensei.post('/attendance', mark)).body).toEqual({
    ...mark,
    id: expect.any(String),
    student_name: 'Ken Adams',
    class_name: 'Kids Judo',
    class_time: '4:00 PM - 5:00 PM',
    class_location: 'Monday, Wednesday',
    is_check_in: false,
  })
})

test('stores the latest name of the class on every server', async () => {
  const { sensei, mark } = await setUpDojo()
  const otherServer = await server.openServer()
  const postMark = async (targetServer: Pick<typeof server, 'http'>, changes: object) =>
    (
      await targetServer.http.inject({
        method: 'POST',
        url: '/api/attendance',
        headers: { authorization: `Bearer ${sensei.token}` },
        payload: { ...mark, ...changes },
      })
    ).json<Record<string, unknown>>()
  for (const targetServer of [server, otherServer])
    expect(await postMark(targetServer, {})).toMatchObject({ class_name: 'Kids Judo' })
  const { id: class_id } = (
    await sensei.post('/classes', exampleClass({ class_name: 'Late Judo' }))
  ).body
  for (const targetServer of [server, otherServer])
    expect(await postMark(targetServer, { class_id })).toMatchObject({ class_name: 'Late Judo' })
  await sensei.put(`/classes/${class_id}`, exampleClass({ class_name: 'Later Judo' }))
  expect(await postMark(server, { class_id, class_date: '2026-01-05' })).toMatchObject({
    class_name: 'Later Judo',
  })
  await sensei.delete(`/classes/${class_id}`)
  for (const targetServer of [server, otherServer])
    expect(await postMark(targetServer, { class_id })).toEqual({ detail: 'Class not found' })
})

test('says whether the student or the class was not found', async () => {
  const { sensei, mark } = await setUpDojo()
  const otherDojo = await setUpDojo()
  const readMarkError = async (change: object) =>
    (await sensei.post('/attendance', { ...mark, ...change })).body.detail
  expect([
    await readMarkError({ student_id: otherDojo.student.id }),
    await readMarkError({ class_id: otherDojo.class_id }),
  ]).toEqual(['Student not found', 'Class not found'])
})

test('replaces an earlier mark of the same class date', async () => {
  const { sensei, mark } = await setUpDojo()
  const firstReply = await sensei.post('/attendance', mark)
  await sensei.post('/attendance', { ...mark, present: false })
  const { is_check_in: _, ...record } = firstReply.body
  expect((await sensei.get('/attendance')).body).toEqual([
    { ...record, marked_by: null, present: false },
  ])
})

test('deletes one mark, and ignores a repeated deletion', async () => {
  const { sensei, student, class_id, mark } = await setUpDojo()
  await sensei.post('/attendance', mark)
  await sensei.post('/attendance', { ...mark, class_date: '2026-01-03' })
  const deleteMark = () =>
    sensei.delete(
      `/attendance?student_id=${student.id}&class_id=${class_id}` +
        '&class_date=2026-01-02T00:00:00.000Z',
    )
  expect([(await deleteMark()).body, (await deleteMark()).body]).toEqual([
    { success: true },
    { success: true },
  ])
  expect((await sensei.get('/attendance')).body).toMatchObject([
    { class_date: '2026-01-03T00:00:00.000Z' },
  ])
})

test('keeps a mark that another dojo or the student tries to delete', async () => {
  const { sensei, student, class_id, mark } = await setUpDojo()
  await sensei.post('/attendance', mark)
  const path = `/attendance?student_id=${student.id}&class_id=${class_id}&class_date=2026-01-02`
  const otherSensei = await server.createSensei()
  expect([(await otherSensei.delete(path)).status, (await student.delete(path)).status]).toEqual([
    200, 403,
  ])
  expect((await sensei.get('/attendance')).body).toHaveLength(1)
})

test('replaces a mark only if the request lists its current value in `replaces`', async () => {
  const { sensei, mark } = await setUpDojo()
  const postMark = async (change: object) =>
    (await sensei.post('/attendance', { ...mark, ...change })).body
  // `replaces` lists the marks that the instructor may have seen on the screen. Null means no mark.
  expect(await postMark({ present: false, replaces: [null] })).toMatchObject({ present: false })
  expect(await postMark({ present: true, replaces: [null] })).toMatchObject({ present: false })
  expect(await postMark({ present: true, replaces: [null, false] })).toMatchObject({
    present: true,
  })
  const { student_id, class_id } = mark
  await sensei.delete(
    `/attendance?${new URLSearchParams({ student_id, class_id, class_date: '2026-01-02' })}`,
  )
  expect(await postMark({ present: false, replaces: [true] })).toBeNull()
  expect((await sensei.get('/attendance')).body).toEqual([])
})

test('stores one mark if several requests mark the student at the same time', async () => {
  const { sensei, mark } = await setUpDojo()
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => sensei.post('/attendance', mark)),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
  expect((await sensei.get('/attendance')).body).toHaveLength(1)
})

test('stores the UTC day of a date-time as the day of the class', async () => {
  const { sensei, mark } = await setUpDojo()
  expect(
    (await sensei.post('/attendance', { ...mark, class_date: '2026-01-02T23:30:00-06:00' })).body
      .class_date,
  ).toBe('2026-01-03T00:00:00.000Z')
  expect(
    (await sensei.post('/attendance', { ...mark, class_date: '2026-01-02' })).body.class_date,
  ).toBe('2026-01-02T00:00:00.000Z')
})

test('marks any student of the dojo in any of its classes', async () => {
  const { sensei, mark } = await setUpDojo()
  const otherClass = await server.createClass(sensei, { class_name: 'Open Mat' })
  expect((await sensei.post('/attendance', { ...mark, class_id: otherClass.id })).status).toBe(200)
})

test('shows students only their own marks, and does not let them mark', async () => {
  const { sensei, student, mark } = await setUpDojo()
  const otherStudent = await server.createStudent(sensei)
  await sensei.post('/attendance', mark)
  await sensei.post('/attendance', { ...mark, student_id: otherStudent.id })
  expect((await student.get('/attendance')).body).toMatchObject([{ student_id: student.id }])
  expect((await student.get(`/attendance?student_id=${otherStudent.id}`)).body).toEqual([])
  const response = await student.post('/attendance', mark)
  expect([response.status, response.body]).toEqual([
    403,
    { detail: 'You are not allowed to do this.' },
  ])
})

describe('a roll', () => {
  async function setUpRoll() {
    const dojo = await setUpDojo()
    const ids = [dojo.student.id]
    for (const name of ['Mia Chen', 'Aiko Tanaka', 'Noah Lee'])
      ids.push((await server.createStudent(dojo.sensei, { name })).id)
    const saveRoll = (marks: object[]) =>
      dojo.sensei.put('/attendance/roll', {
        class_id: dojo.class_id,
        class_date: '2026-01-02T00:00:00.000Z',
        marks,
      })
    const readSavedMarks = async () =>
      ((await dojo.sensei.get('/attendance')).body as { student_id: string; present: boolean }[])
        .map(({ student_id, present }) => `${ids.indexOf(student_id)} ${present}`)
        .toSorted()
    return { ...dojo, ids, saveRoll, readSavedMarks }
  }

  test('can add, change and remove marks in one request, and keeps all other marks', async () => {
    const { ids, saveRoll, readSavedMarks, sensei, mark } = await setUpRoll()
    await sensei.post('/attendance', { ...mark, student_id: ids[3] })
    const firstReply = await saveRoll(
      ids.slice(0, 3).map((student_id) => ({ student_id, present: true })),
    )
    const fieldCounts = firstReply.body.map((record: object) => Object.keys(record).length)
    expect([firstReply.status, fieldCounts]).toEqual([200, [10, 10, 10]])
    const [firstId, secondId] = ids
    const changes = [
      { student_id: firstId, present: false },
      { student_id: secondId, present: null },
    ]
    const secondReply = await saveRoll(changes)
    expect(secondReply.body).toEqual([
      {
        ...firstReply.body.find((record: typeof mark) => record.student_id === firstId),
        present: false,
      },
    ])
    expect(await readSavedMarks()).toEqual(['0 false', '2 true', '3 true'])
    expect((await saveRoll(changes)).body).toEqual(secondReply.body)
    expect(await readSavedMarks()).toEqual(['0 false', '2 true', '3 true'])
  })

  test('changes nothing if a student or class belongs to another dojo', async () => {
    const { ids, saveRoll, readSavedMarks, sensei } = await setUpRoll()
    const otherDojo = await setUpDojo()
    await saveRoll([{ student_id: ids[0], present: true }])
    const response = await saveRoll([
      { student_id: ids[0], present: null },
      { student_id: ids[1], present: true },
      { student_id: otherDojo.student.id, present: null },
    ])
    const classReply = await sensei.put('/attendance/roll', {
      class_id: otherDojo.class_id,
      class_date: '2026-01-02',
      marks: [],
    })
    expect([response, classReply].map(({ status, body }) => [status, body.detail])).toEqual([
      [404, 'Student not found'],
      [404, 'Class not found'],
    ])
    expect(await readSavedMarks()).toEqual(['0 true'])
  })

  test('replaces only marks that the instructor saw, and returns newer ones instead', async () => {
    const { ids, saveRoll, readSavedMarks } = await setUpRoll()
    const [ken, mia, aiko, noah] = ids
    await saveRoll([
      { student_id: ken, present: false },
      { student_id: mia, present: true },
    ])
    const response = await saveRoll([
      { student_id: ken, present: true, replaces: [null] },
      { student_id: mia, present: null, replaces: [false] },
      { student_id: aiko, present: true, replaces: [false] },
      { student_id: noah, present: false, replaces: [null] },
    ])
    const currentMarks = (response.body as { student_id: string; present: boolean }[]).map(
      (record) => `${ids.indexOf(record.student_id)} ${record.present}`,
    )
    expect(currentMarks.toSorted()).toEqual(['0 false', '1 true', '3 false'])
    expect(await readSavedMarks()).toEqual(['0 false', '1 true', '3 false'])
    await saveRoll([
      { student_id: ken, present: true, replaces: [null, false] },
      { student_id: mia, present: true, replaces: [] },
      { student_id: aiko, present: true },
      { student_id: noah, present: null, replaces: [false] },
    ])
    expect(await readSavedMarks()).toEqual(['0 true', '1 true', '2 true'])
  })

  test('keeps one of two marks sent at the same time, and returns it to both requests', async () => {
    const { ids, saveRoll, readSavedMarks } = await setUpRoll()
    for (const student_id of ids) {
      const replies = await Promise.all(
        [true, false].map((present) => saveRoll([{ student_id, present, replaces: [null] }])),
      )
      const marks = replies.map(({ body }) => body[0].present as boolean)
      expect(marks[0]).toBe(marks[1])
      expect(await readSavedMarks()).toContain(`${ids.indexOf(student_id)} ${marks[0]}`)
    }
  })

  test('stores each mark once if several requests send them in different orders', async () => {
    const { ids, saveRoll, readSavedMarks } = await setUpRoll()
    const marks = ids.map((student_id) => ({ student_id, present: true }))
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => saveRoll(index % 2 ? marks : marks.toReversed())),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await readSavedMarks()).toEqual(['0 true', '1 true', '2 true', '3 true'])
  })

  test.each([
    [[{ student_id: 'x', present: true }], 'Student is not valid'],
    [[{ student_id: '00000000-0000-4000-8000-000000000000' }], 'Present is required'],
    [
      [true, false].map((present) => ({
        student_id: '00000000-0000-4000-8000-000000000000',
        present,
      })),
      'Each student can be marked once',
    ],
    ['all', 'Marks must be a list'],
  ])('refuses %j', async (marks, detail) => {
    const { saveRoll } = await setUpRoll()
    const response = await saveRoll(marks as object[])
    expect([response.status, response.body.detail]).toEqual([422, detail])
  })
})

test('returns 404 for a student or class of another dojo, and stores nothing', async () => {
  const ownDojo = await setUpDojo()
  const otherDojo = await setUpDojo()
  const studentReply = await ownDojo.sensei.post('/attendance', {
    ...ownDojo.mark,
    student_id: otherDojo.student.id,
  })
  const classReply = await ownDojo.sensei.post('/attendance', {
    ...ownDojo.mark,
    class_id: otherDojo.class_id,
  })
  expect([studentReply, classReply].map(({ status, body }) => [status, body.detail])).toEqual([
    [404, 'Student not found'],
    [404, 'Class not found'],
  ])
  expect((await ownDojo.sensei.get('/attendance')).body).toEqual([])
})

test('lists marks by class, day or student, newest day first, in pages', async () => {
  const { sensei, student, class_id, mark } = await setUpDojo()
  const otherClass = await server.createClass(sensei)
  for (const day of ['2026-01-05', '2026-01-01', '2026-01-03'])
    await sensei.post('/attendance', { ...mark, class_date: day })
  await sensei.post('/attendance', { ...mark, class_id: otherClass.id, class_date: '2026-01-04' })
  const readDays = async (query: string) =>
    ((await sensei.get(`/attendance?${query}`)).body as { class_date: string }[]).map(
      ({ class_date }) => class_date.slice(8, 10),
    )
  expect(await readDays('')).toEqual(['05', '04', '03', '01'])
  expect(await readDays(`class_id=${class_id}`)).toEqual(['05', '03', '01'])
  expect(await readDays('class_date=2026-01-03')).toEqual(['03'])
  expect(await readDays(`student_id=${student.id}&limit=2`)).toEqual(['05', '04'])
  const [, lastRecord] = (await sensei.get('/attendance?limit=2')).body
  expect(await readDays(`limit=2&before=${lastRecord.id}`)).toEqual(['03', '01'])
})

test.each([
  [{ student_id: 'x' }, 'Student is not valid'],
  [{ class_id: undefined }, 'Class is not valid'],
  [{ class_date: 'yesterday' }, 'Class date must be an ISO date-time'],
  [{ class_date: '2026-02-30T00:00:00.000Z' }, 'Class date must be an ISO date-time'],
  [{ present: 'yes' }, 'Present is not valid'],
])('refuses a malformed mark %j', async (overrides, detail) => {
  const { sensei, mark } = await setUpDojo()
  const response = await sensei.post('/attendance', { ...mark, ...overrides })
  expect([response.status, response.body.detail]).toEqual([422, detail])
})
