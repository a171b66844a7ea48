import { endpoints } from '@tatami/contract/api'
import { expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

test('the OpenAPI document has every call', async () => {
  const { paths } = (await server.anonymous.get('/openapi.json')).body
  const documentedCalls = Object.entries(paths as Record<string, object>).flatMap(
    ([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`),
  )
  const contractCalls = endpoints.map(
    ({ method, path }) => `${method.toLowerCase()} /api${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  )
  expect(documentedCalls.toSorted()).toEqual(contractCalls.toSorted())
  expect(
    paths['/api/students/{id}'].put.requestBody.content['application/json'].schema.required,
  ).toContain('date_of_birth')
})

test('the document and the page say which rights staff need', async () => {
  const { paths } = (await server.anonymous.get('/openapi.json')).body
  const page = await server.http.inject('/api/docs')
  const neededRights =
    'Staff need: export (download data), money.see (see who owes money, and all figures).'
  expect(paths['/api/export/payments'].post.description).toBe(
    `May be called by: instructor. ${neededRights}`,
  )
  expect(page.body).toContain(neededRights)
  for (const { path, method, right } of endpoints)
    if (right !== undefined && right !== 'own')
      expect(
        paths[`/api${path.replaceAll(/:(\w+)/g, '{$1}')}`][method.toLowerCase()].description,
      ).toContain('Staff need')
})

test('the HTML page has every path', async () => {
  const page = await server.http.inject('/api/docs')
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  for (const { path } of endpoints) expect(page.body).toContain(`/api${path}`)
})
