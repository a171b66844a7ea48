import { certificatesApi } from '@tatami/contract/gradings/certificates'
import { promotionsApi } from '@tatami/contract/belts/promotions'
import type { StudentBelts } from '@tatami/contract/belts/readiness'
import { DownloadButton } from '../ui/download-button.tsx'
import { formatDate } from '../lib/dates.ts'
import { rankName } from '../ui/rank-name.ts'
import { UndoButton } from './undo-button.tsx'

type Row = StudentBelts['styles'][number]['history'][number]

const CERTIFIED_KINDS: readonly Row['kind'][] = ['promotion', 'skip', 'import']

/** The buttons of a row in the history. Only the newest row can be undone. */
export function HistoryActions({ row, name }: { row: Row; name: string }) {
  const rank = rankName(row.rank)
  return (
    <>
      {CERTIFIED_KINDS.includes(row.kind) && !row.is_corrected && (
        <DownloadButton
          endpoint={certificatesApi.file}
          input={{ params: { id: row.id } }}
          size="sm"
          px="xs"
          variant="subtle"
          aria-label={`Certificate for ${rank}`}
          busyLabel="Creating..."
        >
          Certificate
        </DownloadButton>
      )}
      {row.may_undo && (
        <UndoButton
          endpoint={promotionsApi.undo}
          id={row.id}
          label={`Undo ${rank}`}
          title={`Undo ${rank}?`}
          px="xs"
          variant="subtle"
          color="gray"
        >
          {row.kind !== 'stripe' &&
            `${name} goes back to the rank held before ${formatDate(row.given_on)}, with its ` +
              `time and classes. Any certificate for ${rank} is revoked. `}
          The history will show this entry as corrected.
        </UndoButton>
      )}
    </>
  )
}
