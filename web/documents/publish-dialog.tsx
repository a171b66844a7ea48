import { Radio, Stack } from '@mantine/core'
import { documentsApi, type DocumentDetails } from '@tatami/contract/documents/documents'
import { useState } from 'react'
import { progressProps } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import kit from '../ui/kit.module.css'

type Props = { document: DocumentDetails; onClose: () => void }

/** Asks who signs the new version. Published texts never change. */
export function PublishDialog({ document: { id, name, version }, onClose }: Props) {
  const [resign, setResign] = useState<'all' | 'new_only'>('all')
  const publish = useEndpointMutation(documentsApi.publish, {
    refreshes: [documentsApi.show, documentsApi.list, documentsApi.unsigned],
    onSuccess: onClose,
  })
  const isFirst = version === null
  return (
    <FormDialog
      title={`Publish ${name}`}
      size="small"
      onClose={onClose}
      isDirty={false}
      onSubmit={(event) => {
        event.preventDefault()
        if (!publish.isPending) publish.mutate({ params: { id }, body: { resign } })
      }}
      {...progressProps(publish, 'The document could not be published. Please try again.')}
      submitLabel="Publish"
      busyLabel="Publishing..."
    >
      {isFirst ? (
        <p>
          Families are asked in the app and by email. The text of this version can’t be changed
          afterward; you publish a new one instead.
        </p>
      ) : (
        <Radio.Group
          label="Who signs the new version?"
          size="md"
          value={resign}
          onChange={(value) => setResign(value === 'new_only' ? 'new_only' : 'all')}
        >
          <Stack gap="sm" mt="sm">
            <Radio
              value="all"
              size="md"
              label="Everybody"
              description="They are asked in the app and by email. Earlier signatures count until then."
            />
            <Radio value="new_only" size="md" label="Only people who have not signed yet" />
          </Stack>
        </Radio.Group>
      )}
      <p className={kit.note}>Have you shown the text to your lawyer?</p>
    </FormDialog>
  )
}
