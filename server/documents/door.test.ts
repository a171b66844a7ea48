import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { exampleDocument, publishDocument, TEN_YEARS_OLD } from '../test/document-dojo.ts'
import { checkIn, createKioskDojo, findCheckInPass, readRoll } from '../test/kiosk-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const HOLDING = { is_holding: true, kept_years: null, grown_up_days: 30 }

async function createDoor(changes: object = {}) {
  const dojo = await createKioskDojo(server)
  const documentId = await publishDocument(dojo.sensei, changes)
  const leo = await dojo.enroll('Leo Park', [dojo.kids.id], TEN_YEARS_OLD)
  const greet = async () => {
    const passes = [await findCheckInPass(dojo, 'Leo')]
    return (await checkIn(dojo, { passes })).body.greetings[0]
  }
  return { ...dojo, documentId, leo, greet }
}

test('the kiosk checks in a student without a signature, and shows a code to sign', async () => {
  const dojo = await createDoor()
  const greeting = await dojo.greet()
  expect(greeting).toMatchObject({ sees_instructor: false, papers: { names: ['Waiver'] } })
  expect(greeting.papers.qr).toMatch(/^data:image\/png;base64,/)
  expect(await readRoll(dojo)).toEqual(['Leo Park, Kids'])
})

test('a school may hold students without a signature, until somebody lets them pass', async () => {
  const dojo = await createDoor()
  await dojo.sensei.put('/document-rules', HOLDING)
  expect(await dojo.greet()).toMatchObject({ sees_instructor: true })
  expect(await readRoll(dojo)).toEqual([])
  const path = `/students/${dojo.leo.id}/document-passes`
  expect(await dojo.sensei.post(path, { reason: ' ' })).toMatchObject({ status: 422 })
  await dojo.sensei.post(path, { reason: 'The mother called' })
  expect(await dojo.greet()).toMatchObject({ sees_instructor: false })
  expect(await readRoll(dojo)).toEqual(['Leo Park, Kids'])
})

test('a document for the first check-in holds nobody on the first day', async () => {
  const dojo = await createDoor({ due: 'first_check_in' })
  await dojo.sensei.put('/document-rules', HOLDING)
  expect(await dojo.greet()).toMatchObject({
    sees_instructor: false,
    papers: { names: ['Waiver'] },
  })
})

test('a document that is due later holds nobody yet', async () => {
  const dojo = await createDoor({ due: 'within_days', due_days: 14 })
  await dojo.sensei.put('/document-rules', HOLDING)
  expect(await dojo.greet()).toMatchObject({ sees_instructor: false })
})

test('a document that is due after some days needs their number', async () => {
  const sensei = await server.createSensei()
  expect(await sensei.post('/documents', exampleDocument({ due: 'within_days' }))).toMatchObject({
    status: 422,
    body: { detail: 'Days is required' },
  })
})

test('a texted link goes to the chosen guardian only', async () => {
  const { sensei, documentId, leo } = await createDoor()
  const ann = await server.createGuardian(sensei, [leo], { phone: '512 555 0171' })
  await server.createGuardian(sensei, [leo], { name: 'Ben Park', phone: '512 555 0172' })
  const form = { document_ids: [documentId], by: 'phone', guardian_id: ann.id }
  expect(await sensei.post(`/students/${leo.id}/signing-links`, form)).toMatchObject({
    status: 200,
    body: { link: null },
  })
  const { rows: texts } = await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute<{ phone: string; text: string }>(
      sql`select phone, text from messages where text like '%/sign#%'`,
    ),
  )
  expect(texts).toEqual([
    {
      phone: '+15125550171',
      text: expect.stringContaining(
        'please sign for Leo Park: https://tatami.test/sign#',
      ) as string,
    },
  ])
})
