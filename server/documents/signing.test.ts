import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { setClock } from '../test/clock.ts'
import {
  createDocumentDojo,
  createToken,
  publishDocument,
  readStates,
  sign,
  signForm,
  tokenOf,
} from '../test/document-dojo.ts'
import { startMailServer } from '../test/mail-server.ts'
import { readPdfText } from '../test/pdf-text.ts'
import { createClients, startTestServer } from '../test/test-server.ts'

// Drawing the first PDF loads the fonts.
vi.setConfig({ testTimeout: 60_000 })
const server = await startTestServer()
const { anonymous } = server
const NOON = '2027-01-20T18:00:00Z'

test('a guardian signs on the instructor’s device, and both get the same bytes', async () => {
  setClock(NOON)
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server)
  expect(await readStates(sensei, leo.id)).toEqual(['missing'])
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  const { body: openedLink } = await anonymous.post('/signing/open', { token })
  expect(openedLink).toMatchObject({
    dojo_name: 'Cedar Park Judo',
    first_name: 'Leo',
    signer_kind: 'guardian',
    has_email: true,
    papers: [{ name: 'Waiver', versions: [{ body: '# Risks\nTraining has risks.' }] }],
  })
  expect(JSON.stringify(openedLink)).not.toMatch(/Leo Park|Ann/)
  const { body: result } = await sign({ anonymous, token })
  expect(result).toMatchObject({
    time_zone: 'America/Chicago',
    papers_left: 0,
  })
  const copy = await anonymous.post('/signing/copy', { copy: result.copy })
  const { body } = await sensei.get(`/students/${leo.id}/documents`)
  const [signature] = body.signatures
  expect(signature).toMatchObject({
    signer_name: 'Ann Park',
    relation: 'guardian',
    channel: 'device',
    is_signed_as_minor: true,
    needs_confirmation: false,
  })
  const file = await sensei.get(`/signatures/${signature.id}/file`)
  expect(file.body).toEqual(copy.body)
  expect((await ann.get(`/my-documents/${signature.id}/file`)).body).toEqual(copy.body)
  expect(createHash('sha256').update(copy.body).digest('hex')).toBe(signature.pdf_hash)
  const [text] = await readPdfText(copy.body)
  expect(text).toContain('Training has risks.')
  expect(text).toContain('Signed by Ann Park (guardian) for Leo Park')
  expect(text).toMatch(/January 20, 2027 at 12:\d\d:\d\d PM CST \(America\/Chicago\)/)
  expect(await readStates(sensei, leo.id)).toEqual(['signed'])
})

test('the signed bytes stay the same after the text was changed', async () => {
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server)
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  const { body: result } = await sign({ anonymous, token })
  const firstCopy = await anonymous.post('/signing/copy', { copy: result.copy })
  await publishAnew(sensei, documentId, 'all')
  const laterCopy = await anonymous.post('/signing/copy', { copy: result.copy })
  expect(laterCopy.body).toEqual(firstCopy.body)
})

const publishAnew = async (
  sensei: Awaited<ReturnType<typeof server.createSensei>>,
  documentId: string,
  resign: 'all' | 'new_only',
) => {
  const { body } = await sensei.get(`/documents/${documentId}`)
  const texts = [{ language: 'en', body: 'Training has many risks.', questions: [] }]
  await sensei.put(`/documents/${documentId}`, { ...body.document, texts })
  await sensei.post(`/documents/${documentId}/publish`, { resign })
}

test('of a double press, the second answer is the first', async () => {
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server)
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  const { body: openedLink } = await anonymous.post('/signing/open', { token })
  const form = signForm(token, openedLink)
  const answers = await Promise.all([1, 2, 3].map(() => anonymous.post('/signing/sign', form)))
  const results = answers.map(({ body }) => body)
  expect(results[1]).toEqual(results[0])
  expect(results[2]).toEqual(results[0])
  expect(await anonymous.post('/signing/sign', form)).toMatchObject({ body: results[0] })
  const { body } = await sensei.get(`/students/${leo.id}/documents`)
  expect(body.signatures).toHaveLength(1)
})

test('two open pages of the same parent sign once', async () => {
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server)
  const tokens = await Promise.all([
    createToken(sensei, leo.id, documentId, { guardian_id: ann.id }),
    createToken(sensei, leo.id, documentId, { guardian_id: ann.id }),
  ])
  const pages = await Promise.all(
    tokens.map(async (token) => {
      const { body } = await anonymous.post('/signing/open', { token })
      return signForm(token, body)
    }),
  )
  const answers = await Promise.all(pages.map((form) => anonymous.post('/signing/sign', form)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(new Set(answers.map(({ body }) => body.signed_at)).size).toBe(1)
  const { body } = await sensei.get(`/students/${leo.id}/documents`)
  expect(body.signatures).toHaveLength(1)
})

test('a link works once, and not after a week', async () => {
  setClock(NOON)
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server)
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  const lateToken = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  await sign({ anonymous, token })
  const refusal = {
    status: 400,
    body: { detail: 'This link no longer works. Please ask your school for a new one.' },
  }
  expect(await anonymous.post('/signing/open', { token })).toMatchObject(refusal)
  setClock('2027-01-27T18:00:01Z')
  expect(await anonymous.post('/signing/open', { token: lateToken })).toMatchObject(refusal)
})

test('a used link signs nothing after its signature was revoked', async () => {
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server)
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  const { body: openedLink } = await anonymous.post('/signing/open', { token })
  const form = signForm(token, openedLink)
  await anonymous.post('/signing/sign', form)
  const { body } = await sensei.get(`/students/${leo.id}/documents`)
  await sensei.post(`/signatures/${body.signatures[0].id}/revoke`, { reason: 'Disputed' })
  expect(await readStates(sensei, leo.id)).toEqual(['missing'])
  expect(await anonymous.post('/signing/sign', form)).toMatchObject({ status: 400 })
  const newToken = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  expect(await sign({ anonymous, token: newToken })).toMatchObject({ status: 200 })
  expect(await readStates(sensei, leo.id)).toEqual(['signed'])
})

test('“Not my child” ends the link and tells the staff', async () => {
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server)
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  expect(await anonymous.post('/signing/not-my-child', { token })).toMatchObject({ status: 200 })
  expect(await anonymous.post('/signing/open', { token })).toMatchObject({ status: 400 })
  const { body: notifications } = await sensei.get('/notifications')
  expect(notifications[0]).toMatchObject({ title: 'A link to sign reached the wrong person' })
  const { body: entries } = await sensei.get('/audit-log')
  expect(entries[0]).toMatchObject({ action: 'signing link refused' })
})

test('signing is recorded in the audit log', async () => {
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server)
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  await sign({ anonymous, token })
  const { body } = await sensei.get('/audit-log')
  expect(body[0]).toMatchObject({ action: 'document signed', actor: 'Ann Park' })
})

test('nobody signs without agreeing to the disclosure', async () => {
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server)
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  expect(await sign({ anonymous, token }, { agrees_to_disclosure: false })).toMatchObject({
    status: 422,
    body: { detail: 'Please agree to sign on a screen, or sign on paper' },
  })
})

test('the text that was shown is the text that is signed', async () => {
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server)
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  const { body: openedLink } = await anonymous.post('/signing/open', { token })
  await publishAnew(sensei, documentId, 'all')
  expect(await anonymous.post('/signing/sign', signForm(token, openedLink))).toMatchObject({
    status: 409,
    body: { detail: 'The text has changed. Please read the new text before you sign.' },
  })
  expect(await readStates(sensei, leo.id)).toEqual(['missing'])
})

test('the signer chooses the language, and the signature keeps it', async () => {
  const texts = [
    { language: 'en', body: 'Training has risks.', questions: [] },
    { language: 'es', body: 'Entrenar tiene riesgos.', questions: [] },
  ]
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server, { texts })
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  const { body: openedLink } = await anonymous.post('/signing/open', { token })
  const spanish = openedLink.papers[0].versions[1]
  const { body: result } = await sign({ anonymous, token }, { version_id: spanish.version_id })
  const { body: pdf } = await anonymous.post('/signing/copy', { copy: result.copy })
  expect((await readPdfText(pdf))[0]).toContain('Entrenar tiene riesgos.')
  const { body } = await sensei.get(`/students/${leo.id}/documents`)
  expect(body.signatures).toMatchObject([{ language: 'es' }])
})

test('a drawing is limited and never required', async () => {
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server)
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  expect(await sign({ anonymous, token }, { drawing: 'M1 1'.repeat(6000) })).toMatchObject({
    status: 422,
    body: { detail: 'The drawing is too large. Your typed name is enough.' },
  })
  expect(await sign({ anonymous, token }, { drawing: '<script>' })).toMatchObject({ status: 422 })
  expect(await sign({ anonymous, token }, { drawing: 'M1 1L20 30' })).toMatchObject({ status: 200 })
})

test('the copy is mailed to the signer at once', async () => {
  const mailServer = await startMailServer()
  const { http } = await server.openServer({ smtpUrl: mailServer.smtpUrl })
  const clients = createClients(http)
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server)
  const token = await createToken(sensei, leo.id, documentId, { guardian_id: ann.id })
  const { body } = await sign({ anonymous: clients.anonymous, token })
  expect(body).toMatchObject({ is_mailed: true })
  await expect.poll(() => mailServer.mailsTo(ann.email)).toHaveLength(1)
  expect(mailServer.mailsTo(ann.email)[0]).toContain('signed-copy.pdf')
})

test('one link signs several papers, one after another', async () => {
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server)
  const rulesId = await publishDocument(sensei, { name: 'Rules', kind: 'policy' })
  const token = await createToken(sensei, leo.id, documentId, {
    guardian_id: ann.id,
    document_ids: [documentId, rulesId],
  })
  expect(await sign({ anonymous, token })).toMatchObject({ body: { papers_left: 1 } })
  const { body: openedLink } = await anonymous.post('/signing/open', { token })
  expect(openedLink.papers).toMatchObject([{ name: 'Rules' }])
  expect(await sign({ anonymous, token })).toMatchObject({ body: { papers_left: 0 } })
  expect(await anonymous.post('/signing/open', { token })).toMatchObject({ status: 400 })
})

test('the server can neither change a signature nor its bytes', async () => {
  const { sensei } = await createDocumentDojo(server)
  for (const statement of [
    sql`update signatures set signer_name = 'Somebody'`,
    sql`update signature_files set bytes = 'x'`,
    sql`update document_versions set body = 'x'`,
    sql`delete from document_versions`,
  ])
    await expect(
      server.db.inDojo(sensei.dojoId, (tx) => tx.execute(statement)),
    ).rejects.toMatchObject({
      cause: { message: expect.stringContaining('permission denied') as string },
    })
})

test('a guardian signs at home with the login', async () => {
  const { sensei, leo, ann } = await createDocumentDojo(server)
  const { body } = await ann.get('/my-documents')
  expect(body).toMatchObject({
    people: [{ student_id: leo.id, to_sign: [{ name: 'Waiver', state: 'missing' }] }],
    signatures: [],
  })
  const link = await ann.post('/my-documents/link', { student_id: leo.id })
  await sign({ anonymous, token: tokenOf(link.body.link) })
  expect((await ann.get('/my-documents')).body).toMatchObject({
    people: [],
    signatures: [{ document_name: 'Waiver', person_name: 'Leo Park', has_file: true }],
  })
  const { body: documents } = await sensei.get(`/students/${leo.id}/documents`)
  expect(documents.signatures).toMatchObject([{ channel: 'login' }])
})
