import { expect, test } from 'vitest'
import { createResultQueue, type NotedResult, type PendingResult } from './result-queue.ts'

const aiko: NotedResult = {
  grading_id: 'may',
  student_id: 'aiko',
  result: 'pass',
  stripes_given: null,
}
const mia = { ...aiko, student_id: 'mia' },
  ken = { ...aiko, student_id: 'ken', result: 'fail' as const }
const settled = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 0)
  })

class Refused extends Error {}
/** The server answered, and could not save it. */
class Failed extends Error {}

/** A device with a queue, whose server answers when the test tells it to, and records what was sent in each request. */
function device({ stored = [] as readonly PendingResult[], hasRoom = true } = {}) {
  const sent: string[] = []
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = []
  const storage = { kept: JSON.stringify(stored), hasRoom }
  const start = () =>
    createResultQueue({
      load: () => JSON.parse(storage.kept) as PendingResult[],
      store: (pending) => {
        if (storage.hasRoom) storage.kept = JSON.stringify(pending)
        return storage.hasRoom
      },
      send: (id, all) => {
        sent.push(
          `${id}: ${all.map(({ student_id, result }) => `${student_id} ${result}`).join(', ')}`,
        )
        return new Promise<void>((resolve, reject) => {
          answers.push({ resolve, reject })
        })
      },
      refusalOf: (error) => (error instanceof Refused ? error.message : undefined),
      failureOf: (error) => (error instanceof Failed ? error.message : undefined),
    })
  const answer = async (failure?: Error) => {
    const next = answers.shift()!
    if (failure) next.reject(failure)
    else next.resolve()
    await settled()
  }
  const kept = () =>
    (JSON.parse(storage.kept) as PendingResult[]).map(
      ({ student_id, result }) => `${student_id} ${result}`,
    )
  return { queue: start(), restart: start, sent, answer, kept, storage }
}

test('says why the server could not save a result, until it is sent again', async () => {
  const { queue, answer, kept } = device()
  const failures = () => queue.pending().map(({ failure }) => failure)
  void queue.note(aiko)
  await answer(new Failed('Something went wrong'))
  expect([failures(), kept()]).toEqual([['Something went wrong'], ['aiko pass']])
  void queue.sendAll()
  await answer(new Error('cut'))
  expect([failures(), kept()]).toEqual([[undefined], ['aiko pass']])
  void queue.sendAll()
  await answer()
  expect([failures(), kept()]).toEqual([[], []])
})

test('stores a result before anybody hears of it, and forgets it when the server has it', async () => {
  const { queue, sent, answer, kept } = device()
  const heard: string[][] = []
  queue.subscribe(() => heard.push(kept()))
  void queue.note(aiko)
  expect([heard, sent]).toEqual([[['aiko pass']], ['may: aiko pass']])
  await answer()
  expect([kept(), queue.pending(), queue.isStored()]).toEqual([[], [], true])
})

test('sends the last result of each candidate, together with all that were noted while a request was under way', async () => {
  const { queue, sent, answer, kept } = device()
  void queue.note(aiko)
  void queue.note(mia)
  void queue.note({ ...aiko, result: 'partial', stripes_given: 1 })
  void queue.note({ ...mia, result: null })
  await answer()
  expect(kept()).toEqual(['aiko partial', 'mia null'])
  await answer()
  expect([kept(), sent]).toEqual([[], ['may: aiko pass', 'may: aiko partial, mia null']])
})

test('keeps what could not be sent over a reload, and then sends it once', async () => {
  const { queue, restart, sent, answer, kept } = device()
  void queue.note(aiko)
  void queue.note(ken)
  await answer(new Error('cut'))
  expect([kept(), sent]).toEqual([['aiko pass', 'ken fail'], ['may: aiko pass']])
  const reloaded = restart()
  expect(reloaded.pending().map(({ student_id }) => student_id)).toEqual(['aiko', 'ken'])
  void reloaded.sendAll()
  void reloaded.sendAll()
  await answer()
  await reloaded.sendAll()
  expect([kept(), sent]).toEqual([[], ['may: aiko pass', 'may: aiko pass, ken fail']])
})

test('sends one by one what was refused together, and keeps the refused with the reason until it is dropped or noted anew', async () => {
  const { queue, sent, answer, kept } = device()
  void queue.note(aiko)
  void queue.note(mia)
  void queue.note(ken)
  await answer()
  await answer(new Refused('Ken is no candidate'))
  await answer()
  await answer(new Refused('Ken is no candidate'))
  expect(sent).toEqual([
    'may: aiko pass',
    'may: mia pass, ken fail',
    'may: mia pass',
    'may: ken fail',
  ])
  expect(queue.pending().map(({ student_id, refusal }) => [student_id, refusal])).toEqual([
    ['ken', 'Ken is no candidate'],
  ])
  await queue.sendAll()
  expect(sent).toHaveLength(4)
  queue.drop(queue.pending()[0]!)
  expect(kept()).toEqual([])
})

test('sends the results of two gradings apart', () => {
  const { queue, sent } = device()
  void queue.note(aiko)
  void queue.note({ ...mia, grading_id: 'june' })
  expect(sent).toEqual(['may: aiko pass', 'june: mia pass'])
})

test('loses nothing that another tab has stored', () => {
  const { queue, restart, kept } = device()
  const other = restart()
  void queue.note(aiko)
  void other.note(mia)
  expect(kept()).toEqual(['aiko pass', 'mia pass'])
  queue.reload()
  expect(queue.pending()).toHaveLength(2)
})

test('goes on in memory, and says so, where the device has no room', async () => {
  const { queue, sent, answer, storage } = device({ hasRoom: false })
  void queue.note(aiko)
  void queue.note(mia)
  expect([queue.isStored(), queue.pending().length]).toEqual([false, 2])
  storage.hasRoom = true
  await answer()
  expect([queue.isStored(), sent]).toEqual([true, ['may: aiko pass', 'may: mia pass']])
})
