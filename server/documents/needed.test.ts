import { expect, test, vi } from 'vitest'
import { setClock } from '../test/clock.ts'
import {
  createDocumentDojo,
  createToken,
  exampleDocument,
  publishDocument,
  readStates,
  sign,
  signAnyway,
  TEN_YEARS_OLD,
} from '../test/document-dojo.ts'
import { startTestServer } from '../test/test-server.ts'
import { addVisitor, createVisitorLink, linkVisitorToStudent } from './visitors.ts'

// Drawing the first PDF loads the fonts.
vi.setConfig({ testTimeout: 60_000 })
const server = await startTestServer()
const { anonymous } = server

const publishAgain = async (
  sensei: Awaited<ReturnType<typeof server.createSensei>>,
  documentId: string,
  resign: 'all' | 'new_only',
) => {
  const texts = [{ language: 'en', body: `Text for ${resign}.`, questions: [] }]
  await sensei.put(`/documents/${documentId}`, exampleDocument({ texts }))
  return sensei.post(`/documents/${documentId}/publish`, { resign })
}

/** Signs although the person is not asked to. */
const forceSignature = (
  { sensei, leo, documentId }: Awaited<ReturnType<typeof createDocumentDojo>>,
  guardian: { id: string } | null,
) =>
  signAnyway(
    { anonymous, sensei },
    { studentId: leo.id, documentId },
    guardian ? { guardian_id: guardian.id } : {},
  )

const signAs = async (
  { sensei, leo, documentId }: Awaited<ReturnType<typeof createDocumentDojo>>,
  guardian: { id: string } | null,
  changes: object = {},
) => {
  const token = await createToken(
    sensei,
    leo.id,
    documentId,
    guardian ? { guardian_id: guardian.id } : {},
  )
  return sign({ anonymous, token }, changes)
}

test('a school without documents asks for nothing', async () => {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei)
  expect(await sensei.get('/documents')).toMatchObject({ body: { documents: [] } })
  expect(await sensei.get('/unsigned-documents')).toMatchObject({ body: { students: [] } })
  expect((await leo.get('/my-documents')).body).toEqual({ people: [], signatures: [] })
})

test('a document that is not published is asked of nobody', async () => {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei)
  await sensei.post('/documents', exampleDocument())
  expect(await readStates(sensei, leo.id)).toEqual([])
})

test('an archived document is asked of nobody, until it is asked for again', async () => {
  const { sensei, documentId, leo } = await createDocumentDojo(server)
  await sensei.put(`/documents/${documentId}/archived`, { is_archived: true })
  expect(await readStates(sensei, leo.id)).toEqual([])
  await sensei.put(`/documents/${documentId}/archived`, { is_archived: false })
  expect(await readStates(sensei, leo.id)).toEqual(['missing'])
})

test.each([
  ['trial', { is_trial: true }, ['missing']],
  ['trial', { is_trial: false }, []],
  ['enrolment', { is_trial: true }, []],
  ['enrolment', { is_trial: false }, ['missing']],
  ['plan', { is_trial: false }, []],
  ['event', { is_trial: false }, []],
  ['everybody', { is_trial: true }, ['missing']],
])('a document for %s and a student with %o gives %o', async (purpose, fields, states) => {
  const sensei = await server.createSensei()
  await publishDocument(sensei, { purpose })
  const student = await server.createStudent(sensei, fields)
  expect(await readStates(sensei, student.id)).toEqual(states)
})

test('a document for an event is signed by who is asked', async () => {
  const dojo = await createDocumentDojo(server, { purpose: 'event' })
  expect(await signAs(dojo, dojo.ann)).toMatchObject({ status: 200 })
})

test('publishing for everybody asks anew, and earlier signatures count until then', async () => {
  const dojo = await createDocumentDojo(server)
  const { sensei, documentId, leo, ann } = dojo
  await signAs(dojo, ann)
  expect(await publishAgain(sensei, documentId, 'all')).toMatchObject({
    body: { document: { version: 2, unsigned_count: 0, people: [{ state: 'earlier_version' }] } },
  })
  expect(await readStates(sensei, leo.id)).toEqual(['earlier_version'])
  expect((await ann.get('/my-documents')).body.people).toHaveLength(1)
  const { body: notifications } = await ann.get('/notifications')
  expect(notifications[0]).toMatchObject({ title: 'Please sign', opens: '/my-documents' })
  await signAs(dojo, ann)
  expect(await readStates(sensei, leo.id)).toEqual(['signed'])
})

test('publishing for new people leaves earlier signatures as they are', async () => {
  const dojo = await createDocumentDojo(server)
  const { sensei, documentId, leo, ann } = dojo
  await signAs(dojo, ann)
  await publishAgain(sensei, documentId, 'new_only')
  expect(await readStates(sensei, leo.id)).toEqual(['signed'])
})

test('the same text is not published twice', async () => {
  const { sensei, documentId } = await createDocumentDojo(server)
  expect(await sensei.post(`/documents/${documentId}/publish`, { resign: 'all' })).toMatchObject({
    status: 409,
    body: { detail: 'This text is published already' },
  })
})

test('a child never signs alone', async () => {
  const dojo = await createDocumentDojo(server)
  expect(await forceSignature(dojo, null)).toMatchObject({ status: 422 })
  const { leo } = dojo
  expect((await leo.get('/my-documents')).body.people).toEqual([])
})

test('a document for the student is signed alone from the minimum age on', async () => {
  const dojo = await createDocumentDojo(server, { signer: 'student', min_age: 14 })
  const { sensei, documentId } = dojo
  expect(await forceSignature(dojo, null)).toMatchObject({
    status: 422,
    body: { detail: 'You can’t sign this alone yet. Please ask a parent or guardian to sign it.' },
  })
  const mia = await server.createStudent(sensei, { date_of_birth: '2011-01-01' })
  const token = await createToken(sensei, mia.id, documentId)
  expect(await sign({ anonymous, token })).toMatchObject({ status: 200 })
})

test('a guardian who may not see the student cannot sign', async () => {
  const dojo = await createDocumentDojo(server)
  const { sensei, leo } = dojo
  const ben = await server.createGuardian(sensei, [], {
    students: [{ student_id: leo.id, sees: false }],
  })
  expect(await forceSignature(dojo, ben)).toMatchObject({ status: 403 })
  expect((await ben.get('/my-documents')).body.people).toEqual([])
})

test('only the payer signs an agreement about money', async () => {
  const dojo = await createDocumentDojo(server, { signer: 'payer', kind: 'agreement' })
  const { sensei, leo, ann } = dojo
  const payer = await server.createGuardian(sensei, [], {
    students: [{ student_id: leo.id, pays: true }],
  })
  expect(await forceSignature(dojo, ann)).toMatchObject({
    status: 403,
    body: { detail: 'Only the person who pays can sign this paper.' },
  })
  expect((await payer.get('/my-documents')).body.people).toHaveLength(1)
  expect(await signAs(dojo, payer)).toMatchObject({ status: 200 })
})

test('one signature of two guardians is enough, and the other does not learn who signed', async () => {
  const dojo = await createDocumentDojo(server)
  const { sensei, leo, ann } = dojo
  const ben = await server.createGuardian(sensei, [leo], { name: 'Ben Park' })
  await signAs(dojo, ann)
  const { body } = await ben.get('/my-documents')
  expect(body).toEqual({ people: [], signatures: [] })
  const { body: documents } = await sensei.get(`/students/${leo.id}/documents`)
  expect(documents.signatures).toMatchObject([{ signer_name: 'Ann Park' }])
  expect((await ben.get(`/my-documents/${documents.signatures[0].id}/file`)).status).toBe(404)
})

test('each guardian signs a document for each guardian', async () => {
  const dojo = await createDocumentDojo(server, { signer: 'each_guardian' })
  const { sensei, leo, ann } = dojo
  const ben = await server.createGuardian(sensei, [leo], { name: 'Ben Park' })
  await signAs(dojo, ann)
  expect(await readStates(sensei, leo.id)).toEqual(['missing'])
  expect((await ann.get('/my-documents')).body.people).toEqual([])
  expect((await ben.get('/my-documents')).body.people).toHaveLength(1)
  await signAs(dojo, ben, { name: 'Ben Park' })
  expect(await readStates(sensei, leo.id)).toEqual(['signed'])
})

test('two parents at once both sign, once each', async () => {
  const dojo = await createDocumentDojo(server)
  const { sensei, leo, ann } = dojo
  const ben = await server.createGuardian(sensei, [leo], { name: 'Ben Park' })
  const results = await Promise.all([signAs(dojo, ann), signAs(dojo, ben, { name: 'Ben Park' })])
  expect(results.map(({ status }) => status)).toEqual([200, 200])
  const { body } = await sensei.get(`/students/${leo.id}/documents`)
  expect(body.signatures).toHaveLength(2)
})

test('somebody else signs with relation and phone, and an instructor confirms', async () => {
  const { sensei, documentId, leo } = await createDocumentDojo(server)
  const newToken = () => createToken(sensei, leo.id, documentId, { is_somebody_else: true })
  const form = { name: 'Rosa Diaz', relation: 'grandparent', phone: '512 555 0199' }
  expect(await sign({ anonymous, token: await newToken() }, { name: 'Rosa Diaz' })).toMatchObject({
    status: 422,
  })
  expect(await sign({ anonymous, token: await newToken() }, form)).toMatchObject({ status: 200 })
  expect(await readStates(sensei, leo.id)).toEqual(['unconfirmed'])
  const { body } = await sensei.get(`/students/${leo.id}/documents`)
  const [signature] = body.signatures
  expect(signature).toMatchObject({ signer_kind: 'other', phone: '512 555 0199' })
  await sensei.post(`/signatures/${signature.id}/confirm`)
  expect(await readStates(sensei, leo.id)).toEqual(['signed'])
})

test('the signature of a guardian stands after the link to the student has ended', async () => {
  const dojo = await createDocumentDojo(server)
  const { sensei, leo, ann } = dojo
  await signAs(dojo, ann)
  const token = await createToken(sensei, leo.id, dojo.documentId, { guardian_id: ann.id })
  await sensei.delete(`/guardians/${ann.id}/students/${leo.id}`)
  expect(await readStates(sensei, leo.id)).toEqual(['signed'])
  const { body: openedLink } = await anonymous.post('/signing/open', { token })
  expect(openedLink.papers).toEqual([])
})

test('a signature is over after its last day', async () => {
  setClock('2027-08-20T18:00:00Z')
  const dojo = await createDocumentDojo(server, { valid_until_day: '08-31' })
  const { sensei, leo, ann } = dojo
  await signAs(dojo, ann)
  const { body } = await sensei.get(`/students/${leo.id}/documents`)
  expect(body.needed).toMatchObject([{ state: 'signed', expires_on: '2027-08-31' }])
  // Still August 31 in Chicago.
  setClock('2027-09-01T04:00:00Z')
  expect(await readStates(sensei, leo.id)).toEqual(['signed'])
  setClock('2027-09-01T18:00:00Z')
  expect(await readStates(sensei, leo.id)).toEqual(['expired'])
  await signAs(dojo, ann)
  expect(await readStates(sensei, leo.id)).toEqual(['signed'])
})

test('a guardian’s signature counts for some days after the 18th birthday', async () => {
  setClock('2027-01-20T18:00:00Z')
  const sensei = await server.createSensei()
  await sensei.put('/document-rules', { is_holding: false, kept_years: null, grown_up_days: 10 })
  const documentId = await publishDocument(sensei)
  const leo = await server.createStudent(sensei, { date_of_birth: '2009-01-25' })
  const ann = await server.createGuardian(sensei, [leo])
  const dojo = { sensei, documentId, leo, ann }
  await signAs(dojo, ann)
  expect(await readStates(sensei, leo.id)).toEqual(['signed'])
  setClock('2027-01-25T18:00:00Z')
  expect(await readStates(sensei, leo.id)).toEqual(['signed'])
  setClock('2027-01-26T18:00:00Z')
  expect(await readStates(sensei, leo.id)).toEqual(['signed_as_minor'])
  expect((await leo.get('/my-documents')).body.people).toHaveLength(1)
  setClock('2027-02-05T18:00:00Z')
  expect(await readStates(sensei, leo.id)).toEqual(['expired'])
  await signAs(dojo, null, { name: 'Leo Park' })
  expect(await readStates(sensei, leo.id)).toEqual(['signed'])
})

test('staff record a signature on paper, with their name', async () => {
  setClock('2026-01-04T18:00:00Z')
  const { sensei, documentId, leo, ann } = await createDocumentDojo(server)
  setClock('2026-01-06T18:00:00Z')
  const form = { document_id: documentId, signer_name: 'Ann Park', guardian_id: ann.id }
  const record = (signed_on: string) =>
    sensei.post(`/students/${leo.id}/paper-signatures`, { ...form, signed_on })
  expect(await record('2026-01-07')).toMatchObject({ status: 422 })
  expect(await record('2026-01-05')).toMatchObject({
    status: 200,
    body: {
      signature: {
        channel: 'paper',
        recorded_by: 'Aiko Tanaka',
        has_file: false,
        signed_at: '2026-01-05T18:00:00.000Z',
      },
    },
  })
  expect(await readStates(sensei, leo.id)).toEqual(['signed'])
})

test('a signature on paper may be older than the document, but not than the student', async () => {
  setClock('2026-01-06T18:00:00Z')
  const { sensei, documentId, leo } = await createDocumentDojo(server)
  const { id: babyId } = await server.createStudent(sensei, { date_of_birth: '2026-01-05' })
  const form = { document_id: documentId, signer_name: 'Ann Park', relation: 'mother' }
  const record = async (studentId: string, signed_on: string) => {
    const path = `/students/${studentId}/paper-signatures`
    const { status, body } = await sensei.post(path, { ...form, signed_on })
    return status === 200 ? status : [status, body.errors]
  }
  expect(await record(babyId, '2026-01-04')).toEqual([
    422,
    [{ field: 'signed_on', message: 'The day must not be before the date of birth' }],
  ])
  expect(await record(leo.id, '2025-09-01')).toBe(200)
})

test('answers are required, checked and kept, medical ones apart', async () => {
  const questions = [
    {
      key: 'swim',
      label: 'Can swim?',
      type: 'yes_no',
      choices: [],
      is_required: true,
      is_medical: false,
    },
    {
      key: 'asthma',
      label: 'Asthma?',
      type: 'text',
      choices: [],
      is_required: false,
      is_medical: true,
    },
  ]
  const dojo = await createDocumentDojo(server, {
    texts: [{ language: 'en', body: 'Please answer.', questions }],
  })
  const { sensei, leo, ann } = dojo
  expect(await signAs(dojo, ann)).toMatchObject({
    status: 422,
    body: { detail: 'Please answer: Can swim?' },
  })
  await signAs(dojo, ann, {
    answers: [
      { key: 'swim', value: 'yes' },
      { key: 'asthma', value: 'Mild' },
    ],
  })
  const { body } = await sensei.get(`/students/${leo.id}/documents`)
  expect(body.signatures).toMatchObject([
    {
      answers: [{ label: 'Can swim?', value: 'yes' }],
      medical_answers: [{ label: 'Asthma?', value: 'Mild' }],
    },
  ])
})

test('a visitor signs before enrolling, and the student keeps the signature', async () => {
  const sensei = await server.createSensei()
  await publishDocument(sensei, { purpose: 'trial' })
  const { visitorId, link } = await server.db.inDojo(sensei.dojoId, async (tx) => {
    const visitor = await addVisitor(tx, { name: 'Mia Reyes', date_of_birth: '2016-05-05' })
    const visitorLink = await createVisitorLink(tx, sensei.dojoId, {
      visitorId: visitor,
      maySignAlone: true,
      publicUrl: 'https://tatami.test',
    })
    return { visitorId: visitor, link: visitorLink?.link ?? '' }
  })
  const form = { name: 'Eva Reyes', signs_for: 'child', relation: 'mother', phone: '512 555 0188' }
  const token = link.replace(/^.*#/, '')
  expect(await sign({ anonymous, token }, form)).toMatchObject({ status: 200 })
  const mia = await server.createStudent(sensei, { is_trial: true, ...TEN_YEARS_OLD })
  expect(await readStates(sensei, mia.id)).toEqual(['missing'])
  await server.db.inDojo(sensei.dojoId, (tx) => linkVisitorToStudent(tx, visitorId, mia.id))
  expect(await readStates(sensei, mia.id)).toEqual(['signed'])
})
