import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { dailyLimit, textingApi } from '@tatami/contract/texting'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { fieldErrors } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Done } from '../ui/done.tsx'
import classes from './limit-form.module.css'
import { typedLimit } from './typed-limit.ts'

/** The act in the field's own line, above what is said about it. */
const beside = (act: ReactNode) => (field: ReactNode) => (
  <div className={classes.row}>
    {field}
    {act}
  </div>
)

/** How many texts each dojo may send a day. */
export function LimitForm({ current }: { current: number }) {
  const cache = useQueryClient()
  const [typed, setTyped] = useState<string>()
  const [wrong, setWrong] = useState<string>()
  const change = useEndpointMutation(textingApi.setDailyLimit, {
    onSuccess: ({ daily_message_limit }) => {
      cache.setQueryData(endpointQuery(textingApi.systemConfig).queryKey, { daily_message_limit })
      setTyped(undefined)
    },
  })
  const value = typed ?? String(current)
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    const body = { daily_limit: typedLimit(value) }
    const { daily_limit: complaint } = fieldErrors(dailyLimit, body)
    setWrong(complaint)
    change.reset()
    if (!complaint && !change.isPending) change.mutate({ body })
  }
  return (
    <form noValidate className={classes.form} onSubmit={save}>
      <TextInput
        label="Daily message limit"
        description="Texts each dojo may send a day"
        inputMode="numeric"
        autoComplete="off"
        value={value}
        error={wrong}
        onChange={(event) => setTyped(event.currentTarget.value)}
        inputContainer={beside(
          <BusyButton type="submit" busy={change.isPending} busyLabel="Saving...">
            Save
          </BusyButton>,
        )}
      />
      <ErrorNotice>{change.isError && 'Failed to update daily message limit'}</ErrorNotice>
      {change.data && typed === undefined && (
        <Done>Each dojo may now send {change.data.daily_message_limit.toLocaleString()} texts a day.</Done>
      )}
    </form>
  )
}
