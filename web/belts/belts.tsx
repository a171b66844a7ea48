import { Button } from '@mantine/core'
import {
  type Belts as BeltsReply,
  beltsApi,
  type Ladder,
  type Style,
} from '@tatami/contract/belts/belts'
import { useState } from 'react'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './belts.module.css'
import { LadderCard } from './ladder-card.tsx'
import { NEW_STYLE, type OpenDialog, openedByDraft } from './opened.ts'
import { isUntouched } from './rank-words.ts'
import { type RankAct, RankUndoBar } from './rank-undo-bar.tsx'
import kit from '../ui/kit.module.css'

const TemplatesSheet = lazyComponent(() => import('./templates-sheet.tsx'), 'TemplatesSheet')
const LadderDialog = lazyComponent(() => import('./ladder-dialog.tsx'), 'LadderDialog')
const BringDialog = lazyComponent(() => import('./bring-dialog.tsx'), 'BringDialog')
const StyleDialog = lazyComponent(() => import('./style-dialog.tsx'), 'StyleDialog')

export function Belts() {
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(endpointQuery(beltsApi.show))
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(openedByDraft)
  const [lastAct, setDone] = useState<RankAct | null>(null)
  const [addedId, setAddedId] = useState<string | null>(null)
  const onlyStyle = data?.styles.length === 1 ? data.styles[0] : undefined
  return (
    <div className={kit.stack}>
      <Header
        onlyStyle={onlyStyle}
        isPending={isPending}
        onSettings={(id) => setOpenDialog({ what: 'style', id })}
      />
      {isPending && <Skeletons count={1} height={420} label="Loading..." />}
      {isUnavailable && <RetryNotice onRetry={retry}>The belts could not be loaded.</RetryNotice>}
      {data?.styles.map((style) => (
        <StyleSection
          key={style.id}
          style={style}
          isOnly={style === onlyStyle}
          addedId={addedId}
          onOpen={setOpenDialog}
        />
      ))}
      {data && (
        <p className={kit.note}>
          Do you teach a second style with its own belts?{' '}
          <Button
            variant="subtle"
            size="sm"
            px={0}
            onClick={() => setOpenDialog({ what: 'style', id: NEW_STYLE })}
          >
            Add a style
          </Button>
        </p>
      )}
      {data && openDialog && (
        <OpenedDialog
          belts={data}
          opened={openDialog}
          onOpen={setOpenDialog}
          onDone={setDone}
          onAdded={setAddedId}
        />
      )}
      {lastAct && <RankUndoBar key={lastAct.actId} done={lastAct} onGone={() => setDone(null)} />}
    </div>
  )
}

type HeaderProps = {
  onlyStyle: Style | undefined
  isPending: boolean
  onSettings: (styleId: string) => void
}

function Header({ onlyStyle, isPending, onSettings }: HeaderProps) {
  const size = useLayout() === 'desktop' ? 'md' : 'sm'
  return (
    <PageHeader title="Belts" subtitle="Your ranks and their requirements">
      {/* Reserves its place while the styles load. */}
      {(onlyStyle || isPending) && (
        <Button
          variant="default"
          size={size}
          disabled={!onlyStyle}
          onClick={() => onlyStyle && onSettings(onlyStyle.id)}
        >
          What counts
        </Button>
      )}
      <Button
        variant={onlyStyle && isUntouched(onlyStyle.ladders) ? 'default' : 'filled'}
        size={size}
        component={LayoutLink}
        to="/belts/ready"
      >
        Who is ready
      </Button>
    </PageHeader>
  )
}

type SectionProps = { style: Style; isOnly: boolean; onOpen: (opened: OpenDialog) => void }
/** A ladder that was just added scrolls into view. */
type StyleProps = SectionProps & { addedId: string | null }

function StyleSection({ style, isOnly, addedId, onOpen }: StyleProps) {
  const isNew = isUntouched(style.ladders)
  const ladders = style.ladders.filter(({ is_retired }) => !is_retired)
  const retiredLadders = style.ladders.filter(({ is_retired }) => is_retired)
  const add = (
    <AddLadder
      key="add"
      isNew={isNew && style.is_main}
      style={style}
      isOnly={isOnly}
      onOpen={onOpen}
    />
  )
  const cards = ladders.map((ladder) => (
    <LadderCard
      key={ladder.id}
      ladder={ladder}
      style={style}
      isAdded={ladder.id === addedId}
      onOpen={onOpen}
    />
  ))
  return (
    <section aria-label={style.name} className={kit.stack}>
      {!isOnly && (
        <div className={`${kit.spread} ${styles.head}`}>
          <h2 className={`${kit.titleLarge} ${styles.name}`}>{style.name}</h2>
          <Button
            variant="default"
            size="sm"
            aria-label={`Settings of ${style.name}`}
            onClick={() => onOpen({ what: 'style', id: style.id })}
          >
            Settings
          </Button>
        </div>
      )}
      <div className={styles.ladders}>{isNew ? [add, ...cards] : [...cards, add]}</div>
      {retiredLadders.length > 0 && (
        <p className={kit.note}>
          No longer in use, kept for the history:{' '}
          {retiredLadders.map(({ name }: Ladder) => name).join(', ')} (
          {pluralize(retiredLadders.length, 'ladder')})
        </p>
      )}
    </section>
  )
}

function AddLadder({ isNew, style, isOnly, onOpen }: SectionProps & { isNew: boolean }) {
  const ofStyle = isOnly ? '' : ` for ${style.name}`
  return (
    <div className={styles.add}>
      <p>
        {isNew
          ? 'Every dojo starts with these seven belts. Does your school have its own?'
          : style.ladders.length === 0
            ? 'This style has no ladder yet.'
            : 'Do kids or another group have their own belts?'}
      </p>
      <div className={styles.ways}>
        <Button
          variant={isNew || style.ladders.length === 0 ? 'filled' : 'default'}
          aria-label={ofStyle && `Start from a template${ofStyle}`}
          onPointerEnter={TemplatesSheet.preload}
          onClick={() => onOpen({ what: 'templates', id: style.id })}
        >
          Start from a template
        </Button>
        <Button
          variant="default"
          aria-label={ofStyle && `Draw your own${ofStyle}`}
          onPointerEnter={LadderDialog.preload}
          onClick={() => onOpen({ what: 'draw', id: style.id })}
        >
          Draw your own
        </Button>
      </div>
    </div>
  )
}

type DialogProps = {
  belts: BeltsReply
  opened: OpenDialog
  onOpen: (opened: OpenDialog | null) => void
  onDone: (done: RankAct) => void
  onAdded: (ladderId: string) => void
}

function OpenedDialog({
  belts: { styles: allStyles },
  opened: { what, id },
  onOpen,
  onDone,
  onAdded,
}: DialogProps) {
  const close = () => onOpen(null)
  const style = allStyles.find((candidate) => candidate.id === id)
  const ofLadder = allStyles.find(({ ladders }) => ladders.some((ladder) => ladder.id === id))
  const openLadder = ofLadder?.ladders.find((ladder) => ladder.id === id)
  if (what === 'style' && (style || id === NEW_STYLE))
    return <StyleDialog style={style} isOnly={allStyles.length === 1} onClose={close} />
  if (what === 'templates' && style)
    return <TemplatesSheet style={style} onClose={close} onAdded={onAdded} />
  if (what === 'draw' && style)
    return <LadderDialog style={style} onClose={close} onAdded={onAdded} />
  if (what === 'edit' && ofLadder && openLadder)
    return <LadderDialog style={ofLadder} ladder={openLadder} onClose={close} />
  if (what === 'bring' && ofLadder && openLadder)
    return <BringDialog style={ofLadder} ladder={openLadder} onClose={close} onDone={onDone} />
  return null
}
