import { describe, expect, test } from 'vitest'
import { createMarkQueue, type PendingMark } from './mark-queue.ts'

const aiko = { student_id: 'aiko', class_id: 'judo', day: '2026-03-02' }
const mia = { ...aiko, student_id: 'mia' }
const settled = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 0)
  })

/** A server that answers when the test tells it to, and records what was sent. */
function server() {
  const sent: string[] = []
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = []
  const send = ({ student_id, present }: PendingMark) => {
    sent.push(`${student_id} ${present}`)
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
  return { sent, send, answer }
}

describe('marks of one student', () => {
  test('are pending at once and gone when the server has them', async () => {
    const { sent, send, answer } = server()
    const queue = createMarkQueue(send)
    queue.mark(aiko, true)
    expect(queue.pending()).toEqual([{ ...aiko, present: true, isSending: true }])
    await answer()
    expect([queue.pending(), sent]).toEqual([[], ['aiko true']])
  })

  test('are sent one after the other, and of those that wait only the last', async () => {
    const { sent, send, answer } = server()
    const queue = createMarkQueue(send)
    for (const present of [true, false, true, false]) queue.mark(aiko, present)
    expect(sent).toEqual(['aiko true'])
    await answer()
    expect(sent).toEqual(['aiko true', 'aiko false'])
    await answer()
    expect([queue.pending(), sent]).toEqual([[], ['aiko true', 'aiko false']])
  })

  test('end with the last one even when an earlier one fails', async () => {
    const { sent, send, answer } = server()
    const queue = createMarkQueue(send)
    queue.mark(aiko, true)
    queue.mark(aiko, false)
    await answer(new Error('cut'))
    await answer()
    expect([queue.pending(), sent]).toEqual([[], ['aiko true', 'aiko false']])
  })
})

test('keeps a failed mark with its error until it is retried', async () => {
  const { sent, send, answer } = server()
  const queue = createMarkQueue(send)
  const error = new Error('cut')
  queue.mark(aiko, true)
  await answer(error)
  expect(queue.pending()).toEqual([{ ...aiko, present: true, failure: { error }, isSending: false }])
  queue.retry(queue.pending()[0]!)
  expect(queue.pending()).toEqual([{ ...aiko, present: true, isSending: true, isRetry: true }])
  await answer()
  expect([queue.pending(), sent]).toEqual([[], ['aiko true', 'aiko true']])
})

test('counts a background retry as failed until it succeeds, and sends it once', async () => {
  const { sent, send, answer } = server()
  const queue = createMarkQueue(send)
  const error = new Error('cut')
  queue.mark(aiko, true)
  await answer(error)
  queue.retryInBackground(queue.pending()[0]!)
  queue.retryInBackground(queue.pending()[0]!)
  expect(queue.pending()).toEqual([{ ...aiko, present: true, failure: { error }, isSending: true, isRetry: true }])
  expect(sent).toEqual(['aiko true', 'aiko true'])
  queue.mark(aiko, false)
  await answer()
  await answer()
  expect([queue.pending(), sent]).toEqual([[], ['aiko true', 'aiko true', 'aiko false']])
})

test('sends the marks of different students in parallel', () => {
  const { sent, send } = server()
  const queue = createMarkQueue(send)
  queue.mark(aiko, true)
  queue.mark(mia, false)
  expect(sent).toEqual(['aiko true', 'mia false'])
})

test('drops a request in flight when the queue is cleared', async () => {
  const { send, answer } = server()
  const queue = createMarkQueue(send)
  queue.mark(aiko, true)
  queue.clear()
  await answer(new Error('cut'))
  expect(queue.pending()).toEqual([])
})

test('notifies a subscriber of every change until it unsubscribes', async () => {
  const { send, answer } = server()
  const queue = createMarkQueue(send)
  let notified = 0
  const stop = queue.subscribe(() => {
    notified += 1
  })
  queue.mark(aiko, true)
  await answer()
  stop()
  queue.mark(aiko, false)
  expect(notified).toBe(2)
})
