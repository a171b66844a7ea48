import { TEXT_STATES, type TextState } from '@tatami/contract/texting/text-history'
import { expect, test } from 'vitest'
import { STATUS_PRECEDENCE } from './outcomes.ts'
import { CLAIMABLE_STATES, TRANSITIONS } from './states.ts'

const transitions = Object.values(TRANSITIONS) as { from: readonly TextState[]; to: TextState }[]
const INITIAL_STATES: TextState[] = ['queued', 'waiting', 'skipped']

test('every state can be reached, and all but delivered and skipped can be left', () => {
  expect(
    TEXT_STATES.filter(
      (state) => !INITIAL_STATES.includes(state) && !transitions.some(({ to }) => to === state),
    ),
  ).toEqual([])
  const statesWithExit = transitions.flatMap(({ from, to }) => from.filter((state) => state !== to))
  expect(TEXT_STATES.filter((state) => !statesWithExit.includes(state))).toEqual([
    'skipped',
    'delivered',
  ])
})

test('a provider’s status may follow each status that it supersedes, and itself', () => {
  for (const [index, status] of STATUS_PRECEDENCE.entries()) {
    if (status === 'accepted') continue
    const { from, to } = TRANSITIONS[status]
    expect([to, [...from]]).toEqual([status, STATUS_PRECEDENCE.slice(0, index + 1)])
  }
})

test('texts can be claimed in each state that a worker or the provider may change', () => {
  const changedByInstructor = [
    ...TRANSITIONS.sendAgain.from,
    ...TRANSITIONS.admit.from,
  ] as TextState[]
  const activeStates = TEXT_STATES.filter(
    (state) =>
      transitions.some(({ from }) => from.includes(state)) && !changedByInstructor.includes(state),
  )
  expect(activeStates.filter((state) => state !== 'delivered')).toEqual([...CLAIMABLE_STATES])
})
