import { describe, expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { signInAs, uniqueEmail } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const runJobs = () =>
  runDueJobs(server.db, (error) => {
    throw error
  })
/** Signs in again, because a session ends after 30 days without use. */
const signInAgain = async ({ id }: { id: string }) =>
  server.clientFor(await signInAs(server.db, id))

async function setUpStudent(date_of_birth: string) {
  setClock('2027-01-10T18:00:00Z')
  const sensei = await server.createSensei()
  return { sensei, leo: await server.createStudent(sensei, { name: 'Leo Adams', date_of_birth }) }
}

describe('the login of a student who turns 18', () => {
  test('cannot be closed or moved by an instructor', async () => {
    const { sensei, leo } = await setUpStudent('2009-03-02')
    setClock('2027-03-02T12:00:00Z')
    const { post } = await signInAgain(sensei)
    for (const log_in of ['close', 'move']) {
      const { status, body } = await post('/families', {
        guardian: { name: 'Cy Adams' },
        students: [{ student_id: leo.id, log_in }],
      })
      expect([status, body.detail]).toEqual([422, 'Leo Adams is 18 or older and keeps the login'])
    }
    expect((await server.signIn(leo.email)).id).toBe(leo.id)
  })

  test('stays closed if it was closed before, and instructors are notified', async () => {
    const { sensei, leo } = await setUpStudent('2009-03-02')
    setClock('2027-02-28T12:00:00Z')
    const dee = await server.createGuardian(sensei, [])
    const client = await signInAgain(sensei)
    await client.post('/families', {
      guardian_id: dee.id,
      students: [{ student_id: leo.id, log_in: 'close' }],
    })
    setClock('2027-03-02T12:00:00Z')
    await runJobs()
    const { body } = await client.get('/notifications')
    const titles = body.map(({ title }: { title: string }) => title)
    expect(titles).toContain('Leo Adams is 18')
  })

  test('stays open if a family planned to close it', async () => {
    const { sensei, leo } = await setUpStudent('2009-03-01')
    const cy = { name: 'Cy Adams', email: uniqueEmail('cy') }
    const familyResponse = await sensei.post('/families', {
      guardian: cy,
      students: [{ student_id: leo.id, log_in: 'close' }],
    })
    const { guardian } = familyResponse.body
    setClock('2027-03-01T12:00:00Z')
    await runJobs()
    const client = await signInAgain(sensei)
    const invitation = await client.post(`/guardians/${guardian.id}/log-in-invitation`)
    const acceptResponse = await server.anonymous.post('/log-in-invitations/accept', {
      invitation: invitation.body.link.split('#')[1],
      password: 'eight8-8',
    })
    expect(acceptResponse.status).toBe(200)
    expect((await server.signIn(leo.email)).id).toBe(leo.id)
  })
})
