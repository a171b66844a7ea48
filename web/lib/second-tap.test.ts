import { beforeAll, expect, test, vi } from 'vitest'

const page = new EventTarget()
let isSecondTap: () => boolean

function press(timeStamp: number, x: number, y: number) {
  const event = Object.assign(new Event('pointerdown'), { clientX: x, clientY: y })
  Object.defineProperty(event, 'timeStamp', { value: timeStamp })
  page.dispatchEvent(event)
}

beforeAll(async () => {
  vi.stubGlobal('document', page)
  ;({ isSecondTap } = await import('./second-tap.ts'))
})

test('recognizes a second tap soon after the first, at the same place', () => {
  press(1000, 300, 700)
  expect(isSecondTap()).toBe(false)
  press(1200, 305, 704)
  expect(isSecondTap()).toBe(true)
})

test('does not count a tap that is elsewhere or later', () => {
  press(3000, 300, 700)
  press(3100, 300, 400)
  expect(isSecondTap()).toBe(false)
  press(3600, 300, 400)
  expect(isSecondTap()).toBe(false)
})
