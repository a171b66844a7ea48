import {
  GREETING_SECONDS,
  type KioskClass,
  type SearchHit,
  type KioskState,
} from '@tatami/contract/kiosk/kiosk'
import { useCallback, useState } from 'react'
import {
  ASKS_FIRST,
  type CheckInResult,
  type CodePerson,
  type Identification,
  type KnownPerson,
  useCheckIn,
} from './use-check-in.ts'
import { useIdle, useTypedCode } from './use-kiosk.ts'

type PossiblePeople = readonly KnownPerson[]
export type View =
  | { step: 'home' }
  | { step: 'classes' }
  | { step: 'pin'; hit: SearchHit }
  | { step: 'scan' }
  | { step: 'first visit' }
  | { step: 'work' }
  | { step: 'code'; people: readonly CodePerson[] }
  | { step: 'guest'; identification: Identification; people: PossiblePeople }
  | ({ step: 'greeting' } & CheckInResult)

type GuestView = Extract<View, { step: 'guest' }>

const HOME: View = { step: 'home' }
const IDLE_SECONDS = 30

/** Keeps the current step and what was typed. If nobody touches the screen, everything is reset. */
function useVisitState(clearProblem: () => void) {
  const [view, setView] = useState<View>(HOME)
  const [searchText, setSearchText] = useState('')
  const [pin, setPin] = useState('')
  /** The class that was chosen instead of the current one */
  const [classId, setClassId] = useState<string | null>(null)
  const reset = useCallback(() => {
    setView(HOME)
    setSearchText('')
    setPin('')
    setClassId(null)
    clearProblem()
  }, [clearProblem])
  useIdle(Math.max(IDLE_SECONDS, GREETING_SECONDS), reset)
  return { view, setView, searchText, setSearchText, pin, setPin, classId, setClassId, reset }
}

/** One visit to the kiosk, from the first tap to the greeting. */
export function useVisit(state: KioskState, currentClass: KioskClass | undefined) {
  const { checkIn, lookUpCode, undo, problem, clearProblem, busy } = useCheckIn()
  const { view, setView, searchText, setSearchText, pin, setPin, classId, setClassId, reset } =
    useVisitState(clearProblem)
  const selectedClass = state.classes.find(({ id }) => id === classId) ?? currentClass
  const checkInAndGreet = async (
    identification: Identification,
    people: PossiblePeople = [],
    // Somebody who chose a class has already answered the question.
    asksFirst = classId === null,
  ) => {
    if (!selectedClass) return
    const options = { asksFirst, possiblePeople: people }
    const result = await checkIn(selectedClass.id, identification, options)
    setPin('')
    if (result === ASKS_FIRST) {
      // Keeps this class on the screen, even if check-in for the next class starts.
      setClassId(selectedClass.id)
      setView({ step: 'guest', identification, people })
    } else if (result) setView({ step: 'greeting', ...result })
  }
  const checkInByName = (hit: SearchHit, enteredPin?: string) =>
    checkInAndGreet(
      { passes: [hit.pass], ...(enteredPin !== undefined && { pin: enteredPin }) },
      selectedClass && [{ ...hit, class_name: selectedClass.name, class_time: selectedClass.time }],
    )
  const checkInByCode = (people: readonly CodePerson[], asksFirst?: boolean) =>
    checkInAndGreet({ passes: people.map(({ pass }) => pass) }, people, asksFirst)
  const handleCode = async (code: string) => {
    reset()
    if (!selectedClass) return
    const result = await lookUpCode(selectedClass.id, code)
    if (!result) return
    if ('greetings' in result) setView({ step: 'greeting', ...result })
    else if (result.length === 1) await checkInByCode(result)
    else setView({ step: 'code', people: result })
  }
  useTypedCode((code) => void handleCode(code))
  return {
    view,
    setView,
    selectedClass,
    reset,
    searchText,
    search: (text: string) => {
      clearProblem()
      setSearchText(text)
    },
    pinInput: { pin, onChange: setPin, busy, problem },
    chooseClass: (id: string) => {
      setClassId(id)
      setView(HOME)
    },
    choose: (hit: SearchHit) =>
      state.asks_pin ? setView({ step: 'pin', hit }) : void checkInByName(hit),
    checkInByPin: (enteredPin: string) => void checkInAndGreet({ pin: enteredPin }),
    checkInByName: (hit: SearchHit, enteredPin: string) => void checkInByName(hit, enteredPin),
    checkInByCode: (people: readonly CodePerson[]) => void checkInByCode(people, false),
    checkInAsGuest: ({ identification, people }: GuestView) =>
      void checkInAndGreet(identification, people, false),
    handleCode: (code: string) => void handleCode(code),
    undo,
  }
}
