import { firstName } from '@tatami/contract/lib/name-parts'
import {
  type CodePeople,
  type Greeting,
  kioskApi,
  type NewCheckIn,
  type OfflinePerson,
} from '@tatami/contract/kiosk/kiosk'
import { useCallback, useState } from 'react'
import { call, errorMessage, newIdempotencyKey } from '../lib/api.ts'
import { isTransientError } from '../lib/query.ts'
import { serverTime } from '../lib/server-clock.ts'
import { kioskStorage } from './kiosk-storage.ts'
import { peopleOfCode, peopleOfPin } from './offline-people.ts'
import { dojoToday, minuteOf } from './use-kiosk.ts'
import { addCheckIn, removeCheckIn } from './check-ins.ts'

export type Identification = Pick<NewCheckIn, 'pin' | 'passes'>
export type CheckedIn = { id: string; greetings: readonly Greeting[]; isWaiting: boolean }
export type CodePerson = CodePeople['people'][number]

/** Browsers offer `randomUUID` only over https. */
const newCheckInId = () =>
  newIdempotencyKey().replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')

const NO_NETWORK = 'There’s no network. Please tell your instructor you’re here.'
const UNKNOWN_PIN = 'There’s no network, and we don’t know this PIN. Please try again.'
const UNKNOWN_CODE = 'There’s no network, and we don’t know this code. Please tell your instructor.'

/** Without a network, only the name is known. */
const greetingOf = ({
  name,
  class_name,
  class_time,
}: Pick<OfflinePerson, 'name' | 'class_name' | 'class_time'>): Greeting => ({
  first_name: firstName(name),
  class_name,
  class_time,
  is_birthday: false,
  was_here: false,
  progress: null,
  next: null,
  missing: [],
  is_ready: false,
  instructor_decides: false,
})

/** People stored on another day must not be checked in. */
const storedPeople = () => {
  const people = kioskStorage.load('people')
  const state = kioskStorage.load('state')
  const isDayOfState =
    state !== undefined && people?.day === state.today && minuteOf(state) !== null
  return people?.day === dojoToday() || isDayOfState ? people : undefined
}

export type KnownPerson = Pick<OfflinePerson, 'pass' | 'name' | 'class_name' | 'class_time'>

const STUDENT_LETTERS = 32
/** True if a PIN belongs to one of the people found by name, or if there is no name. */
const isAmong = (candidates: readonly KnownPerson[]) => (person: OfflinePerson) =>
  candidates.length === 0 ||
  candidates.some(
    ({ pass }) => pass.slice(0, STUDENT_LETTERS) === person.pass.slice(0, STUDENT_LETTERS),
  )

/** Runs one task at a time. `problem` is why the last one failed, in words for the student. */
function useTask() {
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const clearProblem = useCallback(() => setProblem(null), [])

  async function runOnce<T>(task: () => Promise<T | null>, fallback: string): Promise<T | null> {
    if (busy) return null
    setBusy(true)
    setProblem(null)
    try {
      return await task()
    } catch (error) {
      setProblem(errorMessage(error, fallback))
      return null
    } finally {
      setBusy(false)
    }
  }
  return { runOnce, problem, setProblem, clearProblem, busy }
}

export function useCheckIn() {
  const { runOnce, problem, setProblem, clearProblem, busy } = useTask()

  const checkIn = (
    class_id: string,
    identification: Identification,
    candidates: readonly KnownPerson[] = [],
  ) =>
    runOnce<CheckedIn>(
      async () => {
        const id = newCheckInId()
        const came_at = new Date(serverTime(Date.now())).toISOString()
        try {
          const { greetings } = await call(kioskApi.checkIn, {
            body: { id, class_id, ...identification },
          })
          return { id, greetings, isWaiting: false }
        } catch (error) {
          if (!isTransientError(error)) throw error
          // Without a PIN, the name from the search is all there is.
          const people =
            identification.pin === undefined
              ? candidates
              : (await peopleOfPin(identification.pin, storedPeople())).filter(isAmong(candidates))
          if (people.length === 0) throw error
          await addCheckIn({ id, class_id, passes: people.map(({ pass }) => pass), came_at })
          return { id, greetings: people.map((person) => greetingOf(person)), isWaiting: true }
        }
      },
      identification.pin === undefined ? NO_NETWORK : UNKNOWN_PIN,
    )

  const lookUp = (class_id: string, code: string) =>
    runOnce<readonly CodePerson[]>(async () => {
      try {
        return (await call(kioskApi.code, { body: { code, class_id } })).people
      } catch (error) {
        if (!isTransientError(error)) throw error
        const people = await peopleOfCode(code, storedPeople())
        if (people.length === 0) throw error
        return people.map((person) => ({ ...person, has_class: true, is_here: false }))
      }
    }, UNKNOWN_CODE)

  /** Deletes an unsent check-in; the server undoes one it may have. */
  const undo = async ({ id, isWaiting }: CheckedIn) => {
    if (isWaiting) await removeCheckIn(id)
    await call(kioskApi.undo, { params: { id } }).catch((error: unknown) => {
      if (!isWaiting)
        setProblem(errorMessage(error, 'That couldn’t be undone. Please tell your instructor.'))
    })
  }
  return { checkIn, lookUp, undo, problem, clearProblem, busy }
}
