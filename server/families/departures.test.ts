import { describe, expect, test } from 'vitest'
import { waitForLock } from '../test/locks.ts'
import { startTestServer } from '../test/test-server.ts'
import { linkGuardian } from '../guardians/guardianships.ts'

const server = await startTestServer()

async function setUpDojo() {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, { name: 'Leo Adams' })
  const mia = await server.createStudent(sensei, { name: 'Mia Adams' })
  return { sensei, leo, mia }
}

describe('deleting a student', () => {
  test('deletes guardians who have no other student if the instructor asks for it', async () => {
    const { sensei, leo, mia } = await setUpDojo()
    const ann = await server.createGuardian(sensei, [leo, mia])
    const ben = await server.createGuardian(sensei, [leo], { name: 'Ben Adams' })
    const cy = await server.createGuardian(sensei, [mia], { name: 'Cy Adams' })
    await sensei.post('/guardians', { account_id: sensei.id, students: [{ student_id: leo.id }] })
    expect((await sensei.get(`/students/${leo.id}/deletion-impact`)).body.guardians).toEqual([
      { id: ben.id, name: 'Ben Adams' },
    ])
    await sensei.delete(`/students/${leo.id}?guardians=delete`)
    const listGuardianIds = async () =>
      (await sensei.get('/families')).body.guardians.map(({ id }: { id: string }) => id)
    expect((await listGuardianIds()).toSorted()).toEqual([ann.id, cy.id, sensei.id].toSorted())
    expect([(await ben.get('/profile')).status, (await ann.get('/profile')).status]).toEqual([
      401, 200,
    ])
    await sensei.delete(`/students/${mia.id}`)
    expect(await listGuardianIds()).toHaveLength(3)
    expect((await ann.get('/family/home')).body.children).toEqual([])
  })

  test('keeps a guardian whom a concurrent request links to another student', async () => {
    const { sensei, leo, mia } = await setUpDojo()
    const ann = await server.createGuardian(sensei, [leo])
    const linkCreated = Promise.withResolvers<void>()
    const deletionBlocked = Promise.withResolvers<void>()
    const linking = server.db.inDojo(sensei.dojoId, async (tx) => {
      await linkGuardian(tx, sensei, ann.id, mia.id, {})
      linkCreated.resolve()
      await deletionBlocked.promise
    })
    await linkCreated.promise
    const deleting = sensei.delete(`/students/${leo.id}?guardians=delete`)
    await waitForLock(server.adminUrl)
    deletionBlocked.resolve()
    await linking
    expect((await deleting).status).toBe(200)
    expect((await sensei.get('/families')).body.guardians).toMatchObject([
      { id: ann.id, students: [{ student_id: mia.id }] },
    ])
  })
})
