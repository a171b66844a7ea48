import { conversationsApi } from '@tatami/contract/texting/conversations'
import { familiesApi } from '@tatami/contract/families/families'
import { textingApi } from '@tatami/contract/texting/texting'
import { useEndpointMutation } from '../lib/query.ts'

/** The student or guardian to whom a phone was linked. If `isNew`, the guardian was created with
 *  the link, so Undo also removes the guardian. */
export type PhoneLinkResult = { name: string } & (
  | { studentId: string }
  | { guardianId: string; isNew?: boolean }
)

export function usePhoneLinks(phone: string) {
  const studentOptions = {
    refreshes: [
      conversationsApi.phone,
      conversationsApi.thread,
      conversationsApi.conversations,
      textingApi.inbox,
    ],
  }
  const guardianOptions = { refreshes: [...studentOptions.refreshes, familiesApi.list] }
  const linkStudent = useEndpointMutation(conversationsApi.link, studentOptions)
  const linkGuardian = useEndpointMutation(conversationsApi.linkGuardian, guardianOptions)
  const unlinkStudent = useEndpointMutation(conversationsApi.unlink, studentOptions)
  const unlinkGuardian = useEndpointMutation(conversationsApi.unlinkGuardian, guardianOptions)
  const removeGuardian = useEndpointMutation(familiesApi.removeGuardian, guardianOptions)
  const undo = (link: PhoneLinkResult) => {
    if ('studentId' in link)
      return unlinkStudent.mutate({ params: { phone }, query: { student_id: link.studentId } })
    const { guardianId, isNew } = link
    return unlinkGuardian.mutate(
      { params: { phone }, query: { guardian_id: guardianId } },
      { onSuccess: () => isNew && removeGuardian.mutate({ params: { id: guardianId } }) },
    )
  }
  return {
    linkStudent,
    linkGuardian,
    unlinkStudent,
    unlinkGuardian,
    undo,
    undoError: unlinkStudent.error ?? unlinkGuardian.error ?? removeGuardian.error,
  }
}
