import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import type { SetupProgress } from '@tatami/contract/dashboard/setup'
import { useEffect, useState } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import { type LinkPath, PATHS, rollPath } from '../lib/paths.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
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
  lastPlace() === place && <SetupLoading place={place} />

const SetupLoading = ({ place }: { place: SectionPlace }) => (
  <div className={styles.loading} data-place={place} data-layout={useLayout()}>
    <SkeletonBlock height="100%" />
  </div>
)

const FoldedSteps = lazyComponent(
  () => import('./first-steps.tsx'),
  'FirstSteps',
  <SetupLoading place="above tiles" />,
  { showsImmediately: true },
)
const FullSteps = lazyComponent(
  () => import('./first-steps.tsx'),
  'FirstSteps',
  <SetupLoading place="top" />,
  { showsImmediately: true },
)

type Props = { setup: SetupProgress; dates: DatedClass[] | undefined; place: SectionPlace }

export function SetupSection({ setup, dates, place }: Props) {
  // After the last step, the finished checklist stays until the next visit.
  const [shownPlace] = useState(() => placeOf(setup))
  useEffect(() => rememberPlace(shownPlace), [shownPlace])
  if (shownPlace !== place) return null
  const rollLink = firstRollPath(dates)
  return place === 'top' ? (
    <FullSteps setup={setup} rollLink={rollLink} isFolded={false} />
  ) : (
    <FoldedSteps setup={setup} rollLink={rollLink} isFolded />
  )
}

function firstRollPath(dates: DatedClass[] = []): LinkPath {
  const todaysClass = dates.find(({ status }) => status === 'on')
  return todaysClass ? rollPath(todaysClass) : PATHS.attendance
}
