import { TextInput } from '@mantine/core'
import {
  type OwnEndPreview,
  ownMembershipsApi,
  type OwnSubscription,
  ownEnd,
} from '@tatami/contract/memberships/own-memberships'
import { useQueryClient } from '@tanstack/react-query'
import { progressProps } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, refreshAll, useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ActPreviewBox } from './act-preview.tsx'
import { usePreview } from './use-preview.ts'

type Props = { subscription: OwnSubscription; onClose: () => void }

/** Says the last day and the last sum before a member ends a plan. */
export function EndOwnDialog({ subscription: { id, plan_name }, onClose }: Props) {
  const form = useSchemaForm(ownEnd, { reason: '' })
  const cache = useQueryClient()
  const params = { id }
  const preview = usePreview(
    endpointQuery(ownMembershipsApi.previewEnd, { params, body: {} }),
    true,
  )
  const end = useEndpointMutation(ownMembershipsApi.end, {
    onSuccess: () => {
      refreshAll(cache)
      onClose()
    },
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title={`End ${plan_name}?`}
      size="small"
      onClose={onClose}
      onSubmit={form.send((body) => end.isPending || end.mutate({ params, body }))}
      isDirty={form.isDirty()}
      {...progressProps(end, 'Your plan could not be ended. Please try again.')}
      submitLabel="End plan"
      busyLabel="Ending..."
    >
      <ActPreviewBox title="What happens" preview={preview} />
      {preview.data?.may_keep && <p>{describeChangeOfMind(preview.data)}</p>}
      <TextInput
        label="Would you tell us why? (optional)"
        autoComplete="off"
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  )
}

/** An end that takes the plan back from its first day on can only be undone on the same day. */
const describeChangeOfMind = ({ last_day }: OwnEndPreview): string =>
  last_day === null
    ? 'You can still change your mind today.'
    : 'You can change your mind until the last day.'
