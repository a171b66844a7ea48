import { Button, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { beltsApi, type Ladder, type Style } from '@tatami/contract/belts/belts'
import { MAX_RANKS } from '@tatami/contract/belts/ladder-form'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { pluralize } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { countStudents, useRankMutation } from './belts-data.ts'
import styles from './ladder-dialog.module.css'
import {
  moveItem,
  createLadder,
  createRankAbove,
  type RankValues,
  toLadderValues,
} from './ladder-form.ts'
import { LADDER_DRAFT, getLadderDraft } from './open-dialog.ts'
import { RankEditor } from './rank-editor.tsx'
import { getDigitProps, type LadderFormState, useLadderForm } from './use-ladder-form.ts'
import { useRemoval } from './use-removal.tsx'
import kit from '../ui/kit.module.css'

type Props = {
  style: Style
  ladder?: Ladder
  onClose: () => void
  onAdded?: (ladderId: string) => void
}

export function LadderDialog({ style, ladder, onClose, onAdded }: Props) {
  const [initialValues] = useState(() => (ladder ? toLadderValues(ladder) : createLadder()))
  const form = useLadderForm(initialValues)
  useDraft(LADDER_DRAFT, form, getLadderDraft(ladder?.id, style.id))
  const add = useRankMutation(beltsApi.addLadder, {
    onSuccess: ({ id }) => {
      onAdded?.(id)
      onClose()
    },
    onError: form.showRefusal,
  })
  const change = useRankMutation(beltsApi.changeLadder, {
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  const isPending = add.isPending || change.isPending
  const error = add.error ?? change.error
  const focusFirstError = useFocusOnError(form)
  const otherLadders = style.ladders.filter(
    ({ id, is_retired }) => id !== ladder?.id && !is_retired,
  )
  const save = form.send((body) => {
    if (isPending) return
    if (ladder) change.mutate({ params: { id: ladder.id }, body })
    else add.mutate({ params: { id: style.id }, body })
  })
  const isRemovable = ladder && countStudents(ladder) === 0 && otherLadders.length > 0
  const { removeButton, removeDialog } = useRemoval({
    endpoint: beltsApi.removeLadder,
    id: ladder?.id ?? '',
    name: ladder?.name ?? '',
    consequences:
      `This removes its ${pluralize(ladder?.ranks.length ?? 0, 'rank')}. No student has any of them. ` +
      'Past promotions stay in the history.',
    onRemoved: onClose,
  })
  return (
    <>
      <FormDialog
        title={ladder ? `Edit ${ladder.name}` : 'Create your own'}
        size="large"
        onClose={onClose}
        onSubmit={(event) => {
          focusFirstError()
          save(event)
        }}
        isDirty={form.isDirty()}
        busy={isPending}
        error={failureMessage({ error }, 'The ladder could not be saved. Please try again.')}
        submitLabel="Save"
        busyLabel="Saving..."
        extraAction={isRemovable && removeButton}
      >
        <LadderFields form={form} otherLadders={otherLadders} />
        <Ranks form={form} />
      </FormDialog>
      {removeDialog}
    </>
  )
}

type FieldsProps = { form: LadderFormState; otherLadders: readonly Ladder[] }

const LadderFields = ({ form, otherLadders }: FieldsProps) => (
  <>
    <TextInput
      label="Name of the ladder"
      required
      autoComplete="off"
      placeholder="Juniors"
      {...form.getInputProps('name')}
    />
    <SimpleGrid cols={2} spacing="md">
      <TextInput label="From age" placeholder="Any" {...getDigitProps(form, 'min_age')} />
      <TextInput label="Up to age" placeholder="Any" {...getDigitProps(form, 'max_age')} />
    </SimpleGrid>
    {(form.values.min_age !== '' || form.values.max_age !== '') && (
      <NativeSelect
        label="How to count age"
        data={[
          { value: 'birthday', label: 'By birthday' },
          { value: 'calendar_year', label: 'By year of birth' },
        ]}
        {...form.getInputProps('age_counts')}
      />
    )}
    {form.values.max_age !== '' && otherLadders.length > 0 && (
      <NativeSelect
        label="Older students move on to"
        data={[
          { value: '', label: 'No other ladder' },
          ...otherLadders.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        {...form.getInputProps('continues_as')}
      />
    )}
  </>
)

/** Focuses the first invalid field after Save, when the rank that contains it has opened. */
function useFocusOnError(form: LadderFormState) {
  const isFocusRequested = useRef(false)
  const { errors, getInputNode } = form
  useEffect(() => {
    const fields = Object.keys(errors)
    if (!isFocusRequested.current || fields.length === 0) return
    isFocusRequested.current = false
    const nodes = fields.flatMap((field) => getInputNode(field) ?? [])
    // The errors are in the schema's order, which is not the order on the screen.
    nodes
      .toSorted((a, b) =>
        a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
      )[0]
      ?.focus()
  }, [errors, getInputNode])
  return () => {
    isFocusRequested.current = true
  }
}

function Ranks({ form }: { form: LadderFormState }) {
  const { ranks } = form.values
  const [openKey, setOpenKey] = useState<string | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const setRanks = (newRanks: RankValues[]) => {
    form.clearErrors()
    form.setFieldValue('ranks', newRanks)
  }
  const add = () => {
    const rank = createRankAbove(ranks.at(-1))
    setRanks([...ranks, rank])
    setOpenKey(rank.key)
  }
  const [announcement, setAnnouncement] = useState('')
  const move = (index: number, newIndex: number) => {
    setRanks(moveItem(ranks, index, newIndex))
    setAnnouncement(
      `${ranks[index]?.name || 'The new rank'} is now ${newIndex + 1} of ${ranks.length}`,
    )
  }
  const remove = (index: number) => {
    setRanks(ranks.toSpliced(index, 1))
    // The focus moves to the rank before the removed one, or from the first to the second.
    const summaries = list.current?.querySelectorAll<HTMLElement>('[data-summary]')
    summaries?.[index === 0 ? 1 : index - 1]?.focus()
  }
  return (
    <fieldset className={`${kit.stackSmall} ${kit.fieldset}`}>
      <legend className={`${kit.legend} ${styles.legend}`}>Ranks, lowest first</legend>
      <ErrorNotice>{form.errors.ranks}</ErrorNotice>
      <ol ref={list} className={`${kit.card} ${kit.hairlines}`}>
        {ranks.map((rank, index) => (
          <RankEditor
            key={rank.key}
            form={form}
            rank={rank}
            index={index}
            isLast={index === ranks.length - 1}
            isOpen={rank.key === openKey}
            onToggle={() => setOpenKey(rank.key === openKey ? null : rank.key)}
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
