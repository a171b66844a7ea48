import { Button, Checkbox, Switch, TextInput } from '@mantine/core'
import { beltsApi, type Style, styleForm } from '@tatami/contract/belts/belts'
import { classesApi, timeRange } from '@tatami/contract/classes/classes'
import { useState } from 'react'
import { failureOf, progressOf } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { studentsOn, useRankMutation } from './belts-data.ts'
import { NEW_STYLE, STYLE_DRAFT } from './opened.ts'
import kit from '../ui/kit.module.css'

type Values = { name: string; vacation_counts: boolean; class_ids: string[] }
const toValues = (style: Style | undefined): Values =>
  style
    ? { name: style.name, vacation_counts: style.vacation_counts, class_ids: style.class_ids }
    : { name: '', vacation_counts: true, class_ids: [] }

type Props = {
  /** Undefined for a style that is added. */
  style: Style | undefined
  /** The dojo has this one alone: neither its name nor its classes say anything. */
  isOnly: boolean
  onClose: () => void
}

export function StyleDialog({ style, isOnly, onClose }: Props) {
  const [initial] = useState(() => toValues(style))
  const form = useSchemaForm(styleForm, initial)
  useDraft(STYLE_DRAFT, form, style?.id ?? NEW_STYLE)
  const [isRemoving, setIsRemoving] = useState(false)
  const closeAfterSave = { onSuccess: onClose, onError: form.showRefusal }
  const add = useRankMutation(beltsApi.addStyle, closeAfterSave)
  const change = useRankMutation(beltsApi.changeStyle, closeAfterSave)
  const isPending = add.isPending || change.isPending
  const error = add.error ?? change.error
  const isAlone = isOnly && style !== undefined
  const isUnused = style?.ladders.every((ladder) => studentsOn(ladder) === 0)
  return (
    <>
      <FormDialog
        title={isAlone ? 'What counts' : style ? `Settings of ${style.name}` : 'Add a style'}
        onClose={onClose}
        onSubmit={form.send((body) => {
          if (isPending) return
          if (style) change.mutate({ params: { id: style.id }, body })
          else add.mutate({ body })
        })}
        unsent={form.isDirty()}
        busy={isPending}
        error={failureOf({ error }, 'The style could not be saved.')}
        submit={style ? 'Save' : 'Add'}
        submitting={style ? 'Saving...' : 'Adding...'}
        extraAction={
          style &&
          !style.is_main &&
          isUnused && (
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
        {!isAlone && (
          <TextInput
            label="Name"
            required
            autoComplete="off"
            placeholder="Judo"
            {...form.getInputProps('name')}
          />
        )}
        <Switch
          label="Days of vacation count"
          description="As time in a belt. Switched off, they are left out."
          {...form.getInputProps('vacation_counts', { type: 'checkbox' })}
        />
        {isAlone ? (
          <p className={kit.muted}>
            Every class counts. A student who is marked present has been in it, however the mark was
            made.
          </p>
        ) : (
          <Classes
            chosen={form.values.class_ids}
            onChange={(ids) => form.setFieldValue('class_ids', ids)}
          />
        )}
      </FormDialog>
      {style && isRemoving && (
        <RemoveStyle style={style} onClose={() => setIsRemoving(false)} onRemoved={onClose} />
      )}
    </>
  )
}

type ClassesProps = { chosen: readonly string[]; onChange: (ids: string[]) => void }

function Classes({ chosen, onChange }: ClassesProps) {
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(endpointQuery(classesApi.list))
  return (
    <fieldset className={`${kit.fieldset} ${kit.stackTight}`}>
      <legend className={kit.legend}>Its classes</legend>
      <p className={kit.muted}>A class that is ticked for no style counts for all of them.</p>
      {isPending && <Skeletons count={2} height={44} label="Loading the classes..." />}
      {isUnavailable && <RetryNotice onRetry={retry}>The classes could not be loaded.</RetryNotice>}
      {data?.length === 0 && <p className={kit.muted}>There are no classes yet.</p>}
      {data?.map((dojoClass) => (
        <Checkbox
          key={dojoClass.id}
          size="md"
          label={dojoClass.class_name}
          description={timeRange(dojoClass)}
          checked={chosen.includes(dojoClass.id)}
          onChange={(event) =>
            onChange(
              event.currentTarget.checked
                ? [...chosen, dojoClass.id]
                : chosen.filter((id) => id !== dojoClass.id),
            )
          }
        />
      ))}
    </fieldset>
  )
}

type RemoveStyleProps = { style: Style; onClose: () => void; onRemoved: () => void }

function RemoveStyle({ style, onClose, onRemoved }: RemoveStyleProps) {
  const remove = useRankMutation(beltsApi.removeStyle, { onSuccess: onRemoved })
  return (
    <ConfirmDialog
      opened
      danger
      title={`Remove ${style.name}?`}
      confirm="Remove"
      busyLabel="Removing..."
      onClose={onClose}
      onConfirm={() => remove.mutate({ params: { id: style.id } })}
      {...progressOf(remove, 'The style could not be removed.')}
    >
      {style.ladders.length === 0
        ? 'It has no ladder yet.'
        : `${pluralize(style.ladders.length, 'ladder')} go${style.ladders.length === 1 ? 'es' : ''} with it. Nobody has a rank in it.`}
    </ConfirmDialog>
  )
}
