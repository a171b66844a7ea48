import type { Ladder, Style } from '@tatami/contract/belts/belts'
import type { ReadyStudent } from '@tatami/contract/belts/readiness'
import { beforeEach, expect, test } from 'vitest'
import { createDefaultBelts } from '../test/belt-dojo.ts'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
beforeEach(() => setClock('2027-03-01T18:00:00Z'))

async function dojoWithStudent() {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei, { name: 'Ken Adams', belt_level: 'white' })
  await createDefaultBelts(server.db, sensei.dojoId)
  const ladder = async (): Promise<Ladder> => {
    const [style] = (await sensei.get('/belts')).body.styles as Style[]
    return style!.ladders[0]!
  }
  return {
    sensei,
    student,
    listed: async (query = ''): Promise<ReadyStudent> =>
      (await sensei.get(`/belts/ready${query && `?on=${query}`}`)).body.students[0],
    promoteTo: async (name: string) => {
      const rank = (await ladder()).ranks.find((candidate) => candidate.name === name)!
      const promotions = [{ student_id: student.id, rank_id: rank.id }]
      return sensei.post('/promotions', { promotions })
    },
    /** Every rank asks for an approval from now on. */
    askForApproval: async () => {
      const { id, ranks, ...form } = await ladder()
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

test('nobody is ready for a rank without requirements: the instructor decides', async () => {
  const { sensei, student, listed, approve } = await dojoWithStudent()
  const expectedReadiness = {
    readiness: 'instructor_decides',
    instructor_decides: true,
    missing: [],
  }
  expect(await listed()).toMatchObject(expectedReadiness)
  expect(await listed('2028-03-01')).toMatchObject(expectedReadiness)
  await approve()
  expect(await listed()).toMatchObject(expectedReadiness)
  const standing = { next: { name: 'Yellow' }, instructor_decides: true, missing: [] }
  const ofStudent = (await sensei.get(`/students/${student.id}/belts`)).body.styles[0]
  expect(ofStudent).toMatchObject(standing)
  expect((await student.get('/my/belts')).body.students[0].styles[0]).toMatchObject(standing)
})

test('a student who meets the requirements is ready, but not on the promotion day', async () => {
  const { listed, promoteTo, askForApproval, approve } = await dojoWithStudent()
  await askForApproval()
  await approve()
  expect(await listed()).toMatchObject({ readiness: 'ready', instructor_decides: false })
  await promoteTo('Yellow')
  await approve()
  expect(await listed()).toMatchObject({
    readiness: 'promoted',
    next: { name: 'Orange' },
    missing: [{ rule: 'months', short_by: 1, until: '2027-03-02' }],
  })
  setClock('2027-03-02T18:00:00Z')
  expect(await listed()).toMatchObject({ readiness: 'ready', missing: [] })
})

test('nobody is ready again on the day of a promotion, even without requirements', async () => {
  const { listed, promoteTo } = await dojoWithStudent()
  await promoteTo('Yellow')
  expect(await listed()).toMatchObject({ readiness: 'promoted', instructor_decides: true })
  setClock('2027-03-02T18:00:00Z')
  expect(await listed()).toMatchObject({ readiness: 'instructor_decides' })
})
