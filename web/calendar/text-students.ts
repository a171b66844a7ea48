import { announcementsApi } from '@tatami/contract/messages/announcements'
import { CANCEL_REASONS } from '@tatami/contract/calendar/class-date-texts'
import { classesApi } from '@tatami/contract/classes/classes'
import type { Input } from '@tatami/contract/lib/endpoint'
import { EVEN_TO_MANY } from '@tatami/contract/texting/bulk-message'
import { textingApi } from '@tatami/contract/texting/texting'
import { useQuery } from '@tanstack/react-query'
import { errorMessage, isNetworkError } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { NO_ANSWER } from '../texting/send-dialog.tsx'
import { isManyRecipientsRefusal } from '../texting/vacation-question.tsx'

export type Audience = {
  /** Students can reply OK to the two types of cancellation. */
  messageType: 'weather_cancel' | 'class_cancel' | 'special_announcement'
  /** Null means all students. Undefined while the students are loading. */
  studentIds: string[] | null | undefined
}

/** The first suggested reason, bad weather, has its own message type. */
const [WEATHER] = CANCEL_REASONS
export const chooseMessageType = (reason: string): Audience['messageType'] =>
  reason === WEATHER ? 'weather_cancel' : 'class_cancel'

type MessageRequest = Input<typeof textingApi.sendBulk>['body']

function buildMessageRequest(
  { messageType, studentIds }: Audience,
  custom_message: string,
  classIds: string[],
): MessageRequest {
  const students = studentIds && { selected_students: studentIds }
  if (messageType !== 'special_announcement')
    return { message_type: messageType, custom_message, ...students }
  // Guests are not enrolled in the class, so the students are also listed by id.
  return { message_type: messageType, custom_message, selected_classes: classIds, ...students }
}

export const hasRecipients = ({ studentIds }: Audience) =>
  studentIds === null || (studentIds?.length ?? 0) > 0

export function useTextPreview(audience: Audience) {
  const { data: classes } = useQuery(endpointQuery(classesApi.list))
  const classIds = classes?.map(({ id }) => id) ?? []
  const body = buildMessageRequest(audience, '', classIds) as Input<
    typeof textingApi.preview
  >['body']
  return useQuery({
    ...endpointQuery(textingApi.preview, { body }),
    enabled: classIds.length > 0 && hasRecipients(audience),
  })
}

/** If a response is lost, sending again does not text anyone twice. */
export function useSendClassText() {
  const { data: classes } = useQuery(endpointQuery(classesApi.list))
  const send = useEndpointMutation(textingApi.sendBulk, {
    refreshes: [textingApi.usage, textingApi.batches, textingApi.simulated, announcementsApi.list],
  })
  // The server asks for confirmation before it texts many people. Pressing Send again confirms.
  const isConfirmedForMany = send.error !== null && isManyRecipientsRefusal(send.error)
  const sendText = (audience: Audience, text: string) => {
    const body = buildMessageRequest(audience, text, classes?.map(({ id }) => id) ?? [])
    return send.mutateAsync({ body: isConfirmedForMany ? { ...body, [EVEN_TO_MANY]: true } : body })
  }
  return { sendText, isPending: send.isPending }
}

export const describeTextFailure = (error: unknown, fallback = 'The text could not be sent.') =>
  isNetworkError(error) ? NO_ANSWER : errorMessage(error, fallback)
