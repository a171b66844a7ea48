import { NativeSelect } from '@mantine/core'
import {
  beltsApi,
  type ConversionPreview,
  type Ladder,
  type Style,
} from '@tatami/contract/belts/belts'
import { useState } from 'react'
import { progressOf } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { useRankMutation } from './belts-data.ts'
import styles from './bring-dialog.module.css'
import {
  type Choices,
  chosenBelts,
  countOf,
  previewSentence,
  suggestedChoices,
} from './conversion-words.ts'
import { BRING_DRAFT } from './opened.ts'
import { toShown } from './rank-words.ts'
import type { RankAct } from './rank-undo-bar.tsx'
import kit from '../ui/kit.module.css'

type Props = { style: Style; ladder: Ladder; onClose: () => void; onDone: (done: RankAct) => void }

/** Brings students from other ladders to this one, each belt in use to a rank; shown and counted before it is done. */
export function BringDialog(props: Props) {
  const { ladder, onClose } = props
  const preview = useRetryingQuery(
    endpointQuery(beltsApi.conversionPreview, { params: { id: ladder.id } }),
  )
  if (preview.data && preview.data.belts.length > 0)
    return <BringForm {...props} preview={preview.data} />
  return (
    <Sheet
      opened
      onClose={onClose}
      title={titleOf(ladder)}
      actions={<CancelButton>Close</CancelButton>}
    >
      {preview.isPending && (
        <Skeletons count={4} height={72} label="Counting the belts in use..." />
      )}
      {preview.isUnavailable && (
        <RetryNotice onRetry={preview.retry}>The belts in use could not be counted.</RetryNotice>
      )}
      {preview.data && <p className={kit.muted}>No student of its age stands on another ladder.</p>}
    </Sheet>
  )
}

const titleOf = ({ name }: Ladder) => `Bring students to ${name}`

function BringForm({
  style,
  ladder,
  preview: { belts },
  onClose,
  onDone,
}: Props & { preview: ConversionPreview }) {
  const [suggestedIds] = useState(() => suggestedChoices(belts))
  const [choices, setChoices] = useState<Choices>(suggestedIds)
  const isDirty = () =>
    Object.entries(choices).some(([fromRank, toRank]) => suggestedIds[fromRank] !== toRank)
  useDraft(BRING_DRAFT, { values: choices, isDirty, setValues: setChoices }, ladder.id)
  const coming = chosenBelts(belts, choices)
  const total = countOf(coming)
  const convert = useRankMutation(beltsApi.convert, {
    onSuccess: ({ act_id, students }) => {
      onDone({
        actId: act_id,
        words: `${pluralize(students, 'student')} brought to ${ladder.name}`,
      })
      onClose()
    },
  })
  const ranksInUse = new Map(
    style.ladders.flatMap(({ ranks }) => ranks).map((rank) => [rank.id, rank]),
  )
  const rankOf = (id: string | undefined) => ladder.ranks.find((rank) => rank.id === id)
  return (
    <FormDialog
      title={titleOf(ladder)}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        if (convert.isPending || coming.length === 0) return
        const body = {
          belts: coming.map(({ from_rank_id }) => ({
            from_rank_id,
            to_rank_id: choices[from_rank_id]!,
          })),
        }
        convert.mutate({ params: { id: ladder.id }, body })
      }}
      unsent={isDirty()}
      {...progressOf(convert, 'The students could not be brought over. Please try again.')}
      submit={coming.length === 0 ? 'Bring nobody' : `Bring ${pluralize(total, 'student')}`}
      submitting="Bringing..."
    >
      <div className={kit.stackSmall}>
        <p className={kit.muted}>
          Each belt in use becomes a rank of this ladder. Time and classes in the belt run on;
          nobody is told.
        </p>
        <ul className={kit.hairlines}>
          {belts.map(({ from_rank_id, name, belt_level, students }) => {
            const fromRank = ranksInUse.get(from_rank_id)
            const toRank = rankOf(choices[from_rank_id])
            return (
              <li key={from_rank_id} className={styles.belt}>
                <div className={styles.from}>
                  <RankBelt
                    rank={fromRank ? toShown(fromRank) : null}
                    level={belt_level}
                    size={48}
                    decorative
                  />
                  <span>
                    <span className={`${kit.name} ${styles.name}`}>{name}</span>
                    <span className={kit.note}>{pluralize(students, 'student')}</span>
                  </span>
                </div>
                <div className={styles.to}>
                  <span className={styles.target}>
                    {toRank && (
                      <RankBelt
                        rank={toShown(toRank)}
                        level={toRank.belt_level}
                        size={48}
                        decorative
                      />
                    )}
                  </span>
                  <NativeSelect
                    aria-label={`${name} becomes`}
                    value={choices[from_rank_id] ?? ''}
                    data={[
                      ...ladder.ranks.map((rank) => ({ value: rank.id, label: rank.name })),
                      { value: '', label: 'Stays as it is' },
                    ]}
                    onChange={(event) =>
                      setChoices({ ...choices, [from_rank_id]: event.currentTarget.value })
                    }
                  />
                </div>
              </li>
            )
          })}
        </ul>
        <p role="status" className={kit.sunken}>
          {previewSentence(ladder.name, belts, choices, ladder.ranks)}
        </p>
      </div>
    </FormDialog>
  )
}
