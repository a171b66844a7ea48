import { NumberInput, Switch } from '@mantine/core'
import { documentRules } from '@tatami/contract/documents/document-form'
import { documentsApi, type DocumentList } from '@tatami/contract/documents/documents'
import { progressProps } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'

type Values = {
  is_holding: boolean
  kept_years: number | string
  grown_up_days: number | string
}

/** The value of an empty number field is ''. */
const toBody = ({ is_holding, kept_years, grown_up_days }: Values) => ({
  is_holding,
  kept_years: kept_years === '' ? null : Number(kept_years),
  grown_up_days: Number(grown_up_days),
})

type Props = { rules: DocumentList['rules']; onClose: () => void }

export function RulesDialog({ rules, onClose }: Props) {
  const initialValues: Values = { ...rules, kept_years: rules.kept_years ?? '' }
  const form = useSchemaForm(documentRules, initialValues, toBody)
  const save = useEndpointMutation(documentsApi.setRules, {
    refreshes: [documentsApi.list, documentsApi.unsigned],
    onSuccess: onClose,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title="Rules for documents"
      size="small"
      onClose={onClose}
      isDirty={form.isDirty()}
      onSubmit={form.send((body) => save.isPending || save.mutate({ body }))}
      {...progressProps(save, 'The rules could not be saved. Please try again.')}
      submitLabel="Save"
      busyLabel="Saving..."
    >
      <Switch
        {...form.getInputProps('is_holding', { type: 'checkbox' })}
        label="Hold at the kiosk"
        description="Students without a signature see you first. You can let them pass."
        size="md"
      />
      <NumberInput
        {...form.getInputProps('kept_years')}
        label="Keep waivers of deleted students (years after the last class)"
        description="Leave blank for 2 years after the 20th birthday. Ask your lawyer."
        min={1}
        max={30}
      />
      <NumberInput
        {...form.getInputProps('grown_up_days')}
        label="Days that a parent’s signature counts after the 18th birthday"
        min={0}
        max={365}
        required
      />
    </FormDialog>
  )
}
