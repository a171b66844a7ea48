import { Box, Button, Stack, Textarea, TextInput } from '@mantine/core'
import { TEXT_MAX } from '@tatami/contract/texting/bulk-message'
import {
  conversationsApi,
  messageTemplate,
  type MessageTemplate,
} from '@tatami/contract/texting/conversations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { drafts, useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './templates.module.css'
import { omitNoticedError, TextNotes } from './text-notes.tsx'
import kit from '../ui/kit.module.css'

const NEW_TEMPLATE = { name: '', text: '' }

export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const {
    data: templates,
    isError,
    isFetching,
    refetch,
  } = useQuery(endpointQuery(conversationsApi.templates))
  const [editedTemplate, setEditedTemplate] = useState<
    MessageTemplate | typeof NEW_TEMPLATE | null
  >(null)
  // The template that was being edited when the session ended, or '' for a new template.
  const [draftId, setDraftId] = useState(() => drafts.subjectOf('template'))
  const draftTemplate = draftId === '' ? NEW_TEMPLATE : templates?.find(({ id }) => id === draftId)
  const openTemplate = editedTemplate ?? draftTemplate
  const close = () => {
    setEditedTemplate(null)
    setDraftId(undefined)
  }
  return (
    <>
      <Sheet
        opened
        onClose={onClose}
        title="Templates"
        actions={
          <>
            <CancelButton>Close</CancelButton>
            <Button onClick={() => setEditedTemplate(NEW_TEMPLATE)}>New template</Button>
          </>
        }
      >
        <Stack gap="md">
          {!templates && !isError && (
            <Skeletons count={2} height={76} label="Loading the templates..." />
          )}
          {isError && !isFetching && (
            <ErrorNotice onRetry={() => void refetch()}>
              The templates could not be loaded.
            </ErrorNotice>
          )}
          {templates?.length === 0 && (
            <Box component="p" c="dimmed" py="md">
              No templates yet. Save texts you send often, such as where to park or what to bring.
            </Box>
          )}
          {templates && templates.length > 0 && (
            <ul className={`${kit.stackSmall} ${styles.list}`} aria-label="Templates">
              {templates.map((template) => (
                <li key={template.id}>
                  <TemplateRow template={template} onEdit={() => setEditedTemplate(template)} />
                </li>
              ))}
            </ul>
          )}
        </Stack>
      </Sheet>
      {openTemplate && <TemplateForm template={openTemplate} onClose={close} />}
    </>
  )
}

type TemplateRowProps = { template: MessageTemplate; onEdit: () => void }

function TemplateRow({ template: { id, name, text }, onEdit }: TemplateRowProps) {
  const [isConfirming, setConfirming] = useState(false)
  const remove = useEndpointMutation(conversationsApi.removeTemplate, {
    refreshes: [conversationsApi.templates],
  })
  return (
    <>
      <strong>{name}</strong>
      <p className={styles.text}>{text}</p>
      <div className={kit.row}>
        <Button variant="default" size="sm" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button
          variant="default"
          size="sm"
          color="red"
          aria-label={`Delete ${name}`}
          onClick={() => setConfirming(true)}
        >
          Delete
        </Button>
      </div>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => remove.mutate({ params: { id } })}
        title={`Delete ${name}?`}
        confirmLabel="Delete template"
        busyLabel="Deleting..."
        danger
        {...progressProps(remove, 'The template could not be deleted. Please try again.')}
      >
        Texts you already sent won’t change. This cannot be undone.
      </ConfirmDialog>
    </>
  )
}

type TemplateFormProps = { template: MessageTemplate | typeof NEW_TEMPLATE; onClose: () => void }

function TemplateForm({ template, onClose }: TemplateFormProps) {
  const id = 'id' in template ? template.id : null
  const form = useSchemaForm(messageTemplate, { name: template.name, text: template.text })
  useDraft('template', form, id ?? '')
  const mutationOptions = {
    refreshes: [conversationsApi.templates],
    onSuccess: onClose,
    onError: form.showRefusal,
  }
  const add = useEndpointMutation(conversationsApi.addTemplate, mutationOptions)
  const change = useEndpointMutation(conversationsApi.changeTemplate, mutationOptions)
  const isPending = add.isPending || change.isPending
  const error = add.error ?? change.error
  return (
    <FormDialog
      title={id ? 'Edit template' : 'New template'}
      onClose={onClose}
      onSubmit={form.send((body) => {
        if (isPending) return
        if (id) change.mutate({ params: { id }, body })
        else add.mutate({ body })
      })}
      isDirty={form.isDirty()}
      {...progressProps({ isPending, error }, 'The template could not be saved.')}
      submitLabel="Save"
      busyLabel="Saving..."
    >
      <TextInput label="Name" maxLength={60} {...form.getInputProps('name')} />
      <Textarea
        label="Text"
        description="{name} becomes the student's first name."
        autosize
        minRows={3}
        maxLength={TEXT_MAX}
        {...form.getInputProps('text')}
        error={omitNoticedError(form.errors.text, form.values.text)}
      />
      <TextNotes text={form.values.text} setText={(text) => form.setFieldValue('text', text)} />
    </FormDialog>
  )
}
