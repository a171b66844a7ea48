import { certificatesApi } from '@tatami/contract/gradings/certificates'
import { promotionsApi, type PromotionAct } from '@tatami/contract/belts/promotions'
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
  const { data } = useQuery(endpointQuery(promotionsApi.acts))
  if (!data || data.acts.length === 0) return null
  return (
    <Disclosure summary={`Recently promoted (${data.acts.length})`}>
      <ul>
        {data.acts.map((act) => (
          <Promotion key={act.act_id} act={act} />
        ))}
      </ul>
    </Disclosure>
  )
}

/** "Mia Chen: Green belt, Ken Adams: Yellow belt (undone)" */
const listStudents = ({ students }: PromotionAct) =>
  students
    .map(({ name, rank, is_corrected }) => {
      const promotion = `${name}: ${rankName(rank)}`
      return is_corrected ? `${promotion} (undone)` : promotion
    })
    .join(', ')

function Promotion({ act }: { act: PromotionAct }) {
  const isUndone = act.students.every(({ is_corrected }) => is_corrected)
  const day = formatInstantDate(act.changed_at)
  return (
    <li className={`${kit.spread} ${styles.promotion}`}>
      <p className={styles.students}>
        <strong>{day}</strong>
        {act.given_by && ` · ${act.given_by}`}
        <br />
        {listStudents(act)}
      </p>
      {!isUndone && <PromotionButtons act={act} day={day} />}
    </li>
  )
}

function PromotionButtons({ act, day }: { act: PromotionAct; day: string }) {
  const names = act.students.filter(({ is_corrected }) => !is_corrected).map(({ name }) => name)
  const promotions = pluralize(names.length, 'promotion')
  return (
    <div className={kit.row}>
      <CertificatesButton actId={act.act_id} label={`Certificates from ${day}`} />
      <UndoButton
        endpoint={promotionsApi.undoAct}
        id={act.act_id}
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

type CertificatesProps = { actId: string; label?: string }

export const CertificatesButton = ({ actId, label }: CertificatesProps) => (
  <DownloadButton
    endpoint={certificatesApi.ofAct}
    input={{ params: { id: actId } }}
    variant="subtle"
    size="sm"
    aria-label={label}
    busyLabel="Creating..."
  >
    Certificates
  </DownloadButton>
)
