import { expect, test } from 'vitest'
import { ApiError } from './api.ts'
import { createOutbox, type OutboxItem } from './outbox.ts'

type Note = OutboxItem & { group: string; name: string; value: string }
const aiko: Note = { group: 'may', name: 'aiko', value: 'pass' }
const mia = { ...aiko, name: 'mia' },
  ken = { ...aiko, name: 'ken', value: 'fail' }
const settle = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 0)
  })

const refuse = (detail?: string, status = 409) => new ApiError(status, { detail })

type Options = { forgetsRefused?: boolean }
/** A device whose server answers when the test says so, and which records each request. */
function device(options: Options = {}) {
  const requests: string[] = []
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = []
  const disk = new Map<string, Note>()
  const keyOf = ({ group, name }: Note) => `${group} ${name}`
  const storedItems = () => [...disk.values()].map(({ name, value }) => `${name} ${value}`)
  const start = () => {
    const outbox = createOutbox<Note, Note, void>({
      ...options,
      store: {
        load: async () => [...disk.values()],
        change: async (keys, change) => {
          await Promise.resolve()
          for (const key of keys) {
            const item = change(disk.get(keyOf(key)), key)
            if (item) disk.set(keyOf(key), item)
            else disk.delete(keyOf(key))
          }
        },
      },
      keyOf,
      groupOf: ({ group }) => group,
      send: (items) => {
        requests.push(
          `${items[0]?.group}: ${items.map(({ name, value }) => `${name} ${value}`).join(',')}`,
        )
        return new Promise<void>((resolve, reject) => {
          answers.push({ resolve, reject })
        })
      },
      isOnline: () => true,
    })
    return { ...outbox, note: (item: Note) => outbox.put([item], () => item) }
  }
  const answer = async (failure?: Error) => {
    await settle()
    const next = answers.shift()!
    if (failure) next.reject(failure)
    else next.resolve()
    await settle()
  }
  return { outbox: start(), restart: start, sent: requests, answer, kept: storedItems }
}

test('says why the server could not save an item, until it is sent again', async () => {
  const { outbox, answer, kept } = device()
  const failures = () => outbox.pending().map(({ failure }) => failure)
  await outbox.note(aiko)
  await answer(new ApiError(500, { detail: 'Something went wrong' }))
  expect([failures(), kept()]).toEqual([['Something went wrong'], ['aiko pass']])
  void outbox.sendAll()
  await answer(new ApiError(0))
  expect([failures(), kept()]).toEqual([[undefined], ['aiko pass']])
  void outbox.sendAll()
  await answer(new ApiError(502))
  expect(failures()).toEqual(['The server could not save it.'])
  void outbox.sendAll()
  await answer()
  expect([failures(), kept()]).toEqual([[], []])
})

test('stores an item before it shows, and forgets it when the server has it', async () => {
  const { outbox, sent, answer, kept } = device()
  const heard: string[][] = []
  outbox.subscribe(() => heard.push(kept()))
  await outbox.note(aiko)
  expect(heard[0]).toEqual(['aiko pass'])
  await answer()
  expect([kept(), outbox.pending(), sent]).toEqual([[], [], ['may: aiko pass']])
})

test('sends the last item of each key, with all that were added during a request', async () => {
  const { outbox, sent, answer, kept } = device()
  await outbox.note(aiko)
  await settle()
  await outbox.note(mia)
  await outbox.note({ ...aiko, value: 'partial' })
  await outbox.note({ ...mia, value: 'none' })
  await answer()
  expect(kept()).toEqual(['aiko partial', 'mia none'])
  await answer()
  expect([kept(), sent]).toEqual([[], ['may: aiko pass', 'may: aiko partial,mia none']])
})

test('keeps what could not be sent over a restart, and then sends it once', async () => {
  const { outbox, restart, sent, answer, kept } = device()
  await outbox.note(aiko)
  await settle()
  await outbox.note(ken)
  outbox.close()
  await answer(new Error('cut'))
  const restartedOutbox = restart()
  await restartedOutbox.reload()
  expect(restartedOutbox.pending().map(({ name }) => name)).toEqual(['aiko', 'ken'])
  void restartedOutbox.sendAll()
  void restartedOutbox.sendAll()
  await answer()
  await restartedOutbox.sendAll()
  expect([kept(), sent]).toEqual([[], ['may: aiko pass', 'may: aiko pass,ken fail']])
})

test('sends refused items one by one, and keeps a refused one with its reason', async () => {
  const { outbox, sent, answer, kept } = device()
  await outbox.note(aiko)
  await settle()
  await outbox.note(mia)
  await outbox.note(ken)
  await answer()
  await answer(refuse('Ken is no candidate'))
  await answer()
  await answer(refuse())
  expect(sent).toEqual([
    'may: aiko pass',
    'may: mia pass,ken fail',
    'may: mia pass',
    'may: ken fail',
  ])
  const refusals = () => outbox.pending().map(({ name, refusal }) => `${name}: ${refusal}`)
  expect(refusals()).toEqual(['ken: The server refused it.'])
  await outbox.sendAll()
  expect(sent).toHaveLength(4)
  void outbox.retry(outbox.pending()[0]!)
  await answer(refuse('Ken is no candidate'))
  expect(refusals()).toEqual(['ken: Ken is no candidate'])
  await outbox.remove(outbox.pending())
  expect(kept()).toEqual([])
})

test('forgets at once what was refused where nobody waits to hear of it', async () => {
  const { outbox, answer, kept } = device({ forgetsRefused: true })
  await outbox.note(aiko)
  await answer(refuse('The kiosk does not know this pass'))
  expect([kept(), outbox.pending()]).toEqual([[], []])
})

for (const status of [0, 401, 408, 429, 500, 502, 503])
  test(`sends again what was answered with ${status}`, async () => {
    const { outbox, answer, kept } = device()
    await outbox.note(aiko)
    await answer(new ApiError(status))
    expect(outbox.pending()).toMatchObject([{ name: 'aiko', hasFailed: true }])
    void outbox.sendAll()
    await answer()
    expect(kept()).toEqual([])
  })

test('does not send what was removed while another attempt was under way', async () => {
  const { outbox, sent, answer, kept } = device()
  await outbox.note(aiko)
  await answer(new Error('cut'))
  void outbox.sendAll()
  await outbox.remove(outbox.pending())
  await settle()
  expect([kept(), sent]).toEqual([[], ['may: aiko pass']])
})

test('sends two groups apart', async () => {
  const { outbox, sent } = device()
  await outbox.note(aiko)
  await outbox.note({ ...mia, group: 'june' })
  await settle()
  expect(sent).toEqual(['may: aiko pass', 'june: mia pass'])
})

test('loses nothing that another page has stored', async () => {
  const { outbox, restart, kept } = device()
  const otherOutbox = restart()
  await outbox.note(aiko)
  await otherOutbox.note(mia)
  expect(kept()).toEqual(['aiko pass', 'mia pass'])
  await outbox.reload()
  expect(outbox.pending()).toHaveLength(2)
})
