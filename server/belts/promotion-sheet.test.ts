import type { PromotionPreview, PromotionBatch } from '@tatami/contract/belts/promotions'
import type { ReadyStudent } from '@tatami/contract/belts/readiness'
import { describe, expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

async function setUpDojo() {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei, { name: 'Ken Adams', belt_level: 'white' })
  const child = await server.createStudent(sensei, { name: 'Ana Adams', belt_level: 'yellow' })
  const readReadyStudents = async (): Promise<ReadyStudent[]> =>
    (await sensei.get('/belts/ready')).body.students
  const promotions = (await readReadyStudents()).map(({ student_id, next }) => ({
    student_id,
    rank_id: next!.id,
  }))
  return { sensei, student, child, promotions, readReadyStudents }
}

type Notice = { id: string; title: string; message: string }
type Client = { get: (path: string) => Promise<{ body: unknown }> }

async function readBeltNotices({ get }: Client): Promise<Notice[]> {
  const notices = (await get('/notifications')).body as Notice[]
  return notices.filter(({ title }) => title === 'New belt')
}

test('previews who gets which rank and who is notified, without changing anything', async () => {
  const { sensei, student, child, promotions, readReadyStudents } = await setUpDojo()
  const readyStudents = await readReadyStudents()
  const preview = await sensei.post('/promotions/preview', { promotions })
  expect(preview.body as PromotionPreview).toEqual({
    belt_tests: [],
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
  expect(await readReadyStudents()).toEqual(readyStudents)
  expect(await readBeltNotices(student)).toEqual([])
  expect((await sensei.get('/promotions/acts')).body).toEqual({ acts: [] })
})

test('refuses a preview with the same message as the promotion', async () => {
  const { sensei, promotions } = await setUpDojo()
  const form = { promotions, given_on: '2999-01-01' }
  const preview = await sensei.post('/promotions/preview', form)
  const promoteReply = await sensei.post('/promotions', form)
  expect([preview.status, preview.body]).toEqual([422, promoteReply.body])
})

test('undoes a batch of promotions, revokes its certificates and lists it as corrected', async () => {
  const { sensei, student, promotions, readReadyStudents } = await setUpDojo()
  const ranksBefore = (await readReadyStudents()).map(({ student_id, rank }) => [
    student_id,
    rank.name,
  ])
  const { body } = await sensei.post('/promotions', { promotions })
  const readBatches = async (): Promise<PromotionBatch[]> =>
    (await sensei.get('/promotions/acts')).body.acts
  const readCorrectedFlags = async () =>
    (await readBatches())[0]!.students.map(({ is_corrected }) => is_corrected)
  expect(await readBatches()).toMatchObject([
    { act_id: body.act_id, students: [{ name: 'Ana Adams' }, { name: 'Ken Adams' }] },
  ])
  expect(await readCorrectedFlags()).toEqual([false, false])
  expect(await readBeltNotices(student)).toHaveLength(1)
  const printCertificates = () => sensei.post(`/promotions/acts/${body.act_id}/certificates`)
  expect((await printCertificates()).status).toBe(200)
  await sensei.post(`/promotions/acts/${body.act_id}/undo`)
  expect(await readCorrectedFlags()).toEqual([true, true])
  expect(
    (await readReadyStudents()).map(({ student_id, rank }) => [student_id, rank.name]),
  ).toEqual(ranksBefore)
  expect((await printCertificates()).status).toBe(409)
})

describe('undoing promotions', () => {
  test('removes the notifications of all promotions in the batch, including those already read', async () => {
    const { sensei, student, child, promotions } = await setUpDojo()
    const mother = await server.createGuardian(sensei, [child])
    await sensei.post('/promotions', {
      promotions: promotions.filter(({ student_id }) => student_id === student.id),
    })
    const rank_id = promotions.find(({ student_id }) => student_id === child.id)?.rank_id
    const { body } = await sensei.post('/promotions', {
      promotions: [student.id, child.id].map((student_id) => ({ student_id, rank_id })),
    })
    expect(await readBeltNotices(student)).toHaveLength(2)
    const [readNotice] = await readBeltNotices(mother)
    await mother.put(`/notifications/${readNotice!.id}/mark-read`)
    await sensei.post(`/promotions/acts/${body.act_id}/undo`)
    expect((await readBeltNotices(student)).map(({ message }) => message)).toEqual([
      'You now wear the yellow belt.',
    ])
    expect(await readBeltNotices(child)).toEqual([])
    expect(await readBeltNotices(mother)).toEqual([])
    expect((await mother.get('/notifications/unread-count')).body).toEqual({ unread_count: 0 })
  })

  test('removes only the notifications of the student whose promotion is undone', async () => {
    const { sensei, student, child, promotions } = await setUpDojo()
    const { body } = await sensei.post('/promotions', { promotions })
    const { promotion_id } = body.students.find(
      (promotedStudent: { student_id: string }) => promotedStudent.student_id === child.id,
    )
    await sensei.post(`/promotions/${promotion_id}/undo`)
    expect(await readBeltNotices(child)).toEqual([])
    expect(await readBeltNotices(student)).toHaveLength(1)
  })
})

test('neither lists nor prints the promotions of another dojo', async () => {
  const { sensei, promotions } = await setUpDojo()
  const { body } = await sensei.post('/promotions', { promotions })
  const otherSensei = await server.createSensei()
  expect((await otherSensei.get('/promotions/acts')).body).toEqual({ acts: [] })
  expect((await otherSensei.post(`/promotions/acts/${body.act_id}/certificates`)).status).toBe(404)
})
