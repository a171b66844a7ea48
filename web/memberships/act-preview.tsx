import type { ActPreview } from '@tatami/contract/memberships/act-preview'
import { formatMoney } from '@tatami/contract/lib/money'
import { failureMessage } from '../lib/api.ts'
import { formatDate } from '../lib/dates.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import styles from './memberships.module.css'
import type { PreviewState } from './use-preview.ts'
import kit from '../ui/kit.module.css'

type Props = { title: string; preview: PreviewState }

/** What an act will do, before it is saved: sentences, and each sum with its day. */
export const ActPreviewBox = ({ title, preview: { data, error, isPending } }: Props) => (
  <section aria-label={title} aria-live="polite" className={styles.preview}>
    <h3 className={`${kit.strong} ${kit.titleSmall}`}>{title}</h3>
    {error && (
      <ErrorNotice>
        {failureMessage({ error }, 'The sums could not be loaded. You can save anyway.')}
      </ErrorNotice>
    )}
    {!error && isPending && <SkeletonBlock height="3.5rem" />}
    {!error && data && <PreviewText preview={data} />}
  </section>
)

const PreviewText = ({ preview: { sentences, charges } }: { preview: ActPreview }) => (
  <>
    {sentences.map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
    {charges.length > 0 && (
      <ul className={kit.hairlines}>
        {charges.map((charge) => (
          <li key={`${charge.name} ${charge.due_on}`} className={styles.charge}>
            <span className={kit.fill}>
              {charge.name}
              <span className={`${kit.note} ${styles.day}`}>
                {joinNonEmpty([formatDate(charge.due_on), charge.reason], ' · ')}
              </span>
            </span>
            <b>{formatMoney(charge.amount)}</b>
          </li>
        ))}
      </ul>
    )}
  </>
)
