import { expect, test } from 'vitest'
import { ApiError, NO_RESPONSE } from './api.ts'
import { createOutbox, type OutboxItem } from './outbox.ts'

type Result = OutboxItem & { group: string; name: string; value: string }
const aiko: Result = { group: 'may', name: 'aiko', value: 'pass' }
const mia = { ...aiko, name: 'mia' }
const ken = { ...aiko, name: 'ken', value: 'fail' }
const nextTask = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 0)
  })

const refusalError = (detail?: string) => new ApiError(409, { detail })

type Options = { dropsRefused?: boolean }
/** A device that records each request. The test decides when the server responds. */
function createDevice(options: Options = {}) {
  const requests: string[] = []
  const openRequests: { resolve: () => void; reject: (error: Error) => void }[] = []
  const disk = new Map<string, Result>()
  const keyOf = ({ group, name }: Result) => `${group} ${name}`
  const storedItems = () => [...disk.values()].map(({ name, value }) => `${name} ${value}`)
  const open = () => {
    const outbox = createOutbox<Result, Result, void>({
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
          openRequests.push({ resolve, reject })
        })
      },
      isOnline: () => true,
    })
    return { ...outbox, record: (item: Result) => outbox.put([item], () => item) }
  }
  const respond = async (failure?: Error) => {
    await nextTask()
    const oldestRequest = openRequests.shift()!
    if (failure) oldestRequest.reject(failure)
    else oldestRequest.resolve()
    await nextTask()
  }
  return { outbox: open(), reopen: open, requests, respond, storedItems }
}

test('shows why the server could not save an item, until the next attempt', async () => {
  const { outbox, respond, storedItems } = createDevice()
  const failures = () => outbox.pending().map(({ failure }) => failure)
  await outbox.record(aiko)
  await respond(new ApiError(500, { detail: 'Something went wrong' }))
  expect([failures(), storedItems()]).toEqual([['The server could not save it.'], ['aiko pass']])
  void outbox.sendAll()
  await respond(new ApiError(NO_RESPONSE))
  expect([failures(), storedItems()]).toEqual([[undefined], ['aiko pass']])
  void outbox.sendAll()
  await respond(new ApiError(502))
  expect(failures()).toEqual(['The server could not save it.'])
  void outbox.sendAll()
  await respond()
  expect([failures(), storedItems()]).toEqual([[], []])
})

test('stores an item before a screen shows it, and removes it after the reply', async () => {
  const { outbox, requests, respond, storedItems } = createDevice()
  const storedAtUpdates: string[][] = []
  outbox.subscribe(() => storedAtUpdates.push(storedItems()))
  await outbox.record(aiko)
  expect(storedAtUpdates[0]).toEqual(['aiko pass'])
  await respond()
  expect([storedItems(), outbox.pending(), requests]).toEqual([[], [], ['may: aiko pass']])
})

test('sends items added during a request together, but only the last one per key', async () => {
  const { outbox, requests, respond, storedItems } = createDevice()
  await outbox.record(aiko)
  await nextTask()
  await outbox.record(mia)
  await outbox.record({ ...aiko, value: 'partial' })
  await outbox.record({ ...mia, value: 'none' })
  await respond()
  expect(storedItems()).toEqual(['aiko partial', 'mia none'])
  await respond()
  expect([storedItems(), requests]).toEqual([[], ['may: aiko pass', 'may: aiko partial,mia none']])
})

test('keeps unsent items across a reload, and then sends them once', async () => {
  const { outbox, reopen, requests, respond, storedItems } = createDevice()
  await outbox.record(aiko)
  await nextTask()
  await outbox.record(ken)
  outbox.close()
  await respond(new Error('connection lost'))
  const reopenedOutbox = reopen()
  await reopenedOutbox.reload()
  expect(reopenedOutbox.pending().map(({ name }) => name)).toEqual(['aiko', 'ken'])
  void reopenedOutbox.sendAll()
  void reopenedOutbox.sendAll()
  await respond()
  await reopenedOutbox.sendAll()
  expect([storedItems(), requests]).toEqual([[], ['may: aiko pass', 'may: aiko pass,ken fail']])
})

test('sends items one by one if they were refused together, and keeps refused ones', async () => {
  const { outbox, requests, respond, storedItems } = createDevice()
  await outbox.record(aiko)
  await nextTask()
  await outbox.record(mia)
  await outbox.record(ken)
  await respond()
  await respond(refusalError('Ken is not a candidate'))
  await respond()
  await respond(refusalError())
  expect(requests).toEqual([
    'may: aiko pass',
    'may: mia pass,ken fail',
    'may: mia pass',
    'may: ken fail',
  ])
  const refusals = () => outbox.pending().map(({ name, refusal }) => `${name}: ${refusal}`)
  expect(refusals()).toEqual(['ken: The server refused it.'])
  await outbox.sendAll()
  expect(requests).toHaveLength(4)
  void outbox.retry(outbox.pending()[0]!)
  await respond(refusalError('Ken is not a candidate'))
  expect(refusals()).toEqual(['ken: Ken is not a candidate'])
  await outbox.remove(outbox.pending())
  expect(storedItems()).toEqual([])
})

test('removes a refused item if the outbox drops refused items', async () => {
  const { outbox, respond, storedItems } = createDevice({ dropsRefused: true })
  await outbox.record(aiko)
  await respond(refusalError('The kiosk does not know this pass'))
  expect([storedItems(), outbox.pending()]).toEqual([[], []])
})

for (const status of [NO_RESPONSE, 401, 408, 429, 500, 502, 503])
  test(`sends an item again after status ${status || '0 (no response)'}`, async () => {
    const { outbox, respond, storedItems } = createDevice()
    await outbox.record(aiko)
    await respond(new ApiError(status))
    expect(outbox.pending()).toMatchObject([{ name: 'aiko', hasFailed: true }])
    void outbox.sendAll()
    await respond()
    expect(storedItems()).toEqual([])
  })

test('does not send an item that was removed before its next attempt', async () => {
  const { outbox, requests, respond, storedItems } = createDevice()
  await outbox.record(aiko)
  await respond(new Error('connection lost'))
  void outbox.sendAll()
  await outbox.remove(outbox.pending())
  await nextTask()
  expect([storedItems(), requests]).toEqual([[], ['may: aiko pass']])
})

test('sends two groups in two requests', async () => {
  const { outbox, requests } = createDevice()
  await outbox.record(aiko)
  await outbox.record({ ...mia, group: 'june' })
  await nextTask()
  expect(requests).toEqual(['may: aiko pass', 'june: mia pass'])
})

test('keeps the items that another page has stored', async () => {
  const { outbox, reopen, storedItems } = createDevice()
  const otherOutbox = reopen()
  await outbox.record(aiko)
  await otherOutbox.record(mia)
  expect(storedItems()).toEqual(['aiko pass', 'mia pass'])
  await outbox.reload()
  expect(outbox.pending()).toHaveLength(2)
})
