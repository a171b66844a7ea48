import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { Grading } from '@tatami/contract/gradings/gradings'
import { useState } from 'react'
import { useParams } from 'react-router'
import { CandidateList } from './candidate-list.tsx'
import { EDIT_DRAFT } from './drafts.ts'
import { Night } from './night.tsx'
import { useInvite } from './invite.tsx'
import { useGrading } from './stored-gradings.ts'
import { whenAndWhere } from './words.ts'
import { ApiError } from '../lib/api.ts'
import { beltTest } from '../lib/belt-test.ts'
import { today } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { LayoutLink, useLayout, useOpen } from '../lib/layout-link.tsx'
import { useUrlChoice } from '../lib/url-query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyPart } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { BottomActions, PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { Tabs } from '../ui/tabs.tsx'
import styles from './gradings.module.css'
import { useStudentText } from './tell-student.tsx'
import kit from '../ui/kit.module.css'

const BeltsToOrder = lazyPart(() => import('./belts-to-order-view.tsx'), 'BeltsToOrder')
const FinishedGrading = lazyPart(
  () => import('./finished.tsx'),
  'FinishedGrading',
  <Skeletons count={6} height={72} label="" />,
)
const EditSheet = lazyPart(() => import('./edit-sheet.tsx'), 'EditSheet')

/** One grading: who is invited, the belts it takes, the night itself, and what came of it. */
export function GradingPage() {
  const { id = '' } = useParams()
  const { data, error, isUnavailable, isStored, retry } = useGrading(id)
  const layout = useLayout()
  const isGone = error instanceof ApiError && error.status === 404
  const allGradings = (
    <Button component={LayoutLink} to="/gradings" variant="default">
      All {beltTest().plural}
    </Button>
  )
  if (isGone)
    return <EmptyState action={allGradings}>This {beltTest().singular} does not exist.</EmptyState>
  if (!data && isUnavailable)
    return (
      <>
        <PageHeader title={beltTest().capitalized} />
        <RetryNotice
          onRetry={retry}
        >{`The ${beltTest().singular} could not be loaded.`}</RetryNotice>
      </>
    )
  return (
    <div className={`${kit.stack} ${styles.page}`} data-layout={layout}>
      {!data && (
        <>
          <PageHeader title={beltTest().capitalized} />
          <Skeletons count={6} height={72} label="Loading..." />
        </>
      )}
      {isStored && (
        <RetryNotice onRetry={retry}>
          {`No network. This is the ${beltTest().singular} as last saved on this device.`}
        </RetryNotice>
      )}
      {data && <GradingContent grading={data} />}
    </div>
  )
}

const PLANNED_VIEWS = [
  { value: 'candidates', label: 'Students' },
  { value: 'night', label: 'Night' },
  { value: 'belts', label: 'Belts' },
] as const
const ON_THE_DAY = [PLANNED_VIEWS[1], PLANNED_VIEWS[0], PLANNED_VIEWS[2]] as const
const FINISHED_VIEWS = [
  { value: 'results', label: 'Results' },
  { value: 'belts', label: 'Belts' },
] as const
type View = (typeof PLANNED_VIEWS | typeof FINISHED_VIEWS)[number]['value']

/** On the day and after it the list of the night comes first. */
function viewsOf({ state, held_on }: Grading) {
  if (state === 'finished') return FINISHED_VIEWS
  return held_on <= today() ? ON_THE_DAY : PLANNED_VIEWS
}

function GradingContent({ grading }: { grading: Grading }) {
  const { id, name } = grading
  const views = viewsOf(grading)
  const [view, setView] = useUrlChoice<View>(
    'view',
    views.map(({ value }) => value) as [View, ...View[]],
  )
  const [isEditing, setEditing] = useState(() => drafts.subjectOf(EDIT_DRAFT) === id)
  const { tell, textDialog, isTelling } = useStudentText()
  const invite = useInvite(grading)
  const open = useOpen()
  const isPhone = useLayout() === 'mobile'
  const inviteButton = view === 'candidates' && invite.button
  return (
    <>
      <PageHeader title={name} subtitle={whenAndWhere(grading)} ownTitle>
        {grading.state !== 'finished' && !(isPhone && view === 'night') && (
          <Button
            variant="default"
            leftSection={<IconPencil size={20} aria-hidden />}
            onClick={() => setEditing(true)}
            {...EditSheet.intent}
          >
            Change
          </Button>
        )}
        {!isPhone && inviteButton}
      </PageHeader>
      <Tabs label={beltTest().capitalized} tabs={views} value={view} onChange={setView}>
        {view === 'candidates' && (
          <CandidateList grading={grading} onTell={tell} isTelling={isTelling} />
        )}
        {view === 'night' && <Night grading={grading} />}
        {view === 'belts' && <BeltsToOrder candidates={grading.candidates} />}
        {view === 'results' && <FinishedGrading grading={grading} />}
      </Tabs>
      {inviteButton && <BottomActions>{inviteButton}</BottomActions>}
      {invite.sheet}
      {isEditing && (
        <EditSheet
          grading={grading}
          onClose={() => setEditing(false)}
          onRemoved={() => open('/gradings', { replace: true })}
        />
      )}
      {textDialog}
    </>
  )
}
