import { aDojo } from './dojo.ts'
import { compare } from './compare.ts'

await compare('List 300 students', async (url) => {
  const { token } = await aDojo(url, 300)
  return { path: '/api/students', token, request: () => ({ method: 'GET' }) }
})
