import { Button, Checkbox, NativeSelect, Title } from '@mantine/core'
import { beltsApi } from '@tatami/contract/belts/belts'
import { nameContains } from '@tatami/contract/lib/name-search'
import { describeMissing } from '@tatami/contract/belts/eligibility'
import { readinessApi, type ReadyStudent } from '@tatami/contract/belts/readiness'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { formatMonthAndDay, today } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { RetryNotice } from '../ui/notices.tsx'
import { RankBelt, rankName } from '../ui/rank-belt.tsx'
import { SearchPicker } from '../ui/search-picker.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import {
  buildSections,
  type Choosable,
  type Choice,
  type ChoiceOptions,
  NO_CHOICE,
  rankChoices,
} from './candidate-choice.ts'
import styles from './choose-candidates.module.css'
import { nearlyReadyText } from './words.ts'
import kit from '../ui/kit.module.css'

/** Opens a text to a student with this draft. */
export type Tell = (student: { id: string; name: string }, draft: string) => void

export function useCandidateChoice(
  day: string,
  styleId: string | undefined,
  options: ChoiceOptions,
) {
  const [choice, setChoice] = useState<Choice>(NO_CHOICE)
  const ready = useRetryingQuery({
    ...endpointQuery(readinessApi.ready, {
      query: { on: day, ...(styleId && { style_id: styleId }) },
    }),
    enabled: day !== '',
  })
  const lists = ready.data && buildSections(ready.data.students, choice, options)
  return {
    ready,
    lists,
    isChanged: choice !== NO_CHOICE,
    check: (id: string, isChosen: boolean) =>
      setChoice((previous) => ({ ...previous, checked: { ...previous.checked, [id]: isChosen } })),
    setRank: (id: string, rankId: string) =>
      setChoice((previous) => ({ ...previous, rankIds: { ...previous.rankIds, [id]: rankId } })),
    /** As the API takes them. */
    candidates: (lists?.chosen ?? []).flatMap(({ student_id, toRankId }) =>
      toRankId === null ? [] : [{ student_id, to_rank_id: toRankId }],
    ),
    /** The instructor has to choose a rank for these. */
    withoutRank: (lists?.chosen ?? []).filter(({ toRankId }) => toRankId === null),
  }
}
type CandidateChoice = ReturnType<typeof useCandidateChoice>

type Props = { choice: CandidateChoice; on: string; onTell: Tell }

export function ChooseCandidates({ choice, on, onTell }: Props) {
  const { ready, lists } = choice
  const { data: belts } = useQuery(endpointQuery(beltsApi.show))
  if (ready.isUnavailable)
    return <RetryNotice onRetry={ready.retry}>We couldn’t load who is ready.</RetryNotice>
  if (!lists) return <Skeletons count={4} height={64} label="Loading..." />
  const ranks = rankChoices(belts, ready.data?.style_id)
  const renderRow = (student: Choosable, act?: ReactNode) => (
    <Row key={student.student_id} student={student} choice={choice} ranks={ranks} act={act} />
  )
  const find = (search: string) =>
    lists.allStudents
      .filter(({ name, isChosen }) => !isChosen && nameContains(search)(name))
      .map((student) => ({ ...student, id: student.student_id }))
  return (
    <div className={kit.stack}>
      {(lists.ready.length > 0 || lists.undecided.length === 0) && (
        <Section title={`Ready on ${formatMonthAndDay(on)}`} none="Nobody is ready on that day.">
          {lists.ready.map((student) => renderRow(student))}
        </Section>
      )}
      {lists.undecided.length > 0 && (
        <Section title="You decide" about="Their next belt has no requirements.">
          {lists.undecided.map((student) => renderRow(student))}
        </Section>
      )}
      {lists.nearlyReady.length > 0 && (
        <Section title="One or two classes short" about="At their recent pace.">
          {lists.nearlyReady.map((student) =>
            renderRow(
              student,
              <TextButton
                student={student}
                on={on}
                styleId={ready.data?.style_id}
                onTell={onTell}
              />,
            ),
          )}
        </Section>
      )}
      {lists.addedByHand.length > 0 && (
        <Section title="Added by hand">
          {lists.addedByHand.map((student) => renderRow(student))}
        </Section>
      )}
      <SearchPicker
        label="Add anybody else"
        placeholder="Name"
        find={find}
        describe={({ rank, belt_level }) => rankName(rank, belt_level)}
        actionLabel="Add"
        onPick={({ student_id }) => choice.check(student_id, true)}
        noMatchesNote="No results"
      />
    </div>
  )
}

type TextButtonProps = {
  student: ReadyStudent
  on: string
  styleId: string | undefined
  onTell: Tell
}

/** The text says how many classes are left from today on, so it needs today's readiness. */
function TextButton({ student, on, styleId, onTell }: TextButtonProps) {
  const { student_id, name } = student
  const { data } = useQuery(
    endpointQuery(readinessApi.ready, {
      query: { on: today(), ...(styleId && { style_id: styleId }) },
    }),
  )
  const studentToday = data?.students.find((ready) => ready.student_id === student_id)
  return (
    <Button
      variant="default"
      size="sm"
      onClick={() => onTell({ id: student_id, name }, nearlyReadyText(student, studentToday, on))}
    >
      Text<VisuallyHidden> {name}</VisuallyHidden>
    </Button>
  )
}

type SectionProps = { title: string; about?: string; none?: string; children: ReactNode[] }

function Section({ title, about, none, children }: SectionProps) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <Title order={3} id={heading} className={kit.titleSmall}>
        {title} <span className={kit.count}>{children.length}</span>
      </Title>
      {about && <p className={kit.note}>{about}</p>}
      {children.length === 0 ? (
        <p className={kit.note}>{none}</p>
      ) : (
        <ul className={kit.hairlines}>{children}</ul>
      )}
    </section>
  )
}

type RowProps = {
  student: Choosable
  choice: CandidateChoice
  ranks: ReturnType<typeof rankChoices>
  act: ReactNode
}

const NO_RANK = { value: '', label: 'Choose a rank' }

function Row({ student, choice, ranks, act }: RowProps) {
  const { student_id, name, rank, belt_level, missing, isChosen, toRankId } = student
  return (
    <li className={`${kit.spread} ${styles.row}`}>
      <Checkbox
        size="md"
        className={styles.check}
        checked={isChosen}
        onChange={(event) => choice.check(student_id, event.currentTarget.checked)}
        label={name}
        description={
          <span className={`${kit.row} ${styles.held}`}>
            <RankBelt rank={rank} level={belt_level} size={28} decorative />
            {rankName(rank, belt_level)}
            {missing.length > 0 && (
              <span className={kit.orange}>missing {describeMissing(missing)}</span>
            )}
          </span>
        }
      />
      {act}
      {isChosen && (
        <NativeSelect
          size="sm"
          aria-label={`${name} tests for`}
          className={styles.rank}
          value={toRankId ?? ''}
          data={toRankId === null ? [NO_RANK, ...ranks] : ranks}
          onChange={(event) => choice.setRank(student_id, event.currentTarget.value)}
        />
      )}
    </li>
  )
}
