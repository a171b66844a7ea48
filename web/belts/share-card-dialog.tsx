import { Button } from '@mantine/core'
import { IconDownload, IconShare2 } from '@tabler/icons-react'
import { firstName } from '@tatami/contract/lib/name-parts'
import type { HeldRank } from '@tatami/contract/lib/ranks'
import { useEffect, useRef, useState } from 'react'
import { useCurrentUser } from '../lib/current-user.ts'
import { formatDate } from '../lib/dates.ts'
import { RankBelt } from '../ui/rank-belt.tsx'
import { rankName } from '../ui/rank-name.ts'
import { saveFile } from '../ui/use-download.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { CARD_SIDE, drawShareCard } from './draw-share-card.ts'
import styles from './share-card-dialog.module.css'
import kit from '../ui/kit.module.css'

type Props = {
  name: string
  rank: HeldRank
  givenOn: string
  onClose: () => void
}

const FILE_NAME = 'new-belt.png'

/** Draws the card once the belt is on the page, because the card contains a copy of its picture. */
function useShareCard({ name, rank, givenOn }: Omit<Props, 'onClose'>) {
  const { dojo_name, dojo_logo, dojo_color } = useCurrentUser()
  const canvasRef = useRef<HTMLCanvasElement>(null)
  const beltRef = useRef<HTMLDivElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const newRank = rankName(rank)
  useEffect(() => {
    const beltSvg = beltRef.current?.querySelector('svg')
    if (!canvasRef.current || !beltSvg) return
    const cardText = { name, rank: newRank, day: formatDate(givenOn), school: dojo_name ?? '' }
    drawShareCard(canvasRef.current, { ...cardText, beltSvg, logo: dojo_logo, color: dojo_color })
      .then((png) => setFile(new File([png], FILE_NAME, { type: 'image/png' })))
      .catch(() => setHasFailed(true))
  }, [name, newRank, givenOn, dojo_name, dojo_logo, dojo_color])
  return { canvasRef, beltRef, file, hasFailed }
}

/** Draws the picture on this device, with only the first name. Nothing is uploaded. */
export function ShareCardDialog({ name, rank, givenOn, onClose }: Props) {
  const shortName = firstName(name)
  const { canvasRef, beltRef, file, hasFailed } = useShareCard({ name: shortName, rank, givenOn })
  const isSharable = file !== null && navigator.canShare?.({ files: [file] })
  // The promise is rejected if the person closes the share menu, which is not an error.
  const share = (image: File) => void navigator.share({ files: [image] }).catch(() => {})
  return (
    <Sheet
      opened
      onClose={onClose}
      title={`Share ${shortName}’s new belt`}
      actions={
        <>
          <Button
            variant={isSharable ? 'default' : 'filled'}
            leftSection={<IconDownload size={20} aria-hidden />}
            disabled={file === null}
            onClick={() => file && saveFile({ name: FILE_NAME, content: file })}
          >
            Save picture
          </Button>
          {isSharable && (
            <Button leftSection={<IconShare2 size={20} aria-hidden />} onClick={() => share(file)}>
              Share
            </Button>
          )}
        </>
      }
    >
      <div className={kit.stackSmall}>
        <canvas
          ref={canvasRef}
          width={CARD_SIDE}
          height={CARD_SIDE}
          role="img"
          aria-label={`Card: ${shortName}, ${rankName(rank)}, ${formatDate(givenOn)}`}
          className={styles.card}
        />
        <div ref={beltRef} className={styles.source} aria-hidden>
          <RankBelt rank={rank} size={160} decorative />
        </div>
        <p className={kit.muted}>Only the first name is on the card. You choose who gets it.</p>
        <ErrorNotice>{hasFailed && 'We couldn’t draw the card on this device.'}</ErrorNotice>
      </div>
    </Sheet>
  )
}
