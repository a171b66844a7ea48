import { Checkbox, Switch, TextInput } from '@mantine/core'
import { beltsApi, type Style, styleForm } from '@tatami/contract/belts/belts'
import { classesApi, timeRange } from '@tatami/contract/classes/classes'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { countStudents, useRankMutation } from './belts-data.ts'
import { NEW_STYLE, STYLE_DRAFT } from './open-dialog.ts'
import { useRemoval } from './use-removal.tsx'
import kit from '../ui/kit.module.css'

type StyleValues = { name: string; vacation_counts: boolean; class_ids: string[] }
const toValues = (style: Style | undefined): StyleValues =>
  style
    ? { name: style.name, vacation_counts: style.vacation_counts, class_ids: style.class_ids }
    : { name: '', vacation_counts: true, class_ids: [] }

type Props = {
  style: Style | undefined
  isOnlyStyle: boolean
  onClose: () => void
}

export function StyleDialog({ style, isOnlyStyle, onClose }: Props) {
  const [initialValues] = useState(() => toValues(style))
  const form = useSchemaForm(styleForm, initialValues)
  useDraft(STYLE_DRAFT, form, style?.id ?? NEW_STYLE)
  const { save, isPending, error } = useSaveStyle(style, {
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  const styleTitle = style ? `Settings for ${style.name}` : 'Add a style'
  // The name and classes of a style matter only if the dojo has several styles.
  const isEditingOnlyStyle = isOnlyStyle && style !== undefined
  const title = isEditingOnlyStyle ? 'What counts' : styleTitle
  const isUnused = style?.ladders.every((ladder) => countStudents(ladder) === 0)
  const { removeButton, removeDialog } = useRemoval({
    endpoint: beltsApi.removeStyle,
    id: style?.id ?? '',
    name: style?.name ?? '',
    consequences: describeRemoval(style?.ladders.length ?? 0),
    onRemoved: onClose,
  })
  return (
    <>
      <FormDialog
        title={title}
        onClose={onClose}
        onSubmit={form.send((body) => isPending || save(body))}
        isDirty={form.isDirty()}
        busy={isPending}
        error={failureMessage({ error }, 'The style could not be saved. Please try again.')}
        submitLabel={style ? 'Save' : 'Add'}
        busyLabel={style ? 'Saving...' : 'Adding...'}
        extraAction={style && !style.is_main && isUnused && removeButton}
      >
        {!isEditingOnlyStyle && (
          <TextInput
            label="Name"
            required
            autoComplete="off"
            placeholder="Judo"
            {...form.getInputProps('name')}
          />
        )}
        <Switch
          label="Count vacation days"
          description="As time at a rank"
          {...form.getInputProps('vacation_counts', { type: 'checkbox' })}
        />
        {isEditingOnlyStyle ? (
          <p className={kit.muted}>Every class where a student is marked present counts.</p>
        ) : (
          <Classes
            selectedIds={form.values.class_ids}
            onChange={(ids) => form.setFieldValue('class_ids', ids)}
          />
        )}
      </FormDialog>
      {removeDialog}
    </>
  )
}

type SaveCallbacks = { onSuccess: () => void; onError: (error: Error) => void }

function useSaveStyle(style: Style | undefined, callbacks: SaveCallbacks) {
  const add = useRankMutation(beltsApi.addStyle, callbacks)
  const change = useRankMutation(beltsApi.changeStyle, callbacks)
  return {
    save: (body: StyleValues) =>
      style ? change.mutate({ params: { id: style.id }, body }) : add.mutate({ body }),
    isPending: add.isPending || change.isPending,
    error: add.error ?? change.error,
  }
}

const describeRemoval = (ladderCount: number) =>
  ladderCount === 0
    ? 'It has no ladder yet.'
    : `This also removes ${pluralize(ladderCount, 'ladder')}. No student has a rank in this style.`

type ClassesProps = { selectedIds: readonly string[]; onChange: (ids: string[]) => void }

function Classes({ selectedIds, onChange }: ClassesProps) {
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(endpointQuery(classesApi.list))
  return (
    <fieldset className={`${kit.fieldset} ${kit.stackTight}`}>
      <legend className={kit.legend}>Classes</legend>
      <p className={kit.muted}>A class that isn’t checked for any style counts for every style.</p>
      {isPending && <Skeletons count={2} height={44} label="Loading..." />}
      {isUnavailable && <RetryNotice onRetry={retry}>The classes could not be loaded.</RetryNotice>}
      {data?.length === 0 && <p className={kit.muted}>No classes yet.</p>}
      {data?.map((dojoClass) => (
        <Checkbox
          key={dojoClass.id}
          size="md"
          label={dojoClass.class_name}
          description={timeRange(dojoClass)}
          checked={selectedIds.includes(dojoClass.id)}
          onChange={(event) =>
            onChange(
              event.currentTarget.checked
                ? [...selectedIds, dojoClass.id]
                : selectedIds.filter((id) => id !== dojoClass.id),
            )
          }
        />
      ))}
    </fieldset>
  )
}
