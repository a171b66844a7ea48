import type { Page, Route } from '@playwright/test'
import { toDataURL } from 'qrcode'

/** A status that the simulator, which the tests run on, cannot be in. */
export const textServiceStatus = (status: string, over: object = {}) => ({
  status,
  connected: false,
  user: { name: 'Aiko Tanaka' },
  instructorId: '0',
  phone_number: null,
  service: 'none',
  error: null,
  ...over,
})

/** Answers a call at the network, and counts how often it is made; null cuts it. */
export async function mockCall(page: Page, path: string, answer: object | null) {
  const asked = { times: 0, answer, status: 200 }
  await page.route(`**/api${path}`, (route: Route) => {
    asked.times += 1
    return asked.answer
      ? route.fulfill({ status: asked.status, json: asked.answer })
      : route.abort()
  })
  return asked
}

export const qrCode = () => toDataURL('http://127.0.0.1/sms-setup', { margin: 1 })
