import { firstName } from '@tatami/contract/lib/name-parts'
import {
  type CodePeople,
  type Greeting,
  kioskApi,
  type NewCheckIn,
  type OfflinePerson,
} from '@tatami/contract/kiosk/kiosk'
import { trialsApi } from '@tatami/contract/trials/trials'
import { useCallback, useState } from 'react'
import { ApiError, call, errorMessage, newIdempotencyKey } from '../lib/api.ts'
import { isTransientError } from '../lib/query.ts'
import { serverTime } from '../lib/server-clock.ts'
import { kioskStorage } from './kiosk-storage.ts'
import { findPeopleByCode, findPeopleByPin } from './offline-people.ts'
import { dojoToday, findKioskMinuteNow } from './use-kiosk.ts'
import { addCheckIn, removeCheckIn } from './check-ins.ts'

export type Identification = Pick<NewCheckIn, 'pin' | 'passes'>
export type CheckInResult = {
  /** Null if the check-in cannot be undone at the kiosk. */
  id: string | null
  greetings: readonly Greeting[]
  isStoredOnly: boolean
}
export type CodePerson = CodePeople['people'][number]

/** Formats a random key as a UUID, because browsers offer `crypto.randomUUID` only over https. */
const createCheckInId = () =>
  newIdempotencyKey().replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')

const NO_NETWORK = 'There’s no network. Please tell your instructor you’re here.'
const UNKNOWN_PIN = 'There’s no network, and we don’t know this PIN. Please try again.'
const UNKNOWN_CODE = 'There’s no network, and we don’t know this code. Please tell your instructor.'

type BriefGreeting = Pick<Greeting, 'first_name' | 'class_name' | 'class_time'> & Partial<Greeting>

/** Creates a greeting for somebody whose belt and photo the kiosk does not know. */
const createGreeting = (greeting: BriefGreeting): Greeting => ({
  photo: null,
  is_birthday: false,
  was_here: false,
  entry_words: null,
  sees_instructor: false,
  papers: null,
  progress: null,
  next: null,
  missing: [],
  completion: null,
  is_ready: false,
  instructor_decides: false,
  ...greeting,
})

const createOfflineGreeting = ({
  name,
  class_name,
  class_time,
  entry_words = null,
}: Omit<KnownPerson, 'pass'>): Greeting =>
  createGreeting({ first_name: firstName(name), class_name, class_time, entry_words })

/** Loads the stored people of the current day. A day lasts until its last class has ended, even
 *  after midnight. */
function loadStoredPeople() {
  const people = kioskStorage.load('people')
  const state = kioskStorage.load('state')
  const isKioskDay =
    state !== undefined && people?.day === state.today && findKioskMinuteNow(state) !== null
  return people?.day === dojoToday() || isKioskDay ? people : undefined
}

export type KnownPerson = Pick<OfflinePerson, 'pass' | 'name' | 'class_name' | 'class_time'> &
  Partial<Pick<OfflinePerson, 'entry_words'>>

/** A pass begins with the student's id. */
const STUDENT_ID_LENGTH = 32
const readStudentId = ({ pass }: KnownPerson) => pass.slice(0, STUDENT_ID_LENGTH)

/** Finds the people to check in without a network. After a search by name, the PIN must belong to
 *  the student with this name. */
async function findOfflinePeople(
  pin: string | undefined,
  peopleByName: readonly KnownPerson[],
): Promise<readonly KnownPerson[]> {
  if (pin === undefined) return peopleByName
  const peopleByPin = await findPeopleByPin(pin, loadStoredPeople())
  if (peopleByName.length === 0) return peopleByPin
  const studentIds = peopleByName.map(readStudentId)
  return peopleByPin.filter((person) => studentIds.includes(readStudentId(person)))
}

/** Returned instead of a result if the kiosk must first ask whether the student is here as a
 *  guest. */
export const ASKS_FIRST = 'asks first'
const needsGuestAnswer = (error: unknown) =>
  error instanceof ApiError && error.errors.some(({ field }) => field === 'asks_first')

const isUnknownCode = (error: unknown) => error instanceof ApiError && error.status === 404

/** Checks in a visitor with the code of a booked trial. */
async function checkInTrial(code: string): Promise<CheckInResult> {
  const greeting = await call(trialsApi.checkIn, { body: { code } })
  return { id: null, greetings: [createGreeting(greeting)], isStoredOnly: false }
}

type CheckInOptions = {
  /** If true, the kiosk asks before a student joins a class that is not theirs. */
  asksFirst: boolean
  possiblePeople?: readonly KnownPerson[] | undefined
}

/** Runs one task at a time and keeps the message of its failure. */
function useTask() {
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const clearProblem = useCallback(() => setProblem(null), [])
  async function runOnce<Result>(
    task: () => Promise<Result | null>,
    fallbackMessage: string,
  ): Promise<Result | null> {
    if (busy) return null
    setBusy(true)
    setProblem(null)
    try {
      return await task()
    } catch (error) {
      setProblem(errorMessage(error, fallbackMessage))
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
    { asksFirst, possiblePeople = [] }: CheckInOptions,
  ) =>
    runOnce<CheckInResult | typeof ASKS_FIRST>(
      async () => {
        const id = createCheckInId()
        const came_at = new Date(serverTime(Date.now())).toISOString()
        try {
          const { greetings } = await call(kioskApi.checkIn, {
            body: { id, class_id, asks_first: asksFirst, ...identification },
          })
          return { id, greetings, isStoredOnly: false }
        } catch (error) {
          if (needsGuestAnswer(error)) return ASKS_FIRST
          if (!isTransientError(error)) throw error
          const people = await findOfflinePeople(identification.pin, possiblePeople)
          if (people.length === 0) throw error
          const passes = people.map(({ pass }) => pass)
          await addCheckIn({ id, class_id, asks_first: asksFirst, passes, came_at })
          return {
            id,
            greetings: people.map((person) => createOfflineGreeting(person)),
            isStoredOnly: true,
          }
        }
      },
      identification.pin === undefined ? NO_NETWORK : UNKNOWN_PIN,
    )
  const lookUpCode = (class_id: string, code: string) =>
    runOnce<readonly CodePerson[] | CheckInResult>(async () => {
      try {
        return (await call(kioskApi.code, { body: { code, class_id } })).people
      } catch (error) {
        if (isUnknownCode(error)) return checkInTrial(code)
        if (!isTransientError(error)) throw error
        const people = await findPeopleByCode(code, loadStoredPeople())
        if (people.length === 0) throw error
        return people.map((person) => ({ ...person, has_class: true, is_here: false }))
      }
    }, UNKNOWN_CODE)
  const undo = async ({ id, isStoredOnly }: CheckInResult) => {
    if (id === null) return
    if (isStoredOnly) await removeCheckIn(id)
    // The server is also asked about a stored check-in, because it may have been sent by now.
    await call(kioskApi.undo, { params: { id } }).catch((error: unknown) => {
      if (!isStoredOnly)
        setProblem(errorMessage(error, 'That couldn’t be undone. Please tell your instructor.'))
    })
  }
  return { checkIn, lookUpCode, undo, problem, clearProblem, busy }
}
