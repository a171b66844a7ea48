import { expect, test } from 'vitest'
import { setupState } from './text-service.ts'

const state = (status: string, connected = false) => setupState({ status, connected })

test('connected or ready means ready, and a service in trouble an error', () => {
  expect([
    state('ready'),
    state('disconnected', true),
    state('service_unavailable'),
    state('service_unreachable'),
    state('service_error'),
  ]).toEqual(['ready', 'ready', 'service_error', 'service_error', 'service_error'])
})

test('any other status is shown as it is', () => {
  expect([state('checking'), state('disconnected'), state('paused'), state('')]).toEqual([
    'checking',
    'disconnected',
    { other: 'paused' },
    { other: '' },
  ])
})
