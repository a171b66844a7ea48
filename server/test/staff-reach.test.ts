import { expect, test, vi } from 'vitest'
import { notify } from '../notifications/notify.ts'
import { PASSWORD } from './fixtures.ts'
import { SAMPLE_PICTURE } from './sample-picture.ts'
import { createClients, startTestServer } from './test-server.ts'

/** Rights apply not only to API responses, but also to calendars, photos and texts, and on every
 *  server. */
const server = await startTestServer()
const sensei = await server.createSensei()
const kids = await server.createClass(sensei, { class_name: 'Kids' })
const adults = await server.createClass(sensei, { class_name: 'Adults' })
const ken = await server.createStudent(sensei, { name: 'Ken Adams', enrolled_classes: [kids.id] })

test('removing a right on one server removes it on another server', async () => {
  const secondServer = await server.openServer()
  const member = await server.createStaff(sensei, { rights: ['students.read'] })
  const secondClient = createClients(secondServer.http).clientFor(member.token)
  const callSecondServer = () => secondClient.get('/former-students')
  expect((await callSecondServer()).status).toBe(200)
  const change = await sensei.put(`/staff/${member.id}`, { rights: ['roll'] })
  expect([change.status, (await member.get('/former-students')).status]).toEqual([200, 403])
  // Messages between servers take a moment.
  await vi.waitFor(async () => expect((await callSecondServer()).status).toBe(403), {
    timeout: 5000,
    interval: 5,
  })
})

test('a calendar has only the coach’s own classes, even after they change', async () => {
  const coach = await server.createStaff(sensei, { rights: ['roll'], class_ids: [kids.id] })
  const { pathname } = new URL((await coach.post('/calendar-feed')).body.url)
  const readClasses = async () => {
    const { payload } = await server.http.inject({ url: pathname })
    return ['Kids', 'Adults'].filter((name) => payload.includes(`SUMMARY:${name}`))
  }
  expect(await readClasses()).toEqual(['Kids'])
  await sensei.put(`/staff/${coach.id}`, { rights: ['roll'], class_ids: [adults.id] })
  expect(await readClasses()).toEqual(['Adults'])
  const ownFeed = new URL((await sensei.post('/calendar-feed')).body.url).pathname
  const { payload } = await server.http.inject({ url: ownFeed })
  expect([payload.includes('SUMMARY:Kids'), payload.includes('SUMMARY:Adults')]).toEqual([
    true,
    true,
  ])
})

test('the address of a photo stops working when a member of staff may see fewer students', async () => {
  const rights = ['students.read']
  const coach = await server.createStaff(sensei, { rights: ['students.read'] })
  const setPhoto = async (): Promise<string> =>
    (await sensei.put(`/students/${ken.id}/photo`, { picture: SAMPLE_PICTURE })).body.photo
  const readStatus = async (url: string) => (await server.http.inject({ url })).statusCode
  const address = await setPhoto()
  expect(await readStatus(address)).toBe(200)
  await sensei.put(`/staff/${coach.id}`, { rights: [...rights, 'roll'] })
  expect(await readStatus(address)).toBe(200)
  await sensei.put(`/staff/${coach.id}`, { rights, class_ids: [adults.id] })
  expect(await readStatus(address)).toBe(404)
  const newAddress = await setPhoto()
  await sensei.post(`/staff/${coach.id}/end`, {})
  expect(await readStatus(newAddress)).toBe(404)
})

test('without the right to see money, staff cannot send or preview texts about fees', async () => {
  const desk = await server.createStaff(sensei, {
    rights: ['students.read', 'students.contact', 'texts.read', 'texts.send', 'money.take'],
  })
  const feeText = { message_type: 'monthly_fee', custom_message: 'You owe {amount}.' }
  const refusal = 'Your login may not see who owes money, and all figures. Ask the owner.'
  const textToUnpaid = {
    message_type: 'weather_cancel',
    custom_message: 'No class.',
    exclude_paid_students: true,
  }
  for (const message of [feeText, textToUnpaid])
    for (const path of ['/sms/preview', '/sms/send-bulk-message']) {
      const { status, body } = await desk.post(path, message)
      expect([path, status, body.detail]).toEqual([path, 403, refusal])
    }
  const { batch_id } = (await sensei.post('/sms/send-bulk-message', feeText)).body
  expect((await desk.post(`/sms/batches/${batch_id}/send-again`, {})).status).toBe(403)
  expect((await desk.get('/sms/batches')).body).toHaveLength(1)
  const textToEverybody = { message_type: 'weather_cancel', custom_message: 'No class.' }
  expect((await desk.post('/sms/preview', textToEverybody)).status).toBe(200)
})

test('a former owner no longer sees the notifications for owners', async () => {
  const owner = await server.createStaff(sensei, { is_owner: true })
  const readTitles = async () =>
    (await owner.get('/notifications')).body.map(({ title }: { title: string }) => title)
  await server.db.inDojo(sensei.dojoId, (tx) =>
    notify(tx, sensei.dojoId, [owner.id], { title: 'Past due', message: 'Ken owes $90.' }),
  )
  expect(await readTitles()).toEqual(['Past due'])
  const { status } = await sensei.post(`/staff/${owner.id}/ownership/remove`, {
    current_password: PASSWORD,
  })
  expect(status).toBe(200)
  expect(await readTitles()).toEqual(['Owners changed'])
})
