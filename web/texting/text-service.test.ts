import { expect, test } from 'vitest'
import { setupState } from './text-service.ts'

const setupStateOf = (status: string, { connected } = { connected: false }) =>
  setupState({ status, connected })

test('reports a connected service as ready and a failing one as an error', () => {
  expect([
    setupStateOf('ready'),
    setupStateOf('disconnected', { connected: true }),
    setupStateOf('service_unavailable'),
    setupStateOf('service_unreachable'),
    setupStateOf('service_error'),
  ]).toEqual(['ready', 'ready', 'service_error', 'service_error', 'service_error'])
})

test('keeps the known statuses and shows any other as text', () => {
  expect([
    setupStateOf('checking'),
    setupStateOf('disconnected'),
    setupStateOf('paused'),
    setupStateOf(''),
  ]).toEqual(['checking', 'disconnected', { unknownStatus: 'paused' }, { unknownStatus: '' }])
})
