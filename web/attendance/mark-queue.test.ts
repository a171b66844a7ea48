import { describe, expect, test } from 'vitest'
import { createMarkQueue, type PendingMark } from './mark-queue.ts'

const aiko = { student_id: 'aiko', class_id: 'judo', day: '2026-03-02' }
const mia = { ...aiko, student_id: 'mia' },
  ken = { ...aiko, student_id: 'ken' }
const settled = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 0)
  })

class Refused extends Error {}

/** A queue whose server answers when the test tells it to, and records what was sent in each request. */
function queueWithServer() {
  const sent: string[] = []
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = []
  const send = (marks: readonly PendingMark[]) => {
    sent.push(marks.map(({ student_id, present }) => `${student_id} ${present}`).join(', '))
    return new Promise<void>((resolve, reject) => {
      answers.push({ resolve, reject })
    })
  }
  const answer = async (failure?: Error) => {
    await settled()
    const next = answers.shift()!
    if (failure) next.reject(failure)
    else next.resolve()
    await settled()
  }
  return { sent, answer, queue: createMarkQueue({ send, isTransient: (error) => !(error instanceof Refused) }) }
}

describe('marks of one student', () => {
  test('are pending at once and gone when the server has them', async () => {
    const { sent, answer, queue } = queueWithServer()
    queue.mark(aiko, true)
    expect(queue.pending()).toEqual([{ ...aiko, present: true, isSending: true }])
    await answer()
    expect([queue.pending(), sent]).toEqual([[], ['aiko true']])
  })

  test('are sent one after the other, and of those that wait only the last', async () => {
    const { sent, answer, queue } = queueWithServer()
    queue.mark(aiko, true)
    await settled()
    for (const present of [false, true, false]) queue.mark(aiko, present)
    await settled()
    expect(sent).toEqual(['aiko true'])
    await answer()
    expect(sent).toEqual(['aiko true', 'aiko false'])
    await answer()
    expect([queue.pending(), sent]).toEqual([[], ['aiko true', 'aiko false']])
  })

  test('end with the last one even when an earlier one fails', async () => {
    const { sent, answer, queue } = queueWithServer()
    queue.mark(aiko, true)
    await settled()
    queue.mark(aiko, false)
    await answer(new Error('cut'))
    await answer()
    expect([queue.pending(), sent]).toEqual([[], ['aiko true', 'aiko false']])
  })
})

test('keeps a failed mark with its error until it is retried', async () => {
  const { sent, answer, queue } = queueWithServer()
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
  const { sent, answer, queue } = queueWithServer()
  const error = new Error('cut')
  queue.mark(aiko, true)
  await answer(error)
  queue.retryInBackground(queue.pending()[0]!)
  queue.retryInBackground(queue.pending()[0]!)
  expect(queue.pending()).toEqual([{ ...aiko, present: true, failure: { error }, isSending: true, isRetry: true }])
  await settled()
  expect(sent).toEqual(['aiko true', 'aiko true'])
  queue.mark(aiko, false)
  await answer()
  await answer()
  expect([queue.pending(), sent]).toEqual([[], ['aiko true', 'aiko true', 'aiko false']])
})

describe('marks of one roll', () => {
  test('made at once are one request, and those made meanwhile are the next', async () => {
    const { sent, answer, queue } = queueWithServer()
    queue.mark(aiko, true)
    queue.mark(mia, false)
    await settled()
    queue.mark(ken, true)
    queue.mark(mia, null)
    await answer()
    await answer()
    expect([queue.pending(), sent]).toEqual([[], ['aiko true, mia false', 'ken true, mia null']])
  })

  test('fail together without an answer', async () => {
    const { sent, answer, queue } = queueWithServer()
    const error = new Error('cut')
    queue.mark(aiko, true)
    queue.mark(mia, false)
    await answer(error)
    expect(queue.pending().map(({ student_id, failure }) => [student_id, failure])).toEqual([
      ['aiko', { error }],
      ['mia', { error }],
    ])
    expect(sent).toHaveLength(1)
  })

  test('are tried one by one when they are refused together, and only the refused one fails', async () => {
    const { sent, answer, queue } = queueWithServer()
    const error = new Refused('Student not found')
    queue.mark(aiko, true)
    queue.mark(mia, false)
    await answer(error)
    await answer()
    await answer(error)
    expect(queue.pending()).toEqual([{ ...mia, present: false, failure: { error }, isSending: false }])
    expect(sent).toEqual(['aiko true, mia false', 'aiko true', 'mia false'])
  })
})

test('sends different rolls in parallel', async () => {
  const { sent, queue } = queueWithServer()
  queue.mark(aiko, true)
  queue.mark({ ...aiko, day: '2026-03-03' }, false)
  await settled()
  expect(sent).toEqual(['aiko true', 'aiko false'])
})

test('drops a request in flight when the queue is cleared', async () => {
  const { answer, queue } = queueWithServer()
  queue.mark(aiko, true)
  await settled()
  queue.clear()
  await answer(new Error('cut'))
  expect(queue.pending()).toEqual([])
})

test('notifies a subscriber of every change until it unsubscribes', async () => {
  const { answer, queue } = queueWithServer()
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
