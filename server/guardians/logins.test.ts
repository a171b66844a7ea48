import { describe, expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { createSiblings, familyForm, type Siblings } from '../test/siblings.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const setUpDojo = () => createSiblings(server)

describe('a closed login', () => {
  async function setUpClosedLogin() {
    const dojo = await setUpDojo()
    const { guardian } = (await dojo.sensei.post('/families', familyForm(dojo))).body
    expect((await dojo.mia.get('/profile')).status).toBe(401)
    return { ...dojo, guardian }
  }
  const readClosedLogins = async ({ sensei }: Pick<Siblings, 'sensei'>) =>
    (await sensei.get('/families')).body.guardians.flatMap(
      ({ students }: { students: { student_name: string; log_in_closed_at: string }[] }) =>
        students.flatMap(({ student_name, log_in_closed_at }) =>
          log_in_closed_at ? [student_name] : [],
        ),
    )

  test('is listed for the instructor, who can reopen it within 7 days', async () => {
    setClock('2027-05-01T12:00:00Z')
    const dojo = await setUpClosedLogin()
    const reopen = (id: string) => dojo.sensei.post(`/students/${id}/log-in/reopen`)
    expect(await readClosedLogins(dojo)).toEqual(['Mia Adams'])
    expect((await reopen(dojo.mia.id)).body).toEqual({ success: true })
    expect((await server.signIn(dojo.mia.email)).id).toBe(dojo.mia.id)
    expect(await readClosedLogins(dojo)).toEqual([])
    const refusals = [
      await reopen(dojo.mia.id),
      await reopen(dojo.ana.id),
      await reopen(dojo.guardian.id),
    ]
    expect(refusals.map(({ status, body }) => [status, body.detail])).toEqual([
      [409, 'This login isn’t closed'],
      [409, 'This login isn’t closed'],
      [404, 'Student not found'],
    ])
  })

  test('is listed before it closes, and can be kept', async () => {
    const { sensei, ana } = await setUpDojo()
    const students = [{ student_id: ana.id, log_in: 'close' }]
    await sensei.post('/families', { guardian: { name: 'Ann Adams' }, students })
    const readLink = async () => (await sensei.get('/families')).body.guardians[0].students[0]
    expect(await readLink()).toMatchObject({
      student_id: ana.id,
      closes_log_in: true,
      log_in_closed_at: null,
    })
    expect((await sensei.post(`/students/${ana.id}/log-in/reopen`)).status).toBe(200)
    expect(await readLink()).toMatchObject({ closes_log_in: false, log_in_closed_at: null })
  })

  test('is deleted after 7 days, and cannot be reopened', async () => {
    setClock('2027-05-01T12:00:00Z')
    const { sensei, mia } = await setUpClosedLogin()
    setClock('2027-05-09T12:00:00Z')
    await runDueJobs(server.db, (error) => {
      throw error
    })
    expect((await sensei.post(`/students/${mia.id}/log-in/reopen`)).status).toBe(409)
  })

  test('is reopened when the link to the guardian ends', async () => {
    const { sensei, mia, guardian } = await setUpClosedLogin()
    await sensei.delete(`/guardians/${guardian.id}/students/${mia.id}`)
    expect((await server.signIn(mia.email)).id).toBe(mia.id)
  })
})
