import { Button } from '@mantine/core'
import { certificatesApi } from '@tatami/contract/gradings/certificates'
import { promotionsApi } from '@tatami/contract/belts/promotions'
import type { StudentBelts } from '@tatami/contract/belts/readiness'
import { useState } from 'react'
import { DownloadButton } from '../ui/download-button.tsx'
import { progressOf } from '../lib/api.ts'
import { formatDate } from '../lib/dates.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { rankName } from '../ui/rank-words.ts'
import { useRankMutation } from './belts-data.ts'

type Row = StudentBelts['styles'][number]['history'][number]

/** Of these a certificate is given: a rank that was reached, here or before. */
const CERTIFIED_KINDS: readonly Row['kind'][] = ['promotion', 'skip', 'import']

/** What can be done with a row of the history: its certificate, and taking it back where it is the newest. */
export const HistoryActs = ({ row, name }: { row: Row; name: string }) => (
  <>
    {CERTIFIED_KINDS.includes(row.kind) && !row.is_corrected && <CertificateButton row={row} />}
    {row.may_undo && <UndoButton row={row} name={name} />}
  </>
)

const CertificateButton = ({ row }: { row: Row }) => (
  <DownloadButton
    endpoint={certificatesApi.file}
    input={{ params: { id: row.id } }}
    size="sm"
    px="xs"
    variant="subtle"
    aria-label={`Certificate of ${rankName(row.rank)}`}
    busyLabel="Making..."
  >
    Certificate
  </DownloadButton>
)

function UndoButton({ row, name }: { row: Row; name: string }) {
  const [isAsking, setAsking] = useState(false)
  const undo = useRankMutation(promotionsApi.undo, { onSuccess: () => setAsking(false) })
  const rank = rankName(row.rank)
  return (
    <>
      <Button
        size="sm"
        px="xs"
        variant="subtle"
        color="gray"
        aria-label={`Undo ${rank}`}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        Undo
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => undo.mutate({ params: { id: row.id } })}
        title={`Undo ${rank}?`}
        confirm="Undo"
        busyLabel="Undoing..."
        {...progressOf(undo, 'That couldn’t be undone. Please try again.')}
      >
        {row.kind !== 'stripe' &&
          `${name} then has the rank from before ${formatDate(row.given_on)}, with its time and classes, and a certificate is revoked. `}
        The history keeps this row as corrected.
      </ConfirmDialog>
    </>
  )
}
