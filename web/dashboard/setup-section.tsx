import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import type { DojoClass } from '@tatami/contract/classes/classes'
import type { SetupProgress } from '@tatami/contract/dashboard/setup'
import { useEffect, useState } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import { type LinkPath, PATHS, rollPath } from '../lib/paths.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { areStepsFolded } from './folded-steps.ts'
import styles from './setup-section.module.css'

type SectionPlace = 'top' | 'above tiles'

const LAST_PLACE_KEY = 'first-steps'

/** While the dashboard loads, it leaves room for the checklist if the last visit had one. */
const lastPlace = () => localStorage.getItem(LAST_PLACE_KEY)
const rememberPlace = (place: SectionPlace | null) =>
  place ? localStorage.setItem(LAST_PLACE_KEY, place) : localStorage.removeItem(LAST_PLACE_KEY)

/** Before the first roll, the checklist is the most important part of the dashboard. */
const placeOf = (setup: SetupProgress): SectionPlace | null => {
  if (!setup.some(({ state }) => state === 'open')) return null
  return setup.some(({ step, state }) => step === 'roll' && state === 'open')
    ? 'top'
    : 'above tiles'
}

export const SetupSkeleton = ({ place }: { place: SectionPlace }) =>
  lastPlace() === place && <SetupLoading />

const SetupLoading = () => (
  <div className={styles.loading} data-folded={areStepsFolded()} data-layout={useLayout()}>
    <SkeletonBlock height="100%" />
  </div>
)

const FirstSteps = lazyComponent(
  () => import('./first-steps.tsx'),
  'FirstSteps',
  <SetupLoading />,
  { showsImmediately: true },
)

type Props = {
  setup: SetupProgress
  classes: DojoClass[] | undefined
  dates: DatedClass[] | undefined
  place: SectionPlace
}

export function SetupSection({ setup, classes = [], dates, place }: Props) {
  // After the last step, the finished checklist stays until the next visit.
  const [shownPlace] = useState(() => placeOf(setup))
  useEffect(() => rememberPlace(shownPlace), [shownPlace])
  if (shownPlace !== place) return null
  return (
    <FirstSteps setup={setup} rollLink={firstRollPath(dates)} hasClasses={classes.length > 0} />
  )
}

function firstRollPath(dates: DatedClass[] = []): LinkPath {
  const todaysClass = dates.find(({ status }) => status === 'on')
  return todaysClass ? rollPath(todaysClass) : PATHS.attendance
}
