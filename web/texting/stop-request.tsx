import { IconPin } from '@tabler/icons-react'
import { conversationsApi } from '@tatami/contract/conversations'
import { errorMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import styles from './stop-request.module.css'

/** Asks the instructor what a phone means that seems to ask for no more texts. */
export function StopRequest({ phone }: { phone: string }) {
  const decide = useEndpointMutation(conversationsApi.decideStopRequest, {
    refreshes: [conversationsApi.phone, conversationsApi.conversations],
  })
  const endsTexts = decide.isPending && decide.variables.body.ends_texts
  const submit = (ends_texts: boolean) =>
    decide.isPending || decide.mutate({ params: { phone }, body: { ends_texts } })
  return (
    <section className={styles.request} aria-label="Asks for no more texts?">
      <p>
        <IconPin size={20} aria-hidden />
        <span>This phone may be asking for no more texts. Only you can tell.</span>
      </p>
      <div className={styles.acts}>
        <BusyButton size="sm" busy={endsTexts} busyLabel="Ending..." onClick={() => submit(true)}>
          End the texts
        </BusyButton>
        <BusyButton
          size="sm"
          variant="default"
          busy={decide.isPending && !endsTexts}
          busyLabel="Saving..."
          onClick={() => submit(false)}
        >
          Keep texting
        </BusyButton>
      </div>
      <ErrorNotice>
        {decide.error &&
          errorMessage(decide.error, 'Your answer could not be saved. Please try again.')}
      </ErrorNotice>
    </section>
  )
}
