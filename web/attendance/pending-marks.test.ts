import type { MarkValue, CurrentRecord } from '@tatami/contract/attendance/attendance'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../lib/api.ts'
import { createOutbox, type OutboxStore } from '../lib/outbox.ts'
import {
  afterAnswer,
  afterTap,
  isSendable,
  isWaiting,
  markKey,
  type MarkTarget,
  notSavedReason,
  rollKey,
  type StoredMark,
  type Tap,
} from './pending-marks.ts'

const aiko = { student_id: 'aiko', class_id: 'judo', day: '2026-03-02' }
const mia = { ...aiko, student_id: 'mia' },
  ken = { ...aiko, student_id: 'ken' }
const allSettled = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 0)
  })

const refusalError = (detail: string) => new ApiError(404, { detail })
/** The server answered, and could not save it. */
const serverError = (detail: string) => new ApiError(500, { detail })

/** A device's disk, on which a write takes a moment. */
function disk() {
  const diskMarks = new Map<string, StoredMark>()
  const store: OutboxStore<MarkTarget, StoredMark> = {
    load: async () => [...diskMarks.values()],
    change: async (targets, changeMark) => {
      await Promise.resolve()
      targets.forEach((target) => {
        const mark = changeMark(diskMarks.get(markKey(target)), target)
        if (mark) diskMarks.set(markKey(target), mark)
        else diskMarks.delete(markKey(target))
      })
    },
  }
  return { kept: diskMarks, store }
}

type Server = {
  send: (marks: readonly StoredMark[]) => Promise<CurrentRecord[]>
  reach?: () => Promise<void>
  isOnline?: () => boolean
}
function openQueue(
  store: OutboxStore<MarkTarget, StoredMark>,
  { send, reach = () => Promise.resolve(), isOnline = () => true }: Server,
) {
  const outbox = createOutbox<MarkTarget, StoredMark, CurrentRecord[]>({
    store,
    keyOf: markKey,
    groupOf: rollKey,
    isSendable,
    settle: afterAnswer,
    send,
    reach,
    isOnline,
  })
  const mark = (taps: readonly Tap[]) => outbox.put(taps, afterTap)
  return { ...outbox, mark }
}
const recordOf = (student_id: string, present: boolean) =>
  ({ student_id, present, is_check_in: false }) as CurrentRecord

/** A queue whose server answers when the test tells it to, and records what was sent in each request. */
function queueWithServer() {
  const sentBodies: string[] = []
  const answers: { resolve: (standing?: MarkValue[]) => void; reject: (error: Error) => void }[] =
    []
  const { kept, store } = disk()
  const send = (marks: readonly StoredMark[]) => {
    sentBodies.push(
      marks
        .map(
          ({ student_id, present, replaces }) =>
            `${student_id} ${present} for ${replaces.join(' or ')}`,
        )
        .join(', '),
    )
    return new Promise<CurrentRecord[]>((resolve, reject) => {
      answers.push({
        resolve: (standing = marks.map(({ present }) => present)) =>
          resolve(
            marks.flatMap(({ student_id }, index) => {
              const present = standing[index] ?? null
              return present === null ? [] : [recordOf(student_id, present)]
            }),
          ),
        reject,
      })
    })
  }
  const answer = async (with_?: Error | MarkValue[]) => {
    await allSettled()
    const next = answers.shift()!
    if (with_ instanceof Error) next.reject(with_)
    else next.resolve(with_)
    await allSettled()
  }
  const open = () => openQueue(store, { send })
  const queue = open()
  const shownMarks = () =>
    queue
      .pending()
      .map(({ student_id, present, hasFailed = false }) => [student_id, present, hasFailed])
  return { sent: sentBodies, answer, kept, queue, shown: shownMarks, open }
}
const tapOn = (target: MarkTarget, present: MarkValue, was: MarkValue = null) => ({
  ...target,
  present,
  seen: was,
})

describe('a tap', () => {
  test('is stored before it is shown, and gone when the server has it', async () => {
    const { sent, answer, queue, kept, shown } = queueWithServer()
    const storedWhenShown: boolean[] = []
    queue.subscribe(() => storedWhenShown.push(kept.has(markKey(aiko))))
    const storedMark = queue.mark([tapOn(aiko, true)])
    expect(shown()).toEqual([])
    await storedMark
    expect([shown(), storedWhenShown[0]]).toEqual([[['aiko', true, false]], true])
    await answer()
    expect([shown(), kept.size, sent]).toEqual([[], 0, ['aiko true for ']])
  })

  test('follows one that is being sent, and of those that wait only the last', async () => {
    const { sent, answer, queue, shown } = queueWithServer()
    await queue.mark([tapOn(aiko, true)])
    await allSettled()
    for (const present of [false, true, false]) await queue.mark([tapOn(aiko, present)])
    expect(sent).toHaveLength(1)
    await answer()
    await answer()
    expect([shown(), sent]).toEqual([[], ['aiko true for ', 'aiko false for true']])
  })

  test('after one without an answer may replace what that one brought, and no more', async () => {
    const { sent, answer, queue, shown } = queueWithServer()
    await queue.mark([tapOn(aiko, true)])
    await answer(new Error('cut'))
    expect(shown()).toEqual([['aiko', true, true]])
    await queue.mark([tapOn(aiko, false)])
    await answer()
    expect([shown(), sent]).toEqual([[], ['aiko true for ', 'aiko false for  or true']])
  })

  test('that the server could not save says why and waits for no network, until it is sent again', async () => {
    const { answer, queue, kept } = queueWithServer()
    await queue.mark([tapOn(aiko, true)])
    await answer(serverError('Something went wrong'))
    const [mark] = queue.pending()
    expect([isWaiting(mark!), mark!.hasFailed, notSavedReason(mark!)]).toEqual([
      false,
      true,
      'Something went wrong',
    ])
    expect(kept.size).toBe(1)
    const retry = queue.sendAll()
    await answer(new Error('cut'))
    await retry
    const [cut] = queue.pending()
    expect([isWaiting(cut!), notSavedReason(cut!)]).toEqual([true, undefined])
    const secondSend = queue.sendAll()
    await answer()
    await secondSend
    expect([queue.pending(), kept.size]).toEqual([[], 0])
  })

  test('that takes back what never left the device leaves nothing to send', async () => {
    const { store, kept } = disk()
    const queue = openQueue(store, {
      send: () => Promise.reject(new Error('never sent')),
      reach: () => Promise.reject(new Error('cut')),
      isOnline: () => false,
    })
    await queue.mark([tapOn(aiko, true, false)])
    await allSettled()
    expect(queue.pending().map(isWaiting)).toEqual([true])
    await queue.mark([tapOn(aiko, false, false)])
    expect([queue.pending(), kept.size]).toEqual([[], 0])
  })
})

describe('marks of one roll', () => {
  test('tapped at once are one request, and those tapped meanwhile the next', async () => {
    const { sent, answer, queue, shown } = queueWithServer()
    await queue.mark([tapOn(aiko, true), tapOn(mia, false)])
    await allSettled()
    await queue.mark([tapOn(ken, true)])
    await queue.mark([tapOn(mia, null)])
    await answer()
    await answer()
    expect([shown(), sent]).toEqual([
      [],
      ['aiko true for , mia false for ', 'mia null for false, ken true for '],
    ])
  })

  test('are sent one by one when they are refused together, and only the refused one stays, until it is discarded', async () => {
    const { answer, queue, kept } = queueWithServer()
    await queue.mark([tapOn(aiko, true), tapOn(mia, false)])
    await answer(refusalError('Student not found'))
    await answer()
    await answer(refusalError('Student not found'))
    expect(queue.pending().map(({ student_id, refusal }) => [student_id, refusal])).toEqual([
      ['mia', 'Student not found'],
    ])
    await queue.sendAll()
    await queue.remove(queue.pending())
    expect([queue.pending(), kept.size]).toEqual([[], 0])
  })

  test('of another class or day do not wait for each other', async () => {
    const { sent, queue } = queueWithServer()
    await queue.mark([tapOn(aiko, true)])
    await queue.mark([tapOn({ ...aiko, day: '2026-03-03' }, false)])
    await allSettled()
    expect(sent).toEqual(['aiko true for ', 'aiko false for '])
  })
})

describe('a mark that somebody else made otherwise', () => {
  test('stays beside the own one until a tap decides, also after a restart', async () => {
    const { sent, answer, queue, open } = queueWithServer()
    await queue.mark([tapOn(aiko, true)])
    await answer([false])
    expect(queue.pending()).toMatchObject([{ present: true, elsewhere: { present: false } }])
    await queue.sendAll()
    const newOutbox = open()
    await newOutbox.reload()
    expect(newOutbox.pending()).toMatchObject([{ present: true, elsewhere: { present: false } }])
    await newOutbox.mark([tapOn(aiko, true, false)])
    await answer()
    expect([newOutbox.pending(), sent]).toEqual([[], ['aiko true for ', 'aiko true for false']])
  })

  test('stands without a question where the rest of a class was marked', async () => {
    const { answer, queue } = queueWithServer()
    await queue.mark([{ ...tapOn(aiko, true), yields: true }])
    await answer([false])
    expect(queue.pending()).toEqual([])
  })
})

test('what is closed shows nothing more, and leaves what is stored', async () => {
  const { answer, queue, kept } = queueWithServer()
  await queue.mark([tapOn(aiko, true)])
  await allSettled()
  queue.close()
  await answer(new Error('cut'))
  expect([queue.pending(), kept.size]).toEqual([[], 1])
})

type Step =
  | { does: 'tap' | 'rest' | 'elsewhere'; student: number; present: MarkValue }
  | {
      does: 'cut' | 'connect' | 'lose answers' | 'restart' | 'send' | 'wait' | 'decide'
      student?: number
      present?: MarkValue
    }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('tap', 'rest', 'elsewhere'),
      student: fc.nat(2),
      present: fc.constantFrom(true, false, null),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('cut', 'connect', 'lose answers', 'restart', 'send', 'wait', 'decide'),
    }),
  },
)

test('whatever is cut, killed and marked elsewhere, the last tap or a decision ends at the server, and nobody is overwritten unseen', async () => {
  const schedules = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const { store } = disk()
    const students = ['aiko', 'mia', 'ken']
    const server = new Map<string, MarkValue>()
    /** Each value that this device showed at a tap, or that arrived from it: nothing else may be replaced. */
    const knownValues = new Map(students.map((id) => [id, new Set<MarkValue>()]))
    const knownValue = (id: string) => knownValues.get(id)!
    const overwritten: string[] = []
    /** Whom somebody else ever marked after a tap of ours. */
    const touchedKeys = new Set<string>()
    let network: 'up' | 'cut' | 'loses answers' = 'up'
    const networkError = () => new Error('no answer')
    const send = async (marks: readonly StoredMark[]) => {
      await Promise.resolve()
      if (network === 'cut') throw networkError()
      for (const { student_id, present, replaces } of marks) {
        const now = server.get(student_id) ?? null
        if (!replaces.includes(now)) continue
        if (now !== present && !knownValue(student_id).has(now)) overwritten.push(student_id)
        knownValue(student_id).add(present)
        server.set(student_id, present)
      }
      if (network === 'loses answers') throw networkError()
      return marks.flatMap(({ student_id }) => {
        const present = server.get(student_id) ?? null
        return present === null ? [] : [recordOf(student_id, present)]
      })
    }
    const open = () =>
      openQueue(store, {
        send,
        reach: async () => {
          if (network === 'cut') throw networkError()
        },
        isOnline: () => network !== 'cut',
      })
    let queue = open()
    /** What the screen showed of the server when there was last an answer. */
    const screen = new Map<string, MarkValue>()
    /** By student, the value that has to stand in the end; two where the screen asks. */
    const refresh = () => {
      if (network === 'up') for (const id of students) screen.set(id, server.get(id) ?? null)
    }
    const lastTap = new Map<string, MarkValue>()
    const drain = async () => {
      for (let turn = 0; turn < 12; turn += 1) await Promise.resolve()
      await allSettled()
    }
    for (const { does, student = 0, present = null } of steps) {
      const id = students[student]!
      const target = { ...aiko, student_id: id }
      if (does === 'tap' || does === 'rest') {
        if (does === 'rest' && (screen.get(id) ?? null) !== null) continue
        const value = does === 'rest' ? true : present
        const waiting = queue.pending().find(({ student_id }) => student_id === id)
        // A screen that is behind does not show yet what somebody else has marked.
        if (!waiting && (screen.get(id) ?? null) === (server.get(id) ?? null))
          touchedKeys.delete(id)
        knownValue(id).add(
          waiting?.elsewhere ? waiting.elsewhere.present : (screen.get(id) ?? null),
        )
        await queue.mark([
          { ...target, present: value, seen: screen.get(id) ?? null, yields: does === 'rest' },
        ])
        lastTap.set(id, value)
      } else if (does === 'elsewhere') {
        server.set(id, present)
        touchedKeys.add(id)
      } else if (does === 'decide') {
        for (const mark of queue.pending().filter(({ elsewhere }) => elsewhere)) {
          knownValue(mark.student_id).add(mark.elsewhere!.present)
          await queue.mark([
            { ...mark, present: mark.present, seen: mark.elsewhere!.present, yields: false },
          ])
        }
      } else if (does === 'restart') {
        queue.close()
        queue = open()
        await queue.reload()
      } else if (does === 'send') await queue.sendAll()
      else if (does !== 'wait')
        network = does === 'cut' ? 'cut' : does === 'connect' ? 'up' : 'loses answers'
      if (does === 'wait' || does === 'send') await drain()
      refresh()
    }
    network = 'up'
    queue.close()
    queue = open()
    await queue.reload()
    for (let turn = 0; turn < 4; turn += 1) {
      await queue.sendAll()
      await drain()
    }
    expect(overwritten).toEqual([])
    for (const [id, value] of lastTap) {
      const mark = queue.pending().find(({ student_id }) => student_id === id)
      const now = server.get(id) ?? null
      // What waits is a question, with both values as they stand.
      if (mark) expect([mark.elsewhere?.present, mark.present]).toEqual([now, value])
      else if (!touchedKeys.has(id)) expect(now).toBe(value)
    }
  })
  await fc.assert(schedules, { numRuns: process.env.LONG ? 2000 : 300, seed: 7 })
})
