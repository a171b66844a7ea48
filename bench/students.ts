import { createDojo } from './dojo.ts'
import { compare } from './compare.ts'

await compare('List 300 students', async (databaseUrl) => {
  const { token } = await createDojo(databaseUrl, 300)
  return { path: '/api/students', token, request: () => ({ method: 'GET' }) }
})
