import { Paper, Stack, Text, Title } from '@mantine/core'
import { type PrivacyNotice, privacyApi } from '@tatami/contract/privacy/privacy'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { Loading } from '../ui/loading.tsx'
import { PageFrame } from '../ui/page-frame.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './privacy-page.module.css'

export function PrivacyPage() {
  const notice = useRetryingQuery(endpointQuery(privacyApi.show))
  return (
    <PageFrame title="What we keep" classNames={styles}>
      <Paper p="lg" className={styles.card}>
        <Title order={1} mb="md">
          What we keep, for how long, and who gets it
        </Title>
        <Loading query={notice} error="This page could not be loaded.">
          <Skeletons count={8} height={56} label="Loading" />
        </Loading>
        {notice.data && <Notice notice={notice.data} />}
      </Paper>
    </PageFrame>
  )
}

const Notice = ({ notice: { kept, recipients } }: { notice: PrivacyNotice }) => (
  <Stack gap="lg">
    <Text>
      Tatami keeps only what a school needs to teach, bill and reach its students. This page
      reflects the settings of your server.
    </Text>
    <DetailList
      title="What we keep and for how long"
      rows={kept.map(({ what, how_long }) => [what, how_long])}
    />
    <DetailList title="Who gets it" rows={recipients.map(({ who, what }) => [who, what])} />
    <section>
      <Title order={2}>Children under 13</Title>
      <Text>
        A child under 13 gets a login only after a parent or guardian has agreed. You can withdraw
        your agreement at any time and ask the school to delete your child’s data.
      </Text>
    </section>
  </Stack>
)

const DetailList = ({ title, rows }: { title: string; rows: [term: string, text: string][] }) => (
  <section>
    <Title order={2}>{title}</Title>
    <dl className={styles.facts}>
      {rows.map(([term, text]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </section>
)
