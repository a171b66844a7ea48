import { expect, test } from 'vitest'
import { findSetupState } from './text-service.ts'

const findStateFor = (status: string, { connected } = { connected: false }) =>
  findSetupState({ status, connected })

test('reports a connected service as ready and a failing one as an error', () => {
  expect([
    findStateFor('ready'),
    findStateFor('disconnected', { connected: true }),
    findStateFor('service_unavailable'),
    findStateFor('service_unreachable'),
    findStateFor('service_error'),
  ]).toEqual(['ready', 'ready', 'service_error', 'service_error', 'service_error'])
})

test('keeps the known statuses, and returns any other as an unknown status', () => {
  expect([
    findStateFor('checking'),
    findStateFor('disconnected'),
    findStateFor('paused'),
    findStateFor(''),
  ]).toEqual(['checking', 'disconnected', { unknownStatus: 'paused' }, { unknownStatus: '' }])
})
