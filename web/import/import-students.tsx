import { Button, Stack } from '@mantine/core'
import { importApi } from '@tatami/contract/import/import'
import { type ImportPlan } from '@tatami/contract/import/import-plan'
import { hasNameColumn } from '@tatami/contract/import/sheet'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { errorMessage, isRefused, newIdempotencyKey } from '../lib/api.ts'
import { useLayout } from '../lib/layout-link.tsx'
import {
  isTransientError,
  endpointKey,
  readEndpoint,
  refreshAll,
  useEndpointMutation,
} from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { BottomActions, PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { ChooseSheet } from './choose-sheet.tsx'
import { formatImportLabel } from './review.ts'
import type { ImportResult } from './imported-notice.tsx'
import { toRequest } from './import-request.ts'
import type { ImportState } from './import-state.ts'
import { type ImportSheet, useImportSheet } from './use-import-sheet.ts'

const ReviewSheet = lazyComponent(
  () => import('./review-sheet.tsx'),
  'ReviewSheet',
  <Skeletons count={3} height={120} label="Checking your sheet..." />,
)

const ColumnMeanings = lazyComponent(
  () => import('./column-meanings.tsx'),
  'ColumnMeanings',
  <Skeletons count={1} height={320} label="Reading your sheet..." />,
)

const ImportedNotice = lazyComponent(() => import('./imported-notice.tsx'), 'ImportedNotice')

const RecentImports = lazyComponent(() => import('./recent-imports.tsx'), 'RecentImports')

const TYPING_PAUSE_MS = 400
const NO_ANSWER = 'The server didn’t answer. The import may have gone through.'
const PRESS_AGAIN = `${NO_ANSWER} Press Import again: no one will be added twice.`
const NOT_IMPORTED = 'The students could not be imported.'
const IMPORT_REFUSED = `${NOT_IMPORTED} Nothing was changed.`

/** Keeps the previous plan on screen while the server checks a change, unless the rows changed. */
function usePreview(state: ImportState | null, isReady: boolean) {
  const [delayedState] = useDebouncedValue(state, TYPING_PAUSE_MS)
  const currentState = delayedState?.origin === state?.origin ? delayedState : state
  const query = useQuery({
    queryKey: [endpointKey(importApi.preview), currentState?.origin, currentState?.version],
    queryFn:
      currentState && isReady && hasNameColumn(currentState.sheet)
        ? ({ signal }) => readEndpoint(importApi.preview, { body: toRequest(currentState) }, signal)
        : skipToken,
    placeholderData: (previousPlan, previousQuery) =>
      previousQuery?.queryKey[1] === currentState?.origin ? previousPlan : undefined,
    staleTime: Infinity,
    gcTime: 0,
  })
  return {
    ...query,
    isCurrent:
      query.data !== undefined &&
      !query.isPlaceholderData &&
      currentState?.version === state?.version,
  }
}

function useImport(
  { state, setImportKey, keepRows, clear }: ImportSheet,
  plan: ImportPlan | undefined,
  onImported: (result: ImportResult) => void,
) {
  const client = useQueryClient()
  const { mutate, isPending, error } = useEndpointMutation(importApi.create, {
    onSuccess: (reply) => {
      const problemRows = [...new Set(plan?.problems.map(({ row }) => row))].toSorted(
        (a, b) => a - b,
      )
      onImported({ ...reply, remainingRows: problemRows.length })
      if (problemRows.length > 0) keepRows(problemRows)
      else clear()
      window.scrollTo(0, 0)
      refreshAll(client)
    },
  })
  const send = () => {
    if (!state) return
    const isFirstPress = state.importKey === null
    const idempotencyKey = state.importKey ?? newIdempotencyKey()
    // An earlier attempt without a response may have gone through, so we keep its key.
    const onError = (sendError: Error) => {
      if (isFirstPress && isRefused(sendError)) setImportKey(null)
    }
    mutate({ body: toRequest(state), idempotencyKey }, { onError })
    setImportKey(idempotencyKey)
  }
  return { send, isPending, error }
}

type ImportErrorsProps = { error: Error | null; isOutcomeUnknown: boolean }

/** After a refusal, nothing was changed. After any other error, the outcome is unknown. */
function ImportErrors({ error, isOutcomeUnknown }: ImportErrorsProps) {
  const refusal = error && isRefused(error) ? error : null
  return (
    <>
      {isOutcomeUnknown && <ErrorNotice>{PRESS_AGAIN}</ErrorNotice>}
      {!isOutcomeUnknown && error && !refusal && <ErrorNotice>{NO_ANSWER}</ErrorNotice>}
      {refusal && (
        <ErrorNotice>
          {errorMessage(refusal, isOutcomeUnknown ? NOT_IMPORTED : IMPORT_REFUSED)}
        </ErrorNotice>
      )}
    </>
  )
}

type PreviewProps = {
  sheet: ImportSheet
  state: ImportState
  preview: ReturnType<typeof usePreview>
}

const PlanPreview = ({
  sheet,
  state,
  preview: { data: plan, error, refetch, isCurrent },
}: PreviewProps) => (
  <>
    {error && (
      <ErrorNotice onRetry={() => void refetch()}>
        {isTransientError(error)
          ? 'The server isn’t responding. Your sheet is still here.'
          : errorMessage(error, 'The sheet could not be checked.')}
      </ErrorNotice>
    )}
    {!plan && !error && <Skeletons count={3} height={120} label="Checking your sheet..." />}
    {plan && <ReviewSheet sheet={sheet} state={state} plan={plan} isCurrent={isCurrent} />}
  </>
)

type StartOverProps = { isDisabled: boolean; onConfirm: () => void }

function StartOver({ isDisabled, onConfirm }: StartOverProps) {
  const [isConfirming, setIsConfirming] = useState(false)
  return (
    <>
      <Button variant="default" disabled={isDisabled} onClick={() => setIsConfirming(true)}>
        Start over
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setIsConfirming(false)}
        onConfirm={onConfirm}
        title="Start over?"
        confirmLabel="Start over"
        busy={false}
        busyLabel="Starting over..."
        danger
      >
        Your sheet, corrections and answers on this screen will be deleted.
      </ConfirmDialog>
    </>
  )
}

export function ImportStudents() {
  const sheet = useImportSheet()
  const { state } = sheet
  const [result, setResult] = useState<ImportResult | null>(null)
  // True until the instructor has said which column has the names, and pressed Continue.
  const asksColumns = state !== null && (state.asksColumns || !hasNameColumn(state.sheet))
  const preview = usePreview(state, !asksColumns)
  const plan = asksColumns ? undefined : preview.data
  const { send, isPending, error } = useImport(sheet, plan, setResult)
  const isDesktop = useLayout() === 'desktop'
  const count = plan ? plan.students + plan.merged : 0
  const importButton = plan && (
    <BusyButton
      busy={isPending}
      busyLabel="Importing..."
      disabled={count === 0 || (!preview.isCurrent && !isPending)}
      onClick={send}
    >
      {formatImportLabel(plan)}
    </BusyButton>
  )
  return (
    <Stack gap="lg">
      <PageHeader
        title="Import students"
        subtitle={state && pluralize(state.sheet.rows.length, 'row')}
      >
        {state && <StartOver isDisabled={isPending} onConfirm={sheet.clear} />}
        {state && isDesktop && importButton}
      </PageHeader>
      {result && <ImportedNotice result={result} />}
      {!state && (
        <>
          <ChooseSheet
            onTable={(table) => {
              ReviewSheet.preload()
              setResult(null)
              return sheet.load(table)
            }}
          />
          <RecentImports />
        </>
      )}
      <ImportErrors
        error={error}
        isOutcomeUnknown={state !== null && state.importKey !== null && !isPending}
      />
      {state && asksColumns && (
        <ColumnMeanings sheet={sheet} state={state} onDone={sheet.finishColumns} />
      )}
      {state && !asksColumns && <PlanPreview sheet={sheet} state={state} preview={preview} />}
      {state && importButton && <BottomActions>{importButton}</BottomActions>}
    </Stack>
  )
}
