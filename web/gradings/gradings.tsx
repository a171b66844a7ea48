import { Button } from '@mantine/core'
import { gradingsApi, type GradingSummary } from '@tatami/contract/gradings/gradings'
import { useEffect, useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import { BeltsSwitch } from '../belts/belts-switch.tsx'
import { GradingList } from './grading-list.tsx'
import { PLAN_DRAFT } from './drafts.ts'
import { useStoredGradings } from './stored-gradings.ts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { today } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { useLayout, useOpenPage } from '../lib/layout-link.tsx'
import { gradingPath } from '../lib/paths.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { BottomActions, PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './gradings.module.css'
import { useTextStudent } from './text-student.tsx'
import kit from '../ui/kit.module.css'

const PlanSheet = lazyComponent(() => import('./plan-sheet.tsx'), 'PlanSheet')

export function Gradings() {
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(
    endpointQuery(gradingsApi.list),
  )
  const can = useCan()
  const [isPlanning, setPlanning] = useState(() => drafts.subjectOf(PLAN_DRAFT) !== undefined)
  const { textStudent, textDialog, isTexting } = useTextStudent()
  const openPage = useOpenPage()
  const isPhone = useLayout() === 'mobile'
  // With its code loaded, the page of a stored grading opens without a network.
  useEffect(() => void import('./grading.tsx').catch(() => {}), [])
  const storedGradings = useStoredGradings() ?? []
  const visibleGradings = data ?? (isUnavailable ? storedGradings : undefined)
  const planButton = can('belts.promote') && (
    <Button onClick={() => setPlanning(true)} {...PlanSheet.preloadOnHover}>
      Plan a {schoolBeltTestName().singular}
    </Button>
  )
  return (
    <div className={`${kit.stack} ${styles.page}`} data-layout={isPhone ? 'mobile' : 'desktop'}>
      <BeltsSwitch />
      <PageHeader
        title={schoolBeltTestName().capitalizedPlural}
        subtitle={!isPhone && 'Plan, invite, and record results'}
      >
        {!isPhone && planButton}
      </PageHeader>
      {isPending && <Skeletons count={4} height={84} label="Loading..." />}
      {isUnavailable && (
        <RetryNotice onRetry={retry}>
          {storedGradings.length > 0
            ? 'No network. These are saved on this device.'
            : `The ${schoolBeltTestName().plural} could not be loaded.`}
        </RetryNotice>
      )}
      {data?.length === 0 && <EmptyState>No {schoolBeltTestName().plural} yet.</EmptyState>}
      {visibleGradings && <GradingSections gradings={visibleGradings} />}
      {planButton && <BottomActions>{planButton}</BottomActions>}
      {isPlanning && (
        <PlanSheet
          onClose={() => setPlanning(false)}
          onPlanned={(id) => {
            setPlanning(false)
            openPage(gradingPath(id))
          }}
          onText={textStudent}
          isLocked={isTexting}
        />
      )}
      {textDialog}
    </div>
  )
}

function GradingSections({ gradings }: { gradings: readonly GradingSummary[] }) {
  const isUpcoming = ({ held_on, state }: GradingSummary) =>
    state !== 'finished' && (held_on >= today() || state === 'closed')
  const upcomingGradings = gradings
    .filter(isUpcoming)
    .toSorted((a, b) => (a.held_on < b.held_on ? -1 : 1))
  const pastGradings = gradings
    .filter((grading) => !isUpcoming(grading))
    .toSorted((a, b) => (a.held_on > b.held_on ? -1 : 1))
  return (
    <>
      {upcomingGradings.length > 0 && <GradingList title="Upcoming" gradings={upcomingGradings} />}
      {pastGradings.length > 0 && <GradingList title="Past" gradings={pastGradings} />}
    </>
  )
}
