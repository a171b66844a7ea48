import { Button, Checkbox } from '@mantine/core'
import {
  SLIPPING_LISTS,
  type SlippingAway as Slipping,
  slippingAwayApi,
  type SlippingStudent,
} from '@tatami/contract/slipping-away/slipping-away'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentUser } from '../lib/current-user.ts'
import { drafts } from '../lib/drafts.ts'
import { useLayout, useOpen } from '../lib/layout-link.tsx'
import { endpointQuery, keyOf, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { useUrlChoice } from '../lib/url-query.ts'
import { SlippingList } from './slipping-list.tsx'
import { LIST_LABELS, OUTCOME_NOTE, outcomeText, wordsFor } from './words.ts'
import { TestModeWords } from '../texting/simulator-banner.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyPart } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { BottomActions, PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { Snackbar } from '../ui/snackbar.tsx'
import styles from './slipping-away.module.css'
import kit from '../ui/kit.module.css'

const TextPersonDialog = lazyPart(
  () => import('../texting/text-person-dialog.tsx'),
  'TextPersonDialog',
)

const DRAFT = 'text-slipping-away'
/** As many as one call texts. */
const MOST_TEXTED = 50

/** Who has not come for a week or more, or comes less often, and the way to write to them. */
export function SlippingAway() {
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(
    endpointQuery(slippingAwayApi.list),
  )
  return (
    <div className={kit.stack} data-layout={useLayout()}>
      {data ? (
        <Listed slipping={data} />
      ) : (
        <PageHeader title="Slipping away" subtitle="Who missed a week, or comes less often" />
      )}
      {isPending && <Skeletons count={6} height={104} label="Loading who is slipping away..." />}
      {isUnavailable && <RetryNotice onRetry={retry}>The list could not be loaded.</RetryNotice>}
    </div>
  )
}

const FILTERS = ['all', ...SLIPPING_LISTS] as const

function Listed({ slipping: { counts, students, outcome } }: { slipping: Slipping }) {
  const { dojo_name } = useCurrentUser()
  const [filter, setFilter] = useUrlChoice('filter', FILTERS)
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  // The students as they were chosen: whoever comes to class meanwhile is no longer in the list.
  const [texted, text] = useState<readonly SlippingStudent[]>(() => {
    const ids = drafts.subjectOf(DRAFT)?.split(',') ?? []
    return students.filter(({ student_id }) => ids.includes(student_id))
  })
  const [done, setDone] = useState<{ words: string; path: string } | null>(null)
  const open = useOpen()
  const cache = useQueryClient()
  const isPhone = useLayout() === 'mobile'
  const shown = filter === 'all' ? students : students.filter(({ lists }) => lists.includes(filter))
  const marked = shown.filter(({ student_id }) => chosen.has(student_id))
  const chooseOne = (id: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    choose(next)
  }
  const chooseAll = (isChosen: boolean) =>
    choose(new Set(isChosen ? shown.map(({ student_id }) => student_id) : []))
  const onSent = (texts: number, skipped: readonly { name: string }[]) => {
    const [first] = texted
    const none =
      skipped.length > 0 ? ` No text to ${skipped.map(({ name }) => name).join(', ')}.` : ''
    const sent = texts === 1 ? 'The text is on its way.' : `${texts} texts are on their way.`
    setDone({
      words: sent + none,
      path: texted.length === 1 ? `/messages?student=${first!.student_id}` : '/messages',
    })
    choose(new Set())
    void cache.invalidateQueries({ queryKey: [keyOf(slippingAwayApi.list)] })
  }
  const textChosen = marked.length > 0 && (
    <Button
      disabled={marked.length > MOST_TEXTED}
      onClick={() => text(marked)}
      {...TextPersonDialog.intent}
    >
      {marked.length > MOST_TEXTED
        ? `At most ${MOST_TEXTED} at once`
        : `Text ${pluralize(marked.length, 'student')}`}
    </Button>
  )
  return (
    <>
      <PageHeader title="Slipping away" subtitle="Who missed a week, or comes less often">
        {!isPhone && textChosen}
      </PageHeader>
      {outcome.texted > 0 && (
        <p className={`${kit.card} ${styles.outcome}`}>
          <strong>{outcomeText(outcome)}</strong> {OUTCOME_NOTE}
        </p>
      )}
      {counts.all === 0 ? (
        <EmptyState>Nobody is slipping away.</EmptyState>
      ) : (
        <>
          <Filters counts={counts} value={filter} onChange={setFilter} />
          <div className={`${kit.spread} ${styles.head}`}>
            <Checkbox
              size="md"
              label="Choose all"
              disabled={shown.length === 0}
              checked={shown.length > 0 && marked.length === shown.length}
              indeterminate={marked.length > 0 && marked.length < shown.length}
              onChange={(event) => chooseAll(event.currentTarget.checked)}
            />
            <span role="status" className={kit.muted}>
              {marked.length > 0
                ? `${marked.length} of ${shown.length} chosen`
                : pluralize(shown.length, 'student')}
            </span>
          </div>
          {shown.length === 0 && <EmptyState>Nobody in this list.</EmptyState>}
          <SlippingList
            students={shown}
            chosen={chosen}
            onChoose={chooseOne}
            onText={(student) => text([student])}
            textIntent={TextPersonDialog.intent}
          />
        </>
      )}
      {textChosen && <BottomActions>{textChosen}</BottomActions>}
      {texted.length > 0 && (
        <TextPersonDialog
          students={texted.map(({ student_id, name }) => ({ id: student_id, name }))}
          words={wordsFor(texted, dojo_name)}
          draftKey={DRAFT}
          sendBy={slippingAwayApi.text}
          onClose={() => text([])}
          onSent={onSent}
        />
      )}
      {done && (
        <Snackbar
          key={done.words}
          act="Open Conversations"
          onAct={() => open(done.path)}
          onGone={() => setDone(null)}
        >
          {done.words}
          <TestModeWords />
        </Snackbar>
      )}
    </>
  )
}

type FiltersProps = {
  counts: Slipping['counts']
  value: (typeof FILTERS)[number]
  onChange: (chosen: (typeof FILTERS)[number]) => void
}

/** The lists with how many are in each; on a phone one row to swipe. */
const Filters = ({ counts, value, onChange }: FiltersProps) => (
  <div role="radiogroup" aria-label="Lists" className={styles.filters}>
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
        <span className={styles.number}>{counts[filter]}</span>
      </label>
    ))}
  </div>
)
