import { expect, test, vi } from 'vitest'
import { createDocumentDojo, createToken, sign } from '../test/document-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

// Drawing the first PDF loads the fonts.
vi.setConfig({ testTimeout: 60_000 })
const server = await startTestServer()

const ASTHMA = {
  key: 'asthma',
  label: 'Does your child have asthma?',
  type: 'yes_no',
  choices: [],
  is_required: true,
  is_medical: true,
}

async function createSignedDojo(question: object = {}) {
  const questions = [{ ...ASTHMA, ...question }]
  const texts = [{ language: 'en', body: 'Training has risks.', questions }]
  const dojo = await createDocumentDojo(server, { texts })
  const { sensei, documentId, leo, ann } = dojo
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  await sign({ anonymous: server.anonymous, token }, { answers: [{ key: 'asthma', value: 'yes' }] })
  const { body } = await sensei.get(`/students/${leo.id}/documents`)
  return { ...dojo, signatureId: body.signatures[0].id as string }
}

test('a medical answer becomes a note only when staff add it, and only once', async () => {
  const { sensei, leo, signatureId } = await createSignedDojo()
  const path = `/signatures/${signatureId}/medical-note`
  const page = await sensei.get(`/students/${leo.id}`)
  expect(page.body.medical_note).toBeNull()
  await sensei.put(`/students/${leo.id}/notes`, { medical_note: 'Wears glasses' })
  const medical_note = 'Wears glasses\nDoes your child have asthma? Yes'
  expect(await sensei.post(path)).toMatchObject({ status: 200, body: { medical_note } })
  expect(await sensei.post(path)).toMatchObject({ status: 200, body: { medical_note } })
  expect((await sensei.get(`/students/${leo.id}`)).body).toMatchObject({ medical_note })
})

test('a signature without medical answers, or a full note, refuses', async () => {
  const plain = await createSignedDojo({ is_medical: false })
  expect(await plain.sensei.post(`/signatures/${plain.signatureId}/medical-note`)).toMatchObject({
    status: 409,
  })
  const { sensei, leo, signatureId } = await createSignedDojo()
  await sensei.put(`/students/${leo.id}/notes`, { medical_note: 'x'.repeat(1990) })
  expect(await sensei.post(`/signatures/${signatureId}/medical-note`)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('no room') as string },
  })
})
