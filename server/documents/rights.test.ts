import { expect, test, vi } from 'vitest'
import { createDocumentDojo, createToken, exampleDocument, sign } from '../test/document-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

// Drawing the first PDF loads the fonts.
vi.setConfig({ testTimeout: 60_000 })
const server = await startTestServer()

const MEDICAL_QUESTION = {
  key: 'asthma',
  label: 'Asthma?',
  type: 'text',
  choices: [],
  is_required: false,
  is_medical: true,
}

async function createSignedDojo() {
  const dojo = await createDocumentDojo(server, {
    has_medical_answers_in_pdf: true,
    texts: [{ language: 'en', body: 'Please answer.', questions: [MEDICAL_QUESTION] }],
  })
  const { sensei, documentId, leo, ann } = dojo
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  await sign(
    { anonymous: server.anonymous, token },
    { answers: [{ key: 'asthma', value: 'Mild' }] },
  )
  const { body } = await sensei.get(`/students/${leo.id}/documents`)
  return { ...dojo, signatureId: body.signatures[0].id }
}

test('staff who may see students see that it is signed, but neither by whom nor the PDF', async () => {
  const { sensei, leo, signatureId } = await createSignedDojo()
  const kim = await server.createStaff(sensei, { rights: ['students.read'] })
  const { body } = await kim.get(`/students/${leo.id}/documents`)
  expect(body.needed).toMatchObject([{ state: 'signed' }])
  expect(body.signatures).toMatchObject([
    { signer_name: null, relation: null, medical_answers: [] },
  ])
  expect(await kim.get(`/signatures/${signatureId}/file`)).toMatchObject({ status: 403 })
})

test('the PDF needs the contacts, and with medical answers the medical notes, too', async () => {
  const { sensei, leo, signatureId } = await createSignedDojo()
  const contacts = await server.createStaff(sensei, {
    rights: ['students.read', 'students.contact'],
  })
  expect(await contacts.get(`/signatures/${signatureId}/file`)).toMatchObject({ status: 403 })
  const { body } = await contacts.get(`/students/${leo.id}/documents`)
  expect(body.signatures).toMatchObject([{ signer_name: 'Ann Park', medical_answers: [] }])
  const medical = await server.createStaff(sensei, {
    rights: ['students.read', 'students.contact', 'medical'],
  })
  expect(await medical.get(`/signatures/${signatureId}/file`)).toMatchObject({ status: 200 })
})

test('the roll names only first names to a helper, and nothing to staff of other classes', async () => {
  const { sensei, leo } = await createDocumentDojo(server)
  const helper = await server.createStaff(sensei, { rights: ['roll'] })
  const { body } = await helper.get('/unsigned-documents')
  expect(body.students).toMatchObject([{ student_id: leo.id, documents: [{ name: 'Waiver' }] }])
  expect(JSON.stringify(body)).not.toContain('Leo')
  const otherClass = await server.createClass(sensei)
  const assistant = await server.createStaff(sensei, {
    rights: ['roll', 'students.read', 'students.contact'],
    class_ids: [otherClass.id],
  })
  expect((await assistant.get('/unsigned-documents')).body.students).toEqual([])
  expect(await assistant.get(`/students/${leo.id}/documents`)).toMatchObject({ status: 404 })
})

test('staff of other classes do not get the PDF', async () => {
  const { sensei, signatureId } = await createSignedDojo()
  const otherClass = await server.createClass(sensei)
  const assistant = await server.createStaff(sensei, {
    rights: ['students.read', 'students.contact', 'medical'],
    class_ids: [otherClass.id],
  })
  expect(await assistant.get(`/signatures/${signatureId}/file`)).toMatchObject({ status: 404 })
})

test('sending a link needs the right to send texts or to change students', async () => {
  const { sensei, documentId, leo } = await createDocumentDojo(server)
  const kim = await server.createStaff(sensei, { rights: ['students.read', 'students.contact'] })
  const form = { document_ids: [documentId], by: 'mail' }
  expect(await kim.post(`/students/${leo.id}/signing-links`, form)).toMatchObject({ status: 403 })
  expect(
    await kim.post(`/students/${leo.id}/signing-links`, { ...form, by: 'device' }),
  ).toMatchObject({ status: 200 })
})

test('only people who may change the settings write documents', async () => {
  const sensei = await server.createSensei()
  const kim = await server.createStaff(sensei, { rights: ['students.read', 'students.edit'] })
  expect(await kim.post('/documents', exampleDocument())).toMatchObject({ status: 403 })
})

test('a copy opens only with its secret', async () => {
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server)
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  const { body } = await sign({ anonymous: server.anonymous, token })
  expect(await server.anonymous.post('/signing/copy', { copy: body.copy })).toMatchObject({
    status: 200,
  })
  const otherCopy = `${body.copy.slice(0, -4)}AAAA`
  expect(await server.anonymous.post('/signing/copy', { copy: otherCopy })).toMatchObject({
    status: 404,
  })
  expect(await server.anonymous.post('/signing/copy', { copy: token })).toMatchObject({
    status: 404,
  })
})
