import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { PublicPage } from '@tatami/contract/public-page/public-page'
import { CopyField } from '../ui/copy-field.tsx'
import { Panel } from '../ui/panel.tsx'
import styles from './share-section.module.css'
import kit from '../ui/kit.module.css'

const idOf = (lastingLink: string): string => lastingLink.slice(lastingLink.lastIndexOf('/') + 1)

function widgetCode({ link, lasting_link }: PublicPage, shows: 'timetable' | 'trial'): string {
  const id = idOf(lasting_link ?? '')
  const source = `${new URL(link).origin}/embed.js`
  const plainLink = `<a href="${lasting_link}">Timetable and trial classes</a>`
  return (
    `<script src="${source}" data-dojo="${id}" data-show="${shows}"></script>` +
    `<noscript>${plainLink}</noscript>`
  )
}

/** The address, a QR code for flyers, and code for the school's own site. */
export function ShareSection({ page }: { page: PublicPage }) {
  if (page.lasting_link === null || page.qr === null) return null
  return (
    <Panel title="Share">
      <div className={kit.stack}>
        <CopyField label="Address of the page" value={page.link} />
        <Button
          component="a"
          href={page.link}
          target="_blank"
          rel="noreferrer"
          variant="default"
          className={styles.open}
          leftSection={<IconExternalLink size={20} aria-hidden />}
        >
          See the page
        </Button>
        <img className={styles.qr} src={page.qr} alt="QR code for the public page" />
        <p className={kit.note}>The QR code keeps working if you change the address.</p>
        <CopyField label="Timetable for your website" value={widgetCode(page, 'timetable')} />
        <CopyField label="Booking form for your website" value={widgetCode(page, 'trial')} />
      </div>
    </Panel>
  )
}
