import { SETUP_STEPS, type SetupProgress } from '@tatami/contract/dashboard/setup'
import { expect, onTestFinished, test } from 'vitest'
import { setSecretsKey } from '../accounts/sealed-secrets.ts'
import { setTestSecretsKey } from '../test/own-twilio.ts'
import { importBodyOfCsv, requireOk } from '../test/sheets.ts'
import { createClients, startTestServer, type ApiClient } from '../test/test-server.ts'

const server = await startTestServer()

const readSetup = async (caller: ApiClient): Promise<SetupProgress> =>
  (await caller.get('/dashboard/stats')).body.setup
const listSteps = async (caller: ApiClient, state: string) =>
  (await readSetup(caller)).filter((progress) => progress.state === state).map(({ step }) => step)

test('all steps of a new school are open at first', async () => {
  const sensei = await server.createSensei()
  expect(await listSteps(sensei, 'open')).toEqual([...SETUP_STEPS])
})

test('each step is done after the school does it', async () => {
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  expect(await listSteps(sensei, 'done')).toEqual(['classes'])
  const { id: student_id } = await server.createStudent(sensei, { enrolled_classes: [class_id] })
  expect(await listSteps(sensei, 'done')).toEqual(['classes', 'students'])
  const { styles } = (await sensei.get('/belts')).body
  await sensei.post(`/styles/${styles[0].id}/ladders`, { template: 'bjj-adults' })
  expect(await listSteps(sensei, 'done')).toEqual(['classes', 'students', 'belts'])
  await sensei.post('/attendance', {
    student_id,
    class_id,
    class_date: '2026-03-02T00:00:00.000Z',
    present: false,
  })
  expect(await listSteps(sensei, 'done')).toEqual(['classes', 'students', 'belts', 'roll'])
  await sensei.put('/invitation/shared')
  await sensei.post('/kiosks', { name: 'Front door' })
  expect(await listSteps(sensei, 'open')).toEqual(['texting'])
})

test('an imported class without a day and time does not complete the step', async () => {
  const sensei = await server.createSensei()
  const body = importBodyOfCsv('Name,Class\nZoe Young,Little Tigers')
  requireOk(await sensei.post('/student-imports', body))
  expect((await sensei.get('/classes')).body).toMatchObject([{ class_name: 'Little Tigers' }])
  expect(await listSteps(sensei, 'done')).toEqual(['students'])
})

test('says that texting needs the operator if the server has no SECRETS_KEY', async () => {
  const sensei = await server.createSensei()
  const { http } = await server.openServer({ smsProvider: undefined })
  const client = createClients(http).clientFor(sensei.token)
  const listOperatorSteps = async () =>
    (await readSetup(client)).filter((progress) => progress.needs_operator).map(({ step }) => step)
  setTestSecretsKey()
  expect(await listOperatorSteps()).toEqual([])
  setSecretsKey(undefined)
  onTestFinished(setTestSecretsKey)
  expect(await listOperatorSteps()).toEqual(['texting'])
})

test('the invitation is done when a student joins with it', async () => {
  const sensei = await server.createSensei()
  const { invite_code } = (await sensei.get('/invitation')).body
  expect(await listSteps(sensei, 'done')).toEqual([])
  const form = { name: 'Mia Chen', email: 'mia@first.org', password: 'Kiai2026!', invite_code }
  expect((await server.anonymous.post('/register', form)).status).toBe(200)
  expect(await listSteps(sensei, 'done')).toEqual(['students', 'invitation'])
})

test('the kiosk is done when a tablet opens its link', async () => {
  const sensei = await server.createSensei()
  const { link } = (await sensei.post('/kiosk-links', { name: 'Front door' })).body
  expect(await listSteps(sensei, 'done')).toEqual([])
  await server.anonymous.post('/kiosk-links/switch-on', { code: link.split('#')[1] })
  expect(await listSteps(sensei, 'done')).toEqual(['kiosk'])
  const { kiosks } = (await sensei.get('/kiosks')).body
  await sensei.delete(`/kiosks/${kiosks[0].id}`)
  expect(await listSteps(sensei, 'done')).toEqual(['kiosk'])
})

test('skipped steps are the same for all instructors of a school', async () => {
  const sensei = await server.createSensei()
  const otherSensei = await server.createSensei()
  const skip = (skipped_steps: string[]) => sensei.put('/dashboard/setup', { skipped_steps })
  expect((await skip(['kiosk', 'texting', 'kiosk'])).body.setup).toEqual(await readSetup(sensei))
  expect(await listSteps(sensei, 'skipped')).toEqual(['texting', 'kiosk'])
  expect(await listSteps(otherSensei, 'skipped')).toEqual([])
  await skip(['texting'])
  expect(await listSteps(sensei, 'skipped')).toEqual(['texting'])
  await skip(['classes'])
  await server.createClass(sensei)
  expect(await listSteps(sensei, 'done')).toEqual(['classes'])
})

test.each([
  [{ skipped_steps: ['belt'] }, 'Step is not valid'],
  [{ skipped_steps: 'kiosk' }, 'Steps must be a list'],
  [{ skipped_steps: Array.from({ length: 8 }, () => 'kiosk') }, 'At most 7 steps'],
])('refuses %j and changes nothing', async (body, detail) => {
  const sensei = await server.createSensei()
  const response = await sensei.put('/dashboard/setup', body)
  expect([response.status, response.body.detail]).toEqual([422, detail])
  expect(await listSteps(sensei, 'open')).toEqual([...SETUP_STEPS])
})

test('only instructors can skip steps', async () => {
  const student = await server.createStudent(await server.createSensei())
  expect((await student.put('/dashboard/setup', { skipped_steps: [] })).status).toBe(403)
  expect((await student.put('/invitation/shared')).status).toBe(403)
})
