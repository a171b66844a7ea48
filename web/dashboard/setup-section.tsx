import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import type { DojoClass } from '@tatami/contract/classes/classes'
import type { SetupProgress } from '@tatami/contract/dashboard/setup'
import { useEffect, useState } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import { type LinkPath, PATHS, rollPath } from '../lib/paths.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { areStepsFolded } from './folded-steps.ts'
import {
  readLastSetupPlace,
  mayShowSetup,
  rememberSetupPlace,
  type SetupPlace,
} from './setup-place.ts'
import styles from './setup-section.module.css'

/** Before the first roll, the checklist is the most important part of the dashboard. After all
 *  steps, it is hidden. */
function choosePlace(setup: SetupProgress): SetupPlace | null {
  if (!setup.some(({ state }) => state === 'open')) return null
  return setup.some(({ step, state }) => step === 'roll' && state === 'open')
    ? 'top'
    : 'below today'
}

/** Leaves room for the checklist while the dashboard loads, if the last visit had one. */
export const SetupSkeleton = ({ place }: { place: SetupPlace }) =>
  readLastSetupPlace() === place && <SetupLoading />

const SetupLoading = () => (
  <div
    className={styles.loading}
    data-place={readLastSetupPlace()}
    data-folded={areStepsFolded()}
    data-layout={useLayout()}
  >
    <SkeletonBlock height="100%" />
  </div>
)

const FirstSteps = lazyComponent(
  () => import('./first-steps.tsx'),
  'FirstSteps',
  <SetupLoading />,
  { showsImmediately: true },
)

// The file is already loading (prefetch.ts). Without this line, React would show the skeleton for
// longer than necessary.
if (mayShowSetup()) FirstSteps.preload()

type Props = {
  setup: SetupProgress
  classes: DojoClass[] | undefined
  dates: DatedClass[] | undefined
  place: SetupPlace
}

export function SetupSection({ setup, classes = [], dates, place }: Props) {
  // After the last step, the finished checklist stays until the next visit.
  const [visiblePlace] = useState(() => choosePlace(setup))
  useEffect(() => rememberSetupPlace(visiblePlace), [visiblePlace])
  if (visiblePlace !== place) return null
  return (
    <FirstSteps
      setup={setup}
      place={place}
      rollLink={firstRollPath(dates)}
      hasClasses={classes.length > 0}
    />
  )
}

function firstRollPath(dates: DatedClass[] = []): LinkPath {
  const todaysClass = dates.find(({ status }) => status === 'on')
  return todaysClass ? rollPath(todaysClass) : PATHS.attendance
}
