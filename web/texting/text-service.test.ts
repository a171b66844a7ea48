import { expect, test } from 'vitest'
import { setupState } from './text-service.ts'

const state = (status: string, isConnected = false) =>
  setupState({ status, connected: isConnected })

test('reports a connected service as ready and a failing one as an error', () => {
  expect([
    state('ready'),
    state('disconnected', true),
    state('service_unavailable'),
    state('service_unreachable'),
    state('service_error'),
  ]).toEqual(['ready', 'ready', 'service_error', 'service_error', 'service_error'])
})

test('shows any other status as is', () => {
  expect([state('checking'), state('disconnected'), state('paused'), state('')]).toEqual([
    'checking',
    'disconnected',
    { other: 'paused' },
    { other: '' },
  ])
})
