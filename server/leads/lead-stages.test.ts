import { describe, expect, test } from 'vitest'
import { rightsOfPreset } from '@tatami/contract/rights'
import { endpoints } from '@tatami/contract/api'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

async function createSchool() {
  const sensei = await server.createSensei()
  const addLead = async (name: string) => {
    const visitors = [{ name: 'Leo Zanshinsky', age: 7 }]
    const form = { name, phone: '512-555-0143', visitors, source: 'Walk-in', adds_anyway: true }
    return (await sensei.post('/leads', form)).body
  }
  return { sensei, addLead }
}

describe('a helper without the right to see contacts', () => {
  test('sees only the first names and stages of open leads', async () => {
    const { sensei, addLead } = await createSchool()
    const ana = await addLead('Ana Zanshinsky')
    const { id } = await addLead('Ben Zanshinsky')
    await sensei.post(`/leads/${ana.id}/events`, { kind: 'call', note: '' })
    await sensei.post(`/leads/${id}/events`, { kind: 'lost', note: 'Too far away' })
    const helper = await server.createStaff(sensei, { rights: rightsOfPreset('helper') })
    expect((await helper.get('/lead-stages')).body).toEqual([
      { first_name: 'Ana', stage: 'talking' },
    ])
  })

  test('gets nothing from any other call about leads', async () => {
    const { sensei, addLead } = await createSchool()
    const { id } = await addLead('Ana Zanshinsky')
    const helper = await server.createStaff(sensei, { rights: rightsOfPreset('assistant') })
    const leadCalls = endpoints.filter(
      ({ path }) => /^\/(leads|lead-|fair-leads)/.test(path) && path !== '/lead-stages',
    )
    expect(leadCalls.length).toBeGreaterThan(15)
    for (const { method, path } of leadCalls) {
      const response = await server.http.inject({
        method,
        url: `/api${path.replace(':id', id)}`,
        headers: { authorization: `Bearer ${helper.token}`, 'content-type': 'application/json' },
        ...(method !== 'GET' && { payload: '{}' }),
      })
      expect([method, path, response.statusCode]).toEqual([method, path, 403])
    }
  })

  test('sees only leads with a trial in their classes, if they see only some classes', async () => {
    const { sensei, addLead } = await createSchool()
    await addLead('Ana Zanshinsky')
    const kids = await server.createClass(sensei)
    const helper = await server.createStaff(sensei, { rights: ['roll'], class_ids: [kids.id] })
    expect((await helper.get('/lead-stages')).body).toEqual([])
  })
})
