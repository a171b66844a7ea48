import type { BatchText } from '@tatami/contract/texting/text-history'
import { textingApi } from '@tatami/contract/texting/texting'
import { textingAccountApi } from '@tatami/contract/texting/texting-account'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { formatPhone } from '../lib/text.ts'
import { TextStatus } from '../texting/delivery-progress.tsx'
import { ACTIVE_POLL_MS, awaitsReport } from '../texting/text-status.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import kit from '../ui/kit.module.css'

export function TestText({ phone }: { phone: string | null }) {
  const test = useEndpointMutation(textingAccountApi.sendTest)
  return (
    <section className={`${kit.stackSmall} ${kit.divided}`} aria-label="Test">
      <h3 className={`${kit.titleSmall} ${kit.strong}`}>Try it</h3>
      {phone ? (
        <div className={kit.row}>
          <BusyButton
            busy={test.isPending}
            busyLabel="Sending the test text..."
            onClick={() => test.mutate({})}
          >
            Send a test text to my phone
          </BusyButton>
          <span className={kit.muted}>{formatPhone(phone)}</span>
        </div>
      ) : (
        <p className={kit.muted}>
          To send yourself a test text, add your phone number in your settings first.
        </p>
      )}
      <ErrorNotice>
        {test.isError &&
          errorMessage(test.error, 'The test text could not be sent. Please try again.')}
      </ErrorNotice>
      {test.data && <TestResult batchId={test.data.batch_id} />}
    </section>
  )
}

const isOnItsWay = ({ state, updated_at }: BatchText) => awaitsReport({ state, at: updated_at })

function TestResult({ batchId }: { batchId: string }) {
  const { data } = useQuery({
    ...endpointQuery(textingApi.batch, { params: { id: batchId } }),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.texts.some(isOnItsWay) ? ACTIVE_POLL_MS : false,
  })
  const [text] = data?.texts ?? []
  if (!text) return null
  return (
    <div role="status" className={kit.lines}>
      <TextStatus state={text.state} />
      {text.reason && <p className={kit.muted}>{text.reason}</p>}
    </div>
  )
}
