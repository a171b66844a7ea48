import { mustExist } from '@tatami/contract/lib/must-exist'

export const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

/** Milliseconds until the first and the largest paint, and the score of all layout shifts. */
export type Paints = { firstPaint: number; largestPaint: number; layoutShift: number }

export function watchPaints() {
  const paints = { firstPaint: 0, largestPaint: 0, layoutShift: 0 }
  const observe = (
    type: string,
    record: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void,
  ) =>
    new PerformanceObserver((list) => list.getEntries().forEach(record)).observe({
      type,
      buffered: true,
    })
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') paints.firstPaint = startTime
  })
  observe('largest-contentful-paint', ({ startTime }) => {
    paints.largestPaint = startTime
  })
  observe('layout-shift', ({ value = 0, hadRecentInput }) => {
    if (!hadRecentInput) paints.layoutShift += value
  })
  Object.assign(window, { paints })
}

export const median = (numbers: number[]) =>
  mustExist(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)], 'The median')
export const formatSeconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
