import type { MarkValue, MarkReply } from '@tatami/contract/attendance/attendance'
import { mustExist } from '@tatami/contract/lib/must-exist'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../lib/api.ts'
import { createOutbox, type OutboxStore } from '../lib/outbox.ts'
import {
  markAfterReply,
  markAfterTap,
  isSendable,
  isWaiting,
  markKey,
  type MarkTarget,
  describeFailure,
  type PendingMark,
  rollKey,
  type StoredMark,
  type Tap,
} from './pending-marks.ts'

const aiko = { student_id: 'aiko', class_id: 'judo', day: '2026-03-02' }
const mia = { ...aiko, student_id: 'mia' }
const ken = { ...aiko, student_id: 'ken' }
const settlePromises = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 0)
  })

const refusalError = (detail: string) => new ApiError(404, { detail })
/** The server responded, but could not save the mark. */
const serverError = (detail: string) => new ApiError(500, { detail })

/** Creates the storage of a device in memory. */
function createDeviceStore() {
  const storedMarks = new Map<string, StoredMark>()
  const store: OutboxStore<MarkTarget, StoredMark> = {
    load: async () => [...storedMarks.values()],
    change: async (targets, changeMark) => {
      await Promise.resolve()
      targets.forEach((target) => {
        const mark = changeMark(storedMarks.get(markKey(target)), target)
        if (mark) storedMarks.set(markKey(target), mark)
        else storedMarks.delete(markKey(target))
      })
    },
  }
  return { storedMarks, store }
}

type Server = {
  send: (marks: readonly StoredMark[]) => Promise<MarkReply[]>
  reachServer?: () => Promise<void>
  isOnline?: () => boolean
}
function openQueue(
  store: OutboxStore<MarkTarget, StoredMark>,
  { send, reachServer = () => Promise.resolve(), isOnline = () => true }: Server,
) {
  const outbox = createOutbox<MarkTarget, StoredMark, MarkReply[]>({
    store,
    keyOf: markKey,
    groupOf: rollKey,
    isSendable,
    itemAfterReply: markAfterReply,
    send,
    reachServer,
    isOnline,
  })
  const mark = (taps: readonly Tap[]) => outbox.put(taps, markAfterTap)
  return { ...outbox, mark }
}
const createRecord = (student_id: string, present: boolean) =>
  ({ student_id, present, is_check_in: false }) as MarkReply

/** Creates a queue and a server. The test reads all requests and decides when the server
 *  responds. */
function createQueueAndServer() {
  const sentRequests: string[] = []
  const unansweredRequests: {
    resolve: (savedValues?: MarkValue[]) => void
    reject: (error: Error) => void
  }[] = []
  const { storedMarks, store } = createDeviceStore()
  const send = (marks: readonly StoredMark[]) => {
    sentRequests.push(
      marks
        .map(
          ({ student_id, present, replaces }) =>
            `${student_id} ${present} for ${replaces.map(String).join(' or ')}`,
        )
        .join(', '),
    )
    return new Promise<MarkReply[]>((resolve, reject) => {
      unansweredRequests.push({
        resolve: (savedValues = marks.map(({ present }) => present)) =>
          resolve(
            marks.flatMap(({ student_id }, index) => {
              const present = savedValues[index] ?? null
              return present === null ? [] : [createRecord(student_id, present)]
            }),
          ),
        reject,
      })
    })
  }
  const respond = async (errorOrValues?: Error | MarkValue[]) => {
    await settlePromises()
    const request = mustExist(unansweredRequests.shift(), 'A request')
    if (errorOrValues instanceof Error) request.reject(errorOrValues)
    else request.resolve(errorOrValues)
    await settlePromises()
  }
  const open = () => openQueue(store, { send })
  const queue = open()
  const readShownMarks = () =>
    queue
      .pending()
      .map(({ student_id, present, hasFailed = false }) => [student_id, present, hasFailed])
  return { sentRequests, respond, storedMarks, queue, readShownMarks, open }
}
const describeState = (mark: PendingMark) => [
  isWaiting(mark),
  mark.hasFailed,
  describeFailure(mark),
]
/** `seenValue` is the mark on the screen when the instructor taps. */
const tapOn = (
  target: MarkTarget,
  present: MarkValue,
  { seenValue = null }: { seenValue?: MarkValue } = {},
) => ({ ...target, present, seenValue })

describe('a tap on a student', () => {
  test('is stored before it is shown, and removed after the server saves it', async () => {
    const { sentRequests, respond, queue, storedMarks, readShownMarks } = createQueueAndServer()
    const storedWhenShown: boolean[] = []
    queue.subscribe(() => storedWhenShown.push(storedMarks.has(markKey(aiko))))
    const storedMark = queue.mark([tapOn(aiko, true)])
    expect(readShownMarks()).toEqual([])
    await storedMark
    expect([readShownMarks(), storedWhenShown[0]]).toEqual([[['aiko', true, false]], true])
    await respond()
    expect([readShownMarks(), storedMarks.size, sentRequests]).toEqual([
      [],
      0,
      ['aiko true for null'],
    ])
  })

  test('waits for the tap that is being sent, and only the last waiting tap is sent', async () => {
    const { sentRequests, respond, queue, readShownMarks } = createQueueAndServer()
    await queue.mark([tapOn(aiko, true)])
    await settlePromises()
    for (const present of [false, true, false]) await queue.mark([tapOn(aiko, present)])
    expect(sentRequests).toHaveLength(1)
    await respond()
    await respond()
    expect([readShownMarks(), sentRequests]).toEqual([
      [],
      ['aiko true for null', 'aiko false for true'],
    ])
  })

  test('can replace an earlier tap that got no response', async () => {
    const { sentRequests, respond, queue, readShownMarks } = createQueueAndServer()
    await queue.mark([tapOn(aiko, true)])
    await respond(new Error('cut'))
    expect(readShownMarks()).toEqual([['aiko', true, true]])
    await queue.mark([tapOn(aiko, false)])
    await respond()
    expect([readShownMarks(), sentRequests]).toEqual([
      [],
      ['aiko true for null', 'aiko false for null or true'],
    ])
  })

  test('shows why the server could not save it until it is sent again', async () => {
    const { respond, queue, storedMarks } = createQueueAndServer()
    await queue.mark([tapOn(aiko, true)])
    await respond(serverError('Something went wrong'))
    expect(queue.pending().map(describeState)).toEqual([
      [false, true, 'The server could not save it.'],
    ])
    expect(storedMarks.size).toBe(1)
    const retry = queue.sendAll()
    await respond(new Error('cut'))
    await retry
    expect(queue.pending().map(describeState)).toEqual([[true, true, undefined]])
    const secondSend = queue.sendAll()
    await respond()
    await secondSend
    expect([queue.pending(), storedMarks.size]).toEqual([[], 0])
  })

  test('sends nothing if it undoes a tap that was never sent', async () => {
    const { store, storedMarks } = createDeviceStore()
    const queue = openQueue(store, {
      send: () => Promise.reject(new Error('never sent')),
      reachServer: () => Promise.reject(new Error('cut')),
      isOnline: () => false,
    })
    await queue.mark([tapOn(aiko, true, { seenValue: false })])
    await settlePromises()
    expect(queue.pending().map(isWaiting)).toEqual([true])
    await queue.mark([tapOn(aiko, false, { seenValue: false })])
    expect([queue.pending(), storedMarks.size]).toEqual([[], 0])
  })
})

describe('several marks of one roll', () => {
  test('are sent in one request, and later taps together in the next one', async () => {
    const { sentRequests, respond, queue, readShownMarks } = createQueueAndServer()
    await queue.mark([tapOn(aiko, true), tapOn(mia, false)])
    await settlePromises()
    await queue.mark([tapOn(ken, true)])
    await queue.mark([tapOn(mia, null)])
    await respond()
    await respond()
    expect([readShownMarks(), sentRequests]).toEqual([
      [],
      ['aiko true for null, mia false for null', 'mia null for false, ken true for null'],
    ])
  })

  test('are sent one by one if refused together, and only the refused one stays', async () => {
    const { respond, queue, storedMarks } = createQueueAndServer()
    await queue.mark([tapOn(aiko, true), tapOn(mia, false)])
    await respond(refusalError('Student not found'))
    await respond()
    await respond(refusalError('Student not found'))
    expect(queue.pending().map(({ student_id, refusal }) => [student_id, refusal])).toEqual([
      ['mia', 'Student not found'],
    ])
    await queue.sendAll()
    await queue.remove(queue.pending())
    expect([queue.pending(), storedMarks.size]).toEqual([[], 0])
  })

  test('do not wait for marks of another class or day', async () => {
    const { sentRequests, queue } = createQueueAndServer()
    await queue.mark([tapOn(aiko, true)])
    await queue.mark([tapOn({ ...aiko, day: '2026-03-03' }, false)])
    await settlePromises()
    expect(sentRequests).toEqual(['aiko true for null', 'aiko false for null'])
  })
})

describe('a different mark by someone else', () => {
  test('is kept next to our own mark until a tap decides, even after a restart', async () => {
    const { sentRequests, respond, queue, open } = createQueueAndServer()
    await queue.mark([tapOn(aiko, true)])
    await respond([false])
    expect(queue.pending()).toMatchObject([{ present: true, elsewhere: { present: false } }])
    await queue.sendAll()
    const newQueue = open()
    await newQueue.reload()
    expect(newQueue.pending()).toMatchObject([{ present: true, elsewhere: { present: false } }])
    await newQueue.mark([tapOn(aiko, true, { seenValue: false })])
    await respond()
    expect([newQueue.pending(), sentRequests]).toEqual([
      [],
      ['aiko true for null', 'aiko true for false'],
    ])
  })

  test('wins without a question if our mark came from "Rest present"', async () => {
    const { respond, queue } = createQueueAndServer()
    await queue.mark([{ ...tapOn(aiko, true), yields: true }])
    await respond([false])
    expect(queue.pending()).toEqual([])
  })
})

test('shows no marks after the queue is closed, but keeps the stored marks', async () => {
  const { respond, queue, storedMarks } = createQueueAndServer()
  await queue.mark([tapOn(aiko, true)])
  await settlePromises()
  queue.close()
  await respond(new Error('cut'))
  expect([queue.pending(), storedMarks.size]).toEqual([[], 1])
})

/** Enough for the chain of promises that one request resolves. */
const PROMISES_PER_REQUEST = 12

/** 'rest' presses the button "Rest present", 'elsewhere' marks on another device, and 'decide'
 *  resolves all conflicts. 'cut', 'connect' and 'lose replies' change the network. */
type Step =
  | { action: 'tap' | 'rest' | 'elsewhere'; student: number; present: MarkValue }
  | {
      action: 'cut' | 'connect' | 'lose replies' | 'restart' | 'send' | 'wait' | 'decide'
      student?: number
      present?: MarkValue
    }

const randomStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      action: fc.constantFrom('tap', 'rest', 'elsewhere'),
      student: fc.nat(2),
      present: fc.constantFrom(true, false, null),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      action: fc.constantFrom(
        'cut',
        'connect',
        'lose replies',
        'restart',
        'send',
        'wait',
        'decide',
      ),
    }),
  },
)

test('sends the last tap and never overwrites an unseen mark, in any order of events', async () => {
  const property = fc.asyncProperty(fc.array(randomStep, { maxLength: 40 }), async (steps) => {
    const { store } = createDeviceStore()
    const students = ['aiko', 'mia', 'ken']
    const serverValues = new Map<string, MarkValue>()
    /** The values that this device showed or sent. It may not replace any other value. */
    const knownValues = new Map(students.map((id) => [id, new Set<MarkValue>()]))
    const knownValuesOf = (id: string) => mustExist(knownValues.get(id), id)
    const overwrittenIds: string[] = []
    /** The students whom someone else marked after our last tap */
    const markedElsewhere = new Set<string>()
    let network: 'up' | 'cut' | 'loses replies' = 'up'
    const networkError = () => new Error('no response')
    const send = async (marks: readonly StoredMark[]) => {
      await Promise.resolve()
      if (network === 'cut') throw networkError()
      for (const { student_id, present, replaces } of marks) {
        const serverValue = serverValues.get(student_id) ?? null
        if (!replaces.includes(serverValue)) continue
        if (serverValue !== present && !knownValuesOf(student_id).has(serverValue))
          overwrittenIds.push(student_id)
        knownValuesOf(student_id).add(present)
        serverValues.set(student_id, present)
      }
      if (network === 'loses replies') throw networkError()
      return marks.flatMap(({ student_id }) => {
        const present = serverValues.get(student_id) ?? null
        return present === null ? [] : [createRecord(student_id, present)]
      })
    }
    const open = () =>
      openQueue(store, {
        send,
        reachServer: async () => {
          if (network === 'cut') throw networkError()
        },
        isOnline: () => network !== 'cut',
      })
    let queue = open()
    /** The server's values on the screen, from the last response */
    const screenValues = new Map<string, MarkValue>()
    const refresh = () => {
      if (network !== 'up') return
      for (const id of students) screenValues.set(id, serverValues.get(id) ?? null)
    }
    const lastTap = new Map<string, MarkValue>()
    const finishRequests = async () => {
      for (let round = 0; round < PROMISES_PER_REQUEST; round += 1) await Promise.resolve()
      await settlePromises()
    }
    for (const { action, student = 0, present = null } of steps) {
      const id = mustExist(students[student], 'A student')
      const target = { ...aiko, student_id: id }
      if (action === 'tap' || action === 'rest') {
        const seenValue = screenValues.get(id) ?? null
        if (action === 'rest' && seenValue !== null) continue
        const value = action === 'rest' ? true : present
        const pendingMark = queue.pending().find(({ student_id }) => student_id === id)
        // An outdated screen does not show the mark of someone else yet.
        if (!pendingMark && seenValue === (serverValues.get(id) ?? null)) markedElsewhere.delete(id)
        knownValuesOf(id).add(pendingMark?.elsewhere ? pendingMark.elsewhere.present : seenValue)
        await queue.mark([{ ...target, present: value, seenValue, yields: action === 'rest' }])
        lastTap.set(id, value)
      } else if (action === 'elsewhere') {
        serverValues.set(id, present)
        markedElsewhere.add(id)
      } else if (action === 'decide') {
        for (const mark of queue.pending()) {
          if (!mark.elsewhere) continue
          const elsewherePresent = mark.elsewhere.present
          knownValuesOf(mark.student_id).add(elsewherePresent)
          await queue.mark([
            { ...mark, present: mark.present, seenValue: elsewherePresent, yields: false },
          ])
        }
      } else if (action === 'restart') {
        queue.close()
        queue = open()
        await queue.reload()
      } else if (action === 'send') await queue.sendAll()
      else if (action === 'cut') network = 'cut'
      else if (action === 'connect') network = 'up'
      else if (action === 'lose replies') network = 'loses replies'
      if (action === 'wait' || action === 'send') await finishRequests()
      refresh()
    }
    network = 'up'
    queue.close()
    queue = open()
    await queue.reload()
    // Marks may have to be sent several times before they are saved or in conflict.
    for (let round = 0; round < 4; round += 1) {
      await queue.sendAll()
      await finishRequests()
    }
    expect(overwrittenIds).toEqual([])
    for (const [id, value] of lastTap) {
      const mark = queue.pending().find(({ student_id }) => student_id === id)
      const serverValue = serverValues.get(id) ?? null
      // A mark that is still waiting is a conflict and has both values.
      if (mark) expect([mark.elsewhere?.present, mark.present]).toEqual([serverValue, value])
      else if (!markedElsewhere.has(id)) expect(serverValue).toBe(value)
    }
  })
  await fc.assert(property, { numRuns: process.env.LONG ? 2000 : 300, seed: 7 })
})
