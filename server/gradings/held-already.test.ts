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

test('does not test or promote a candidate who was given the rank meanwhile', async () => {
  const { sensei, leo, mia, zoe, ann, rankOf, plan, invite, rowOf, beltOf, chargesOf } =
    await createGradingDojo(server)
  const { id } = (await plan()).body
  await invite(id, [leo, mia, zoe])
  const promotions = [
    { student_id: leo.id, rank_id: rankOf.yellow },
    { student_id: mia.id, rank_id: rankOf.orange },
  ]
  expect((await sensei.post('/promotions/preview', { promotions })).body.belt_tests).toEqual([
    { held_on: TEST_DAY, names: ['Leo Chen', 'Mia Chen'] },
  ])
  expect((await ann.get('/my/gradings')).body).toHaveLength(2)
  const promotion = (await sensei.post('/promotions', { promotions })).body

  expect((await ann.get('/my/gradings')).body).toEqual([])
  expect((await zoe.get('/my/gradings')).body).toHaveLength(1)
  expect((await rowOf(id, leo)).has_rank).toBe(true)
  expect(await rowOf(id, mia)).toMatchObject({ has_rank: true, fee: 40, fee_state: 'due' })
  expect((await rowOf(id, zoe)).has_rank).toBe(false)

  setClockToNoon(TEST_DAY)
  const results = [leo, mia, zoe].map((student) => ({ student_id: student.id, result: 'pass' }))
  await sensei.put(`/gradings/${id}/results`, { results })
  expect((await sensei.post(`/gradings/${id}/finish`)).body.promoted).toBe(1)
  expect([await beltOf(leo), await beltOf(mia), await beltOf(zoe)]).toEqual([
    'yellow',
    'orange',
    'yellow',
  ])
  expect((await chargesOf(mia)).map((charge: ResponseRow) => charge.owed)).toEqual([40])
  expect((await rowOf(id, mia)).has_rank).toBe(true)
  expect((await rowOf(id, zoe)).has_rank).toBe(false)
  expect((await sensei.get('/promotions/acts')).body.acts).toHaveLength(2)
  expect(promotion.students).toHaveLength(2)
})

test('does not invite, charge or count the answers of who already has the rank', async () => {
  const { sensei, leo, mia, zoe, rankOf, plan, invite, rowOf, chargesOf } =
    await createGradingDojo(server)
  const { id } = (await plan()).body
  await invite(id, [mia])
  await sensei.put(`/gradings/${id}/answers/${mia.id}`, { answer: 'yes' })
  const countsInList = async () =>
    (await sensei.get('/gradings')).body.find((grading: ResponseRow) => grading.id === id).counts
  expect(await countsInList()).toMatchObject({ candidates: 3, yes: 1, unanswered: 2 })
  const promotions = [leo, mia].map((student) => ({
    student_id: student.id,
    rank_id: rankOf.yellow,
  }))
  await sensei.post('/promotions', { promotions })

  const counts = { candidates: 3, invited: 1, yes: 0, no: 0, unanswered: 1, passed: 0 }
  expect(await countsInList()).toEqual(counts)
  expect((await sensei.get(`/gradings/${id}`)).body.counts).toEqual(counts)
  expect(await invite(id, [leo, zoe])).toMatchObject({
    status: 409,
    body: { detail: 'Leo already has this belt. No one was invited.' },
  })
  expect(await invite(id, [leo, mia])).toMatchObject({
    status: 409,
    body: { detail: 'Leo and Mia already have this belt. No one was invited.' },
  })
  expect([await chargesOf(leo), await chargesOf(zoe)]).toEqual([[], []])
  expect((await rowOf(id, zoe)).invited_at).toBeNull()
  expect((await invite(id, [zoe])).status).toBe(200)
})

test('invites again once the promotion is undone', async () => {
  const { sensei, leo, ann, rankOf, plan, invite, rowOf } = await createGradingDojo(server)
  const { id } = (await plan()).body
  await invite(id, [leo])
  const promotions = [{ student_id: leo.id, rank_id: rankOf.yellow }]
  const { act_id } = (await sensei.post('/promotions', { promotions })).body
  expect((await ann.get('/my/gradings')).body).toEqual([])
  await sensei.post(`/promotions/acts/${act_id}/undo`)
  expect((await ann.get('/my/gradings')).body).toHaveLength(1)
  expect((await rowOf(id, leo)).has_rank).toBe(false)
})
