import { leadsApi } from '@tatami/contract/leads/leads'
import { referralsApi } from '@tatami/contract/leads/referrals'
import { useQuery } from '@tanstack/react-query'
import { progressProps } from '../lib/api.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { leadPath } from '../lib/paths.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import kit from '../ui/kit.module.css'

/** Links to the lead that the student was before enrolling, if any, and has the link with which the
 *  student invites friends. */
export function StudentLead({ studentId }: { studentId: string }) {
  const { data } = useQuery(endpointQuery(leadsApi.ofStudent, { params: { id: studentId } }))
  return (
    <div className={kit.stackTight}>
      {data?.lead_id && (
        <LayoutLink to={leadPath(data.lead_id)}>History before enrolling</LayoutLink>
      )}
      <ReferralLink studentId={studentId} />
    </div>
  )
}

function ReferralLink({ studentId }: { studentId: string }) {
  const create = useEndpointMutation(referralsApi.createLink)
  const { busy, error } = progressProps(create, 'The link could not be loaded. Please try again.')
  if (create.data)
    return (
      <>
        <CopyField label="Link for friends" value={create.data.link} />
        <p className={kit.note}>Whoever books a trial with it comes through this student.</p>
      </>
    )
  return (
    <>
      <BusyButton
        variant="default"
        mr="auto"
        busy={busy}
        busyLabel="Loading the link..."
        onClick={() => create.mutate({ params: { id: studentId } })}
      >
        Link for friends
      </BusyButton>
      <ErrorNotice>{error}</ErrorNotice>
    </>
  )
}
