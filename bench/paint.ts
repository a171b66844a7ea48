import { mustExist } from '@tatami/contract/lib/must-exist'
export const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

/** Milliseconds until the first and the largest paint, and the score of all layout shifts. */
export type Paints = { paint: number; largest: number; shift: number }

export function watchPaints() {
  const paints = { paint: 0, largest: 0, shift: 0 }
  const observe = (
    type: string,
    record: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void,
  ) =>
    new PerformanceObserver((list) => list.getEntries().forEach(record)).observe({
      type,
      buffered: true,
    })
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') paints.paint = startTime
  })
  observe('largest-contentful-paint', ({ startTime }) => {
    paints.largest = startTime
  })
  observe('layout-shift', ({ value = 0, hadRecentInput }) => {
    if (!hadRecentInput) paints.shift += value
  })
  Object.assign(window, { paints })
}

export const median = (numbers: number[]) =>
  mustExist(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)], 'The median')
export const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
