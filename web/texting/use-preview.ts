import { useDebouncedValue } from '@mantine/hooks'
import { textingApi } from '@tatami/contract/texting'
import type { Sent } from '@tatami/contract/endpoint'
import type { MessageType } from '@tatami/contract/message-types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'
import { messageOf, needsClasses, type SendingForm } from './sendings.ts'

const PAUSE_MS = 300
const KEPT_MS = 30_000

export type Previewed = ReturnType<typeof usePreview>

/** Who would get it, asked again as the choice changes. The words do not change who, so they are not sent for it. */
export function usePreview(type: MessageType, form: SendingForm) {
  const draft = JSON.stringify(messageOf(type, { ...form, custom_message: '' }))
  const [asked] = useDebouncedValue(draft, PAUSE_MS)
  const body = JSON.parse(asked) as Sent<typeof textingApi.preview>['body']
  const isReady = (chosen: string[]) => !needsClasses(type) || chosen.length > 0
  const { data, isError, isPlaceholderData, refetch } = useQuery({
    ...endpointQuery(textingApi.preview, { body }),
    enabled: isReady(body.selected_classes ?? []),
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
  })
  const canKnow = isReady(form.selected_classes)
  return { canKnow, data, isError: isError && !data, isStale: isPlaceholderData || asked !== draft, refetch: () => void refetch() }
}
