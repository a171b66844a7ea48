import { BELTS } from '@tatami/contract/lib/ranks'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { dojoIdOf } from '../test/fixtures.ts'
import {
  createGradingDojo,
  type ResponseRow,
  TEST_DAY,
  setClockToNoon,
  TODAY,
} from '../test/grading-dojo.ts'
import { startTestServer } from '../test/test-server.ts'
import { startTestWorker } from '../test/texting-worker.ts'
import { readPdfText } from '../test/pdf-text.ts'

const server = await startTestServer()
afterAll(
  startTestWorker(server, {
    publicUrl: 'http://localhost',
    smsProvider: 'simulator',
    smsPerSecond: 1000,
  }),
)
beforeEach(() => setClockToNoon(TODAY))
const setUpDojo = () => createGradingDojo(server)

/** Plans a grading, invites the students, and records that Leo and Zoë pass and Mia fails. */
async function holdGrading() {
  const dojo = await setUpDojo()
  const { sensei, leo, mia, zoe, plan, invite } = dojo
  const { id } = (await plan()).body as { id: string }
  await invite(id, [leo, mia, zoe])
  setClockToNoon(TEST_DAY)
  const results = [
    { student_id: leo.id, result: 'pass' },
    { student_id: mia.id, result: 'fail' },
    { student_id: zoe.id, result: 'pass' },
  ]
  const resultsReply = await sensei.put(`/gradings/${id}/results`, { results })
  return { ...dojo, id, resultsReply }
}

describe('a belt test', () => {
  test('charges invited students, notifies them and records their answers', async () => {
    const { sensei, phone, leo, mia, zoe, ann, plan, invite, readCharges, textSchool } =
      await setUpDojo()
    const { body: plannedGrading } = await plan()
    const { id } = plannedGrading
    expect(plannedGrading).toMatchObject({
      state: 'draft',
      counts: { candidates: 3, invited: 0 },
      fee: 40,
    })
    expect(plannedGrading.candidates[0]).toMatchObject({
      name: 'Leo Chen',
      from_rank: { name: 'White' },
      to_rank: { name: 'Yellow' },
      fee: 40,
      fee_state: 'none',
    })

    const { status, body } = await invite(
      id,
      [leo, mia, zoe],
      'Hi {name}, grading on March 12. Reply COMING or NOT COMING.',
    )
    expect([status, body.texts.total_recipients, body.grading.state]).toEqual([200, 3, 'open'])
    // Leo and Mia have the same guardian, who gets one notice, and share a phone, which gets one
    // text.
    const notices = (await ann.get('/notifications')).body.filter(
      (notice: ResponseRow) => notice.title === 'Spring grading',
    )
    expect(notices.map((notice: ResponseRow) => notice.message)).toEqual([
      'Leo and Mia: invited to the belt test on Friday, March 12 at 6:30 PM, Main hall. ' +
        'Please answer by Friday, March 12.',
    ])
    expect(
      (await readCharges(leo)).map((charge: ResponseRow) => [
        charge.amount,
        charge.owed,
        charge.note,
      ]),
    ).toEqual([[40, 40, 'Spring grading']])

    expect((await ann.get('/my/gradings')).body).toMatchObject([
      { student_name: 'Leo Chen', answer: 'none', may_answer: true, fee: null },
      { student_name: 'Mia Chen', answer: 'none', may_answer: true },
    ])
    expect((await ann.put(`/gradings/${id}/answers/${leo.id}`, { answer: 'no' })).body).toEqual({
      success: true,
    })
    expect(await textSchool(phone, 'Coming.')).toBe(
      'Leo and Mia are signed up for the belt test on March 12.',
    )
    expect((await zoe.put(`/gradings/${id}/answers/${zoe.id}`, { answer: 'yes' })).status).toBe(200)
    expect((await sensei.get('/gradings')).body).toMatchObject([
      { id, counts: { candidates: 3, invited: 3, yes: 3, no: 0 } },
    ])
  })

  test('accepts no answers after the first result, and promotes students only once', async () => {
    const { sensei, leo, mia, zoe, ann, id, resultsReply, readCandidate, readBelt } =
      await holdGrading()
    expect(resultsReply.body).toMatchObject({ state: 'closed', counts: { passed: 2 } })
    expect((await ann.put(`/gradings/${id}/answers/${leo.id}`, { answer: 'no' })).status).toBe(409)
    const finishReplies = await Promise.all(
      [1, 2, 3].map(() => sensei.post(`/gradings/${id}/finish`)),
    )
    expect(
      finishReplies.map((response) => [
        response.status,
        response.body.promoted,
        response.body.grading.state,
      ]),
    ).toEqual([1, 2, 3].map(() => [200, 2, 'finished']))
    expect(await readBelt(leo)).toBe('yellow')
    expect(await readCandidate(id, leo)).toMatchObject({
      from_rank: { name: 'White' },
      result: 'pass',
      promotion_id: expect.any(String) as string,
    })
    expect((await readCandidate(id, mia)).promotion_id).toBe(null)
    const { rows: changes } = await server.db.inDojo(await dojoIdOf(server.db, sensei.id), (tx) =>
      tx.execute<{ student_id: string }>(
        `select student_id, act_id, given_on::text, examiner
          from belt_changes where kind <> 'start'`,
      ),
    )
    expect(changes.map((change) => change.student_id).toSorted()).toEqual(
      [leo.id, zoe.id].toSorted(),
    )
    expect(changes[0]).toMatchObject({ given_on: TEST_DAY, examiner: 'Kenji Sato' })
  })

  test('prints numbered certificates, which anyone can check and which an undo revokes', async () => {
    const { sensei, leo, id, readCandidate, readBelt } = await holdGrading()
    await sensei.post(`/gradings/${id}/finish`)
    const { promotion_id: promotionId } = await readCandidate(id, leo)
    const file = await sensei.post(`/gradings/${id}/certificates`)
    expect([file.status, file.headers['content-type']]).toEqual([200, 'application/pdf'])
    const [firstPage, secondPage] = await readPdfText(file.body)
    for (const text of [
      'Cedar Park Judo',
      'Leo Chen',
      'Yellow belt',
      'March 12, 2027',
      'Kenji Sato',
      'Aiko Tanaka',
      'No. 2027-1',
    ])
      expect(firstPage).toContain(text)
    for (const text of ['Zoë Łukasz', 'No. 2027-2']) expect(secondPage).toContain(text)
    const code = /certificate\/([\w-]{22})/.exec(firstPage!)![1]
    // A promotion keeps its certificate number.
    const secondFile = await sensei.post(`/promotions/${promotionId}/certificate`)
    expect([
      secondFile.headers['content-disposition'],
      (await readPdfText(secondFile.body)).length,
    ]).toEqual(['attachment; filename="certificate-2027-1.pdf"', 1])

    const checkCertificate = () => server.anonymous.get(`/certificates/${code}`)
    expect((await checkCertificate()).body).toEqual({
      state: 'valid',
      number: '2027-1',
      rank: expect.objectContaining({ name: 'Yellow', colours: ['yellow'] }),
      given_on: TEST_DAY,
    })
    expect((await sensei.post(`/promotions/${promotionId}/undo`)).status).toBe(200)
    expect((await checkCertificate()).body).toMatchObject({ state: 'revoked', number: '2027-1' })
    expect((await sensei.post(`/promotions/${promotionId}/certificate`)).status).toBe(409)
    expect((await sensei.post(`/gradings/${id}/finish`)).body).toMatchObject({ promoted: 2 })
    expect(await readBelt(leo)).toBe('white')
    // Zoë kept the rank, so she still gets a certificate. Leo’s number is not used again.
    const lastFile = await sensei.post(`/gradings/${id}/certificates`)
    expect((await readPdfText(lastFile.body))[0]).toContain('No. 2027-2')
    expect((await server.anonymous.get(`/certificates/${'A'.repeat(22)}`)).status).toBe(404)
  })

  test('cannot be finished before its day, or changed after it is finished', async () => {
    const { sensei, leo, plan, invite } = await setUpDojo()
    const { id } = (await plan()).body
    const earlyReply = await sensei.post(`/gradings/${id}/finish`)
    expect([earlyReply.status, earlyReply.body.detail]).toEqual([
      409,
      'This belt test is on Friday, March 12. You can finish it from that day on.',
    ])
    setClockToNoon(TEST_DAY)
    expect((await sensei.post(`/gradings/${id}/finish`)).body).toMatchObject({
      promoted: 0,
      grading: { state: 'finished' },
    })
    const form = { name: 'Another', held_on: TEST_DAY, fee: null }
    const responses = [
      await sensei.put(`/gradings/${id}`, form),
      await sensei.put(`/gradings/${id}/candidates`, { remove: [leo.id] }),
      await sensei.put(`/gradings/${id}/results`, {
        results: [{ student_id: leo.id, result: 'pass' }],
      }),
      await sensei.put(`/gradings/${id}/answers/${leo.id}`, { answer: 'yes' }),
      await invite(id, [leo]),
      await sensei.delete(`/gradings/${id}`),
    ]
    expect(responses.map((response) => response.body.detail)).toEqual(
      Array(6).fill('This belt test is finished.'),
    )
  })

  test('gives stripes for partial passes, and nothing to absent students', async () => {
    const { sensei, leo, mia, zoe, rankIds, plan, readCandidate } = await setUpDojo()
    await server.db.inDojo(await dojoIdOf(server.db, sensei.id), (tx) =>
      tx.execute(`update ranks set stripes = 2 where id = '${rankIds.white}'`),
    )
    const { id } = (await plan()).body
    setClockToNoon(TEST_DAY)
    const recordResult = (student: { id: string }, result: string | null, stripes_given?: number) =>
      sensei.put(`/gradings/${id}/results`, {
        results: [{ student_id: student.id, result, stripes_given, note: 'Good kihon' }],
      })
    expect((await recordResult(leo, 'partial', 3)).body.detail).toBe(
      'White can’t have that many stripes.',
    )
    await recordResult(leo, 'partial', 2)
    await recordResult(mia, 'absent')
    await recordResult(zoe, 'pass')
    // Removing a result keeps the note.
    const { body } = await sensei.put(`/gradings/${id}/results`, {
      results: [{ student_id: zoe.id, result: null }],
    })
    expect(
      body.candidates.find((candidate: ResponseRow) => candidate.student_id === zoe.id),
    ).toMatchObject({ result: null, note: 'Good kihon' })
    expect((await sensei.post(`/gradings/${id}/finish`)).body.promoted).toBe(0)
    expect(await readCandidate(id, leo)).toMatchObject({
      from_rank: { stripes: 0 },
      stripes_given: 2,
      promotion_id: null,
    })
    const { rows } = await server.db.inDojo(await dojoIdOf(server.db, sensei.id), (tx) =>
      tx.execute(`select student_id, kind, stripes from belt_changes where kind <> 'start'`),
    )
    expect(rows).toEqual([{ student_id: leo.id, kind: 'stripe', stripes: 2 }])
  })

  test('refuses ranks of other styles and dojos, and candidates of other dojos', async () => {
    const { sensei, leo, rankIds, plan } = await setUpDojo()
    const otherDojo = await setUpDojo()
    const { id } = (await plan()).body
    const add = (student_id: string, to_rank_id: string | undefined) =>
      sensei.put(`/gradings/${id}/candidates`, { add: [{ student_id, to_rank_id }] })
    expect((await add(leo.id, otherDojo.rankIds.yellow)).body.detail).toBe('Rank not found')
    expect((await add(otherDojo.leo.id, rankIds.yellow)).body.detail).toBe('Student not found')
    for (const request of [
      otherDojo.sensei.get(`/gradings/${id}`),
      otherDojo.sensei.delete(`/gradings/${id}`),
      otherDojo.sensei.post(`/gradings/${id}/finish`),
      otherDojo.invite(id, [otherDojo.leo]),
      otherDojo.ann.put(`/gradings/${id}/answers/${leo.id}`, { answer: 'yes' }),
    ])
      expect((await request).status).toBe(404)
    expect((await otherDojo.sensei.get('/gradings')).body).toEqual([])
    expect((await sensei.get(`/gradings/${id}`)).body.candidates).toHaveLength(3)
    expect(
      (
        await sensei.put(`/gradings/${id}`, {
          name: 'X',
          held_on: TEST_DAY,
          fee: null,
          answer_until: '2027-03-13',
        })
      ).status,
    ).toBe(422)
    // The test dojo has a rank for each of the seven belts.
    expect(BELTS.map((belt) => typeof rankIds[belt])).toEqual(BELTS.map(() => 'string'))
  })
})
