import { announcementsApi } from '@tatami/contract/messages/announcements'
import { CANCEL_REASONS } from '@tatami/contract/calendar/class-date-words'
import { classesApi } from '@tatami/contract/classes/classes'
import type { Input } from '@tatami/contract/lib/endpoint'
import { textingApi } from '@tatami/contract/texting/texting'
import { useQuery } from '@tanstack/react-query'
import { errorMessage, isNetworkError } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { NO_ANSWER } from '../texting/send-dialog.tsx'

/**
 * Student ids, or null for all students, or undefined while they are loading. Students answer OK to
 * a cancellation.
 */
export type Audience = {
  kind: 'weather_cancel' | 'class_cancel' | 'special_announcement'
  studentIds: string[] | null | undefined
}

const [WEATHER] = CANCEL_REASONS
export const cancellationKind = (reason: string): Audience['kind'] =>
  reason === WEATHER ? 'weather_cancel' : 'class_cancel'

type Message = Input<typeof textingApi.sendBulk>['body']

function messageOf(
  { kind, studentIds }: Audience,
  custom_message: string,
  classIds: string[],
): Message {
  const students = studentIds && { selected_students: studentIds }
  if (kind !== 'special_announcement') return { message_type: kind, custom_message, ...students }
  // A guest has a place on the date without being in the class, so students are listed by id.
  return { message_type: kind, custom_message, selected_classes: classIds, ...students }
}

export const hasReaders = ({ studentIds }: Audience) =>
  studentIds === null || (studentIds?.length ?? 0) > 0

export function useTextPreview(audience: Audience) {
  const { data: classes } = useQuery(endpointQuery(classesApi.list))
  const classIds = classes?.map(({ id }) => id) ?? []
  const body = messageOf(audience, '', classIds) as Input<typeof textingApi.preview>['body']
  return useQuery({
    ...endpointQuery(textingApi.preview, { body }),
    enabled: classIds.length > 0 && hasReaders(audience),
  })
}

/** Sending the same text again before an answer comes does not send it twice. */
export function useTell() {
  const { data: classes } = useQuery(endpointQuery(classesApi.list))
  const send = useEndpointMutation(textingApi.sendBulk, {
    refreshes: [textingApi.usage, textingApi.batches, textingApi.simulated, announcementsApi.list],
  })
  const tell = (audience: Audience, text: string) =>
    send.mutateAsync({ body: messageOf(audience, text, classes?.map(({ id }) => id) ?? []) })
  return { tell, isPending: send.isPending }
}

export const textFailure = (error: unknown, fallback = 'The text could not be sent.') =>
  isNetworkError(error) ? NO_ANSWER : errorMessage(error, fallback)
