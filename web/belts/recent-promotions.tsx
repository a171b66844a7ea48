import { certificatesApi } from '@tatami/contract/gradings/certificates'
import { promotionsApi, type PromotionBatch } from '@tatami/contract/belts/promotions'
import { useQuery } from '@tanstack/react-query'
import { DownloadButton } from '../ui/download-button.tsx'
import { formatInstantDate } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { rankName } from '../ui/rank-name.ts'
import styles from './recent-promotions.module.css'
import { UndoButton } from './undo-button.tsx'
import kit from '../ui/kit.module.css'

export function RecentPromotions() {
  const { data } = useQuery(endpointQuery(promotionsApi.recentBatches))
  if (!data || data.acts.length === 0) return null
  return (
    <Disclosure summary={`Recently promoted (${data.acts.length})`}>
      <ul>
        {data.acts.map((batch) => (
          <PromotionRow key={batch.act_id} batch={batch} />
        ))}
      </ul>
    </Disclosure>
  )
}

/** "Mia Chen: Green belt, Ken Adams: Yellow belt (undone)" */
const listStudents = ({ students }: PromotionBatch) =>
  students
    .map(({ name, rank, is_corrected }) => {
      const promotion = `${name}: ${rankName(rank)}`
      return is_corrected ? `${promotion} (undone)` : promotion
    })
    .join(', ')

function PromotionRow({ batch }: { batch: PromotionBatch }) {
  const isUndone = batch.students.every(({ is_corrected }) => is_corrected)
  const day = formatInstantDate(batch.changed_at)
  return (
    <li className={`${kit.spread} ${styles.promotion}`}>
      <p className={styles.students}>
        <strong>{day}</strong>
        {batch.given_by && ` · ${batch.given_by}`}
        <br />
        {listStudents(batch)}
      </p>
      {!isUndone && <PromotionButtons batch={batch} day={day} />}
    </li>
  )
}

function PromotionButtons({ batch, day }: { batch: PromotionBatch; day: string }) {
  const names = batch.students.filter(({ is_corrected }) => !is_corrected).map(({ name }) => name)
  const promotions = pluralize(names.length, 'promotion')
  return (
    <div className={kit.row}>
      <CertificatesButton batchId={batch.act_id} label={`Certificates from ${day}`} />
      <UndoButton
        endpoint={promotionsApi.undoBatch}
        id={batch.act_id}
        label={`Undo ${promotions} from ${day}`}
        title={`Undo ${promotions}?`}
        variant="default"
      >
        {names.join(', ')}{' '}
        {names.length === 1
          ? 'goes back to the belt held before, with its date. The certificate is revoked.'
          : 'go back to the belts they held before. Their certificates are revoked.'}
      </UndoButton>
    </div>
  )
}

type CertificatesProps = { batchId: string; label?: string }

export const CertificatesButton = ({ batchId, label }: CertificatesProps) => (
  <DownloadButton
    endpoint={certificatesApi.ofBatch}
    input={{ params: { id: batchId } }}
    variant="subtle"
    size="sm"
    aria-label={label}
    busyLabel="Creating..."
  >
    Certificates
  </DownloadButton>
)
