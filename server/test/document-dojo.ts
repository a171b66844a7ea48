import type { StudentFields } from './fixtures.ts'
import type { ApiClient, startTestServer } from './test-server.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>

export const exampleDocument = (changes: object = {}) => ({
  name: 'Waiver',
  kind: 'waiver',
  signer: 'guardian',
  purpose: 'everybody',
  due: 'before',
  has_medical_answers_in_pdf: false,
  texts: [{ language: 'en', body: '# Risks\nTraining has risks.', questions: [] }],
  ...changes,
})

export async function publishDocument(sensei: ApiClient, changes: object = {}): Promise<string> {
  const { body } = await sensei.post('/documents', exampleDocument(changes))
  await sensei.post(`/documents/${body.document.id}/publish`, { resign: 'all' })
  return body.document.id
}

/** A school with a published waiver, and Leo, ten years old, with his mother Ann. */
export async function createDocumentDojo(server: Server, changes: object = {}) {
  const sensei = await server.createSensei()
  const documentId = await publishDocument(sensei, changes)
  const leo = await server.createStudent(sensei, { name: 'Leo Park', ...TEN_YEARS_OLD })
  const ann = await server.createGuardian(sensei, [leo], { name: 'Ann Park' })
  return { sensei, documentId, leo, ann }
}

export const TEN_YEARS_OLD: StudentFields = { date_of_birth: '2016-03-01' }

/** Creates a link with which somebody signs on the instructor’s device. Returns its token. */
export async function createToken(
  sensei: ApiClient,
  studentId: string,
  documentId: string,
  changes: object = {},
): Promise<string> {
  const form = { document_ids: [documentId], by: 'device', ...changes }
  const { body } = await sensei.post(`/students/${studentId}/signing-links`, form)
  return tokenOf(body.link)
}

export const tokenOf = (link: string): string => link.replace(/^.*#/, '')

type Signing = { anonymous: ApiClient; token: string }

/** Reads the first paper of a link, and signs it. */
export async function sign({ anonymous, token }: Signing, changes: object = {}) {
  const { body } = await anonymous.post('/signing/open', { token })
  return anonymous.post('/signing/sign', signForm(token, body, changes))
}

type OpenedPapers = {
  disclosure_version: string
  papers: { document_id: string; versions: { version_id: string }[] }[]
}

export const signForm = (
  token: string,
  { disclosure_version, papers }: OpenedPapers,
  changes: object = {},
) => ({
  token,
  document_id: papers[0]?.document_id,
  version_id: papers[0]?.versions[0]?.version_id,
  disclosure_version,
  agrees_to_disclosure: true,
  name: 'Ann Park',
  answers: [],
  ...changes,
})

export const readStates = async (sensei: ApiClient, studentId: string): Promise<string[]> =>
  (await sensei.get(`/students/${studentId}/documents`)).body.needed.map(
    ({ state }: { state: string }) => state,
  )

/** Signs with a link that shows no paper, because the signer has nothing to sign. */
export async function signAnyway(
  { anonymous, sensei }: { anonymous: ApiClient; sensei: ApiClient },
  { studentId, documentId }: { studentId: string; documentId: string },
  signer: object,
) {
  const otherToken = await createToken(sensei, studentId, documentId, { is_somebody_else: true })
  const { body } = await anonymous.post('/signing/open', { token: otherToken })
  const token = await createToken(sensei, studentId, documentId, signer)
  return anonymous.post('/signing/sign', signForm(token, body))
}
