import { sql } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { expect, test, vi } from 'vitest'
import type { Email } from '../lib/mail.ts'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { createDocumentDojo, createToken, publishDocument, sign } from '../test/document-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

// Drawing the first PDF loads the fonts.
vi.setConfig({ testTimeout: 60_000 })
const server = await startTestServer()

async function createSignedDojo(changes: object = {}) {
  const dojo = await createDocumentDojo(server, changes)
  const { sensei, documentId, leo, ann } = dojo
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  const { body } = await sign({ anonymous: server.anonymous, token })
  return { ...dojo, copy: body.copy as string }
}

const failLoudly = (error: unknown) => {
  throw error
}

async function runJobsOn(day: string): Promise<Email[]> {
  setClock(`${day}T18:00:00Z`)
  const emails: Email[] = []
  await runDueJobs(server.db, failLoudly, (email) => emails.push(email))
  return emails
}

test('signers and staff get a notice 30 and 7 days before the end, once each', async () => {
  setClock('2027-07-30T18:00:00Z')
  const { sensei, ann } = await createSignedDojo({ valid_until_day: '08-31' })
  expect(await runJobsOn('2027-07-31')).toEqual([])
  const message = '“Waiver” for Leo ends on August 31, 2027.'
  expect(await runJobsOn('2027-08-01')).toMatchObject([
    { to: ann.email, text: expect.stringContaining(message) as string },
  ])
  expect(await runJobsOn('2027-08-02')).toEqual([])
  expect(await runJobsOn('2027-08-24')).toHaveLength(1)
  expect(await runJobsOn('2027-08-25')).toEqual([])
  const { body } = await sensei.get('/notifications')
  const titles = body.map(({ title }: { title: string }) => title)
  expect(titles.filter((title: string) => title === 'Signatures end soon')).toHaveLength(2)
})

test('a student who turned 18 is asked the day after', async () => {
  setClock('2027-01-20T18:00:00Z')
  const sensei = await server.createSensei()
  const documentId = await publishDocument(sensei)
  const leo = await server.createStudent(sensei, { date_of_birth: '2009-01-25' })
  const ann = await server.createGuardian(sensei, [leo])
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  await sign({ anonymous: server.anonymous, token })
  await runJobsOn('2027-01-25')
  await runJobsOn('2027-01-26')
  await runJobsOn('2027-01-27')
  const { body } = await leo.get('/notifications')
  expect(
    body.filter(({ title }: { title: string }) => title === 'Please sign for yourself'),
  ).toHaveLength(1)
})

const readSignatures = (dojoId: string) =>
  server.db.inDojo(dojoId, async (tx) => {
    const { rows } = await tx.execute<{
      email: string | null
      address: string | null
      delete_on: string
    }>(
      sql`select s.student_id, d.email, d.address, d.delete_on::text from signatures s
        join signature_details d on d.signature_id = s.id`,
    )
    return rows
  })

test('a waiver of a deleted student is kept without contacts, and other papers are not', async () => {
  setClock('2027-01-20T18:00:00Z')
  const { sensei, leo, ann, copy } = await createSignedDojo()
  const photoId = await publishDocument(sensei, { name: 'Photos', kind: 'photo' })
  const token = await createToken(sensei, leo.id, photoId, { guardian_id: ann.id })
  await sign({ anonymous: server.anonymous, token })
  const firstCopy = await server.anonymous.post('/signing/copy', { copy })
  const { body: impact } = await sensei.get(`/students/${leo.id}/deletion-impact`)
  expect(impact).toMatchObject({ kept_waivers: 1 })
  await sensei.delete(`/students/${leo.id}`)
  // Leo was born on March 1, 2016.
  expect(await readSignatures(sensei.dojoId)).toEqual([
    { student_id: null, email: null, address: null, delete_on: '2038-03-01' },
  ])
  expect((await server.anonymous.post('/signing/copy', { copy })).body).toEqual(firstCopy.body)
  setClock('2038-03-01T18:00:00Z')
  await runJobsOn('2038-03-01')
  expect(await readSignatures(sensei.dojoId)).toHaveLength(1)
  await runJobsOn('2038-03-02')
  expect(await readSignatures(sensei.dojoId)).toEqual([])
  expect(await server.anonymous.post('/signing/copy', { copy })).toMatchObject({ status: 404 })
})

test('a school decides how long waivers are kept', async () => {
  setClock('2027-01-20T18:00:00Z')
  const { sensei, leo } = await createSignedDojo()
  const rules = { is_holding: false, kept_years: 3, grown_up_days: 30 }
  await sensei.put('/document-rules', rules)
  await sensei.delete(`/students/${leo.id}`)
  expect(await readSignatures(sensei.dojoId)).toMatchObject([{ delete_on: '2030-01-20' }])
})

test('the export of everything contains the same bytes, and their hash', async () => {
  const { sensei, leo, copy } = await createSignedDojo()
  const { body: pdf } = await server.anonymous.post('/signing/copy', { copy })
  const { body: documents } = await sensei.get(`/students/${leo.id}/documents`)
  const [{ id, pdf_hash }] = documents.signatures
  const files = unzipSync((await sensei.post('/export')).body)
  expect(Buffer.from(files[`signed-documents/${id}.pdf`] ?? [])).toEqual(pdf)
  expect(Buffer.from(files['csv/signatures.csv'] ?? []).toString()).toContain(pdf_hash)
})
