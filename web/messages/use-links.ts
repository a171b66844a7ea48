import { conversationsApi } from '@tatami/contract/texting/conversations'
import { familiesApi } from '@tatami/contract/families/families'
import { textingApi } from '@tatami/contract/texting/texting'
import { useEndpointMutation } from '../lib/query.ts'

/** `isNew` means that the guardian was created together with the link. */
export type PhoneLinkResult = { name: string } & (
  | { studentId: string }
  | { guardianId: string; isNew?: boolean }
)

export function useLinks(phone: string) {
  const { phone: info, thread, conversations } = conversationsApi
  const ofStudent = { refreshes: [info, thread, conversations, textingApi.inbox] }
  const ofGuardian = { refreshes: [...ofStudent.refreshes, familiesApi.list] }
  const linkStudent = useEndpointMutation(conversationsApi.link, ofStudent)
  const linkGuardian = useEndpointMutation(conversationsApi.linkGuardian, ofGuardian)
  const unlinkStudent = useEndpointMutation(conversationsApi.unlink, ofStudent)
  const unlinkGuardian = useEndpointMutation(conversationsApi.unlinkGuardian, ofGuardian)
  const removeGuardian = useEndpointMutation(familiesApi.removeGuardian, ofGuardian)
  const undo = (link: PhoneLinkResult) => {
    if ('studentId' in link)
      return unlinkStudent.mutate({ params: { phone }, query: { student_id: link.studentId } })
    const { guardianId: id, isNew } = link
    const onSuccess = () => isNew && removeGuardian.mutate({ params: { id } })
    return unlinkGuardian.mutate({ params: { phone }, query: { guardian_id: id } }, { onSuccess })
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
