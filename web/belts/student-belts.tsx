import { Button, Checkbox } from '@mantine/core'
import { promotionsApi } from '@tatami/contract/belts/promotions'
import { readinessApi, type StudentBelts as Belts } from '@tatami/contract/belts/readiness'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { drafts } from '../lib/drafts.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { rankName } from '../ui/rank-name.ts'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { useRankMutation } from './belts-data.ts'
import { HistoryActs } from './history-acts.tsx'
import own from './own-belts.module.css'
import { RankHistory } from './rank-history.tsx'
import { type RankAct, RankUndoBar } from './rank-undo-bar.tsx'
import { HeldRank, NextRank } from './standing.tsx'
import styles from './student-belts.module.css'
import kit from '../ui/kit.module.css'

const PROMOTE_DRAFT = 'promote'
const PromoteDialog = lazyComponent(() => import('./promote-dialog.tsx'), 'PromoteDialog')

type Student = { id: string; name: string }
type OfStyle = Belts['styles'][number]

export function StudentBelts({ student }: { student: Student }) {
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(
    endpointQuery(readinessApi.ofStudent, { params: { id: student.id } }),
  )
  const [promoteKey, setPromoted] = useState(() => drafts.subjectOf(PROMOTE_DRAFT))
  const [lastAct, setDone] = useState<RankAct | null>(null)
  if (isPending) return <SkeletonBlock height="22rem" />
  if (isUnavailable)
    return <RetryNotice onRetry={retry}>The belts could not be loaded.</RetryNotice>
  const studentStyles = data?.styles ?? []
  const keyOf = ({ style }: OfStyle) => `${student.id} ${style.id}`
  const toPromote = studentStyles.find((ofStyle) => keyOf(ofStyle) === promoteKey)
  return (
    <>
      {studentStyles.map((ofStyle) => (
        <section
          key={ofStyle.style.id}
          className={`${kit.stackSmall} ${own.style}`}
          aria-label={ofStyle.style.name}
        >
          {studentStyles.length > 1 && <h3 className={kit.titleSmall}>{ofStyle.style.name}</h3>}
          <HeldRank standing={ofStyle} />
          <NextRank standing={ofStyle} />
          <ToCheck student={student} ofStyle={ofStyle} />
          <div className={kit.row}>
            <Button
              variant="light"
              aria-haspopup="dialog"
              onClick={() => setPromoted(keyOf(ofStyle))}
              {...PromoteDialog.preloadOnHover}
            >
              Promote
            </Button>
            {ofStyle.rank.stripes < ofStyle.max_stripes && (
              <StripeButton student={student} ofStyle={ofStyle} onDone={setDone} />
            )}
          </div>
          <RankHistory rows={ofStyle.history}>
            {(row) => <HistoryActs row={row} name={student.name} />}
          </RankHistory>
        </section>
      ))}
      {toPromote && (
        <PromoteDialog
          draftKey={PROMOTE_DRAFT}
          student={student}
          ofStyle={toPromote}
          onClose={() => setPromoted(undefined)}
          onDone={setDone}
        />
      )}
      {lastAct && <RankUndoBar key={lastAct.actId} done={lastAct} onGone={() => setDone(null)} />}
    </>
  )
}

type OfStudent = { student: Student; ofStyle: OfStyle }

function StripeButton({
  student,
  ofStyle,
  onDone,
}: OfStudent & { onDone: (done: RankAct) => void }) {
  const give = useRankMutation(promotionsApi.giveStripes, {
    onSuccess: ({ act_id, students: [promotedStudent] }) => {
      if (promotedStudent)
        onDone({ actId: act_id, name: `${student.name}:`, message: rankName(promotedStudent.rank) })
    },
    onError: (error) =>
      alert(errorMessage(error, 'The stripe could not be given. Please try again.')),
  })
  return (
    <BusyButton
      variant="default"
      busy={give.isPending}
      busyLabel="Giving..."
      onClick={() =>
        give.mutate({ body: { student_ids: [student.id], style_id: ofStyle.style.id } })
      }
    >
      + Stripe
    </BusyButton>
  )
}

const COULD_NOT = 'That could not be saved. Please try again.'

/** Skills and approval for the next rank, each saved at once. */
function ToCheck({ student, ofStyle: { style, next, skills, is_approved } }: OfStudent) {
  const patch = useOfStylePatch(student, style.id)
  const approve = useEndpointMutation(readinessApi.approve, {
    refreshes: [readinessApi.ready],
    onSuccess: (_, { body }) => patch((ofStyle) => ({ ...ofStyle, is_approved: body.approved })),
    onError: (error) => alert(errorMessage(error, COULD_NOT)),
  })
  if (!next) return null
  return (
    <div className={`${kit.sunken} ${kit.stackTight}`}>
      {skills.length > 0 && (
        <ul className={styles.skills} aria-label={`Skills for ${rankName(next)}`}>
          {skills.map((skill) => (
            <Skill key={skill.id} student={student} skill={skill} patch={patch} />
          ))}
        </ul>
      )}
      <SavedCheckbox
        label="Instructor approval"
        checked={is_approved}
        onSave={(isApproved) =>
          approve.mutateAsync({
            params: { id: student.id, rankId: next.id },
            body: { approved: isApproved },
          })
        }
      />
    </div>
  )
}

type Patch = (change: (ofStyle: OfStyle) => OfStyle) => void
type SkillProps = { student: Student; skill: OfStyle['skills'][number]; patch: Patch }

function Skill({ student, skill: { id, name, required, checked }, patch }: SkillProps) {
  const check = useEndpointMutation(readinessApi.checkSkill, {
    refreshes: [readinessApi.ready],
    onSuccess: (_, { body }) =>
      patch((ofStyle) => ({
        ...ofStyle,
        skills: ofStyle.skills.map((skill) => (skill.id === id ? { ...skill, ...body } : skill)),
      })),
    onError: (error) => alert(errorMessage(error, COULD_NOT)),
  })
  return (
    <li>
      <SavedCheckbox
        label={required ? name : `${name} (not required)`}
        checked={checked}
        onSave={(isChecked) =>
          check.mutateAsync({
            params: { id: student.id, skillId: id },
            body: { checked: isChecked },
          })
        }
      />
    </li>
  )
}

type SavedProps = {
  label: string
  checked: boolean
  onSave: (checked: boolean) => Promise<unknown>
}

/** Shows the tapped value while it is being saved. */
function SavedCheckbox({ label, checked, onSave }: SavedProps) {
  const [tappedValue, setTapped] = useState<boolean | null>(null)
  const save = async (isChecked: boolean) => {
    setTapped(isChecked)
    // The mutation has already shown the error.
    await onSave(isChecked).catch(() => {})
    setTapped(null)
  }
  return (
    <Checkbox
      size="md"
      label={label}
      checked={tappedValue ?? checked}
      onChange={({ currentTarget }) => void save(currentTarget.checked)}
    />
  )
}

/** Updates the cache at once, so that several quick taps all count, then refetches. */
function useOfStylePatch(student: Student, styleId: string): Patch {
  const client = useQueryClient()
  const { queryKey } = endpointQuery(readinessApi.ofStudent, { params: { id: student.id } })
  return (change) => {
    client.setQueryData(
      queryKey,
      (cachedBelts) =>
        cachedBelts && {
          styles: cachedBelts.styles.map((ofStyle) =>
            ofStyle.style.id === styleId ? change(ofStyle) : ofStyle,
          ),
        },
    )
    void client.invalidateQueries({ queryKey })
  }
}
