import { Button } from '@mantine/core'
import { certificatesApi } from '@tatami/contract/gradings/certificates'
import { promotionsApi, type RankActEntry } from '@tatami/contract/belts/promotions'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DownloadButton } from '../ui/download-button.tsx'
import { progressOf } from '../lib/api.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { rankName } from '../ui/rank-words.ts'
import { useRankMutation } from './belts-data.ts'
import styles from './recent-acts.module.css'
import kit from '../ui/kit.module.css'

/** What was promoted in the last weeks, each press as a whole: its certificates, and the way to take it back. */
export function RecentActs() {
  const { data } = useQuery(endpointQuery(promotionsApi.acts))
  if (!data || data.acts.length === 0) return null
  return (
    <Disclosure summary={`Recently promoted (${data.acts.length})`}>
      <ul>
        {data.acts.map((act) => (
          <Act key={act.act_id} act={act} />
        ))}
      </ul>
    </Disclosure>
  )
}

/** "Mia Chen: Green belt, Ken Adams: Yellow belt (undone)" */
const studentsWords = ({ students }: RankActEntry) =>
  students
    .map(({ name, rank, is_corrected }) => {
      const words = `${name}: ${rankName(rank)}`
      return is_corrected ? `${words} (undone)` : words
    })
    .join(', ')

function Act({ act }: { act: RankActEntry }) {
  const isUndone = act.students.every(({ is_corrected }) => is_corrected)
  const day = formatInstantDate(act.changed_at)
  return (
    <li className={`${kit.spread} ${styles.act}`}>
      <p className={styles.words}>
        <strong>{day}</strong>
        {act.given_by && ` · ${act.given_by}`}
        <br />
        {studentsWords(act)}
      </p>
      {!isUndone && <ActButtons act={act} day={day} />}
    </li>
  )
}

function ActButtons({ act, day }: { act: RankActEntry; day: string }) {
  const [isAsking, setAsking] = useState(false)
  const standing = act.students.filter(({ is_corrected }) => !is_corrected)
  const undo = useRankMutation(promotionsApi.undoAct, { onSuccess: () => setAsking(false) })
  return (
    <div className={kit.row}>
      <CertificatesButton actId={act.act_id} label={`Certificates of ${day}`} />
      <Button
        variant="default"
        size="sm"
        aria-haspopup="dialog"
        aria-label={`Undo ${pluralize(standing.length, 'promotion')} of ${day}`}
        onClick={() => setAsking(true)}
      >
        Undo
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={`Undo ${pluralize(standing.length, 'promotion')}?`}
        confirm="Undo"
        busyLabel="Undoing..."
        {...progressOf(undo, 'That couldn’t be undone. Please try again.')}
        onClose={() => setAsking(false)}
        onConfirm={() => undo.mutate({ params: { id: act.act_id } })}
      >
        {standing.map(({ name }) => name).join(', ')}{' '}
        {standing.length === 1
          ? 'gets the earlier belt back, with its original date. The certificate is revoked.'
          : 'get their earlier belts back, with their original dates. Their certificates are revoked.'}
      </ConfirmDialog>
    </div>
  )
}

type CertificatesProps = { actId: string; label?: string }

/** The certificates of everybody who was promoted by one press, as one PDF. */
export const CertificatesButton = ({ actId, label }: CertificatesProps) => (
  <DownloadButton
    endpoint={certificatesApi.ofAct}
    input={{ params: { id: actId } }}
    variant="subtle"
    size="sm"
    aria-label={label}
    busyLabel="Drawing them..."
  >
    Certificates
  </DownloadButton>
)
