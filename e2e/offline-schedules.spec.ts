import { addDays } from '@tatami/contract/lib/calendar-day'
import { attendanceApi, toClassDate, type MarkValue } from '@tatami/contract/attendance/attendance'
import fc from 'fast-check'
import { call } from './api.ts'
import {
  type Device,
  createDailyClassWith,
  prepareDevice,
  testOnNetwork as test,
  readToday,
} from './device.ts'
import type { Dojo } from './dojo.ts'
import { expect } from './harness.ts'
import type { Network } from './network.ts'
import { countStored, type Phone } from './phone.ts'
import { createRollModel } from './roll-model.ts'
import { readRollRows, tapOnAll, tapRow, waitUntilSent } from './roll-page.ts'

/** One step of a random schedule. `student` is an index, and `present` is the mark to make. */
type Step = {
  action:
    | 'tap'
    /** Marks all unmarked students present. */
    | 'rest'
    | 'undo'
    /** Somebody else marks the student. */
    | 'elsewhere'
    | 'cut'
    | 'go offline'
    | 'lose responses'
    | 'connect'
    | 'reload'
    | 'wait'
    | 'kill'
  student: number
  present: MarkValue
}

/** Chooses random actions. An action with a larger weight is chosen more often. */
const randomAction = (weights: Partial<Record<Step['action'], number>>) =>
  fc.oneof(
    ...Object.entries(weights).map(([action, weight]) => ({
      weight,
      arbitrary: fc.constant(action as Step['action']),
    })),
  )
const schedule = (options: { kill: boolean; steps: number }): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      action: randomAction({
        tap: 10,
        rest: 2,
        undo: 2,
        elsewhere: 5,
        cut: 2,
        'go offline': 2,
        'lose responses': 3,
        connect: 3,
        reload: 3,
        wait: 2,
        ...(options.kill && { kill: 3 }),
      }),
      student: fc.nat(3),
      present: fc.constantFrom(true, false, null),
    }),
    { minLength: options.steps / 2, maxLength: options.steps },
  )

type RollSetup = {
  device: Device
  network: Network
  dojo: Dojo
  classId: string
  students: { id: string; name: string }[]
  /** The phone that is switched on. */
  phone: Phone
}

/** Performs the steps on the roll of a day, then goes online and resolves the conflicts. Throws if
 *  the model does not allow the result. */
async function runSchedule(setup: RollSetup, day: string, steps: readonly Step[]): Promise<void> {
  const { device, network, dojo, classId, students } = setup
  const names = students.map(({ name }) => name)
  const model = createRollModel(names)
  /** For each tap, the mark that it replaced. Undo works only until the page is closed. */
  let undoStack: [string, MarkValue][][] = []
  /** `isOffline`: the phone knows that it has no network. `isCut`: nothing reaches the server.
   *  `isOnline`: responses reach the phone. */
  let isOffline = false
  let isCut = false
  let isOnline = true
  const setOnline = (nextValue: boolean) => {
    isOnline = nextValue
    model.setOnline(nextValue)
  }
  const page = () => setup.phone.page
  /** Returns the rows without a conflict that differ from the expected values. */
  const rowsDifferingFrom = async (values: ReadonlyMap<string, MarkValue>) =>
    (await readRollRows(page())).filter(
      ({ name, present, hasConflict }) =>
        !hasConflict && values.has(name) && values.get(name) !== present,
    )
  /** Waits until an action on several rows is stored. By then, a response of the server may have
   *  changed some of them. */
  const waitForRows = async (values: ReadonlyMap<string, MarkValue>) => {
    for (let turn = 0; turn < 20 && (await rowsDifferingFrom(values)).length > 0; turn += 1)
      await page().waitForTimeout(20)
  }
  const openRoll = async () => {
    await device.open(page(), `/attendance?class=${classId}&date=${day}`)
    await waitForRoll()
  }
  const waitForRoll = async () => {
    undoStack = []
    await expect
      .poll(async () => (await readRollRows(page())).map(({ name }) => name))
      .toEqual(names)
    // The page shows the taps again.
    if (isCut) await expect.poll(() => rowsDifferingFrom(model.unsentMarks())).toEqual([])
  }
  const connect = async () => {
    network.setState('up')
    if (isOffline) await setup.phone.context.setOffline(false)
    isOffline = false
    isCut = false
    setOnline(true)
  }
  const readServerMarks = async () => {
    const records = await call(
      attendanceApi.list,
      { query: { class_id: classId, class_date: day } },
      dojo.token,
    )
    expect(records.length).toBe(new Set(records.map(({ student_id }) => student_id)).size)
    return new Map(records.map(({ student_name, present }) => [student_name, present as MarkValue]))
  }
  /** Waits until everything is sent, and checks that the model allows the server's marks. Returns
   *  the students with a conflict. */
  const settle = async () => {
    await waitUntilSent(page())
    const rows = await readRollRows(page())
    expect(model.settle(await readServerMarks(), rows)).toEqual([])
    return rows.filter(({ hasConflict }) => hasConflict).map(({ name }) => name)
  }
  const tap = async (name: string, present: boolean, tapsOtherMark: boolean) => {
    const { tappedValue, valueBefore } = await tapRow(page(), name, present, tapsOtherMark)
    model.tap(name, tappedValue)
    undoStack.push([[name, valueBefore]])
  }
  const actions: Record<Step['action'], (step: Step) => Promise<void>> = {
    // With `null`, taps the other mark of a conflict, or Present if there is no conflict.
    tap: ({ student, present }) => tap(names[student]!, present !== false, present === null),
    rest: async () => {
      const rowsBefore = await tapOnAll(page(), /^(Rest|All) present$/)
      const unmarkedNames =
        rowsBefore
          ?.filter(({ present, hasConflict }) => present === null && !hasConflict)
          .map(({ name }) => name) ?? []
      for (const name of unmarkedNames) model.tap(name, true, { yieldsToOthers: true })
      if (unmarkedNames.length > 0) undoStack.push(unmarkedNames.map((name) => [name, null]))
      await waitForRows(new Map(unmarkedNames.map((name) => [name, true])))
    },
    undo: async () => {
      const lastChange = undoStack.at(-1)
      if (!lastChange || !(await tapOnAll(page(), /^Undo$/))) return
      undoStack.pop()
      for (const [name, present] of lastChange) model.tap(name, present)
      await waitForRows(new Map(lastChange))
    },
    elsewhere: async ({ student, present }) => {
      // With a good network, all taps arrive before somebody else marks.
      if (isOnline) await settle()
      const { id: student_id, name } = students[student]!
      const target = { student_id, class_id: classId, class_date: toClassDate(day) }
      if (present === null) await call(attendanceApi.unmark, { query: target }, dojo.token)
      else await call(attendanceApi.mark, { body: { ...target, present } }, dojo.token)
      model.markElsewhere(name, present)
    },
    cut: async () => {
      network.setState('cut')
      isCut = true
      setOnline(false)
    },
    'go offline': async () => {
      await setup.phone.context.setOffline(true)
      isOffline = true
      isCut = true
      setOnline(false)
    },
    'lose responses': async () => {
      await connect()
      network.setState('loses responses')
      setOnline(false)
    },
    connect,
    reload: async () => {
      await page().reload()
      await waitForRoll()
    },
    wait: async () => {
      if (isOnline) await settle()
    },
    kill: async () => {
      await setup.phone.kill()
      setup.phone = await device.start({ offline: isOffline })
      await openRoll()
    },
  }

  await openRoll()
  for (const step of steps) await actions[step.action](step)
  await connect()
  // Resolves conflicts until none remain: first with the other mark, then with the phone's own.
  let conflictNames = await settle()
  for (let turn = 0; conflictNames.length > 0; turn += 1) {
    for (const name of conflictNames) await tap(name, true, turn % 2 === 0)
    conflictNames = await settle()
  }
  // Nothing is waiting on the phone, and it shows the server's marks.
  expect(await countStored(page(), 'marks')).toBe(0)
  await page().reload()
  await waitForRoll()
  const serverMarks = await readServerMarks()
  expect(new Map((await readRollRows(page())).map(({ name, present }) => [name, present]))).toEqual(
    new Map(names.map((name) => [name, serverMarks.get(name) ?? null])),
  )
}

/** `kills` says in which schedules the browser is killed. */
type SchedulePlan = { seeds: readonly number[]; steps: number; kills: (seed: number) => boolean }

async function runSchedules(
  device: Device,
  network: Network,
  dojo: Dojo,
  { seeds, steps: maxSteps, kills }: SchedulePlan,
) {
  const { id: classId, students } = await createDailyClassWith(dojo)
  const phone = await prepareDevice(device, dojo, `/attendance?class=${classId}`)
  const today = await readToday(phone.page)
  const setup: RollSetup = { device, network, dojo, classId, students, phone }
  for (const seed of seeds) {
    const [steps] = fc.sample(schedule({ kill: kills(seed), steps: maxSteps }), {
      seed,
      numRuns: 1,
    })
    const description = steps!
      .map(({ action, student, present }) => `${action} ${student} ${present}`)
      .join(', ')
    // Each schedule marks the roll of a different day.
    await runSchedule(setup, addDays(today, -seed), steps!).catch((error: unknown) => {
      throw new Error(
        `Seed ${seed} (${description}): ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      )
    })
  }
}

/** SEED=83 repeats the random schedules of a failed run. */
const seedsFrom = (firstSeed: number, count: number) =>
  process.env.SEED
    ? process.env.SEED.split(',').map(Number)
    : Array.from({ length: count }, (_, index) => firstSeed + index)

test('random taps, cuts, reloads, kills and a second phone leave the last tapped marks', async ({
  device,
  dojo,
  network,
}) => {
  await runSchedules(device, network, dojo, {
    seeds: seedsFrom(1, 3),
    steps: 12,
    kills: (seed) => seed === 3,
  })
})

test(
  'fifty random schedules in each layout leave the last tapped marks',
  { tag: '@long' },
  async ({ device, dojo, network, isDesktop }) => {
    test.setTimeout(20 * 60_000)
    await runSchedules(device, network, dojo, {
      seeds: seedsFrom(isDesktop ? 101 : 51, 50),
      steps: 20,
      kills: (seed) => seed % 5 === 0,
    })
  },
)
