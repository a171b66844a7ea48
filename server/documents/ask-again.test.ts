import { expect, test } from 'vitest'
import { createDocumentDojo, exampleDocument, TEN_YEARS_OLD } from '../test/document-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
type Reader = Pick<Awaited<ReturnType<typeof server.createSensei>>, 'get'>

const countRequests = async (reader: Reader): Promise<number> => {
  const { body } = await reader.get('/notifications')
  return body.filter(({ title }: { title: string }) => title === 'Please sign').length
}

test('asking again tells the guardians, and says who cannot be reached', async () => {
  const { sensei, documentId, ann } = await createDocumentDojo(server)
  // A child without a guardian.
  await server.createStudent(sensei, TEN_YEARS_OLD)
  const requestsBefore = await countRequests(ann)
  expect(await sensei.post(`/documents/${documentId}/requests`)).toMatchObject({
    status: 200,
    body: { asked: 1, not_reached: 1 },
  })
  expect(await countRequests(ann)).toBe(requestsBefore + 1)
})

test('nobody is asked for a document that is not published, or archived', async () => {
  const { sensei, documentId } = await createDocumentDojo(server)
  const { body } = await sensei.post('/documents', exampleDocument({ name: 'Rules' }))
  expect(await sensei.post(`/documents/${body.document.id}/requests`)).toMatchObject({
    status: 409,
    body: { detail: 'Publish the document first' },
  })
  await sensei.put(`/documents/${documentId}/archived`, { is_archived: true })
  expect(await sensei.post(`/documents/${documentId}/requests`)).toMatchObject({
    status: 409,
    body: { detail: 'This document is archived' },
  })
})
