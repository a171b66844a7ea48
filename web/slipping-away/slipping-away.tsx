import { Button, Checkbox } from '@mantine/core'
import {
  SLIPPING_LISTS,
  type SlippingAway as SlippingAwayReply,
  slippingAwayApi,
  type SlippingStudent,
} from '@tatami/contract/slipping-away/slipping-away'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentUser } from '../lib/current-user.ts'
import { drafts } from '../lib/drafts.ts'
import { useLayout, useOpenPage } from '../lib/layout-link.tsx'
import { type LinkPath, PATHS, studentConversationPath } from '../lib/paths.ts'
import { endpointQuery, endpointKey, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { useUrlChoice } from '../lib/url-query.ts'
import { SlippingList } from './slipping-list.tsx'
import { LIST_LABELS, OUTCOME_NOTE, describeOutcome, suggestText } from './at-risk-text.ts'
import { TestModeNote } from '../texting/simulator-banner.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { BottomActions, PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { Snackbar } from '../ui/snackbar.tsx'
import styles from './slipping-away.module.css'
import kit from '../ui/kit.module.css'

const TextPersonDialog = lazyComponent(
  () => import('../texting/text-person-dialog.tsx'),
  'TextPersonDialog',
)

const TEXT_DRAFT_KEY = 'text-slipping-away'
const MAX_RECIPIENTS = 50

export function SlippingAway() {
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(
    endpointQuery(slippingAwayApi.list),
  )
  return (
    <div className={kit.stack} data-layout={useLayout()}>
      {data ? (
        <LoadedList reply={data} />
      ) : (
        <PageHeader title="At risk" subtitle="Students who missed a week or come less often" />
      )}
      {isPending && <Skeletons count={6} height={104} label="Loading the students..." />}
      {isUnavailable && <RetryNotice onRetry={retry}>The list could not be loaded.</RetryNotice>}
    </div>
  )
}

const FILTERS = ['all', ...SLIPPING_LISTS] as const

function LoadedList({ reply: { counts, students, outcome } }: { reply: SlippingAwayReply }) {
  const [filter, setFilter] = useUrlChoice('filter', FILTERS)
  const [selectedIds, setSelectedIds] = useState<readonly string[]>([])
  const texting = useTexting(students, () => setSelectedIds([]))
  const isPhone = useLayout() === 'mobile'
  const visibleStudents = students.filter(({ lists }) => filter === 'all' || lists.includes(filter))
  const visibleIds = visibleStudents.map(({ student_id }) => student_id)
  const selectedStudents = visibleStudents.filter((row) => selectedIds.includes(row.student_id))
  const selectStudent = (id: string, isSelected: boolean) =>
    setSelectedIds(
      isSelected ? [...selectedIds, id] : selectedIds.filter((selectedId) => selectedId !== id),
    )
  const textButton = selectedStudents.length > 0 && (
    <Button
      disabled={selectedStudents.length > MAX_RECIPIENTS}
      onClick={() => texting.start(selectedStudents)}
      {...TextPersonDialog.preloadOnHover}
    >
      {selectedStudents.length > MAX_RECIPIENTS
        ? `Up to ${MAX_RECIPIENTS} at a time`
        : `Text ${pluralize(selectedStudents.length, 'student')}`}
    </Button>
  )
  return (
    <>
      <PageHeader title="At risk" subtitle="Students who missed a week or come less often">
        {!isPhone && textButton}
      </PageHeader>
      {outcome.texted > 0 && (
        <p className={`${kit.card} ${styles.outcome}`}>
          <strong>{describeOutcome(outcome)}</strong> {OUTCOME_NOTE}
        </p>
      )}
      {counts.all === 0 ? (
        <EmptyState>No students are at risk.</EmptyState>
      ) : (
        <>
          <Filters counts={counts} value={filter} onChange={setFilter} />
          <SelectionHeader
            totalCount={visibleStudents.length}
            selectedCount={selectedStudents.length}
            onSelectAll={(isSelected) => setSelectedIds(isSelected ? visibleIds : [])}
          />
          {visibleStudents.length === 0 && <EmptyState>No students in this list.</EmptyState>}
          <SlippingList
            students={visibleStudents}
            selectedIds={selectedIds}
            onSelect={selectStudent}
            onText={(student) => texting.start([student])}
            preloadTextDialog={TextPersonDialog.preloadOnHover}
          />
        </>
      )}
      {textButton && <BottomActions>{textButton}</BottomActions>}
      {texting.dialog}
    </>
  )
}

function useTexting(students: readonly SlippingStudent[], onTexted: () => void) {
  const { dojo_name } = useCurrentUser()
  // Stored as state, so that the dialog keeps students who come to class meanwhile.
  const [recipients, setRecipients] = useState<readonly SlippingStudent[]>(() => {
    const ids = drafts.subjectOf(TEXT_DRAFT_KEY)?.split(',') ?? []
    return students.filter(({ student_id }) => ids.includes(student_id))
  })
  const [sentNotice, setSentNotice] = useState<{ message: string; path: LinkPath } | null>(null)
  const openPage = useOpenPage()
  const cache = useQueryClient()
  const onSent = (texts: number, skippedStudents: readonly { name: string }[]) => {
    const [recipient, ...otherRecipients] = recipients
    const isConversation = recipient && otherRecipients.length === 0
    const path = isConversation
      ? studentConversationPath(recipient.student_id)
      : PATHS.conversations
    setSentNotice({ message: describeSent(texts, skippedStudents), path })
    onTexted()
    void cache.invalidateQueries({ queryKey: [endpointKey(slippingAwayApi.list)] })
  }
  const dialog = (
    <>
      {recipients.length > 0 && (
        <TextPersonDialog
          students={recipients.map(({ student_id, name }) => ({ id: student_id, name }))}
          initialText={suggestText(recipients, dojo_name)}
          draftKey={TEXT_DRAFT_KEY}
          endpoint={slippingAwayApi.text}
          onClose={() => setRecipients([])}
          onSent={onSent}
        />
      )}
      {sentNotice && (
        <Snackbar
          key={sentNotice.message}
          actionLabel="Open Conversations"
          onAction={() => openPage(sentNotice.path)}
          onDismiss={() => setSentNotice(null)}
        >
          {sentNotice.message}
          <TestModeNote />
        </Snackbar>
      )}
    </>
  )
  return { start: setRecipients, dialog }
}

function describeSent(textCount: number, skippedStudents: readonly { name: string }[]): string {
  const sentText =
    textCount === 1 ? 'The text is on its way.' : `${textCount} texts are on their way.`
  const names = skippedStudents.map(({ name }) => name).join(', ')
  return names ? `${sentText} Not texted: ${names}.` : sentText
}

type SelectionHeaderProps = {
  totalCount: number
  selectedCount: number
  onSelectAll: (isSelected: boolean) => void
}

const SelectionHeader = ({ totalCount, selectedCount, onSelectAll }: SelectionHeaderProps) => (
  <div className={`${kit.spread} ${styles.header}`}>
    <Checkbox
      size="md"
      label="Select all"
      disabled={totalCount === 0}
      checked={totalCount > 0 && selectedCount === totalCount}
      indeterminate={selectedCount > 0 && selectedCount < totalCount}
      onChange={(event) => onSelectAll(event.currentTarget.checked)}
    />
    <span role="status" className={kit.muted}>
      {selectedCount > 0
        ? `${selectedCount} of ${totalCount} selected`
        : pluralize(totalCount, 'student')}
    </span>
  </div>
)

type FiltersProps = {
  counts: SlippingAwayReply['counts']
  value: (typeof FILTERS)[number]
  onChange: (filter: (typeof FILTERS)[number]) => void
}

const Filters = ({ counts, value, onChange }: FiltersProps) => (
  <div role="radiogroup" aria-label="Lists" className={`${kit.wrap} ${styles.filters}`}>
    {FILTERS.map((filter) => (
      <label key={filter} className={styles.filter}>
        <input
          type="radio"
          name="slipping-list"
          value={filter}
          checked={filter === value}
          onChange={() => onChange(filter)}
          className={styles.radio}
        />
        {filter === 'all' ? 'All' : LIST_LABELS[filter]}{' '}
        <span className={kit.muted}>{counts[filter]}</span>
      </label>
    ))}
  </div>
)
