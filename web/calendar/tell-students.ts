import { announcementsApi } from '@tatami/contract/messages/announcements'
import { CANCEL_REASONS } from '@tatami/contract/calendar/class-date-words'
import { classesApi } from '@tatami/contract/classes/classes'
import type { Input } from '@tatami/contract/lib/endpoint'
import { textingApi } from '@tatami/contract/texting/texting'
import { useQuery } from '@tanstack/react-query'
import { errorMessage, isNetworkError } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { NO_ANSWER } from '../texting/send-dialog.tsx'

/** Whom a text is for: students by their ids, null for all; undefined while that is not known. Cancellations are answered with OK. */
export type Audience = {
  kind: 'weather_cancel' | 'class_cancel' | 'special_announcement'
  studentIds: string[] | null | undefined
}

const [WEATHER] = CANCEL_REASONS
/** How the text of a cancellation is called, by its reason. */
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
  // Who is in none of a class's weeks may have a place on one of its dates: the students alone decide.
  return { message_type: kind, custom_message, selected_classes: classIds, ...students }
}

/** Whether there is anybody to text at all. */
export const hasReaders = ({ studentIds }: Audience) =>
  studentIds === null || (studentIds?.length ?? 0) > 0

/** Who would get the text and who not, how many texts it takes, and how many are left of the day's. */
export function useTextPreview(audience: Audience) {
  const { data: classes } = useQuery(endpointQuery(classesApi.list))
  const classIds = classes?.map(({ id }) => id) ?? []
  const body = messageOf(audience, '', classIds) as Input<typeof textingApi.preview>['body']
  return useQuery({
    ...endpointQuery(textingApi.preview, { body }),
    enabled: classIds.length > 0 && hasReaders(audience),
  })
}

/** Sends a text to students; the same words go out once, however often they are sent before an answer comes. */
export function useTell() {
  const { data: classes } = useQuery(endpointQuery(classesApi.list))
  const send = useEndpointMutation(textingApi.sendBulk, {
    refreshes: [textingApi.usage, textingApi.batches, textingApi.simulated, announcementsApi.list],
  })
  const tell = (audience: Audience, text: string) =>
    send.mutateAsync({ body: messageOf(audience, text, classes?.map(({ id }) => id) ?? []) })
  return { tell, isPending: send.isPending }
}

/** Why a text did not go out, or that nobody knows whether it did. */
export const textFailure = (error: unknown, fallback = 'The text could not be sent.') =>
  isNetworkError(error) ? NO_ANSWER : errorMessage(error, fallback)
