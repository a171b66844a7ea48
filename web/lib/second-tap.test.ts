import { beforeAll, expect, test, vi } from 'vitest'

const page = new EventTarget()
let isSecondTap: () => boolean

function pressAt(timeStamp: number, x: number, y: number) {
  const event = Object.assign(new Event('pointerdown'), { clientX: x, clientY: y })
  Object.defineProperty(event, 'timeStamp', { value: timeStamp })
  page.dispatchEvent(event)
}

beforeAll(async () => {
  vi.stubGlobal('document', page)
  ;({ isSecondTap } = await import('./second-tap.ts'))
})

test('recognizes a second tap soon after the first, in the same place', () => {
  pressAt(1000, 300, 700)
  expect(isSecondTap()).toBe(false)
  pressAt(1200, 305, 704)
  expect(isSecondTap()).toBe(true)
})

test('does not count a tap in another place or a later tap', () => {
  pressAt(3000, 300, 700)
  pressAt(3100, 300, 400)
  expect(isSecondTap()).toBe(false)
  pressAt(3600, 300, 400)
  expect(isSecondTap()).toBe(false)
})
