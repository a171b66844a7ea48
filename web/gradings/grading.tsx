import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { Grading } from '@tatami/contract/gradings/gradings'
import { useState } from 'react'
import { useParams } from 'react-router'
import { useCan } from '../lib/current-user.ts'
import { CandidateList } from './candidate-list.tsx'
import { EDIT_DRAFT } from './drafts.ts'
import { TestDay } from './test-day.tsx'
import { useInvitations } from './invite.tsx'
import { useGrading } from './stored-gradings.ts'
import { formatDateTimeAndPlace } from './grading-text.ts'
import { ApiError } from '../lib/api.ts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { today } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { LayoutLink, useLayout, useOpenPage } from '../lib/layout-link.tsx'
import { useUrlChoice } from '../lib/url-query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { BottomActions, PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { Tabs } from '../ui/tabs.tsx'
import styles from './gradings.module.css'
import { useTextStudent } from './text-student.tsx'
import kit from '../ui/kit.module.css'

const BeltsToOrder = lazyComponent(() => import('./order-list.tsx'), 'BeltsToOrder')
const FinishedGrading = lazyComponent(
  () => import('./finished.tsx'),
  'FinishedGrading',
  <Skeletons count={6} height={72} label="" />,
)
const EditSheet = lazyComponent(() => import('./edit-sheet.tsx'), 'EditSheet')
const BeltTying = lazyComponent(() => import('../belts/belt-tying.tsx'), 'BeltTying')

export function GradingPage() {
  const { id = '' } = useParams()
  const { data, error, isUnavailable, isStored, retry } = useGrading(id)
  const layout = useLayout()
  const { singular, plural, capitalized } = schoolBeltTestName()
  if (error instanceof ApiError && error.status === 404)
    return (
      <EmptyState
        action={
          <Button component={LayoutLink} to="/gradings" variant="default">
            All {plural}
          </Button>
        }
      >
        This {singular} does not exist.
      </EmptyState>
    )
  return (
    <div className={`${kit.stack} ${styles.page}`} data-layout={layout}>
      {!data && <PageHeader title={capitalized} />}
      {!data && !isUnavailable && <Skeletons count={6} height={72} label="Loading..." />}
      {!data && isUnavailable && (
        <RetryNotice onRetry={retry}>{`The ${singular} could not be loaded.`}</RetryNotice>
      )}
      {isStored && (
        <RetryNotice onRetry={retry}>
          {`No network. This is the ${singular} as last saved on this device.`}
        </RetryNotice>
      )}
      {data && <GradingContent grading={data} />}
    </div>
  )
}

const VIEW_LABELS = {
  candidates: 'Students',
  'test-day': 'Test day',
  belts: 'Belts',
  results: 'Results',
} as const
type View = keyof typeof VIEW_LABELS

function listViews({ state, held_on }: Grading): readonly [View, ...View[]] {
  if (state === 'finished') return ['results', 'belts']
  if (held_on <= today()) return ['test-day', 'candidates', 'belts']
  return ['candidates', 'test-day', 'belts']
}

/** Returns the new ranks if somebody finishes the belt test while this page is open. */
function useCelebratedRanks({ state, candidates }: Grading) {
  const [initialState] = useState(state)
  if (state !== 'finished' || initialState === 'finished') return []
  return candidates
    .filter(({ result, has_rank }) => result === 'pass' && !has_rank)
    .map(({ to_rank }) => to_rank)
}

function GradingContent({ grading }: { grading: Grading }) {
  const { id, name } = grading
  const views = listViews(grading)
  const [view, setView] = useUrlChoice<View>('view', views)
  const [isEditing, setEditing] = useState(() => drafts.subjectOf(EDIT_DRAFT) === id)
  const { textStudent, textDialog, isTexting } = useTextStudent()
  const { button, sheet } = useInvitations(grading)
  const openPage = useOpenPage()
  const celebratedRanks = useCelebratedRanks(grading)
  const isPhone = useLayout() === 'mobile'
  const canPlan = useCan()('belts.promote')
  const inviteButton = canPlan && view === 'candidates' && button
  return (
    <>
      <PageHeader title={name} subtitle={formatDateTimeAndPlace(grading)} showsTitleOnPhone>
        {canPlan && grading.state !== 'finished' && !(isPhone && view === 'test-day') && (
          <Button
            variant="default"
            leftSection={<IconPencil size={20} aria-hidden />}
            onClick={() => setEditing(true)}
            {...EditSheet.preloadOnHover}
          >
            Change
          </Button>
        )}
        {!isPhone && inviteButton}
      </PageHeader>
      <Tabs
        label={schoolBeltTestName().capitalized}
        tabs={views.map((value) => ({ value, label: VIEW_LABELS[value] }))}
        value={view}
        onChange={setView}
      >
        {view === 'candidates' && (
          <CandidateList grading={grading} onText={textStudent} isTexting={isTexting} />
        )}
        {view === 'test-day' && <TestDay grading={grading} />}
        {view === 'belts' && <BeltsToOrder candidates={grading.candidates} />}
        {view === 'results' && <FinishedGrading grading={grading} />}
        {celebratedRanks.length > 0 && <BeltTying ranks={celebratedRanks} />}
      </Tabs>
      {inviteButton && <BottomActions>{inviteButton}</BottomActions>}
      {sheet}
      {isEditing && (
        <EditSheet
          grading={grading}
          onClose={() => setEditing(false)}
          onRemoved={() => openPage('/gradings', { replace: true })}
        />
      )}
      {textDialog}
    </>
  )
}
