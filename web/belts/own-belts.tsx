import { IconCheck, IconCircle } from '@tabler/icons-react'
import { type OwnBelts as Belts, readinessApi } from '@tatami/contract/belts/readiness'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './own-belts.module.css'
import { RankHistory } from './rank-history.tsx'
import { HeldRank, TimeInRank, NextRank } from './rank-progress.tsx'
import progressStyles from './rank-progress.module.css'
import { ShareButton } from './share-button.tsx'
import kit from '../ui/kit.module.css'

type StudentStyle = Belts['styles'][number]

type Props = {
  studentId: string
  /** True if the screen already shows the rank of the main style. */
  isMainRankShown?: boolean
}

export function OwnBelts({ studentId, isMainRankShown = false }: Props) {
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(
    endpointQuery(readinessApi.own),
  )
  if (isPending) return <SkeletonBlock height="12rem" />
  if (isUnavailable)
    return <RetryNotice onRetry={retry}>The belts could not be loaded.</RetryNotice>
  const student = data?.students.find(({ student_id }) => student_id === studentId)
  const studentStyles = student?.styles ?? []
  return studentStyles.map((studentStyle) => (
    <section
      key={studentStyle.style.id}
      className={`${kit.stackSmall} ${styles.style}`}
      // A guardian's home screen has this section once for each child.
      aria-label={joinNonEmpty([student?.name, studentStyle.style.name])}
    >
      {studentStyles.length > 1 && <h3 className={kit.titleSmall}>{studentStyle.style.name}</h3>}
      {isMainRankShown && studentStyle.style.is_main ? (
        <TimeInRank progress={studentStyle} hasRankName />
      ) : (
        <HeldRank progress={studentStyle} />
      )}
      <ShareButton name={student?.name ?? ''} history={studentStyle.history} />
      <NextRank progress={studentStyle} />
      {studentStyle.skills.length > 0 && <Checklist skills={studentStyle.skills} />}
      <Disclosure summary="All belts so far">
        <RankHistory rows={studentStyle.history} />
      </Disclosure>
    </section>
  ))
}

const Checklist = ({ skills }: Pick<StudentStyle, 'skills'>) => (
  <Disclosure
    summary={`Skills: ${skills.filter(({ checked }) => checked).length} of ${skills.length}`}
  >
    <ul className={progressStyles.skills}>
      {skills.map(({ id, name, required, checked }) => (
        <li key={id} className={`${kit.line} ${progressStyles.skill}`} data-checked={checked}>
          {checked ? <IconCheck size={20} aria-hidden /> : <IconCircle size={20} aria-hidden />}
          <span>
            {name}
            {!required && <span className={kit.note}> (not required)</span>}
            <VisuallyHidden>{checked ? ', done' : ', not done yet'}</VisuallyHidden>
          </span>
        </li>
      ))}
    </ul>
  </Disclosure>
)
