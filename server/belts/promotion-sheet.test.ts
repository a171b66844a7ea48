import type { PromotionPreview, RankActEntry } from '@tatami/contract/belts/promotions'
import type { ReadyStudent } from '@tatami/contract/belts/readiness'
import { describe, expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

async function dojoWithFamily() {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei, { name: 'Ken Adams', belt_level: 'white' })
  const child = await server.createStudent(sensei, { name: 'Ana Adams', belt_level: 'yellow' })
  const ready = async (): Promise<ReadyStudent[]> =>
    (await sensei.get('/belts/ready')).body.students
  const promotions = (await ready()).map(({ student_id, next }) => ({
    student_id,
    rank_id: next!.id,
  }))
  return { sensei, student, child, promotions, ready }
}

const beltNotices = async ({ get }: { get: (path: string) => Promise<{ body: unknown }> }) =>
  ((await get('/notifications')).body as { id: string; title: string; message: string }[]).filter(
    ({ title }) => title === 'New belt',
  )

test('the preview names students, new ranks and who is notified, and changes nothing', async () => {
  const { sensei, student, child, promotions, ready } = await dojoWithFamily()
  const readyBefore = await ready()
  const preview = await sensei.post('/promotions/preview', { promotions })
  expect(preview.body as PromotionPreview).toEqual({
    students: [
      {
        student_id: child.id,
        name: 'Ana Adams',
        from: expect.objectContaining({ name: 'Yellow' }),
        to: expect.objectContaining({ name: 'Orange' }),
        told: ['Ana Adams'],
      },
      {
        student_id: student.id,
        name: 'Ken Adams',
        from: expect.objectContaining({ name: 'White' }),
        to: expect.objectContaining({ name: 'Yellow' }),
        told: ['Ken Adams'],
      },
    ],
  })
  expect(await ready()).toEqual(readyBefore)
  expect(await beltNotices(student)).toEqual([])
  expect((await sensei.get('/promotions/acts')).body).toEqual({ acts: [] })
})

test('the preview refuses what the promotion would refuse', async () => {
  const { sensei, promotions } = await dojoWithFamily()
  const form = { promotions, given_on: '2999-01-01' }
  const preview = await sensei.post('/promotions/preview', form)
  const promoteReply = await sensei.post('/promotions', form)
  expect([preview.status, preview.body]).toEqual([422, promoteReply.body])
})

test('undoes an act with its certificates, and marks it as corrected in the list', async () => {
  const { sensei, student, promotions, ready } = await dojoWithFamily()
  const ranksBefore = (await ready()).map(({ student_id, rank }) => [student_id, rank.name])
  const { body } = await sensei.post('/promotions', { promotions })
  const acts = async (): Promise<RankActEntry[]> => (await sensei.get('/promotions/acts')).body.acts
  const correctedFlags = async () =>
    (await acts())[0]!.students.map(({ is_corrected }) => is_corrected)
  expect(await acts()).toMatchObject([
    { act_id: body.act_id, students: [{ name: 'Ana Adams' }, { name: 'Ken Adams' }] },
  ])
  expect(await correctedFlags()).toEqual([false, false])
  expect(await beltNotices(student)).toHaveLength(1)
  const certificates = () => sensei.post(`/promotions/acts/${body.act_id}/certificates`)
  expect((await certificates()).status).toBe(200)
  await sensei.post(`/promotions/acts/${body.act_id}/undo`)
  expect(await correctedFlags()).toEqual([true, true])
  expect((await ready()).map(({ student_id, rank }) => [student_id, rank.name])).toEqual(
    ranksBefore,
  )
  expect((await certificates()).status).toBe(409)
})

describe('undoing ranks removes their notifications', () => {
  test('of the whole act, read or not, and no others', async () => {
    const { sensei, student, child, promotions } = await dojoWithFamily()
    const mother = await server.createGuardian(sensei, [child])
    const isForStudent = ({ student_id }: { student_id: string }) => student_id === student.id
    await sensei.post('/promotions', { promotions: promotions.filter(isForStudent) })
    const rank_id = promotions.find((promotion) => !isForStudent(promotion))?.rank_id
    const { body } = await sensei.post('/promotions', {
      promotions: [student.id, child.id].map((student_id) => ({ student_id, rank_id })),
    })
    expect(await beltNotices(student)).toHaveLength(2)
    const [read] = await beltNotices(mother)
    await mother.put(`/notifications/${read!.id}/mark-read`)
    await sensei.post(`/promotions/acts/${body.act_id}/undo`)
    expect((await beltNotices(student)).map(({ message }) => message)).toEqual([
      'You now wear the yellow belt.',
    ])
    expect(await beltNotices(child)).toEqual([])
    expect(await beltNotices(mother)).toEqual([])
    expect((await mother.get('/notifications/unread-count')).body).toEqual({ unread_count: 0 })
  })

  test('for one student of an act', async () => {
    const { sensei, student, child, promotions } = await dojoWithFamily()
    const { body } = await sensei.post('/promotions', { promotions })
    const { promotion_id } = body.students.find(
      (promotedStudent: { student_id: string }) => promotedStudent.student_id === child.id,
    )
    await sensei.post(`/promotions/${promotion_id}/undo`)
    expect(await beltNotices(child)).toEqual([])
    expect(await beltNotices(student)).toHaveLength(1)
  })
})

test('acts of another dojo are neither listed nor printed', async () => {
  const { sensei, promotions } = await dojoWithFamily()
  const { body } = await sensei.post('/promotions', { promotions })
  const stranger = await server.createSensei()
  expect((await stranger.get('/promotions/acts')).body).toEqual({ acts: [] })
  expect((await stranger.post(`/promotions/acts/${body.act_id}/certificates`)).status).toBe(404)
})
