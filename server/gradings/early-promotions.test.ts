import { beforeEach, expect, test } from 'vitest'
import {
  createGradingDojo,
  type ResponseRow,
  setClockToNoon,
  TEST_DAY,
  TODAY,
} from '../test/grading-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
beforeEach(() => setClockToNoon(TODAY))

test('does not promote a candidate who already got the rank before the belt test', async () => {
  const {
    sensei,
    leo,
    mia,
    zoe,
    ann,
    rankIds,
    plan,
    invite,
    readCandidate,
    readBelt,
    readCharges,
  } = await createGradingDojo(server)
  const { id } = (await plan()).body
  await invite(id, [leo, mia, zoe])
  const promotions = [
    { student_id: leo.id, rank_id: rankIds.yellow },
    { student_id: mia.id, rank_id: rankIds.orange },
  ]
  expect((await sensei.post('/promotions/preview', { promotions })).body.belt_tests).toEqual([
    { held_on: TEST_DAY, names: ['Leo Chen', 'Mia Chen'] },
  ])
  expect((await ann.get('/my/gradings')).body).toHaveLength(2)
  const promotion = (await sensei.post('/promotions', { promotions })).body

  expect((await ann.get('/my/gradings')).body).toEqual([])
  expect((await zoe.get('/my/gradings')).body).toHaveLength(1)
  expect((await readCandidate(id, leo)).has_rank).toBe(true)
  expect(await readCandidate(id, mia)).toMatchObject({ has_rank: true, fee: 40, fee_state: 'due' })
  expect((await readCandidate(id, zoe)).has_rank).toBe(false)

  setClockToNoon(TEST_DAY)
  const results = [leo, mia, zoe].map((student) => ({ student_id: student.id, result: 'pass' }))
  await sensei.put(`/gradings/${id}/results`, { results })
  expect((await sensei.post(`/gradings/${id}/finish`)).body.promoted).toBe(1)
  expect([await readBelt(leo), await readBelt(mia), await readBelt(zoe)]).toEqual([
    'yellow',
    'orange',
    'yellow',
  ])
  expect((await readCharges(mia)).map((charge: ResponseRow) => charge.owed)).toEqual([40])
  expect((await readCandidate(id, mia)).has_rank).toBe(true)
  expect((await readCandidate(id, zoe)).has_rank).toBe(false)
  expect((await sensei.get('/promotions/acts')).body.acts).toHaveLength(2)
  expect(promotion.students).toHaveLength(2)
})

test('does not invite, charge or count candidates who already have the rank', async () => {
  const { sensei, leo, mia, zoe, rankIds, plan, invite, readCandidate, readCharges } =
    await createGradingDojo(server)
  const { id } = (await plan()).body
  await invite(id, [mia])
  await sensei.put(`/gradings/${id}/answers/${mia.id}`, { answer: 'yes' })
  const readCounts = async () =>
    (await sensei.get('/gradings')).body.find((grading: ResponseRow) => grading.id === id).counts
  expect(await readCounts()).toMatchObject({ candidates: 3, yes: 1, unanswered: 2 })
  const promotions = [leo, mia].map((student) => ({
    student_id: student.id,
    rank_id: rankIds.yellow,
  }))
  await sensei.post('/promotions', { promotions })

  const counts = { candidates: 3, invited: 1, yes: 0, no: 0, unanswered: 1, passed: 0 }
  expect(await readCounts()).toEqual(counts)
  expect((await sensei.get(`/gradings/${id}`)).body.counts).toEqual(counts)
  expect(await invite(id, [leo, zoe])).toMatchObject({
    status: 409,
    body: { detail: 'Leo already has this belt. No one was invited.' },
  })
  expect(await invite(id, [leo, mia])).toMatchObject({
    status: 409,
    body: { detail: 'Leo and Mia already have this belt. No one was invited.' },
  })
  expect([await readCharges(leo), await readCharges(zoe)]).toEqual([[], []])
  expect((await readCandidate(id, zoe)).invited_at).toBeNull()
  expect((await invite(id, [zoe])).status).toBe(200)
})

test('restores the invitation when the promotion is undone', async () => {
  const { sensei, leo, ann, rankIds, plan, invite, readCandidate } = await createGradingDojo(server)
  const { id } = (await plan()).body
  await invite(id, [leo])
  const promotions = [{ student_id: leo.id, rank_id: rankIds.yellow }]
  const { act_id } = (await sensei.post('/promotions', { promotions })).body
  expect((await ann.get('/my/gradings')).body).toEqual([])
  await sensei.post(`/promotions/acts/${act_id}/undo`)
  expect((await ann.get('/my/gradings')).body).toHaveLength(1)
  expect((await readCandidate(id, leo)).has_rank).toBe(false)
})
