import { Button, Textarea, Title } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { Candidate } from '@tatami/contract/gradings/gradings'
import { useState } from 'react'
import { capitalize, pluralize } from '../lib/text.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { describeRank, RankBelt } from '../ui/rank-belt.tsx'
import { StudentLinks } from '../ui/student-link.tsx'
import { type BeltOrder, listBeltsToOrder, formatOrders, describeTotal } from './belts-to-order.ts'
import styles from './belts-to-order.module.css'
import kit from '../ui/kit.module.css'
import { PrintButton } from '../ui/print-button.tsx'

export function BeltsToOrder({ candidates }: { candidates: readonly Candidate[] }) {
  const orders = listBeltsToOrder(candidates)
  if (orders.length === 0) return <EmptyState>No belts to order.</EmptyState>
  return (
    <div className={kit.stack}>
      <div className={kit.spread}>
        <Title order={2} className={kit.title}>
          {describeTotal(orders)} to order
        </Title>
        <div className={kit.row}>
          <CopyButton text={formatOrders(orders)} />
          <PrintButton variant="default" />
        </div>
      </div>
      <ul className={`${kit.stackTight} ${styles.list}`}>
        {orders.map((order) => (
          <OrderRow key={order.rank.id} order={order} />
        ))}
      </ul>
      <p className={kit.note}>
        This list skips students who are not coming, did not pass, or already have the same belt.
        You can set belt sizes on the student’s page.
      </p>
    </div>
  )
}

type RowProps = { order: BeltOrder }

const OrderRow = ({
  order: { rank, rankNames, sizes, studentsWithoutSize, beltCount },
}: RowProps) => (
  <li className={`${kit.card} ${styles.order}`}>
    <RankBelt rank={rank} level="white" size={64} decorative />
    <div className={styles.names}>
      <span className={kit.strong}>{capitalize(describeRank(rank))}</span>
      <span className={kit.note}>
        for {rankNames} · {pluralize(beltCount, 'belt')}
      </span>
    </div>
    <ul className={styles.sizes} aria-label={`Sizes, ${describeRank(rank)}`}>
      {sizes.map(({ size, count }) => (
        <li key={size}>
          <b>{count}</b> × size {size}
        </li>
      ))}
      {studentsWithoutSize.length > 0 && (
        <li className={`${kit.orange} ${styles.withoutSize}`}>
          <b>{studentsWithoutSize.length}</b> without a size:{' '}
          <StudentLinks students={studentsWithoutSize} as="label" />
        </li>
      )}
    </ul>
  </li>
)

/** Browsers offer the clipboard only over HTTPS. */
async function copyText(text: string) {
  if (!('clipboard' in navigator)) throw new Error('no clipboard')
  await navigator.clipboard.writeText(text)
}

function CopyButton({ text }: { text: string }) {
  const [state, setState] = useState<'copied' | 'failed' | null>(null)
  const copy = () =>
    copyText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    )
  const isCopied = state === 'copied'
  return (
    <>
      <Button
        variant="default"
        miw="7.5rem"
        leftSection={
          isCopied ? <IconCheck size={20} aria-hidden /> : <IconCopy size={20} aria-hidden />
        }
        onClick={() => void copy()}
      >
        <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
      </Button>
      {state === 'failed' && (
        <Textarea
          aria-label="Belts to order"
          description="Copy it from here."
          readOnly
          autosize
          value={text}
          className={styles.copyField}
          ref={(field) => field?.select()}
        />
      )}
    </>
  )
}
