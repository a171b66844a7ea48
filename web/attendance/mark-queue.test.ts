import { describe, expect, test } from 'vitest'
import { markQueue, type Tap } from './mark-queue.ts'

const ken = { student_id: 'ken', class_id: 'judo', day: '2026-03-02' }
const mia = { ...ken, student_id: 'mia' }
const settled = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 0)
  })

/** A server that answers when the test says so, and remembers what it was told. */
function server() {
  const told: string[] = []
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = []
  const send = ({ student_id, present }: Tap) => {
    told.push(`${student_id} ${present}`)
    return new Promise<void>((resolve, reject) => {
      answers.push({ resolve, reject })
    })
  }
  const answer = async (failure?: Error) => {
    const next = answers.shift()!
    if (failure) next.reject(failure)
    else next.resolve()
    await settled()
  }
  return { told, send, answer }
}

describe('taps on one student', () => {
  test('show at once and are gone when the server has them', async () => {
    const { told, send, answer } = server()
    const queue = markQueue(send)
    queue.mark(ken, true)
    expect(queue.taps()).toEqual([{ ...ken, present: true, isUnderWay: true }])
    await answer()
    expect([queue.taps(), told]).toEqual([[], ['ken true']])
  })

  test('go out one after the other, and only the last of those that wait', async () => {
    const { told, send, answer } = server()
    const queue = markQueue(send)
    for (const present of [true, false, true, false]) queue.mark(ken, present)
    expect(told).toEqual(['ken true'])
    await answer()
    expect(told).toEqual(['ken true', 'ken false'])
    await answer()
    expect([queue.taps(), told]).toEqual([[], ['ken true', 'ken false']])
  })

  test('end with the last one even when an earlier one fails', async () => {
    const { told, send, answer } = server()
    const queue = markQueue(send)
    queue.mark(ken, true)
    queue.mark(ken, false)
    await answer(new Error('cut'))
    await answer()
    expect([queue.taps(), told]).toEqual([[], ['ken true', 'ken false']])
  })
})

test('a tap that fails is kept with its error until it is tried again', async () => {
  const { told, send, answer } = server()
  const queue = markQueue(send)
  const error = new Error('cut')
  queue.mark(ken, true)
  await answer(error)
  expect(queue.taps()).toEqual([{ ...ken, present: true, failure: { error }, isUnderWay: false }])
  queue.retry(queue.taps()[0]!)
  expect(queue.taps()).toEqual([{ ...ken, present: true, isUnderWay: true, isRetry: true }])
  await answer()
  expect([queue.taps(), told]).toEqual([[], ['ken true', 'ken true']])
})

test('a quiet retry counts as failed until it has worked, and waits for nobody twice', async () => {
  const { told, send, answer } = server()
  const queue = markQueue(send)
  const error = new Error('cut')
  queue.mark(ken, true)
  await answer(error)
  queue.retryQuietly(queue.taps()[0]!)
  queue.retryQuietly(queue.taps()[0]!)
  expect(queue.taps()).toEqual([{ ...ken, present: true, failure: { error }, isUnderWay: true, isRetry: true }])
  expect(told).toEqual(['ken true', 'ken true'])
  queue.mark(ken, false)
  await answer()
  await answer()
  expect([queue.taps(), told]).toEqual([[], ['ken true', 'ken true', 'ken false']])
})

test('students do not wait for each other', () => {
  const { told, send } = server()
  const queue = markQueue(send)
  queue.mark(ken, true)
  queue.mark(mia, false)
  expect(told).toEqual(['ken true', 'mia false'])
})

test('what is under way when the queue is cleared does not come back', async () => {
  const { send, answer } = server()
  const queue = markQueue(send)
  queue.mark(ken, true)
  queue.clear()
  await answer(new Error('cut'))
  expect(queue.taps()).toEqual([])
})

test('whoever watches hears of every change, until they stop', async () => {
  const { send, answer } = server()
  const queue = markQueue(send)
  let heard = 0
  const stop = queue.watch(() => {
    heard += 1
  })
  queue.mark(ken, true)
  await answer()
  stop()
  queue.mark(ken, false)
  expect(heard).toBe(2)
})
