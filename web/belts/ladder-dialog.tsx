import { Button, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { beltsApi, type Ladder, type Style } from '@tatami/contract/belts/belts'
import { MAX_RANKS } from '@tatami/contract/belts/ladder-form'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { failureOf, progressOf } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { studentsOn, useRankMutation } from './belts-data.ts'
import styles from './ladder-dialog.module.css'
import { moveItem, newLadder, rankAfter, type RankValues, toLadderValues } from './ladder-form.ts'
import { LADDER_DRAFT, ladderDraft } from './opened.ts'
import { RankEditor } from './rank-editor.tsx'
import { digitProps, type LadderFormState, useLadderForm } from './use-ladder-form.ts'
import kit from '../ui/kit.module.css'

type Props = {
  style: Style
  /** Undefined for one that is drawn anew. */
  ladder?: Ladder
  onClose: () => void
  onAdded?: (ladderId: string) => void
}

export function LadderDialog({ style, ladder, onClose, onAdded }: Props) {
  const [initial] = useState(() => (ladder ? toLadderValues(ladder) : newLadder()))
  const form = useLadderForm(initial)
  useDraft(LADDER_DRAFT, form, ladderDraft(ladder?.id, style.id))
  const [isRemoving, setIsRemoving] = useState(false)
  const closeAfterSave = { onSuccess: onClose, onError: form.showRefusal }
  const add = useRankMutation(beltsApi.addLadder, {
    ...closeAfterSave,
    onSuccess: ({ id }) => {
      onAdded?.(id)
      onClose()
    },
  })
  const change = useRankMutation(beltsApi.changeLadder, closeAfterSave)
  const isPending = add.isPending || change.isPending
  const error = add.error ?? change.error
  const showWrong = useFocusOnWrong(form)
  const otherLadders = style.ladders.filter(
    ({ id, is_retired }) => id !== ladder?.id && !is_retired,
  )
  const save = form.send((body) => {
    if (isPending) return
    if (ladder) change.mutate({ params: { id: ladder.id }, body })
    else add.mutate({ params: { id: style.id }, body })
  })
  return (
    <>
      <FormDialog
        title={ladder ? `Edit ${ladder.name}` : 'Draw your own'}
        size="large"
        onClose={onClose}
        onSubmit={(event) => {
          showWrong()
          save(event)
        }}
        unsent={form.isDirty()}
        busy={isPending}
        error={failureOf({ error }, 'The ladder could not be saved.')}
        submit="Save"
        submitting="Saving..."
        extraAction={
          ladder &&
          studentsOn(ladder) === 0 &&
          otherLadders.length > 0 && (
            <Button
              variant="subtle"
              color="red"
              mr="auto"
              disabled={isPending}
              onClick={() => setIsRemoving(true)}
            >
              Remove
            </Button>
          )
        }
      >
        <TextInput
          label="Name of the ladder"
          required
          autoComplete="off"
          placeholder="Juniors"
          {...form.getInputProps('name')}
        />
        <SimpleGrid cols={2} spacing="md">
          <TextInput label="From age" placeholder="Any" {...digitProps(form, 'min_age')} />
          <TextInput label="Up to age" placeholder="Any" {...digitProps(form, 'max_age')} />
        </SimpleGrid>
        {(form.values.min_age !== '' || form.values.max_age !== '') && (
          <NativeSelect
            label="Age counts"
            data={[
              { value: 'birthday', label: 'By the birthday' },
              { value: 'calendar_year', label: 'By the year of birth' },
            ]}
            {...form.getInputProps('age_counts')}
          />
        )}
        {form.values.max_age !== '' && otherLadders.length > 0 && (
          <NativeSelect
            label="Whoever is older goes on with"
            data={[
              { value: '', label: 'No other ladder' },
              ...otherLadders.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            {...form.getInputProps('continues_as')}
          />
        )}
        <Ranks form={form} />
      </FormDialog>
      {ladder && isRemoving && (
        <RemoveLadder ladder={ladder} onClose={() => setIsRemoving(false)} onRemoved={onClose} />
      )}
    </>
  )
}

/** After a press of Save the first field that is wrong gets the focus, also where its rank was folded and has only now been opened. */
function useFocusOnWrong(form: LadderFormState) {
  const isWanted = useRef(false)
  const { errors, getInputNode } = form
  useEffect(() => {
    const fields = Object.keys(errors)
    if (!isWanted.current || fields.length === 0) return
    isWanted.current = false
    const nodes = fields.flatMap((field) => getInputNode(field) ?? [])
    // The first on the screen, whatever the order of the messages.
    nodes
      .toSorted((a, b) =>
        a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
      )[0]
      ?.focus()
  }, [errors, getInputNode])
  return () => {
    isWanted.current = true
  }
}

function Ranks({ form }: { form: LadderFormState }) {
  const { ranks } = form.values
  const [open, setOpen] = useState<string | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const set = (next: RankValues[]) => {
    form.clearErrors()
    form.setFieldValue('ranks', next)
  }
  const add = () => {
    const rank = rankAfter(ranks.at(-1))
    set([...ranks, rank])
    setOpen(rank.key)
  }
  const [announcement, say] = useState('')
  const move = (index: number, newIndex: number) => {
    set(moveItem(ranks, index, newIndex))
    say(`${ranks[index]!.name || 'The new rank'} is now ${newIndex + 1} of ${ranks.length}`)
  }
  const remove = (index: number) => {
    set(ranks.toSpliced(index, 1))
    // What had the focus is gone: the neighbour's button takes it over.
    const summaries = list.current?.querySelectorAll<HTMLElement>('[data-summary]')
    summaries?.[index === 0 ? 1 : index - 1]?.focus()
  }
  return (
    <fieldset className={`${kit.stackSmall} ${kit.fieldset}`}>
      <legend className={`${kit.legend} ${styles.legend}`}>Ranks, from the lowest up</legend>
      <ErrorNotice>{form.errors.ranks}</ErrorNotice>
      <ol ref={list} className={`${kit.card} ${kit.hairlines}`}>
        {ranks.map((rank, index) => (
          <RankEditor
            key={rank.key}
            form={form}
            index={index}
            isLast={index === ranks.length - 1}
            isOpen={rank.key === open}
            onToggle={() => setOpen(rank.key === open ? null : rank.key)}
            onMove={(offset) => move(index, index + offset)}
            onRemove={ranks.length > 1 ? () => remove(index) : undefined}
          />
        ))}
      </ol>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      {ranks.length < MAX_RANKS && (
        <Button
          variant="default"
          fullWidth
          leftSection={<IconPlus size={20} aria-hidden />}
          onClick={add}
        >
          Add a rank
        </Button>
      )}
    </fieldset>
  )
}

type RemoveLadderProps = { ladder: Ladder; onClose: () => void; onRemoved: () => void }

function RemoveLadder({ ladder, onClose, onRemoved }: RemoveLadderProps) {
  const remove = useRankMutation(beltsApi.removeLadder, { onSuccess: onRemoved })
  return (
    <ConfirmDialog
      opened
      danger
      title={`Remove ${ladder.name}?`}
      confirm="Remove"
      busyLabel="Removing..."
      onClose={onClose}
      onConfirm={() => remove.mutate({ params: { id: ladder.id } })}
      {...progressOf(remove, 'The ladder could not be removed.')}
    >
      {`Its ${ladder.ranks.length} ranks go with it. Nobody stands on them. What students had of it stays in their history.`}
    </ConfirmDialog>
  )
}
