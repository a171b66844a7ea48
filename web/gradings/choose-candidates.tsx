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
  type SelectableStudent,
  type SelectionChanges,
  type ChoiceOptions,
  NO_CHANGES,
  listRankOptions,
  skipLowerRanks,
} from './candidate-choice.ts'
import styles from './choose-candidates.module.css'
import { writeNearlyReadyText } from './grading-text.ts'
import kit from '../ui/kit.module.css'

export type TextStudent = (student: { id: string; name: string }, draft: string) => void

export function useCandidateChoice(
  day: string,
  styleId: string | undefined,
  options: ChoiceOptions,
) {
  const [changes, setChanges] = useState<SelectionChanges>(NO_CHANGES)
  const readyQuery = useRetryingQuery({
    ...endpointQuery(readinessApi.ready, {
      query: { on: day, ...(styleId && { style_id: styleId }) },
    }),
    enabled: day !== '',
  })
  const sections = readyQuery.data && buildSections(readyQuery.data.students, changes, options)
  const selectedStudents = sections?.selectedStudents ?? []
  return {
    readyQuery,
    sections,
    isChanged: changes !== NO_CHANGES,
    check: (id: string, isSelected: boolean) =>
      setChanges((oldChanges) => ({
        ...oldChanges,
        checked: { ...oldChanges.checked, [id]: isSelected },
      })),
    setRank: (id: string, rankId: string) =>
      setChanges((oldChanges) => ({
        ...oldChanges,
        rankIds: { ...oldChanges.rankIds, [id]: rankId },
      })),
    candidates: listCandidates(selectedStudents),
    studentsWithoutRank: selectedStudents.filter(({ rankId }) => rankId === null),
  }
}

function listCandidates(students: readonly SelectableStudent[]) {
  const candidates = []
  for (const { student_id, rankId } of students)
    if (rankId !== null) candidates.push({ student_id, to_rank_id: rankId })
  return candidates
}
type CandidateChoice = ReturnType<typeof useCandidateChoice>

type Props = { choice: CandidateChoice; day: string; onText: TextStudent }

export function ChooseCandidates({ choice, day, onText }: Props) {
  const { readyQuery, sections } = choice
  const { data: belts } = useQuery(endpointQuery(beltsApi.show))
  if (readyQuery.isUnavailable)
    return <RetryNotice onRetry={readyQuery.retry}>The students could not be loaded.</RetryNotice>
  if (!sections) return <Skeletons count={4} height={64} label="Loading..." />
  const styleId = readyQuery.data?.style_id
  const ranks = listRankOptions(belts, styleId)
  const renderRow = (student: SelectableStudent, action?: ReactNode) => (
    <StudentRow
      key={student.student_id}
      student={student}
      choice={choice}
      ranks={ranks}
      action={action}
    />
  )
  const findStudents = (search: string) =>
    sections.allStudents
      .filter(({ name, isSelected }) => !isSelected && nameContains(search)(name))
      .map((student) => ({ ...student, id: student.student_id }))
  return (
    <div className={kit.stack}>
      {(sections.ready.length > 0 || sections.instructorDecides.length === 0) && (
        <Section
          title={`Ready on ${formatMonthAndDay(day)}`}
          emptyText="No one is ready on that day."
        >
          {sections.ready.map((student) => renderRow(student))}
        </Section>
      )}
      {sections.instructorDecides.length > 0 && (
        <Section title="You decide" description="Their next belt has no requirements.">
          {sections.instructorDecides.map((student) => renderRow(student))}
        </Section>
      )}
      {sections.nearlyReady.length > 0 && (
        <Section title="One or two classes short" description="At their recent pace.">
          {sections.nearlyReady.map((student) =>
            renderRow(
              student,
              <TextButton student={student} day={day} styleId={styleId} onText={onText} />,
            ),
          )}
        </Section>
      )}
      {sections.addedByHand.length > 0 && (
        <Section title="Added by hand">
          {sections.addedByHand.map((student) => renderRow(student))}
        </Section>
      )}
      <SearchPicker
        label="Add someone else"
        placeholder="Name"
        find={findStudents}
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
  day: string
  styleId: string | undefined
  onText: TextStudent
}

/** The text says how many classes are left as of today, so the button needs today's readiness. */
function TextButton({ student, day, styleId, onText }: TextButtonProps) {
  const { student_id, name } = student
  const { data } = useQuery(
    endpointQuery(readinessApi.ready, {
      query: { on: today(), ...(styleId && { style_id: styleId }) },
    }),
  )
  const readinessToday = data?.students.find(
    (readyStudent) => readyStudent.student_id === student_id,
  )
  return (
    <Button
      variant="default"
      size="sm"
      onClick={() =>
        onText({ id: student_id, name }, writeNearlyReadyText(student, readinessToday, day))
      }
    >
      Text<VisuallyHidden> {name}</VisuallyHidden>
    </Button>
  )
}

type SectionProps = {
  title: string
  description?: string
  emptyText?: string
  children: ReactNode[]
}

function Section({ title, description, emptyText, children }: SectionProps) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <Title order={3} id={heading} className={kit.titleSmall}>
        {title} <span className={kit.count}>{children.length}</span>
      </Title>
      {description && <p className={kit.note}>{description}</p>}
      {children.length === 0 ? (
        <p className={kit.note}>{emptyText}</p>
      ) : (
        <ul className={kit.hairlines}>{children}</ul>
      )}
    </section>
  )
}

type RowProps = {
  student: SelectableStudent
  choice: CandidateChoice
  ranks: ReturnType<typeof listRankOptions>
  action: ReactNode
}

const NO_RANK = { value: '', label: 'Choose a rank' }

function StudentRow({ student, choice, ranks, action }: RowProps) {
  const { student_id, name, rank, belt_level, missing, isSelected, rankId } = student
  const options = skipLowerRanks(ranks, rank.id)
  return (
    <li className={`${kit.spread} ${styles.row}`}>
      <Checkbox
        size="md"
        className={styles.check}
        checked={isSelected}
        onChange={(event) => choice.check(student_id, event.currentTarget.checked)}
        label={name}
        description={
          <span className={`${kit.row} ${styles.heldRank}`}>
            <RankBelt rank={rank} level={belt_level} size={28} decorative />
            {rankName(rank, belt_level)}
            {missing.length > 0 && (
              <span className={kit.orange}>missing {describeMissing(missing)}</span>
            )}
          </span>
        }
      />
      {action}
      {isSelected && (
        <NativeSelect
          size="sm"
          aria-label={`${name} tests for`}
          className={styles.rank}
          value={rankId ?? ''}
          data={rankId === null ? [NO_RANK, ...options] : options}
          onChange={(event) => choice.setRank(student_id, event.currentTarget.value)}
        />
      )}
    </li>
  )
}
