import { Button, Checkbox } from '@mantine/core'
import { promotionsApi } from '@tatami/contract/belts/promotions'
import { readinessApi, type StudentBelts as Belts } from '@tatami/contract/belts/readiness'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { drafts } from '../lib/drafts.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { rankName } from '../ui/rank-name.ts'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { useRankMutation } from './belts-data.ts'
import { HistoryActions } from './history-actions.tsx'
import ownBelts from './own-belts.module.css'
import { RankHistory } from './rank-history.tsx'
import { type RankAct, RankUndoBar } from './rank-undo-bar.tsx'
import { HeldRank, NextRank } from './rank-progress.tsx'
import styles from './student-belts.module.css'
import kit from '../ui/kit.module.css'
import { WithRight } from '../ui/with-right.tsx'

const PROMOTE_DRAFT = 'promote'
const PromoteDialog = lazyComponent(() => import('./promote-dialog.tsx'), 'PromoteDialog')

type Student = { id: string; name: string; left_on: string | null }
type StudentStyle = Belts['styles'][number]

export function StudentBelts({ student }: { student: Student }) {
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(
    endpointQuery(readinessApi.ofStudent, { params: { id: student.id } }),
  )
  const [openKey, setOpenKey] = useState(() => drafts.subjectOf(PROMOTE_DRAFT))
  const [lastAct, setLastAct] = useState<RankAct | null>(null)
  if (isPending) return <SkeletonBlock height="22rem" />
  if (isUnavailable)
    return <RetryNotice onRetry={retry}>The belts could not be loaded.</RetryNotice>
  const studentStyles = data?.styles ?? []
  const draftSubject = ({ style }: StudentStyle) => `${student.id} ${style.id}`
  const styleToPromote = studentStyles.find(
    (studentStyle) => draftSubject(studentStyle) === openKey,
  )
  return (
    <>
      {studentStyles.map((studentStyle) => (
        <StyleSection
          key={studentStyle.style.id}
          student={student}
          studentStyle={studentStyle}
          hasHeading={studentStyles.length > 1}
          onPromote={() => setOpenKey(draftSubject(studentStyle))}
          onDone={setLastAct}
        />
      ))}
      {styleToPromote && (
        <PromoteDialog
          draftKey={PROMOTE_DRAFT}
          student={student}
          studentStyle={styleToPromote}
          onClose={() => setOpenKey(undefined)}
          onDone={setLastAct}
        />
      )}
      {lastAct && (
        <RankUndoBar key={lastAct.actId} act={lastAct} onDismiss={() => setLastAct(null)} />
      )}
    </>
  )
}

type StyleProps = { student: Student; studentStyle: StudentStyle }
type SectionProps = StyleProps & {
  hasHeading: boolean
  onPromote: () => void
  onDone: (act: RankAct) => void
}

function StyleSection(props: SectionProps) {
  const { student, studentStyle, hasHeading } = props
  const isFormer = student.left_on !== null
  return (
    <section className={`${kit.stackSmall} ${ownBelts.style}`} aria-label={studentStyle.style.name}>
      {hasHeading && <h3 className={kit.titleSmall}>{studentStyle.style.name}</h3>}
      <HeldRank progress={studentStyle} />
      {!isFormer && <NextSteps {...props} />}
      <RankHistory rows={studentStyle.history}>
        {(row) =>
          !isFormer && (
            <WithRight right="belts.promote">
              <HistoryActions row={row} name={student.name} />
            </WithRight>
          )
        }
      </RankHistory>
    </section>
  )
}

/** Shows what a current student needs for the next rank, and the buttons to promote the student. */
function NextSteps({ student, studentStyle, onPromote, onDone }: SectionProps) {
  return (
    <>
      <NextRank progress={studentStyle} />
      <WithRight right="belts.grade">
        <SkillsAndApproval student={student} studentStyle={studentStyle} />
      </WithRight>
      <WithRight right="belts.promote">
        <div className={kit.row}>
          <Button
            variant="light"
            aria-haspopup="dialog"
            onClick={onPromote}
            {...PromoteDialog.preloadOnHover}
          >
            Promote
          </Button>
          {studentStyle.rank.stripes < studentStyle.max_stripes && (
            <StripeButton student={student} studentStyle={studentStyle} onDone={onDone} />
          )}
        </div>
      </WithRight>
    </>
  )
}

type StripeProps = StyleProps & { onDone: (act: RankAct) => void }

function StripeButton({ student, studentStyle, onDone }: StripeProps) {
  const giveStripe = useRankMutation(promotionsApi.giveStripes, {
    onSuccess: ({ act_id, students: [promotedStudent] }) => {
      if (promotedStudent)
        onDone({ actId: act_id, name: `${student.name}:`, message: rankName(promotedStudent.rank) })
    },
    onError: (error) =>
      alertFailure(errorMessage(error, 'The stripe could not be given. Please try again.')),
  })
  return (
    <BusyButton
      variant="default"
      busy={giveStripe.isPending}
      busyLabel="Giving..."
      onClick={() =>
        giveStripe.mutate({ body: { student_ids: [student.id], style_id: studentStyle.style.id } })
      }
    >
      + Stripe
    </BusyButton>
  )
}

const SAVE_FAILED = 'That could not be saved. Please try again.'

function SkillsAndApproval({
  student,
  studentStyle: { style, next, skills, is_approved },
}: StyleProps) {
  const patch = useStylePatch(student, style.id)
  const approve = useEndpointMutation(readinessApi.approve, {
    refreshes: [readinessApi.ready],
    onSuccess: (_, { body }) =>
      patch((studentStyle) => ({ ...studentStyle, is_approved: body.approved })),
    onError: (error) => alertFailure(errorMessage(error, SAVE_FAILED)),
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

type Patch = (change: (studentStyle: StudentStyle) => StudentStyle) => void
type SkillProps = { student: Student; skill: StudentStyle['skills'][number]; patch: Patch }

function Skill({ student, skill: { id, name, required, checked }, patch }: SkillProps) {
  const check = useEndpointMutation(readinessApi.checkSkill, {
    refreshes: [readinessApi.ready],
    onSuccess: (_, { body }) =>
      patch((studentStyle) => ({
        ...studentStyle,
        skills: studentStyle.skills.map((skill) =>
          skill.id === id ? { ...skill, ...body } : skill,
        ),
      })),
    onError: (error) => alertFailure(errorMessage(error, SAVE_FAILED)),
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

function SavedCheckbox({ label, checked, onSave }: SavedProps) {
  const [tappedValue, setTappedValue] = useState<boolean | null>(null)
  const save = async (isChecked: boolean) => {
    setTappedValue(isChecked)
    // The mutation has already shown the error.
    await onSave(isChecked).catch(() => {})
    setTappedValue(null)
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

/** Returns a function that changes the cached style until the server’s reply arrives. */
function useStylePatch(student: Student, styleId: string): Patch {
  const client = useQueryClient()
  const { queryKey } = endpointQuery(readinessApi.ofStudent, { params: { id: student.id } })
  return (change) => {
    client.setQueryData(
      queryKey,
      (cachedBelts) =>
        cachedBelts && {
          styles: cachedBelts.styles.map((studentStyle) =>
            studentStyle.style.id === styleId ? change(studentStyle) : studentStyle,
          ),
        },
    )
    void client.invalidateQueries({ queryKey })
  }
}
