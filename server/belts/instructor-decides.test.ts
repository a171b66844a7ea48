import type { Ladder, Style } from '@tatami/contract/belts/belts'
import type { ReadyStudent } from '@tatami/contract/belts/readiness'
import { beforeEach, expect, test } from 'vitest'
import { createDefaultBelts } from '../test/belt-dojo.ts'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
beforeEach(() => setClock('2027-03-01T18:00:00Z'))

async function setUpDojo() {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei, { name: 'Ken Adams', belt_level: 'white' })
  await createDefaultBelts(server.db, sensei.dojoId)
  const readLadder = async (): Promise<Ladder> => {
    const [style] = (await sensei.get('/belts')).body.styles as Style[]
    return style!.ladders[0]!
  }
  return {
    sensei,
    student,
    readStudent: async (day = ''): Promise<ReadyStudent> =>
      (await sensei.get(`/belts/ready${day && `?on=${day}`}`)).body.students[0],
    promoteTo: async (name: string) => {
      const rank = (await readLadder()).ranks.find((ladderRank) => ladderRank.name === name)!
      const promotions = [{ student_id: student.id, rank_id: rank.id }]
      return sensei.post('/promotions', { promotions })
    },
    /** Makes every rank require an approval. */
    requireApproval: async () => {
      const { id, ranks, ...form } = await readLadder()
      const changedRanks = ranks.map(({ students: _, ...rank }) => ({
        ...rank,
        needs_approval: true,
      }))
      return sensei.put(`/ladders/${id}`, { ...form, ranks: changedRanks })
    },
    approve: async () => {
      const { next } = (await sensei.get('/belts/ready')).body.students[0]
      return sensei.put(`/students/${student.id}/approvals/${next.id}`, { approved: true })
    },
  }
}

test('leaves the decision to the instructor if the rank has no requirements', async () => {
  const { sensei, student, readStudent, approve } = await setUpDojo()
  const expectedReadiness = {
    readiness: 'instructor_decides',
    instructor_decides: true,
    missing: [],
  }
  expect(await readStudent()).toMatchObject(expectedReadiness)
  expect(await readStudent('2028-03-01')).toMatchObject(expectedReadiness)
  await approve()
  expect(await readStudent()).toMatchObject(expectedReadiness)
  const progress = { next: { name: 'Yellow' }, instructor_decides: true, missing: [] }
  expect((await sensei.get(`/students/${student.id}/belts`)).body.styles[0]).toMatchObject(progress)
  expect((await student.get('/my/belts')).body.students[0].styles[0]).toMatchObject(progress)
})

test('lists students who meet the requirements as ready, except on a promotion day', async () => {
  const { readStudent, promoteTo, requireApproval, approve } = await setUpDojo()
  await requireApproval()
  await approve()
  expect(await readStudent()).toMatchObject({ readiness: 'ready', instructor_decides: false })
  await promoteTo('Yellow')
  await approve()
  expect(await readStudent()).toMatchObject({
    readiness: 'promoted',
    next: { name: 'Orange' },
    missing: [{ rule: 'months', short_by: 1, until: '2027-03-02' }],
  })
  setClock('2027-03-02T18:00:00Z')
  expect(await readStudent()).toMatchObject({ readiness: 'ready', missing: [] })
})

test('lists students as promoted on that day, even without requirements', async () => {
  const { readStudent, promoteTo } = await setUpDojo()
  await promoteTo('Yellow')
  expect(await readStudent()).toMatchObject({ readiness: 'promoted', instructor_decides: true })
  setClock('2027-03-02T18:00:00Z')
  expect(await readStudent()).toMatchObject({ readiness: 'instructor_decides' })
})
