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

/** Creates a dojo in which Leo's guardian has signed a document with a question about asthma. */
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

test('adds a medical answer to the note only when staff ask for it, and only once', async () => {
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

test('refuses a signature without medical answers, and a note that would be too long', async () => {
  const otherDojo = await createSignedDojo({ is_medical: false })
  const otherPath = `/signatures/${otherDojo.signatureId}/medical-note`
  expect(await otherDojo.sensei.post(otherPath)).toMatchObject({ status: 409 })
  const { sensei, leo, signatureId } = await createSignedDojo()
  await sensei.put(`/students/${leo.id}/notes`, { medical_note: 'x'.repeat(1990) })
  expect(await sensei.post(`/signatures/${signatureId}/medical-note`)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('no room') as string },
  })
})
