import { Button } from '@mantine/core'
import {
  type Belts as BeltsReply,
  beltsApi,
  type Ladder,
  type Style,
} from '@tatami/contract/belts/belts'
import { useState } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './belts.module.css'
import { LadderCard } from './ladder-card.tsx'
import { NEW_STYLE, type OpenDialog, findDialogWithDraft } from './open-dialog.ts'
import { hasDefaultBelts } from './rank-text.ts'
import { type RankAct, RankUndoBar } from './rank-undo-bar.tsx'
import kit from '../ui/kit.module.css'

const TemplatesSheet = lazyComponent(() => import('./templates-sheet.tsx'), 'TemplatesSheet')
const LadderDialog = lazyComponent(() => import('./ladder-dialog.tsx'), 'LadderDialog')
const MoveStudentsDialog = lazyComponent(
  () => import('./move-students-dialog.tsx'),
  'MoveStudentsDialog',
)
const StyleDialog = lazyComponent(() => import('./style-dialog.tsx'), 'StyleDialog')

export function Belts() {
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(endpointQuery(beltsApi.show))
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(findDialogWithDraft)
  const [lastAct, setLastAct] = useState<RankAct | null>(null)
  const [addedLadderId, setAddedLadderId] = useState<string | null>(null)
  const onlyStyle = data?.styles.length === 1 ? data.styles[0] : undefined
  return (
    <div className={kit.stack}>
      <Header
        onlyStyle={onlyStyle}
        isPending={isPending}
        onOpenSettings={(id) => setOpenDialog({ type: 'style', id })}
      />
      {isPending && <Skeletons count={1} height={420} label="Loading..." />}
      {isUnavailable && <RetryNotice onRetry={retry}>The belts could not be loaded.</RetryNotice>}
      {data?.styles.map((style) => (
        <StyleSection
          key={style.id}
          style={style}
          isOnlyStyle={style === onlyStyle}
          addedLadderId={addedLadderId}
          onOpen={setOpenDialog}
        />
      ))}
      {data && (
        <p className={`${kit.row} ${kit.note} ${styles.addStyle}`}>
          Do you teach a second style with its own belts?
          <Button
            variant="subtle"
            size="sm"
            px={0}
            onClick={() => setOpenDialog({ type: 'style', id: NEW_STYLE })}
          >
            Add a style
          </Button>
        </p>
      )}
      {data && openDialog && (
        <CurrentDialog
          belts={data}
          dialog={openDialog}
          onOpen={setOpenDialog}
          onDone={setLastAct}
          onAdded={setAddedLadderId}
        />
      )}
      {lastAct && (
        <RankUndoBar key={lastAct.actId} act={lastAct} onDismiss={() => setLastAct(null)} />
      )}
    </div>
  )
}

type HeaderProps = {
  onlyStyle: Style | undefined
  isPending: boolean
  onOpenSettings: (styleId: string) => void
}

function Header({ onlyStyle, isPending, onOpenSettings }: HeaderProps) {
  const size = useLayout() === 'desktop' ? 'md' : 'sm'
  return (
    <PageHeader title="Belts" subtitle="Your ranks and their requirements">
      {(onlyStyle || isPending) && (
        <Button
          variant="default"
          size={size}
          disabled={!onlyStyle}
          onClick={() => onlyStyle && onOpenSettings(onlyStyle.id)}
        >
          What counts
        </Button>
      )}
    </PageHeader>
  )
}

type SectionProps = { style: Style; isOnlyStyle: boolean; onOpen: (dialog: OpenDialog) => void }
type StyleProps = SectionProps & {
  addedLadderId: string | null
}

function StyleSection({ style, isOnlyStyle, addedLadderId, onOpen }: StyleProps) {
  const isDefault = hasDefaultBelts(style.ladders)
  const ladders = style.ladders.filter(({ is_retired }) => !is_retired)
  const retiredLadders = style.ladders.filter(({ is_retired }) => is_retired)
  const addLadder = (
    <AddLadder
      key="add"
      isDefault={isDefault && style.is_main}
      style={style}
      isOnlyStyle={isOnlyStyle}
      onOpen={onOpen}
    />
  )
  const cards = ladders.map((ladder) => (
    <LadderCard
      key={ladder.id}
      ladder={ladder}
      style={style}
      isJustAdded={ladder.id === addedLadderId}
      onOpen={onOpen}
    />
  ))
  return (
    <section aria-label={style.name} className={kit.stack}>
      {!isOnlyStyle && (
        <div className={`${kit.spread} ${styles.head}`}>
          <h2 className={`${kit.titleLarge} ${styles.name}`}>{style.name}</h2>
          <Button
            variant="default"
            size="sm"
            aria-label={`Settings for ${style.name}`}
            onClick={() => onOpen({ type: 'style', id: style.id })}
          >
            Settings
          </Button>
        </div>
      )}
      <div className={styles.ladders}>
        {isDefault ? [addLadder, ...cards] : [...cards, addLadder]}
      </div>
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

type AddProps = SectionProps & {
  /** The style still has the seven belts that every dojo starts with. */
  isDefault: boolean
}

function AddLadder({ isDefault, style, isOnlyStyle, onOpen }: AddProps) {
  const forStyle = isOnlyStyle ? '' : ` for ${style.name}`
  const isEmpty = style.ladders.length === 0
  return (
    <div className={styles.add}>
      <p>
        {isDefault && 'Every dojo starts with these seven belts. Does your school have its own?'}
        {!isDefault && isEmpty && 'This style has no ladder yet.'}
        {!isDefault && !isEmpty && 'Do kids or another group have their own belts?'}
      </p>
      <div className={styles.choices}>
        <Button
          variant={isDefault || isEmpty ? 'filled' : 'default'}
          aria-label={forStyle && `Start from a template${forStyle}`}
          onPointerEnter={TemplatesSheet.preload}
          onClick={() => onOpen({ type: 'templates', id: style.id })}
        >
          Start from a template
        </Button>
        <Button
          variant="default"
          aria-label={forStyle && `Create your own${forStyle}`}
          onPointerEnter={LadderDialog.preload}
          onClick={() => onOpen({ type: 'new-ladder', id: style.id })}
        >
          Create your own
        </Button>
      </div>
    </div>
  )
}

type DialogProps = {
  belts: BeltsReply
  dialog: OpenDialog
  onOpen: (dialog: OpenDialog | null) => void
  onDone: (act: RankAct) => void
  onAdded: (ladderId: string) => void
}

function CurrentDialog({
  belts: { styles: allStyles },
  dialog: { type, id },
  onOpen,
  onDone,
  onAdded,
}: DialogProps) {
  const close = () => onOpen(null)
  const style = allStyles.find((dojoStyle) => dojoStyle.id === id)
  const styleOfLadder = allStyles.find(({ ladders }) => ladders.some((ladder) => ladder.id === id))
  const openLadder = styleOfLadder?.ladders.find((ladder) => ladder.id === id)
  if (type === 'style' && (style || id === NEW_STYLE))
    return <StyleDialog style={style} isOnlyStyle={allStyles.length === 1} onClose={close} />
  if (type === 'templates' && style)
    return <TemplatesSheet style={style} onClose={close} onAdded={onAdded} />
  if (type === 'new-ladder' && style)
    return <LadderDialog style={style} onClose={close} onAdded={onAdded} />
  if (type === 'edit' && styleOfLadder && openLadder)
    return <LadderDialog style={styleOfLadder} ladder={openLadder} onClose={close} />
  if (type === 'move-students' && styleOfLadder && openLadder)
    return (
      <MoveStudentsDialog
        style={styleOfLadder}
        ladder={openLadder}
        onClose={close}
        onDone={onDone}
      />
    )
  return null
}
